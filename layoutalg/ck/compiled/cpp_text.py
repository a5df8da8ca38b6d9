"""A function of CK with its bindings as C++, and what an import says of its layout as assertions."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from layoutalg.ck.builders import Builder
from layoutalg.ck.cpp.cpp_errors import UndeclaredError
from layoutalg.ck.cpp.syntax import Parameter
from layoutalg.ck.import_run import Run
from layoutalg.ck.interpreter.cpp_values import Enumerator
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, cpp_text
from layoutalg.errors import LayoutError

__all__ = ["UntoldError", "assertions", "case_text", "is_for_host", "literal"]

SAMPLES = 24


class UntoldError(LayoutError):
    """A case that has no text here: data members, arguments that are objects."""


def case_text(
    number: int,
    builder: Builder,
    bindings: Mapping[str, Any],
    run: Run,
    body: Callable[[str], str],
    spelled: str = "",
) -> str:
    """One case: a namespace with the bindings, and a function with what the body says of the call.

    ``spelled``: the call, where it cannot be made from the bindings.
    """
    lines = [f'#line 1 "case{number}"', f"namespace ck_tile {{ namespace case{number} {{"]
    plain = {k: v for k, v in bindings.items() if "." not in k}
    lines += [f"constexpr index_t {k} = {literal(v)};" for k, v in plain.items() if isinstance(v, int)]
    names = {key.partition(".")[0] for key in bindings if "." in key} - {"self"}
    lines += [structure(name, bindings, run) for name in sorted(names)]
    members = [(k.removeprefix("self."), v) for k, v in bindings.items() if k.startswith("self.")]
    owner, function = call(builder, bindings) if not spelled else ("", "")
    if members:  # such classes are for the host
        known = set(builder.owner[-1].source.tokens)
        values = " ".join(f"o.{name} = {literal(value)};" for name, value in members if name in known)
        lines.append(f"constexpr auto object = [] {{ {owner} o{{}}; {values} return o; }};")
        expression = f"object().{function}"
    else:
        expression = spelled or (f"{owner}::{function}" if owner else function)
    lines.append(f"{'inline' if members else '__device__'} void test() {{")
    lines.append(f"  {{ {body(expression)} }}")
    return "\n".join([*lines, "} } }"])


def literal(value: Any) -> str:
    """A number or truth value as C++ has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def structure(name: str, bindings: Mapping[str, Any], run: Run) -> str:
    """``struct Problem`` with its members; nested tables as nested structs."""
    members: list[str] = []
    nested: dict[str, dict[str, Any]] = {}
    for key, value in bindings.items():
        if key.startswith(f"{name}."):
            member = key.removeprefix(f"{name}.")
            if "." in member:
                nested.setdefault(member.partition(".")[0], {})[member] = value
            elif isinstance(value, str):
                try:
                    found = run.value(key)
                except UndeclaredError:  # of another version: who needs it does not compile
                    continue
                is_value = isinstance(found, int | Enumerator)
                members.append(
                    f"static constexpr auto {member} = {value};" if is_value else f"using {member} = {value};"
                )
            elif isinstance(value, int):
                kind = "bool" if isinstance(value, bool) else "index_t"
                members.append(f"static constexpr {kind} {member} = {literal(value)};")
            else:
                raise UntoldError("lists")
    members += [structure(inner, rows, run) for inner, rows in nested.items()]
    return f"struct {name} {{ {' '.join(members)} }};"


def arguments(parameters: list[Parameter], bindings: Mapping[str, Any]) -> str:
    found = []
    for parameter in parameters:
        short = parameter.name.rstrip("_")
        if parameter.name in bindings:
            found.append(literal(bindings[parameter.name]))
        elif any(key.startswith(f"{short}.") for key in bindings) and parameter.role == "type":
            found.append(short)
        else:
            break
    return f"<{', '.join(found)}>" if found else ""


def is_for_host(bindings: Mapping[str, Any]) -> bool:
    """Whether bindings are of data members: such classes are for the host."""
    return any(key.startswith("self.") for key in bindings)


def call(builder: Builder, bindings: Mapping[str, Any]) -> tuple[str, str]:
    """The class, and the call of the function."""
    owner = ""
    for declared in builder.owner:
        given = arguments(declared.parameters, bindings)
        if declared.pattern is not None:
            source, end = declared.source, declared.special or 0
            while source.tokens[end + 1] not in {"{", ":"}:
                end += 1
            given = source.span(declared.special or 0, end + 1)
        word = "template " if owner and given else ""
        owner += f"{'::' if owner else ''}{word}{declared.name}{given}"
    given = arguments(builder.declared.parameters, bindings)
    values = []
    for parameter in builder.declared.arguments:
        if parameter.default is not None:
            break
        if parameter.type is None or parameter.name in bindings:
            raise UntoldError("arguments that are objects")
        values.append("{}")
    word = "template " if owner and given else ""
    return owner, f"{word}{builder.declared.name}{given}({', '.join(values)})"


def assertions(expression: str, layout: Any, number: int) -> str:
    """What must be true of the expression, checked when it is compiled."""
    said = f'"MISMATCH case{number}"'
    if isinstance(layout, TileDistribution | TileDistributionEncoding):
        encoding = layout.encoding if isinstance(layout, TileDistribution) else layout
        member = "::DstrEncode" if isinstance(layout, TileDistribution) else ""
        made = (
            f"typename remove_cvref_t<decltype({expression})>{member}"
            if member
            else f"remove_cvref_t<decltype({expression})>"
        )
        return f"using made = {made}; static_assert(std::is_same_v<made, {cpp_text(encoding)}>, {said});"
    if not isinstance(layout, TensorDescriptor):
        raise UntoldError("adaptors")
    parts = [f"constexpr auto d = {expression};"]
    parts.append(f"static_assert(d.get_element_space_size() == {layout.element_space_size}, {said});")
    parts.append(f"static_assert(d.get_num_of_dimension() == {layout.rank}, {said});")
    for i, length in enumerate(layout.lengths):
        parts.append(f"static_assert(d.get_length(number<{i}>{{}}) == {length}, {said});")
    hidden = layout.num_hidden_dimensions
    parts.append(
        f"static_assert(remove_cvref_t<decltype(d)>::get_num_of_hidden_dimension() == {hidden}, {said});"
    )
    chosen = random.Random(number)  # noqa: S311  sampled indices
    for index in [tuple(chosen.randrange(n) for n in layout.lengths) for _ in range(SAMPLES)]:
        at = f"make_tensor_coordinate(d, make_multi_index({', '.join(map(str, index))}))"
        offset = layout.calculate_offset(index)
        parts.append(f"{{ constexpr auto c = {at}; static_assert(c.get_offset() == {offset}, {said}); }}")
    return "\n  ".join(parts)

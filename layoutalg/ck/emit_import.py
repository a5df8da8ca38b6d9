"""An import as text: Python that builds the layout, JSON of its structure, or a layout file.

>>> from layoutalg.ck.importer import example_index, import_layout
>>> found = import_layout("policy.hpp::Policy::MakeDesc", {"Problem.kM": 64}, index=example_index())
>>> print(emitted(found, "toml", {"Problem.kM": 64}))
[layout.MakeDesc]
from_ck = { target = "policy.hpp::Policy::MakeDesc", arch = "gfx942", bind = { "Problem.kM" = 64 } }
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from sympy import Expr

from layoutalg.ck.importer import Imported
from layoutalg.ck.open_sizes.open_size import Symbol
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, cpp_text
from layoutalg.index.condition_text import conditions_text
from layoutalg.reading.near_names import not_one_of
from layoutalg.transforms import MergeVariant, Transform

__all__ = ["FORMATS", "emitted"]

FORMATS = ("py", "json", "toml")


def emitted(found: Imported, to: str, bindings: Mapping[str, Any]) -> str:
    """The text of an import in one of the ``FORMATS``; ``LayoutError`` for another format."""
    match to:
        case "py":
            return _python(found)
        case "json":
            return json.dumps(_json(found, bindings), indent=1)
        case "toml":
            return _toml(found, bindings)
    raise not_one_of("one", to, FORMATS, where="--emit")


def _name(found: Imported) -> str:
    last = found.target.rpartition(".hpp::")[2].partition("(")[0]
    return re.findall(r"[A-Za-z_]\w*", re.sub(r"<.*>", "", last).partition("#")[0])[-1]


def _toml(found: Imported, bindings: Mapping[str, Any]) -> str:
    rows = ", ".join(f"{_key(name)} = {_toml_value(value)}" for name, value in sorted(bindings.items()))
    where = f'target = {json.dumps(found.target)}, arch = "{found.arch}"'
    return f"[layout.{_name(found)}]\nfrom_ck = {{ {where}, bind = {{ {rows} }} }}"


def _key(name: str) -> str:
    return json.dumps(name)


def _toml_value(value: Any) -> str:
    if isinstance(value, Symbol):
        most = f", max={value.maximum}" if value.maximum else ""
        return f'"symbol(min={value.minimum}, multiple_of={value.multiple_of}{most})"'
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return str(value) if isinstance(value, Expr | MergeVariant) else value


def _encoding_json(encoding: TileDistributionEncoding) -> dict[str, Any]:
    return {name: _plain(value) for name, value in vars(encoding).items()}


def _json(found: Imported, bindings: Mapping[str, Any]) -> dict[str, Any]:
    layout = found.layout
    base = {
        "target": found.target,
        "arch": found.arch,
        "verdict": found.verdict,
        "kind": found.kind,
        "place": found.place,
        "bindings": {k: _toml_value(v) if isinstance(v, Symbol) else v for k, v in sorted(bindings.items())},
        "read": list(found.read),
        "static_asserts": {"checked": found.checked, "not_checked": dict(found.not_checked)},
        "inexact_divisions": dict(found.inexact),
        "lengths_that_differ": dict(found.mismatched),
        "assumed": {place: conditions_text((condition,)) for place, condition in found.assumed.items()},
    }
    if isinstance(layout, TileDistribution):
        return base | {"encoding": _encoding_json(layout.encoding), "lengths": _plain(layout.lengths)}
    if isinstance(layout, TileDistributionEncoding):
        return base | {"encoding": _encoding_json(layout)}
    rows = [
        {
            "kind": t.kind,
            "params": _parameters(t),
            "lower_hidden_ids": list(low),
            "upper_hidden_ids": list(up),
        }
        for t, low, up in layout.links
    ]
    made = {"transforms": rows, "top_hidden_ids": list(layout.top_dimension_hidden_ids)}
    made["bottom_hidden_ids"] = list(layout.bottom_dimension_hidden_ids)
    extra = {"lengths": _plain(layout.lengths), "structure": made}
    if found.kind == "descriptor":
        extra["element_space_size"] = _plain(layout.element_space_size)
    return base | extra


def _parameters(transform: Transform) -> dict[str, Any]:
    return {name: _plain(value) for name, value in transform.arguments.items()}


def _python(found: Imported) -> str:
    layout, name = found.layout, re.sub(r"(?<!^)(?=[A-Z])", "_", _name(found)).lower()
    head = f'"""{found.target} for {found.arch}."""\n\n'
    if isinstance(layout, TileDistribution | TileDistributionEncoding):
        encoding = layout.encoding if isinstance(layout, TileDistribution) else layout
        text = "from layoutalg.distribution import make_static_tile_distribution, read_encoding\n\n"
        inner = f'read_encoding(\n    "{cpp_text(encoding)}"\n)'
        if isinstance(layout, TileDistribution):
            inner = f"make_static_tile_distribution({inner})"
        return f"{head}{text}{name} = {inner}"
    kinds = sorted({type(t).__name__ for t in layout.transforms})
    if "Merge" in kinds:
        kinds.append("MergeVariant")
    lines = [f"from layoutalg.{_module(found)} import {type(layout).__name__}"]
    lines += [f"from layoutalg.transforms import {', '.join(sorted([*kinds, 'VectorHint']))}"]
    symbols = sorted(str(s) for s in layout.free_symbols)
    if symbols:
        lines += [
            "from layoutalg.length import sizes",
            "",
            f'{", ".join(symbols)} = sizes("{" ".join(symbols)}")',
        ]
        lines[-1] = lines[-1] if len(symbols) > 1 else f'{symbols[0]} = sizes("{symbols[0]}")'
    body = [f"    ({', '.join(_constructor(t) for t in layout.transforms)},),"]
    body += [f"    {layout.lower_dimension_hidden_idss!r},", f"    {layout.upper_dimension_hidden_idss!r},"]
    body += [f"    {layout.bottom_dimension_hidden_ids!r},", f"    {layout.top_dimension_hidden_ids!r},"]
    if found.kind == "descriptor":
        hints = ", ".join(f"VectorHint({v.length}, {v.stride})" for v in layout.guaranteed_vectors)
        body += [
            f"    element_space_size={layout.element_space_size},",
            f"    guaranteed_vectors=({hints},),",
        ]
    return "\n".join([head.rstrip(), "", *lines, "", f"{name} = {type(layout).__name__}(", *body, ")"])


def _module(found: Imported) -> str:
    return "descriptor" if found.kind == "descriptor" else "adaptor"


def _constructor(transform: Transform) -> str:
    given = ", ".join(f"{key}={_argument(value)}" for key, value in vars(transform).items())
    return f"{type(transform).__name__}({given})"


def _argument(value: Any) -> str:
    return f"MergeVariant.{value.name}" if isinstance(value, MergeVariant) else repr(value)

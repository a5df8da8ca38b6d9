"""Witnesses of findings, asked of CK's own compiled headers: offsets, lengths, promises, who holds what."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.compiled.cpp_text import case_text, is_for_host
from layoutalg.ck.compiled.translation_unit import Cases, included, judged, said_of
from layoutalg.ck.cpp.headers import headers
from layoutalg.ck.fetch import find_root
from layoutalg.ck.import_run import Run
from layoutalg.ck.import_target import Target, found_builder
from layoutalg.ck.shipped_bindings import default_bindings
from layoutalg.distribution import TileDistribution, TileDistributionEncoding, make_static_tile_distribution
from tests.layoutalg.ck.findings import COMPILES, Finding, imports
from tests.layoutalg.ck.oracle.compiled import spoiled

__all__ = ["confirmed"]

# what CK calls only on the device is no constant there; this one function is wanted as one
DEVICE = "#undef CK_TILE_DEVICE\n#define CK_TILE_DEVICE inline __device__ constexpr\n"
HEADS = (
    included(("gemm", "fmha", "flatmm", "grouped_convolution"))
    + DEVICE
    + included(("image_to_column",)).partition("\n")[2]
)
STEPS = "-fconstexpr-steps=400000000"
MORE = (("-std=c++23", "-Wno-invalid-constexpr", STEPS), (STEPS,))  # on the device, on the host


def confirmed(wanted: Sequence[Finding], arch: str, *, spoil: bool = False) -> dict[int, str]:
    """For each finding by its place in the list: confirmed, contradicted, or what the compiler said."""
    layouts = {target: result.layout for target, result, _ in imports(arch)}
    rows: tuple[Cases, Cases] = ({}, {})
    for number, finding in enumerate(wanted):
        host, text = case_of(number, finding, layouts[finding.target], arch)
        rows[host][number] = (str(number), text)
    blocks = [
        said_of(
            spoiled(found) if spoil else found,
            find_root(),
            arch,
            host=bool(host),
            heads=HEADS,
            more=MORE[host],
        )
        for host, found in enumerate(rows)
        if found
    ]
    outcome = judged("\n".join(blocks), rows[0] | rows[1], Counter())
    said = {}
    for number, finding in enumerate(wanted):
        differs, refused = (found.get(str(number), "") for found in (outcome.differ, outcome.not_compiled))
        is_agreed = str(number) in outcome.agree
        if finding.claim == COMPILES:
            is_agreed = finding.more["said"] in refused
        said[number] = "confirmed" if is_agreed else f"contradicted: {differs}" if differs else refused
    return said


def case_of(number: int, finding: Finding, layout: Any, arch: str) -> tuple[bool, str]:
    """Whether a case is for the host, and its C++."""
    index = headers(find_root(), arch)
    builder, ordinal = found_builder(index, Target.of(finding.target))
    bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
    body = partial(statements, finding=finding, layout=layout, number=number)
    run = Run(index, flattened(bindings))
    if "cpp" not in finding.more:
        return is_for_host(bindings), case_text(number, builder, bindings, run, body)
    kept = {k: v for k, v in bindings.items() if "." not in k or k.startswith("Problem.")}
    return False, case_text(number, builder, kept, run, body, finding.more["cpp"])


def statements(expression: str, finding: Finding, layout: Any, number: int) -> str:
    """What the compiler is to agree with: the call, and assertions."""
    if finding.claim == COMPILES:
        return f"constexpr auto d = {expression};"
    is_distribution = isinstance(layout, TileDistribution | TileDistributionEncoding)
    rows = of_distribution(finding, layout) if is_distribution else of_descriptor(finding, layout)
    said = f'"MISMATCH case{number}"'
    lines = [f"constexpr auto d = {expression};"]
    lines += [row if row.endswith(";") else f"static_assert({row}, {said});" for row in rows]
    return "\n  ".join(lines)


def of_descriptor(finding: Finding, layout: Any) -> Iterable[str]:
    """Lengths, element space, and where the points lie, each on its way too."""
    yield f"d.get_element_space_size() == {layout.element_space_size}"
    for i, length in enumerate(layout.lengths):
        yield f"d.get_length(number<{i}>{{}}) == {length}"
    for n, (point, offset) in enumerate(zip(finding.points, finding.offsets, strict=True)):
        at = f"make_multi_index({', '.join(map(str, point))})"
        yield f"constexpr auto c{n} = make_tensor_coordinate(d, {at});"
        yield f"c{n}.get_offset() == {offset}"
        yield f"d.calculate_offset({at}) == {offset}"
        if finding.claim == "one-to-one":
            yield f"int(coordinate_has_valid_offset(d, c{n})) == {1}"
    if "beyond" in finding.more:
        i, value, length = finding.more["beyond"]
        yield f"c0.get_hidden_index()[number<{i}>{{}}] == {value}"
        if i:
            yield f"d.get_hidden_dimension_length(number<{i}>{{}}) == {length}"
    if "promised" in finding.more:
        i, length = finding.more["promised"]
        yield "using made = remove_cvref_t<decltype(d)>;"
        yield "constexpr auto v = made::get_top_dimension_safe_vector_length_strides();"
        yield f"v.at(number<0>{{}})[number<{i}>{{}}] == {length}"


def of_distribution(finding: Finding, layout: Any) -> Iterable[str]:
    """How often the element is held, and the first one: all threads, first and last registers."""
    encoding = layout.encoding if isinstance(layout, TileDistribution) else layout
    adaptor = make_static_tile_distribution(encoding).ps_ys_to_xs
    lengths = list(map(int, adaptor.lengths))
    steps = [1] * encoding.num_p + [max(1, n - 1) for n in lengths[encoding.num_p :]]
    names = [f"i{n}" for n in range(len(lengths))]
    loops = "".join(
        f"for(int {i} = 0; {i} < {n}; {i} += {step}) "
        for i, n, step in zip(names, lengths, steps, strict=True)
    )
    yield "constexpr auto a = remove_cvref_t<decltype(d)>{}.get_ps_ys_to_xs_adaptor();"
    held, first = (
        " && ".join(f"x[number<{k}>{{}}] == int({z})" for k, z in enumerate(element))
        for element in (finding.more["element"], [0] * encoding.num_x)
    )
    yield (
        f"constexpr int n = [](auto b) {{ int many = 0; {loops}{{ "
        f"const auto x = b.calculate_bottom_index(make_multi_index({', '.join(names)})); "
        f"many += ({held} ? 1000000 : 0) + ({first} ? 1 : 0); }} return many; }}(a);"
    )
    yield f"n == {math.prod(encoding.rs_lengths)}"

"""Old CK's own functions, compiled for the host and run: what they return at sampled indices.

Many of them are no constants but code of the host, so their results are printed and compared. What a function
for the device alone returns has no data: its type says all.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from layoutalg.ck.bindings import flattened
from layoutalg.ck.builders import Builder
from layoutalg.ck.class_text import class_text
from layoutalg.ck.compiled.cpp_text import literal
from layoutalg.ck.compiled.translation_unit import flags
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.import_run import Run
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.errors import LayoutError

SAMPLES = 24
FIRST = [  # some headers take these for included
    "ck/utility/common_header.hpp",
    "ck/tensor_description/tensor_descriptor_helper.hpp",
    "ck/tensor_description/tensor_adaptor.hpp",
    "ck/tensor_operation/gpu/device/tensor_layout.hpp",
    "ck/tensor_operation/gpu/device/gemm_specialization.hpp",
    "ck/tensor_operation/gpu/device/tensor_specialization.hpp",
    "ck/tensor_operation/gpu/element/element_wise_operation.hpp",
    "ck/utility/reduction_operator.hpp",
]
FOLDER = Path(__file__).parent
WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Case:
    """A function with its bindings, the layout that the import gives, and the headers to include."""

    number: int
    target: str
    builder: Builder
    bindings: Mapping[str, Any]
    layout: Any
    header: str = ""


@dataclass
class Told:
    """Which cases agree, which differ and how, and which do not compile or run."""

    agree: list[str] = field(default_factory=list)
    differ: dict[str, str] = field(default_factory=dict)
    not_run: dict[str, str] = field(default_factory=dict)


def executed(cases: Iterable[Case], root: Path, index: Index, *, workers: int = 2) -> Told:
    """Compile and run all cases, those of one header together."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        included = case.bindings.get("include") or case.builder.file
        groups[str(included).removeprefix("include/")].append(case)
    told = Told()
    with ThreadPoolExecutor(workers) as pool:
        for part in pool.map(lambda row: _group(row[0], row[1], root, index), sorted(groups.items())):
            told.agree += part.agree
            told.differ |= part.differ
            told.not_run |= part.not_run
    return told


def _group(header: str, cases: list[Case], root: Path, index: Index) -> Told:
    told, texts = Told(), dict[int, str]()
    by_number = {case.number: case for case in cases}
    for case in cases:
        try:
            texts[case.number] = case_text(case, index)
        except LayoutError as error:
            told.not_run[case.target] = f"no text: {error.message}"
    headers = list(dict.fromkeys([header, *(c.builder.file.removeprefix("include/") for c in cases)]))
    for _ in range(4):
        said, printed = _compiled(headers, texts, root, index.arch) if texts else ("", "")
        wrong = _wrong(said, texts)
        for number, text in wrong.items():
            told.not_run[by_number[number].target] = text
            texts.pop(number)
        if not wrong:
            if said and texts:
                told.not_run |= {by_number[n].target: said[:2000] for n in texts}
            break
    rows = {int(line.split(":")[0]): line for line in printed.splitlines() if line[:1].isdigit()}
    for number in texts:
        _judge(told, by_number[number], rows.get(number, ""))
    return told


def _judge(told: Told, case: Case, row: str) -> None:
    """Note whether a case printed what the import says."""
    if case.target in told.not_run:
        return
    if not row or " " not in row:
        told.not_run[case.target] = "printed nothing"
    elif row == expected(case):
        told.agree.append(case.target)
    else:
        told.differ[case.target] = f"compiled {row[:600]}\nimported {expected(case)[:600]}"


def _wrong(said: str, texts: Mapping[int, str]) -> dict[int, str]:
    """The cases that an error names."""
    found: dict[int, str] = {}
    for block in re.split(r"\n(?=\S+:\d+:\d+: (?:fatal )?error: )", f"\n{said}")[1:]:
        numbers = [int(n) for n in re.findall(r"\bcase(\d+)\b", block) if int(n) in texts]
        if numbers:
            found.setdefault(numbers[0], block[:1500])
    return found


def _compiled(headers: list[str], texts: Mapping[int, str], root: Path, arch: str) -> tuple[str, str]:
    """What the compiler says, and what the program prints."""
    calls = "\n".join(f"  guarded({n}, case{n}::test);" for n in texts)
    includes = "".join(f'#include "{name}"\n' for name in (*FIRST, *headers))
    text = f'{includes}#include "report.h"\n{"".join(texts.values())}\nint main() {{\n{calls}\n}}\n'
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "cases.hip", Path(folder) / "cases.o"
        source.write_text(text, encoding="utf-8")
        own = [
            flag for flag in flags(arch, host=True) if flag not in {"-fsyntax-only", "-DSTAND_IN_CONSTEXPR"}
        ]
        own += ["-DSTAND_IN_RUNS", f"-I{root}/include", f"-I{root}/library/include", f"-I{FOLDER}/old_ck"]
        command = [sys.executable, "-m", "ziglang", "clang", *own, "-c", "-O0"]
        done = _run([*command, "-target", "x86_64-linux-musl", str(source), "-o", str(made)])
        if done.returncode:
            return done.stderr, ""
        program = Path(folder) / "cases"
        link = [sys.executable, "-m", "ziglang", "c++", "-target", "x86_64-linux-musl", str(made)]
        linked = _run([*link, str(FOLDER / "old_ck/hip_stubs.c"), "-o", str(program)])
        if linked.returncode:
            return linked.stderr, ""
        return "", _run([str(program)]).stdout


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")


# the text of a case


def case_text(case: Case, index: Index) -> str:
    """A namespace with the bindings, and a class that sees the names of the one that has the function."""
    n, builder, bindings = case.number, case.builder, flattened(case.bindings)
    run = Run(index, bindings)
    owner, _ = run.owner_of(builder)
    lines = [
        f'\n#line 1 "case{n}"',
        f"namespace case{n} {{ using namespace ck; using namespace {builder.space};",
    ]
    texts = " ".join(value for value in bindings.values() if isinstance(value, str))
    if "Device" in bindings and re.search(r"\bDevice\b", texts):
        lines.append(f"using Device = {bindings['Device']};")
    function = _function(case, bindings)
    if owner is None:
        return "\n".join([*lines, f"inline void test() {{ {_body(case, function)} }} }}"])
    lines.append(f"using Owner = {_owner(case, bindings)};")
    lines.append("struct Probe : Owner {")
    used = set(WORD.findall(function + " ".join(_object(bindings))))
    lines += _parameters(owner, used, index)
    made = _object(bindings)
    call = f"o.{function}" if made else f"Owner::{function}"
    lines.append(f"static void run() {{ {' '.join(made)} {_body(case, call)} }} }};")
    return "\n".join([*lines, "inline void test() { Probe::run(); } }"])


def _body(case: Case, call: str) -> str:
    report = f"report<{literal(isinstance(case.layout, TensorDescriptor))}>({case.number}, d);"
    if _is_for_device(case.builder):  # where its sizes are those of its type
        call = f"remove_cvref_t<decltype({call})>{{}}"
        report = f"if(remove_cvref_t<decltype(d)>::IsKnownAtCompileTime()) {report}"
    return f"auto d = {call}; {report}"


def _is_for_device(builder: Builder) -> bool:
    declared = builder.declared
    words = declared.source.tokens[declared.begin : declared.head]
    return "__device__" in words and "__host__" not in words


def _parameters(owner: Any, used: set[str], index: Index) -> list[str]:
    """The template arguments of a class that texts name, as members."""
    found = []
    names = owner.scope.parent.names if owner.scope.parent is not None else {}
    for parameter in owner.declared.parameters:
        if parameter.name in used and parameter.name in names:
            text = class_text(names[parameter.name], index)
            is_type = parameter.role == "type"
            what = (
                f"using {parameter.name} = {text};"
                if is_type
                else f"static constexpr auto {parameter.name} = {text};"
            )
            found.append(what)
    return found


def _owner(case: Case, bindings: Mapping[str, Any]) -> str:
    if "class" in bindings:
        return str(bindings["class"])
    text = f"ck::{case.builder.space}".replace("ck::ck", "ck")
    for declared in case.builder.owner:
        given = [p for p in declared.parameters if p.name in bindings]
        values = ", ".join(literal(bindings[p.name]) for p in given)
        text += f"::{declared.name}" + (f"<{values}>" if declared.headers else "")
    return text


def _object(bindings: Mapping[str, Any]) -> list[str]:
    if "this" in bindings:
        return [f"auto o = {bindings['this']};"]
    fields = [(k.removeprefix("self."), v) for k, v in bindings.items() if k.startswith("self.")]
    return ["Owner o{};", *(f"SET(o, {name}, {literal(value)})" for name, value in fields)] if fields else []


def _function(case: Case, bindings: Mapping[str, Any]) -> str:
    """The call of the function, with its arguments."""
    declared = case.builder.declared
    given: list[str] = []
    for parameter in declared.parameters:
        if parameter.name not in bindings:
            break  # what the arguments tell
        given.append(_argument(bindings[parameter.name], is_type=parameter.role == "type"))
    values = []
    for parameter in declared.arguments:
        if parameter.name in bindings:
            values.append(_argument(bindings[parameter.name], is_type=False))
        elif parameter.default is not None:
            break
        else:
            values.append(_type_argument(parameter, bindings))
    start = "template " if given and case.builder.owner else ""
    return f"{start}{declared.name}{'<' + ', '.join(given) + '>' if given else ''}({', '.join(values)})"


def _type_argument(parameter: Any, bindings: Mapping[str, Any]) -> str:
    """An unnamed argument, whose type is a binding: an object of that type."""
    words = WORD.findall(parameter.type.source.span(parameter.type.at, parameter.type.at + 3))
    bound = next((name for name in words if isinstance(bindings.get(name), str)), "")
    return f"remove_cvref_t<{_argument(bindings[bound], is_type=True)}>{{}}" if bound else "{}"


def _argument(value: Any, *, is_type: bool) -> str:
    if isinstance(value, tuple):
        return f"{{{', '.join(map(str, value))}}}"
    text = literal(value)
    if is_type and text.endswith(")") and not text.startswith(("decltype", "ck::remove", "remove")):
        return f"remove_cvref_t<decltype({text})>"
    return text


# what the import says


def expected(case: Case) -> str:
    """The line that the program is to print."""
    layout: TensorAdaptor = case.layout
    lengths = [int(v) for v in layout.lengths]
    parts = [str(layout.rank), *map(str, lengths)]
    if isinstance(layout, TensorDescriptor):
        parts += ["space", str(int(layout.element_space_size)), "hidden", str(layout.num_hidden_dimensions)]
    points = []
    for sample in range(SAMPLES):
        at = tuple(_random(sample, i) % max(n, 1) for i, n in enumerate(lengths))
        bottom = layout.calculate_bottom_index(at)
        points.append("/".join(str(_wrapped(int(v))) for v in bottom))
        points.append(
            str(int(bool(layout.is_valid_index(at)))) if isinstance(layout, TensorDescriptor) else ""
        )
    return f"{case.number}: {' '.join(parts)} | {' '.join(p for p in points if p)}"


def _random(sample: int, position: int) -> int:
    return ((sample * 7919 + position * 104729 + 12345) * 2654435761 % 2**32) >> 7


def _wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31

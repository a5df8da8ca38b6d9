"""Rows of Python tables, such as aiter's instances and CK's FMHA tiles: read as text, never executed.

A row is a call of a dataclass, ``kernelInstance(1, 256, 32, ...)``; the names of its fields are those of the
class, which stands in the same folder. Its type of elements is that of the branch it stands in
(``if dtype in ["fp16", "bf16"]``), its GPU that of the class or table around it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.tuned_name import naming
from layoutalg.errors import LayoutError
from layoutalg.reading.text_file import read_text

__all__ = ["python_configurations"]

ARCHITECTURE = re.compile(r"gfx\d+[a-f]?", re.IGNORECASE)
TYPES = re.compile(r"(fp32|fp16|bf16|fp8|bf8|int8)(fp32|fp16|bf16)?")  # of elements, and of results


def python_configurations(path: Path) -> Iterator[Configuration]:
    """The configurations that the tables of a file hold."""
    rows = [row for row in naming()["row"] if fnmatchcase(path.name, row["file"])]
    tree = _parsed(path)
    if not any(fnmatchcase(name, row["class"]) for name in _called(tree) for row in rows):
        return
    fields = _fields_around(path)
    for call in _calls(tree, _Around()):
        entry = next((row for row in rows if fnmatchcase(call.name, row["class"])), None)
        if entry is not None and call.name in fields:
            yield from _configurations(call, entry, fields[call.name], path)


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(read_text(path))
    except SyntaxError as error:
        raise LayoutError(f"{path}:{error.lineno}: no Python: {error.msg}") from None


def _called(tree: ast.Module) -> set[str]:
    return {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def _fields_around(path: Path) -> dict[str, list[tuple[str, ast.expr | None]]]:
    """For each class of the folder its annotated fields in order, with their defaults; its own file wins."""
    found: dict[str, list[tuple[str, ast.expr | None]]] = {}
    for file in sorted({*path.parent.glob("*.py"), path}, key=lambda file: file == path):
        for node in ast.walk(_parsed(file)):
            if isinstance(node, ast.ClassDef):
                found[node.name] = [
                    (s.target.id, s.value)
                    for s in node.body
                    if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
                ]
    return found


@dataclass(frozen=True)
class _Around:
    """What stands around a call: names of classes and tables with conditions, and the types of a branch."""

    words: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Call:
    name: str
    node: ast.Call
    around: _Around


def _calls(node: ast.AST, around: _Around) -> Iterator[_Call]:
    """Every call of a name below a node, with what stands around it."""
    if isinstance(node, ast.If):
        words = (*around.words, ast.unparse(node.test))
        inside = _Around(words, _types_of(node.test) or around.types)
        for statement in node.body:
            yield from _calls(statement, inside)
        for statement in node.orelse:
            yield from _calls(statement, around)
        return
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        around = replace(around, words=(*around.words, node.name))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        around = replace(around, words=(*around.words, node.targets[0].id))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield _Call(node.func.id, node, around)
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, around)


def _types_of(test: ast.expr) -> tuple[str, ...]:
    """The types of elements that a condition names."""
    texts = [n.value for n in ast.walk(test) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return tuple(text for text in texts if TYPES.fullmatch(text))


def _element_types(text: str) -> dict[str, Value]:
    """The parameters that ``fp8bf16`` tells: elements of A and of C."""
    found = TYPES.fullmatch(text)
    if found is None:
        return {}
    return {"a_type": found[1]} | ({"c_type": found[2]} if found[2] else {})


def _configurations(
    call: _Call, entry: Mapping[str, Any], fields: list[tuple[str, ast.expr | None]], path: Path
) -> Iterator[Configuration]:
    """What one row tells: for each type of its branch, and each way that its kernels are built."""
    said = _parameters(call.node, entry, fields)
    about = " ".join(call.around.words)
    extra = [values for pattern, values in entry.get("where", {}).items() if fnmatchcase(about, pattern)]
    arch = ARCHITECTURE.search(about)
    shape = "x".join(str(value) for value in said.values() if isinstance(value, int))
    for kind in call.around.types or ("",):
        for each in entry.get("each", [{}]):
            values: dict[str, Value] = dict(entry.get("set", {}))
            for more in (*extra, each, said, _element_types(kind)):
                values |= more
            kernel = str(values.pop("kernel", entry["kernel"]))
            target = str(values.pop("arch", _target(arch[0].lower()) if arch else ""))
            words = [call.name, kind, *(f"{name}{value}" for name, value in each.items()), shape]
            name = "_".join(filter(None, words))
            yield Configuration(name, kernel, values, str(path), call.node.lineno, target)


def _target(word: str) -> str:
    """A GPU that a name speaks of; the family gfx9 says nothing."""
    return "" if word == "gfx9" else word


def _parameters(
    node: ast.Call, entry: Mapping[str, Any], fields: list[tuple[str, ast.expr | None]]
) -> dict[str, Value]:
    """The constant arguments of a call by the names of parameters."""
    given = {name: default for name, default in fields if default is not None}
    given |= {name: value for (name, _), value in zip(fields, node.args, strict=False)}
    given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    if "arguments" in entry:
        return _template_arguments(given)
    found: dict[str, Value] = {}
    renamed, prefix = entry.get("fields"), entry.get("prefix", "")
    renamed = naming()["members"] if "members" in entry else renamed
    for name, value in given.items():
        key = renamed.get(name) if renamed is not None else name.removeprefix(prefix)
        constant = _constant(value)
        if key and constant is not None:
            found[key] = constant.lower() if isinstance(constant, str) else constant
    return found


def _template_arguments(given: Mapping[str, ast.expr]) -> dict[str, Value]:
    """The fields of a row as template arguments of a device operation of old CK, in C++."""
    texts, found = naming()["argument_texts"], dict[str, Value]()
    for field, name in naming()["arguments"].items():
        try:
            value = ast.literal_eval(given[field]) if field in given else None
        except ValueError:
            continue
        if isinstance(value, list):
            found[name] = f"ck::Sequence<{', '.join(map(str, value))}>"
        elif value is not None:
            found[name] = texts.get(name, "{}").format(value)
    return found


def _constant(node: ast.expr) -> Value | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int | str) else None

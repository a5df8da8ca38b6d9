"""Instances of device operations that CK itself builds: the ``Device...<...>`` lines of its library.

An instance says of every template parameter of a device operation what CK gives it. The lists of instances
are alias templates in headers; the files that use them say the arguments.

>>> instances = Instances({"list.hpp": LIST, "use.cpp": USE}, _example())
>>> [one.text for one in instances.of("DeviceAdd", most=2)]
['ck::device::DeviceAdd<ck::device::Padding::Padded, 64, ck::Sequence<4, 2>>']
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.ck.class_text import class_text
from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.ck_library import OLD_CK
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, nested_code
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.include_graph import IncludeGraph
from layoutalg.ck.cpp.preprocessor import without_comments
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.interpreter.cpp_values import ClassType, Enumerator, EnumType, Scope
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.interpreter.packs import evaluated_list
from layoutalg.ck.interpreter.templates import bind
from layoutalg.errors import LayoutError

__all__ = ["Instance", "Instances", "instances_of"]

FOLDER = "library"
KINDS = frozenset((".hpp", ".cpp", ".inc", ".in"))
DEVICE = re.compile(r"\b(Device[A-Z_]\w*)\s*<")
USED = re.compile(r"\b(\w*instances?\w*)\s*<")
MOST_FILES = 12  # of one device operation that are read
MOST_USERS = 8  # of one list


@dataclass(frozen=True)
class Instance:
    """One line: the device operation, its header, the file that lists it, and the class as C++ text.

    ``arguments`` are the template arguments, by the names of the parameters.
    """

    device: str
    header: str
    file: str
    text: str
    arguments: Mapping[str, str] = field(compare=False)


class Instances:
    """The instances in the files of a library, by the names of device operations."""

    def __init__(self, texts: Mapping[str, str], index: Index) -> None:
        self.texts = texts
        self.index = index
        self.known: dict[str, Index] = {}
        self.read: dict[str, tuple[list[Instance], Iterator[Instance]]] = {}
        self.graph = IncludeGraph()
        self.listed: dict[str, list[str]] = defaultdict(list)
        self.used: dict[str, list[str]] = defaultdict(list)
        for file, text in sorted(texts.items(), key=lambda row: (len(row[0]), row[0])):
            self.graph.add(file, text)
            for name in sorted(set(DEVICE.findall(text))):
                self.listed[name].append(file)
            for name in sorted(set(USED.findall(text))):
                self.used[name].append(file)

    def read_with(self, file: str) -> Index:
        """The headers, one more file and what it includes of the library, in an index of their own."""
        if file not in self.known:
            made = self.index.copy()
            made.macros |= _enabled(self.texts[file])
            for name in sorted(self.graph.seen_from(file)):
                made.add(name, self.texts[name])
            self.known[file] = made
        return self.known[file]

    def of(self, device: str, *, most: int = 1) -> list[Instance]:
        """The first instances of a device operation that can be read, one of each list and use of it."""
        if device not in self.read:
            self.read[device] = ([], _read(self, device))
        found, more = self.read[device]
        for instance in more:
            if instance.text not in {one.text for one in found}:
                found.append(instance)
            if len(found) >= most:
                break
        return found[:most]


def _read(given: Instances, device: str) -> Iterator[Instance]:
    """The instances that can be read: of each list, and each file that uses it, the first."""
    for file in given.listed.get(device, [])[:MOST_FILES]:
        for space, declared in _aliases(given.read_with(file), file, device):
            users = [one for one in given.used.get(declared.name, []) if one != file][:MOST_USERS]
            is_any = False
            for user in (*users, file):
                if user == file and is_any:
                    break
                try:
                    with nested_code():
                        found = _of_alias(given, user, space, declared, device)
                except (LayoutError, TypeError, ValueError, AttributeError, LookupError):
                    continue  # a list for another target, or of what is not read
                if found is not None:
                    is_any = True
                    yield found


def _enabled(text: str) -> dict[str, str]:
    """The macros with which CK's build says that a type is wanted."""
    return dict.fromkeys(re.findall(r"\bCK_ENABLE_\w+|\bCK_USE_\w+|\bDL_KERNELS\b", text), "1")


def _aliases(index: Index, file: str, device: str) -> Iterator[tuple[str, Declaration]]:
    for space, names in list(index.spaces.items()):
        for found in list(names.values()):
            for declared in found:
                if declared.kind != "alias" or declared.source.name != file:
                    continue
                if device in declared.source.tokens[declared.begin : declared.end]:
                    yield space, declared


def _of_alias(given: Instances, user: str, space: str, declared: Declaration, device: str) -> Instance | None:
    """The first line of a list, with the arguments that one file gives to the list."""
    index = given.read_with(user)
    interp = interpreter(index)
    interp.preferred = user
    scope = interp.space(space).inner()
    if declared.headers:
        arguments = _arguments(interp, given.texts[user], space, declared)
        scope = scope.inner(bind(interp, declared.parameters, arguments, scope, declared.name)[0])
    for node in _named(declared.type_node, device):
        made = interp.evaluate(node, scope)
        if isinstance(made, ClassType):
            header = made.declared.source.name
            return Instance(
                device, header, declared.source.name, class_text(made, index), _texts(made, index)
            )
    return None


def _texts(made: ClassType, index: Index) -> dict[str, str]:
    """The template arguments of a class by the names of its parameters."""
    parameters = made.declared.parameters
    if any(p.is_pack for p in parameters):
        return {}
    pairs = zip(parameters, made.arguments, strict=False)
    return {p.name: class_text(value, index) for p, value in pairs if p.name}


def _named(node: Any, device: str) -> Iterator[Node]:
    """The lines of a list: nodes with this name and template arguments."""
    if isinstance(node, syntax.Named) and node.name == device:
        yield node
    elif isinstance(node, Node):
        for part in node.parts:
            yield from _named(part, device)
    elif isinstance(node, list | tuple):
        for part in node:
            yield from _named(part, device)


def _arguments(interp: Interpreter, user: str, space: str, declared: Declaration) -> tuple[Any, ...]:
    """The arguments of a list: those of its first use in a text, else a value of each parameter's type."""
    scope = interp.space(space)
    for match in re.finditer(rf"\b{declared.name}\s*(<[^;{{}}]*?>)\s*[({{;]", without_comments(user)):
        try:
            node = read_expression(f"{declared.name}{match[1]}")
            if isinstance(node, syntax.Name) and node.template_arguments is not None:
                return tuple(evaluated_list(interp, node.template_arguments, scope))
        except ImportFailedError:
            continue  # of names that are not read
    return tuple(_any(interp, p, scope) for p in declared.parameters if p.default is None)


def _any(interp: Interpreter, parameter: syntax.Parameter, scope: Scope) -> Any:
    if parameter.role != "value" or parameter.type is None:
        raise LayoutError(f"no argument for {parameter.name}")
    kind = interp.evaluate(parameter.type, scope)
    if isinstance(kind, EnumType):
        return Enumerator(kind, *kind.values[0])
    return 2


@cache
def instances_of(root: Path, index: Index) -> Instances:
    """The instances of a tree; none where it has no library of them."""
    texts = {}
    for path in sorted((root / FOLDER).rglob("*")):
        if path.suffix in KINDS and path.resolve().is_relative_to(root.resolve()):
            texts[str(path.relative_to(root))] = path.read_text(encoding="utf-8", errors="replace")
    return Instances(texts, index)


LIST = """
namespace ck { namespace device { namespace instance {
template <Padding P> using add_instances = std::tuple<
    DeviceAdd<P, 64, Sequence<4, 2>>,
    DeviceAdd<P, 128, Sequence<8, 2>>>;
} } }
"""
USE = "void add(I& all) { add_device_operation_instances(all, add_instances<Padding::Padded>{}); }"


def _example() -> Index:
    index = Index("gfx942", {}, library=OLD_CK)
    operation = "template <Padding P, index_t BlockSize, typename Cluster> struct DeviceAdd {};"
    index.add(
        "add.hpp",
        f"namespace ck {{ namespace device {{ enum struct Padding {{ None, Padded }}; {operation} }} }}",
    )
    return index

"""Which classes an instance of a device operation is made of: those that its aliases and bases name.

A device operation names the kernel that it launches, ``using GridwiseGemm = ...``, and this the pipeline that
it runs. So an instance that CK builds says the template arguments of all of them.

>>> from layoutalg.ck.cpp.ck_library import OLD_CK
>>> index = Index("gfx942", {}, library=OLD_CK)
>>> kernel = "template <int N> struct Grid { static constexpr int kN = N; };"
>>> device = "template <int N> struct Device { using GridwiseGemm = Grid<2 * N>; };"
>>> _ = index.add("a.hpp", f"namespace ck {{ {kernel} {device} }}")
>>> sorted(reached("ck::Device<4>", index).values())
['ck::Device<4>', 'ck::Device<4>::GridwiseGemm']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

from layoutalg.ck.cpp.cpp_errors import nested_code
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.instances import Instance, Instances, instances_of
from layoutalg.ck.interpreter.class_members import bases_of
from layoutalg.ck.interpreter.cpp_values import ClassType
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.errors import LayoutError

__all__ = ["classes_from_instances", "nearest_instance", "plain_name", "reached"]

MOST_CLASSES = 80  # of one instance
FEW = 4  # parameters
MOST_DEVICES = 16  # that are tried for one class


@cache
def reached(text: str, index: Index, header: str = "") -> dict[int, str]:
    """The classes that a class names, itself among them: C++ text by the identity of the declaration."""
    interp = interpreter(index)
    interp.preferred = header
    found: dict[int, str] = {}
    waiting = [
        (_tried(lambda: interp.evaluate(read_expression(text), interp.space(index.library.space))), text)
    ]
    while waiting and len(found) < MOST_CLASSES:
        kind, path = waiting.pop(0)
        if isinstance(kind, ClassType) and id(kind.declared) not in found:
            found[id(kind.declared)] = path
            waiting += _named(interp, kind, path)
    return found


def _tried(evaluated: Callable[[], Any]) -> Any:
    """A value, or None for what this instance does not have."""
    try:
        with nested_code():
            return evaluated()
    except (LayoutError, TypeError, ValueError, AttributeError, LookupError):
        return None


def _named(interp: Interpreter, kind: ClassType, path: str) -> Iterator[tuple[Any, str]]:
    """The bases of a class, which its own text stands for, and the classes that its members name."""
    for base in _tried(lambda: bases_of(interp, kind)) or ():
        yield base, path
    for declared in kind.declared.members:
        is_type = declared.kind in {"alias", "class"} and not declared.headers
        if not (is_type or (declared.kind == "variable" and declared.is_static)):
            continue
        value = _tried(partial(interp.handlers.member, interp, kind, declared.name))
        inner = f"{path}::{declared.name}"
        yield value, inner if is_type else f"remove_cvref_t<decltype({inner})>"


def classes_from_instances(
    owner: Declaration, index: Index, *, most: int = 1
) -> Iterator[tuple[Instance, str]]:
    """Instances of CK's that have a class of this declaration, each with the text of the class.

    ``most`` is how many of one device operation are tried.
    """
    if index.root is None:
        return
    instances = instances_of(index.root, index)
    for device in _users(owner, index, instances)[:MOST_DEVICES]:
        for instance in instances.of(device, most=most):
            path = reached(instance.text, index, instance.header).get(id(owner))
            if path is not None:
                yield instance, path


def nearest_instance(parameters: Iterable[str], index: Index) -> Instance | None:
    """The instance with the most parameters of these names; None if there is none with more than a few."""
    if index.root is None:
        return None
    instances, wanted = instances_of(index.root, index), set(map(plain_name, parameters))
    known = {device: declared for device in instances.listed for declared in _declared(index, device)}
    shared = {
        d: len(wanted & {plain_name(p.name) for p in declared.parameters}) for d, declared in known.items()
    }
    for device in sorted(known, key=lambda name: (-shared[name], name))[:MOST_DEVICES]:
        found = instances.of(device, most=4) if shared[device] >= FEW else []
        if found:
            return max(found, key=lambda instance: instance.text.count("_Float16"))
    return None


def plain_name(name: str) -> str:
    """The name of a parameter without what its spellings differ in: ``AK1Value``, ``AK1``, ``AK1_``.

    >>> plain_name("AK1Value"), plain_name("MPerXDL"), plain_name("ALayout_")
    ('ak1', 'mperxdl', 'alayout')
    """
    return name.rstrip("_").removesuffix("Value").lower()


def _users(owner: Declaration, index: Index, instances: Instances) -> list[str]:
    """The device operations whose headers see a class, first those that name it themselves."""
    found: list[tuple[int, str]] = []
    for device in instances.listed:
        for declared in _declared(index, device):
            source = declared.source
            if declared is owner:
                found.append((0, device))
            elif owner.source.name in index.includes.seen_from(source.name):
                names_it = owner.name in _words(source.name, index)
                found.append((1 if names_it else 2, device))
    return [device for _, device in sorted(found)]


def _declared(index: Index, name: str) -> list[Declaration]:
    return [d for d in _by_name(index).get(name, []) if d.kind == "class" and d.body is not None]


@cache
def _by_name(index: Index) -> dict[str, list[Declaration]]:
    found: dict[str, list[Declaration]] = {}
    for names in index.spaces.values():
        for name, declarations in names.items():
            if name.startswith("Device"):
                found.setdefault(name, []).extend(declarations)
    return found


@cache
def _words(file: str, index: Index) -> frozenset[str]:
    return frozenset(index.sources[file].tokens)

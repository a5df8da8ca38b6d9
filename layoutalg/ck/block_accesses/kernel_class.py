"""A class of old CK whose functions run on the GPU, evaluated with the thread's number left open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from layoutalg.ck.block_accesses.function_places import Place, called
from layoutalg.ck.block_accesses.thread_access import LANE, WAVE, thread_number
from layoutalg.ck.builders import Builder
from layoutalg.ck.cpp import syntax
from layoutalg.ck.cpp.cpp_errors import ImportFailedError
from layoutalg.ck.cpp.declarations import Declaration
from layoutalg.ck.cpp.headers import Index
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.cpp.syntax import Node
from layoutalg.ck.import_run import Run
from layoutalg.ck.interpreter.class_members import bases_of
from layoutalg.ck.interpreter.conversions import constant
from layoutalg.ck.interpreter.cpp_values import Array, ClassType, Record, Scope, Sequence, Tuple
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.open_sizes.decisions import Decisions
from layoutalg.ck.open_sizes.ranges import Ranges
from layoutalg.errors import LayoutError
from layoutalg.machine import TARGETS

__all__ = ["FAILURES", "KernelClass", "class_of", "components", "maker", "unwrapped"]

FAILURES = (LayoutError, TypeError, ValueError, AttributeError, LookupError)
THREAD = "threadIdx.x"
TUPLES = {"tie", "make_tuple", "concat_tuple", "concat_tuple_of_reference", "container_concat", "Tuple"}
TYPES = {"remove_cvref_t", "remove_reference_t", "remove_cv_t"}
MOST_THREADS = 1024


@dataclass(frozen=True)
class KernelClass:
    """A class with its template arguments, its names, and the interpreter that evaluates them."""

    owner: ClassType
    scope: Scope
    run: Run

    @classmethod
    def of(cls, builder: Builder, bindings: Mapping[str, Any], index: Index) -> KernelClass:
        """The class that has a function, with these bindings; ``ImportFailedError`` where none is made."""
        wave_size = TARGETS[index.arch].wave_size
        given = {**bindings, THREAD: 0}
        ends = Ranges({LANE: 0, WAVE: 0}, {LANE: wave_size - 1, WAVE: MOST_THREADS // wave_size - 1})
        run = Run(index, given, {THREAD: thread_number(wave_size)}, Decisions(ends, ()))
        owner, scope = run.owner_of(builder)
        if owner is None:
            raise LayoutError(f"{builder.name} is a function of no class")
        return cls(owner, scope, run)

    @property
    def interp(self) -> Interpreter:
        return self.run.interp

    @property
    def read(self) -> frozenset[str]:
        """The bindings that were read."""
        return frozenset((self.run.used | self.interp.log.read) - {THREAD}) & set(self.run.bindings)

    def value(self, text: str, owner: ClassType | None = None) -> Any:
        """The value of C++ text where the names of the class, or of another one, are visible."""
        return self.interp.evaluate(read_expression(text), self.scope if owner is None else owner.scope)

    def member(self, owner: Any, name: str) -> Any:
        """What a static function without arguments gives."""
        found = self.interp.handlers.member(self.interp, owner, name)
        return self.interp.handlers.call(self.interp, found, [], "")

    def family(self, owner: ClassType | None = None) -> Iterator[ClassType]:
        """The class, or another one, and its bases."""
        one = self.owner if owner is None else owner
        yield one
        for base in bases_of(self.interp, one):
            if isinstance(base, ClassType):
                yield from self.family(base)

    def require_one_way(self) -> None:
        """Refuse what was decided by the number of the thread: other threads go other ways."""
        taken = self.interp.path.taken if self.interp.path is not None else []
        if taken:
            raise LayoutError(f"threads take different ways: {taken[0][0]}")

    def declared(self, name: str) -> Node | None:
        """What a member of the class is declared as: the value of a constant, the type of an alias."""
        for one in self.family():
            for member in one.declared.members:
                if member.name == name and member.kind in {"alias", "variable"} and not member.headers:
                    return member.type_node if member.kind == "alias" else member.value
        return None


def class_of(value: Any) -> ClassType | None:
    """The class of an object, or a class itself; None for other values."""
    if isinstance(value, Record):
        return value.kind
    return value if isinstance(value, ClassType) else None


def components(value: Any) -> tuple[Any, ...]:
    """The numbers or expressions in an index, a sequence or an array."""
    if isinstance(value, Sequence):
        return tuple(constant(v) for v in value.values)
    if isinstance(value, Tuple | Array):
        return tuple(constant(v) for v in value.items)
    raise LayoutError(f"wanted an index, got a {type(value).__name__}")


Named = Callable[[str], Node | None]


def unwrapped(node: Node, named: Named) -> Node:
    """The first entry of a tuple, and what ``decltype`` asks about; other nodes are themselves.

    >>> text = "decltype(concat_tuple(tie(c_desc), generate_tie(f)))"
    >>> unwrapped(read_expression(text), lambda name: None)
    (name 'c_desc' None)
    """
    while True:
        node = syntax.bare(node)
        match node:
            case syntax.Decltype():
                node = node.operand
            case syntax.Construct() if not node.arguments:
                node = node.type
            case syntax.Call() if called(node) in TUPLES and node.arguments:
                node = node.arguments[0]
            case syntax.Name() if node.name in TUPLES | TYPES and node.template_arguments:
                node = node.template_arguments[0]
            case syntax.Name():
                behind = named(node.name)
                inner = None if behind is None else unwrapped(behind, named)
                if inner is None or inner is behind or isinstance(syntax.bare(inner), syntax.Call):
                    return node
                node = inner
            case _:
                return node


def maker(node: Node, named: Named) -> str:
    """The function that made a descriptor in the first place, before it was transformed; "" if none did.

    >>> text = "decltype(transform_tensor_descriptor(GetCShuffleBlockDescriptor(), make_tuple()))"
    >>> maker(read_expression(text), lambda name: None)
    'GetCShuffleBlockDescriptor'
    """
    for _ in range(20):
        node = unwrapped(node, named)
        if isinstance(node, syntax.Call):
            name = called(node)
            if name != "transform_tensor_descriptor" or not node.arguments:
                return name
            node = node.arguments[0]
        elif isinstance(node, syntax.Name) and (behind := named(node.name)) is not None:
            node = behind
        else:
            return ""
    return ""


def seen_from(place: Place, kernel: KernelClass) -> Named:
    """The names that a place sees: of the blocks around it, and of the class."""
    return lambda name: place.declared(name) or kernel.declared(name)


def functions_of(owner: ClassType) -> list[Declaration]:
    """The functions of a class that have a body."""
    return [m for m in owner.declared.members if m.kind == "function" and m.body is not None]


def words_in(function: Declaration) -> list[str]:
    """The tokens of a function's body, none without one."""
    source, body = function.source, function.body
    return [] if body is None else source.tokens[body : source.closing(body)]


def words_of(error: Exception) -> str:
    """Why something is not known, in a line."""
    if isinstance(error, ImportFailedError):
        return f"{error.verdict}: {error.message}"
    if isinstance(error, LayoutError):
        return error.message
    return f"{type(error).__name__}: {error}".partition("\n")[0]

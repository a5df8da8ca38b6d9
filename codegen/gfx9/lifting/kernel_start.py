"""What registers and the argument block hold when a wave begins, as formulas; and what is assumed of them.

Letters: ``lane``, ``wave`` (of the workgroup), ``workgroup_x`` ..., each argument by its name. An argument of
8 bytes is two words of one letter, so that sums with carries come together again. Nothing is assumed that was
not declared, beside what hardware says: a pointer has 48 bits, a workgroup's number 32, a lane is one of 64.
Source: LLVM, "User Guide for AMDGPU Backend", "Initial Kernel Execution State".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import sympy

from layoutalg.codegen.compile.code_object import KernelArgument, KernelResources
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.lifting.formula_registers import LaneMask, Registers
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.register_uses import EXEC_MASK
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.wave_start import PACKED_IDS, USER_SGPRS
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import Polynomial

__all__ = ["Assumed", "KernelStart"]

WORD, PAIR_BYTES = 2**32, 8
ADDRESSES = 2**48  # of gfx9: the bits of a pointer that count
POINTERS = ("global_buffer", "dynamic_shared_pointer")


@dataclass(frozen=True)
class Assumed:
    """What is declared of a kernel: sizes with ranges and facts, workgroups and threads.

    ``sizes``: a domain of parameters named as arguments are; ``grid``: workgroups along each axis, numbers or
    expressions of the sizes, none where open; ``block``: threads along each axis, none where open.
    """

    sizes: Domain = field(default_factory=Domain)
    grid: tuple[object | None, ...] = ()
    block: tuple[int, ...] = ()

    @property
    def extents(self) -> tuple[object | None, ...]:
        """Workgroups along x, y and z: 1 along axes that a grid leaves out, None where there is no grid."""
        return (*self.grid, 1, 1)[:3] if self.grid else (None, None, None)


class KernelStart:
    """The formulas of a kernel's start, on a normal form that knows what is assumed.

    ``extents``: the bytes of buffers by name, as far as they are known; all of a buffer has addresses.
    """

    def __init__(
        self,
        assembly: Assembly,
        resources: KernelResources,
        assumed: Assumed,
        extents: Mapping[str, sympy.Expr] | None = None,
    ) -> None:
        self.extents = extents or {}
        self.assembly = assembly
        self.assumed = assumed
        self.arguments = resources.arguments
        self.names = _names(self.arguments)
        self.threads = self._threads(resources)
        self.waves = math.ceil(math.prod(self.threads) / LANES)
        self.domain = self._domain()
        self.words = Words(NormalForm(self.domain))
        self._kernargs = self.words.letter(
            "arguments", Polynomial.constant(0), Polynomial.constant(ADDRESSES - 1)
        )
        self._dispatch = self.words.letter(
            "dispatch", Polynomial.constant(0), Polynomial.constant(ADDRESSES - 1)
        )
        self.thread = self.words.form.symbol("lane") + self.words.form.symbol("wave").scaled(LANES)

    def _threads(self, resources: KernelResources) -> tuple[int, int, int]:
        """The threads of a workgroup along each axis; if none are given, the most along x."""
        if not self.assumed.block and self.assembly.directives.get("system_vgpr_workitem_id", 0):
            msg = f"{resources.name}: asks for threads along y: wanted the threads of a workgroup"
            raise LayoutError(msg, hint="[launch] block = [16, 16] in the facts")
        x, y, z = (*(self.assumed.block or (resources.max_workgroup,)), 1, 1)[:3]
        return x, y, z

    def _domain(self) -> Domain:
        """Lane, wave, workgroup, and the arguments: those of which nothing is said by their types alone."""
        sizes = self.assumed.sizes
        types = self._declared()
        open_sizes = Domain.of({}, {name: ends for name, ends in types.items() if name not in sizes})
        variables = tuple(_of_type(v, types[v.name]) if v.name in types else v for v in sizes.variables)
        known = Domain((*variables, *open_sizes.variables), sizes.facts)
        axes: dict[str, object] = {"lane": LANES, "wave": self.waves}
        for axis, extent in zip("xyz", self.assumed.extents, strict=True):
            axes[f"workgroup_{axis}"] = WORD if extent is None else extent
        known = with_ends(known)
        first = Domain.of(axes) if all(isinstance(e, int) for e in axes.values()) else None
        if first is None:
            first = Domain(tuple(_axis(name, end) for name, end in axes.items()))
        return Domain((*first.variables, *known.variables), known.facts)

    def _declared(self) -> Mapping[str, tuple[int, int]]:
        found = {}
        for place in self.arguments:
            if place.kind in POINTERS or place.kind.startswith("hidden_") or place.size > PAIR_BYTES:
                continue
            half = 1 << 8 * place.size - 1
            found[self.names[place.offset]] = (-half, half - 1)
        return found

    # --- the argument block

    def argument_word(self, offset: int) -> Polynomial:
        """The word at an offset of the argument block."""
        total, shift, found = Polynomial.constant(0), 0, False
        while shift < 32:
            place = self._at(offset + shift // 8)
            if place is None or place.size > PAIR_BYTES:  # between arguments, or in a structure
                return self._unnamed(offset) if not found else total
            whole = self._value(place)
            begin = offset + shift // 8 - place.offset
            part = (
                self.words.ranges.divided(self.words.unsigned(whole, 8 * place.size, ALWAYS), 1 << 8 * begin)
                if begin
                else whole
            )
            size = min(4, place.size - begin)
            if size < 4:
                part = self.words.masked(part, (1 << 8 * size) - 1, 32)
            total, found = total + part.scaled(1 << shift), True
            shift += 8 * size
        return self.words.reduced(total, 32)

    def _at(self, offset: int) -> KernelArgument | None:
        return next((p for p in self.arguments if p.offset <= offset < p.offset + p.size), None)

    def _unnamed(self, offset: int) -> Polynomial:
        """A word between the arguments that are named."""
        ends = Polynomial.constant(0), Polynomial.constant(WORD - 1)
        return self._declared_or_letter(f"arguments_{offset:#x}", *ends)

    def _declared_or_letter(self, name: str, low: Polynomial, high: Polynomial) -> Polynomial:
        """The size of this name if one is declared, or a letter for it."""
        if name in self.domain.names:
            return self._size(name)
        return self.words.letter(name, low, high, is_size=True)

    def _size(self, name: str) -> Polynomial:
        """A declared size: its letter, or the only number that it can be."""
        found: Polynomial = self.words.form.symbol(name)
        only = self.words.form.bounds.interval(found).number
        return found if only is None else Polynomial.constant(only)

    def _value(self, place: KernelArgument) -> Polynomial:
        words, name = self.words, self.names[place.offset]
        zero = Polynomial.constant(0)
        if place.kind.startswith("hidden_"):
            return self._hidden(place)
        if place.kind in POINTERS:
            last = Polynomial.constant(ADDRESSES - 1)
            if name not in self.extents:
                return words.letter(name, zero, last)
            before_end = last.plus(1) - words.form.of(self.extents[name])
            return words.letter(name, zero, before_end, more_highs=(last,))
        return self._size(name)

    def _hidden(self, place: KernelArgument) -> Polynomial:
        kind, words = place.kind.removeprefix("hidden_"), self.words
        for axis, threads in zip("xyz", self.threads, strict=True):
            if kind == f"group_size_{axis}" and self.assumed.block:
                return Polynomial.constant(threads)
            if kind == f"block_count_{axis}":
                grid = self.assumed.extents["xyz".index(axis)]
                if grid is not None:
                    return words.form.of(grid) if not isinstance(grid, int) else Polynomial.constant(grid)
            if kind in (f"remainder_{axis}", f"global_offset_{axis}"):
                return Polynomial.constant(0)
        most = Polynomial.constant((1 << 8 * place.size) - 1)
        return self._declared_or_letter(kind, Polynomial.constant(0), most)

    def kernarg_offset(self, address: Polynomial) -> int | None:
        """How far an address lies into the argument block; None where it does not."""
        return (address - self._kernargs).as_integer

    @property
    def pointers(self) -> dict[int, str]:
        """The letters of arguments that are pointers, with their names."""
        found = {}
        for place in self.arguments:
            if place.kind in POINTERS:
                letter = self._value(place).as_letter
                assert letter is not None
                found[letter] = self.names[place.offset]
        return found

    # --- registers

    def registers(self) -> Registers:
        """What the hardware sets before the first instruction."""
        words, directives = self.words, self.assembly.directives
        found = Registers(words)
        following = 0
        for name, count in USER_SGPRS:
            if not directives.get(f"user_sgpr_{name}", 0):
                continue
            address = {"kernarg_segment_ptr": self._kernargs, "dispatch_ptr": self._dispatch}.get(name)
            if address is not None:
                self._put_pair(found, following, address)
            following += count
        first = directives.get("user_sgpr_kernarg_preload_offset", 0)
        for number in range(directives.get("user_sgpr_kernarg_preload_length", 0)):
            word = self.argument_word(4 * (first + number))
            found.put(("s", following + number), ((ALWAYS, word),), ALWAYS)
        following = directives.get("user_sgpr_count", following)
        for axis in "xyz":
            if directives.get(f"system_sgpr_workgroup_id_{axis}", 0):
                value = words.form.symbol(f"workgroup_{axis}")
                found.put(("s", following), ((ALWAYS, value),), ALWAYS)
                following += 1
        self._put_threads(found)
        lanes = self.lanes()
        for half, register in enumerate(EXEC_MASK):
            found.put(register, ((ALWAYS, LaneMask(lanes, half)),), ALWAYS)
        return found

    def lanes(self) -> int:
        """The guard of the lanes that threads fall to, where those fill no whole number of waves."""
        count = math.prod(self.threads)
        if count % LANES == 0:
            return ALWAYS
        form = self.words.form
        return self.words.guards.of(form.less(self.thread, form.integer(count)))

    def _put_pair(self, found: Registers, number: int, value: Polynomial) -> None:
        low, high = self.words.reduced(value, 32), self.words.ranges.divided(value, WORD)
        for register, word in ((("s", number), low), (("s", number + 1), high)):
            found.put(register, ((ALWAYS, word),), ALWAYS)

    def _put_threads(self, found: Registers) -> None:
        """The thread's number along each axis, three in one register where the hardware packs them."""
        x, y, _ = self.threads
        form, zero = self.words.form, Polynomial.constant(0)
        if self.threads[1:] == (1, 1):
            ids = [self.thread, zero, zero]
        else:
            rows = form.divided(self.thread, form.integer(x))
            planes = form.divided(rows, form.integer(y))
            ids = [self.thread - rows.scaled(x), rows - planes.scaled(y), planes]
        count = self.assembly.directives.get("system_vgpr_workitem_id", 0) + 1
        if self.assembly.target in PACKED_IDS:
            packed = sum((one.scaled(1 << 10 * axis) for axis, one in enumerate(ids[:count])), zero)
            found.put(("v", 0), ((ALWAYS, packed),), ALWAYS)
            return
        for number, one in enumerate(ids[:count]):
            found.put(("v", number), ((ALWAYS, one),), ALWAYS)


def _axis(name: str, end: object) -> Variable:
    symbol = sympy.Symbol(name, integer=True, nonnegative=True)
    return Variable(symbol, sympy.Integer(0), sympy.sympify(end))


def _of_type(size: Variable, ends: tuple[int, int]) -> Variable:
    """A size that an argument of a type can be: what is declared, and no more than the type holds."""
    low, high = ends
    lower = sympy.Integer(low) if size.lower is None else size.lower
    upper = sympy.Integer(high + 1) if size.upper is None else size.upper
    return replace(size, lower=lower, upper=upper)


def with_ends(sizes: Domain) -> Domain:
    """The domain with the largest number that its facts leave of each size: ``K*M < 2**31`` and ``256 <= M``.

    Of facts that fall as any size grows, the others at their smallest.
    """
    form = NormalForm(sizes)
    letters = {form.symbol(v.name).letters: v for v in sizes.parameters}
    variables = {v.name: v for v in sizes.variables}
    for fact in form.bounds.facts:
        if any(coefficient > 0 for monomial, coefficient in fact if monomial):
            continue
        for own, variable in letters.items():
            (letter,) = own
            rest = fact
            for other in fact.letters - own:
                low = form.bounds.interval(Polynomial.letter(other)).low
                if not isinstance(low, int) or low < 0:
                    break
                rest = rest.replaced(other, Polynomial.constant(low))
            factor, free = rest.coefficient(letter), rest.without(letter).as_integer
            times = None if factor is None else factor.as_integer
            if not times or free is None or rest.letters != own:
                continue
            end = (free // -times) * variable.multiple_of + 1
            known = variables[variable.name]
            if known.upper is None or (known.upper.is_Integer and int(known.upper) > end):
                variables[variable.name] = replace(known, upper=sympy.Integer(end))
    return Domain(tuple(variables.values()), sizes.facts)


def _names(arguments: Sequence[KernelArgument]) -> dict[int, str]:
    """A name for the argument at each offset: its own, or one of where it lies."""
    found: dict[int, str] = {}
    for place in arguments:
        name = place.name if place.name.isidentifier() else f"argument_{place.offset:#x}"
        taken = name in found.values() or name in ("lane", "wave", "arguments", "dispatch")
        found[place.offset] = f"{name}_{place.offset:#x}" if taken else name
    return found

"""The sizes of an index function in Python: what they must satisfy, and what is made of them once."""

from __future__ import annotations

from collections.abc import Sequence

from layoutalg.index_code.hoisting import Hoisted
from layoutalg.index_code.line_breaks import broken
from layoutalg.index_code.python_text import to_python
from layoutalg.index_code.size_facts import size_facts, sizes_in_words
from layoutalg.term import Term

__all__ = ["divisor_parts", "sizes_parts"]

DIVISOR = '''\
@dataclass(frozen=True)
class {name}_divisor:
    """A divisor as multiplier and shift (Granlund and Montgomery 1994), exact for 0 <= n < 2**31."""

    multiplier: int
    shift: int'''
MAKE_DIVISOR = """\
def {name}_make_divisor(divisor):
    shift = (divisor - 1).bit_length()
    return {name}_divisor((((1 << shift) - divisor) << 32) // divisor + 1, shift)"""
DIVIDE = '''\
def {name}_divide(n, by):
    """``n // divisor`` of integers, or of NumPy arrays of int64."""
    return ((n * by.multiplier >> 32) + n) >> by.shift'''


def divisor_parts(name: str) -> list[str]:
    """A divisor, what makes it, and the division by it."""
    return [text.format(name=name) for text in (DIVISOR, MAKE_DIVISOR, DIVIDE)]


def sizes_parts(found: Hoisted) -> list[str]:
    """``NAME_sizes`` and ``NAME_make_sizes``."""
    return [_struct(found), _maker(found)]


def _struct(found: Hoisted) -> str:
    name = found.formulas.name
    lines = ["@dataclass(frozen=True)", f"class {name}_sizes:"]
    lines += [f'    """What depends on sizes alone: made once, by ``{name}_make_sizes``."""', ""]
    lines += [f"    {field}: int" for field in found.fields]
    lines += [f"    {by}: {name}_divisor" for by in found.divisors]
    return "\n".join(lines)


def _maker(found: Hoisted) -> str:
    name, domain = found.formulas.name, found.formulas.domain
    sizes = [size.name for size in domain.parameters]
    given = ", ".join(f"{size}={{{size}}}" for size in sizes)
    lines = [f"def {name}_make_sizes({', '.join(sizes)}):"]
    lines += [f'    """For {sizes_in_words(domain)}; ValueError names the fact that fails."""']
    for fact in _checks(size_facts(domain)):
        lines.append(f"    if not {fact}:")
        lines += [f'        raise ValueError(f"{name}: wanted {fact}, got {given}")']
    values = [f"{field}={to_python(value)}" for field, value in found.fields.items()]
    values += [f"{by}={name}_make_divisor({to_python(d.value)})" for by, d in found.divisors.items()]
    lines += broken(f"    return {name}_sizes({', '.join(values)})")
    return "\n".join(lines)


def _checks(facts: Sequence[Term]) -> list[str]:
    """The facts as Python's conditions, the two ends of a range as one."""
    found: list[str] = []
    before: Term | None = None
    for fact in facts:
        text = to_python(fact)
        if before is not None and before.op == fact.op == "<=" and before.args[1] == fact.args[0]:
            found[-1] += f" <= {to_python(fact.args[1])}"
        else:
            found.append(f"({text})" if fact.op in ("and", "or") else text)
        before = fact
    return found

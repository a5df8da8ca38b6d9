"""Fits: an offset and all that is computed on the way stay within what the hardware counts with.

Z3's and SymPy's integers have no end; those of a kernel do, and wrap silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import AllOf, Claim, Comparison, IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, of_kind, shown
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.properties.arguments import adaptor_of, descriptor_of
from layoutalg.reading.near_names import no_such
from layoutalg.transforms import Merge, MergeVariant, Unmerge

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = [
    "INTEGER_RANGES",
    "fits_24bit_unmerge",
    "fits_buffer",
    "fits_index_type",
    "fits_integer",
    "fits_magic_division",
]

INTEGER_RANGES = {
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "magic dividend": (0, 2**31 - 1),
    "24 bits": (0, 2**24 - 1),
    "buffer": (0, 2**32 - 1),
}


def fits_integer(
    expressions: tuple[Expr, ...],
    domain: Domain,
    integer: str,
    subject: str,
    when: tuple[Any, ...] = (),
) -> Claim:
    """Every expression stays within the integer type.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"x": 100})
    >>> print(fits_integer((3 * domain["x"],), domain, "uint32", "offset"))
    fits uint32: offset: for all 0 <= x < 100: 0 <= 3*x and 3*x <= 4294967295
    """
    if not isinstance(integer, str) or integer not in INTEGER_RANGES:
        raise no_such("integer type", str(integer), INTEGER_RANGES)
    low, high = (sympy.Integer(end) for end in INTEGER_RANGES[integer])
    of_kind(domain, Domain, f"fits {integer}: domain", "a Domain")
    of_kind(expressions, (tuple, list), f"fits {integer}: expressions", "a tuple of expressions")
    then = []
    for expression in expressions:
        then += [Comparison(low, "<=", expression), Comparison(expression, "<=", high)]
    index_map = IndexMap(domain, tuple(expressions), when)
    return Claim(f"fits {integer}", subject, domain, tuple(then), when, map=index_map)


def fits_index_type(
    adaptor: TensorAdaptor | Layout, integer: str = "int32", subject: str = "adaptor"
) -> Claim:
    """The index at every hidden dimension and every length fit the type CK's ``index_t`` is.

    CK computes indices whether or not they are valid, so none is left out. The lengths of the bottom and
    the size of the memory are counted too: a size that wraps shrinks the buffer.

    >>> import layoutalg as la
    >>> M = la.sizes("M")
    >>> big = la.make_naive_tensor_descriptor((M, 2**20), (2**20, 1))
    >>> big = big.assuming(la.Domain.of({}, {"M": (1, 4096)}))
    >>> la.prove(la.fits_index_type(big))
    refuted at M=2048, i0=0, i1=0: 1048576*M <= 2147483647 is false: 2147483648 <= 2147483647
    """
    adaptor = adaptor_of(adaptor, "fits index type")
    hidden = dict.fromkeys(adaptor.hidden_map().outputs)
    sizes = dict.fromkeys(as_expression(n) for n in adaptor.hidden_lengths if n is not None)
    if isinstance(adaptor, TensorDescriptor):
        sizes[as_expression(adaptor.element_space_size)] = None
    values = tuple(value for value in (*hidden, *sizes) if not (value.is_Symbol and value in adaptor.index))
    return fits_integer(values, adaptor.domain, integer, subject)


def fits_buffer(
    descriptor: TensorDescriptor | Layout, element_bytes: int, subject: str = "descriptor"
) -> Claim:
    """The last byte of every valid element lies within the 4 GiB that a buffer instruction reaches.

    The hardware's byte offset is 32 bits wide and unsigned; what lies beyond wraps without a fault.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> print(fits_buffer(make_naive_tensor_descriptor_packed((8,)), 2))
    fits buffer: descriptor: for all 0 <= i0 < 8: 0 <= 2*i0 + 1 and 2*i0 + 1 <= 4294967295
    """
    descriptor = descriptor_of(descriptor, "fits buffer")
    if type(element_bytes) is not int or element_bytes < 1:
        msg = f"fits buffer: wanted the bytes of an element, 1 or more; got {shown(element_bytes)}"
        raise LayoutError(msg)
    found = descriptor.index_map()
    last_byte = element_bytes * found.outputs[0] + (element_bytes - 1)
    return fits_integer((last_byte,), found.domain, "buffer", subject, found.when)


def fits_magic_division(adaptor: TensorAdaptor | Layout, subject: str = "adaptor") -> Claim:
    """What a merge divides by magic numbers stays within 0 .. 2**31 - 1.

    Nothing is claimed where nothing is divided so. CK's magic division is exact there only. The last
    division of a merge, by its first length, is not done.

    >>> import layoutalg as la
    >>> la.prove(la.fits_magic_division(la.make_naive_tensor_descriptor_packed((2**16, 2**15)).merge(0, 1)))
    proved by normal form
    """
    adaptor = adaptor_of(adaptor, "fits magic division")
    hidden = adaptor.hidden_map().outputs
    dividends = [hidden[i] for part, _, up in adaptor.links if _is_magic_merge(part) for i in up]
    return _fit(dividends, adaptor, "magic dividend", subject)


def fits_24bit_unmerge(adaptor: TensorAdaptor | Layout, subject: str = "adaptor") -> Claim:
    """What an unmerge cuts to 24 bits fits into them: operands, strides, sums; nothing where none is cut.

    >>> import layoutalg as la
    >>> unmerge = la.make_unmerge_transform((4, 64), use_24bit=True)
    >>> rows = la.make_single_stage_tensor_adaptor([unmerge], [(0,)], [(0, 1)])
    >>> la.prove(la.fits_24bit_unmerge(rows))
    proved by normal form
    """
    adaptor = adaptor_of(adaptor, "fits 24-bit unmerge")
    hidden = adaptor.hidden_map().outputs
    cut = [
        value
        for part, _, up in adaptor.links
        if isinstance(part, Unmerge) and part.use_24bit
        for value in part.cut_to_24_bits([hidden[i] for i in up], SYMBOLIC)
    ]
    return _fit(cut, adaptor, "24 bits", subject)


def _is_magic_merge(part: Any) -> bool:
    return (
        isinstance(part, Merge)
        and MergeVariant(part.variant).uses_magic_division
        and len(part.low_lengths) > 1
    )


def _fit(values: list[Any], adaptor: TensorAdaptor, integer: str, subject: str) -> Claim:
    """The claim for all values, each once; nothing is claimed where there is none."""
    if not values:
        return AllOf(f"fits {integer}", subject, ())
    return fits_integer(tuple(dict.fromkeys(values)), adaptor.domain, integer, subject)

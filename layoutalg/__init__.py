"""layoutalg: the index maps of AMD's Composable Kernel as values one can see, simplify and check.

>>> import layoutalg as la
>>> rows = la.make_naive_tensor_descriptor((256, 128), (136, 1)).unmerge(0, (4, 64))
>>> rows(1, 3, 2), la.prove(la.one_to_one(rows)), la.prove(la.covers(rows))
(9114, proved by digits, refuted at y0=128: no index maps to 128)
>>> la.show(rows, "formulas")
descriptor of lengths (4, 64, 128), 32768 indices, element space 34808
offset = 8704*i0 + 136*i1 + i2

Values, claims, ``prove``, ``simplify`` and ``show`` are names of the package itself; ``dir(la)`` lists them.
Behind names of their own: ``la.layout`` and ``la.tensor`` (nested layouts, CK's wrapper), ``la.mma`` and
``la.memory`` (matrix instructions, what accesses cost), ``la.properties`` and ``la.proofs`` (all claims, all
provers), ``la.pictures``, ``la.ck`` (layouts read from CK's own source) and ``la.codegen`` (HIP kernels,
compiled and run). The prover and the pictures are loaded when first asked for.

A derived fact that takes no argument is a property (``rows.offset``, ``rows.domain``); what takes arguments,
even optional ones, is a method (``rows.index_map()``).

Reading order: ``index`` (integer expressions with one meaning) and ``domain`` (where they are defined),
``transforms`` and ``descriptor`` (CK's maps), ``term`` and ``rules`` (their simplest form), ``index_code``
(that form as source text), ``distribution`` (who holds what of a tile), ``layout`` and ``tensor``,
``machine``, ``mma`` and ``memory``, ``properties`` and ``proofs`` (claims, verdicts), ``codegen``, ``ck``,
``check``, ``pictures`` and ``cli`` (checker, pictures, command line).
"""

from collections.abc import Collection
from importlib import import_module
from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.descriptor.coordinate import TensorCoordinate, make_tensor_coordinate, move_tensor_coordinate
from layoutalg.descriptor.make_adaptor import (
    chain_tensor_adaptors,
    make_cluster_descriptor,
    make_identity_tensor_adaptor,
    make_single_stage_tensor_adaptor,
    transform_tensor_adaptor,
)
from layoutalg.descriptor.make_descriptor import (
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_aligned,
    make_naive_tensor_descriptor_packed,
    make_naive_tensor_descriptor_with_offset,
    transform_tensor_descriptor,
)
from layoutalg.display import display_by
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
    read_encoding,
)
from layoutalg.domain import Domain, Variable
from layoutalg.domain.domain import check_by
from layoutalg.errors import (
    LayoutError,
    LengthError,
    MissingFactError,
    ToolError,
    UndefinedInCKError,
)
from layoutalg.index import (
    BitAnd,
    BitOr,
    BitXor,
    FloorDiv,
    FloorMod,
    Max,
    Min,
    Select,
    ShiftLeft,
    ShiftRight,
    Table,
)
from layoutalg.index.evaluate import evaluate
from layoutalg.index.sympy_forms import from_sympy, to_sympy
from layoutalg.layout import Layout, make_layout
from layoutalg.length import cdiv, round_up, sizes
from layoutalg.reading.near_attributes import no_attribute
from layoutalg.rules import Simplified, Simplifier, require_defined, simplify, simplify_all
from layoutalg.rules.from_text import parse
from layoutalg.rules.linear_search import contradiction_by
from layoutalg.term.tokens import ParseError
from layoutalg.transforms import (
    make_embed_transform,
    make_freeze_transform,
    make_indexing_transform,
    make_insert_transform,
    make_left_pad_transform,
    make_merge_transform,
    make_merge_transform_v1_carry_check,
    make_merge_transform_v2_magic_division,
    make_merge_transform_v2r2_magic_division,
    make_merge_transform_v3_division_mod,
    make_merge_transform_v4_no_carry,
    make_modulo_transform,
    make_offset_transform,
    make_pad_transform,
    make_pass_through_transform,
    make_replicate_transform,
    make_right_pad_transform,
    make_slice_transform,
    make_unmerge_transform,
    make_vectorize_transform,
    make_xor_transform,
    make_xor_with_modulo_transform,
)
from layoutalg.transforms.magic_division import MagicDivision
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg import ck as ck
    from layoutalg import codegen as codegen
    from layoutalg import layout as layout
    from layoutalg import memory as memory
    from layoutalg import mma as mma
    from layoutalg import pictures as pictures
    from layoutalg import proofs as proofs
    from layoutalg import properties as properties
    from layoutalg import tensor as tensor
    from layoutalg.index_code import to_python
    from layoutalg.pictures import explore
    from layoutalg.pictures.show import show as show
    from layoutalg.proofs import certificate, prove, recheck
    from layoutalg.properties import (
        agree,
        bijective,
        conflict_free,
        covers,
        covers_together,
        default_claims,
        determines,
        disjoint,
        distribution_equals,
        divides,
        fits_24bit_unmerge,
        fits_buffer,
        fits_index_type,
        fits_integer,
        fits_magic_division,
        inverse_of,
        logical_bounds,
        memory_bounds,
        monotone,
        one_to_one,
        one_writer,
        owned,
        same_distribution,
        same_map,
        tile_bounds,
        vector_access,
        xor_permutes,
    )

__version__ = "0.2.0"

LATER = {  # names that load the solver, the pictures or the emitters: looked up when first used
    "certificate": "layoutalg.proofs",
    "explore": "layoutalg.pictures",
    "prove": "layoutalg.proofs",
    "recheck": "layoutalg.proofs",
    "show": "layoutalg.pictures",
    "to_python": "layoutalg.index_code",
}
ROOMS = ("ck", "codegen", "layout", "memory", "mma", "pictures", "proofs", "properties", "tensor", "tile")


if not TYPE_CHECKING:  # a type checker is to see a misspelt name

    def __getattr__(name: str) -> object:
        """A name that is loaded now: of :data:`LATER`, a room, or else of the API, which is a claim."""
        if name in __all__:
            return getattr(import_module(LATER.get(name, "layoutalg.properties")), name)
        if name in ROOMS:
            return import_module(f"layoutalg.{name}")
        raise AttributeError(no_attribute("module 'layoutalg'", name, __dir__()), name=name, obj=None)


def __dir__() -> list[str]:
    """What there is to use, not what it is made of."""
    return sorted((*__all__, *ROOMS))


def _drawn(value: object, include: Collection[str] | None, exclude: Collection[str] | None) -> dict[str, str]:
    from layoutalg.pictures.mimebundle import mimebundle  # noqa: PLC0415  pictures load only when looked at

    return mimebundle(value, include, exclude)


def _contradicts(system: str) -> bool:
    """Whether linear inequalities contradict each other; the solver is loaded when one is asked."""
    from layoutalg.proofs.smt.linear_system import is_contradiction  # noqa: PLC0415  solvers load when asked

    return is_contradiction(system)


display_by(_drawn)
check_by(require_defined)
contradiction_by(_contradicts)

__all__ = [
    "BitAnd",
    "BitOr",
    "BitXor",
    "Claim",
    "Comparison",
    "DataType",
    "Domain",
    "FloorDiv",
    "FloorMod",
    "IndexMap",
    "Layout",
    "LayoutError",
    "LengthError",
    "MagicDivision",
    "Max",
    "Min",
    "MissingFactError",
    "ParseError",
    "Proved",
    "Refuted",
    "Select",
    "ShiftLeft",
    "ShiftRight",
    "Simplified",
    "Simplifier",
    "Table",
    "TensorAdaptor",
    "TensorCoordinate",
    "TensorDescriptor",
    "TileDistribution",
    "TileDistributionEncoding",
    "TileWindow",
    "ToolError",
    "UndefinedInCKError",
    "Unknown",
    "Variable",
    "Verdict",
    "__version__",
    "agree",
    "bijective",
    "cdiv",
    "certificate",
    "chain_tensor_adaptors",
    "conflict_free",
    "covers",
    "covers_together",
    "default_claims",
    "determines",
    "disjoint",
    "distribution_equals",
    "divides",
    "evaluate",
    "explore",
    "fits_24bit_unmerge",
    "fits_buffer",
    "fits_index_type",
    "fits_integer",
    "fits_magic_division",
    "from_sympy",
    "inverse_of",
    "logical_bounds",
    "make_cluster_descriptor",
    "make_embed_transform",
    "make_freeze_transform",
    "make_identity_tensor_adaptor",
    "make_indexing_transform",
    "make_insert_transform",
    "make_layout",
    "make_left_pad_transform",
    "make_merge_transform",
    "make_merge_transform_v1_carry_check",
    "make_merge_transform_v2_magic_division",
    "make_merge_transform_v2r2_magic_division",
    "make_merge_transform_v3_division_mod",
    "make_merge_transform_v4_no_carry",
    "make_modulo_transform",
    "make_naive_tensor_descriptor",
    "make_naive_tensor_descriptor_aligned",
    "make_naive_tensor_descriptor_packed",
    "make_naive_tensor_descriptor_with_offset",
    "make_offset_transform",
    "make_pad_transform",
    "make_pass_through_transform",
    "make_replicate_transform",
    "make_right_pad_transform",
    "make_single_stage_tensor_adaptor",
    "make_slice_transform",
    "make_static_tile_distribution",
    "make_tensor_coordinate",
    "make_tile_window",
    "make_unmerge_transform",
    "make_vectorize_transform",
    "make_xor_transform",
    "make_xor_with_modulo_transform",
    "memory_bounds",
    "monotone",
    "move_tensor_coordinate",
    "one_to_one",
    "one_writer",
    "owned",
    "parse",
    "prove",
    "read_encoding",
    "recheck",
    "round_up",
    "same_distribution",
    "same_map",
    "show",
    "simplify",
    "simplify_all",
    "sizes",
    "tile_bounds",
    "to_python",
    "to_sympy",
    "transform_tensor_adaptor",
    "transform_tensor_descriptor",
    "vector_access",
    "xor_permutes",
]

"""layoutalg: the index maps of AMD's Composable Kernel as values one can see, simplify and check.

Reading order: ``index`` (integer expressions with one meaning) and ``domain`` (where they are defined),
``transforms`` and ``descriptor`` (CK's maps), ``term`` and ``rules`` (their simplest form), ``index_code``
(that form as source text), ``distribution`` (who holds what of a tile), ``layout`` and ``tensor`` (nested
layouts, CK's wrapper), ``machine``, ``mma`` and ``memory`` (facts of GPUs, matrix instructions, what accesses
cost), ``properties`` and ``proofs`` (claims, verdicts), ``codegen`` (HIP kernels, compiled and run), ``ck``
(layouts read from CK's own source), ``check``, ``show`` and ``cli`` (checker, pictures, command line).
"""

from collections.abc import Collection

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
)
from layoutalg.index.evaluate import evaluate
from layoutalg.index.sympy_forms import from_sympy, to_sympy
from layoutalg.index_code import to_python
from layoutalg.layout import Layout, make_layout
from layoutalg.length import sizes
from layoutalg.rules import Simplified, Simplifier, require_defined, simplify, simplify_all
from layoutalg.rules.from_text import parse
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


def _drawn(value: object, include: Collection[str] | None, exclude: Collection[str] | None) -> dict[str, str]:
    from layoutalg.show.mimebundle import mimebundle  # noqa: PLC0415  pictures load only when looked at

    return mimebundle(value, include, exclude)


display_by(_drawn)
check_by(require_defined)

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
    "chain_tensor_adaptors",
    "evaluate",
    "from_sympy",
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
    "move_tensor_coordinate",
    "parse",
    "read_encoding",
    "simplify",
    "simplify_all",
    "sizes",
    "to_python",
    "to_sympy",
    "transform_tensor_adaptor",
    "transform_tensor_descriptor",
]

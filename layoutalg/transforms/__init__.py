"""The coordinate transforms of Composable Kernel, one file each.

==================  =====================================================  =============
transform           lower index of the upper index ``u``                   file
==================  =====================================================  =============
``PassThrough``     ``u``                                                  pass_through
``Pad``             ``u - left_pad``, valid inside                         pad
``LeftPad``         ``u - left_pad``, valid above                          pad
``RightPad``        ``u``, valid below                                     pad
``Embed``           ``sum(u[i] * coefficients[i])``                        embed
``Merge``           mixed-radix digits of ``u``, last fastest              merge
``Unmerge``         ``u`` flattened, last fastest                          unmerge
``Freeze``          a constant                                             freeze
``Insert``          none (one upper dimension)                             insert
``Replicate``       none (several upper dimensions)                        insert
``Slice``           ``u + slice_begin``                                    slice
``Modulo``          ``u % modulus``                                        modulo
``Xor``             ``(u0, u1 ^ (u0 % low_lengths[1]))``                   xor
``Offset``          ``u + offset_length``                                  offset
``Vectorize``       ``u * vector_size``                                    vectorize
``Indexing``        any expression in ``u``                                indexing
==================  =====================================================  =============
"""

from layoutalg.transforms.embed import Embed
from layoutalg.transforms.freeze import Freeze
from layoutalg.transforms.indexing import Indexing
from layoutalg.transforms.insert import Insert, Replicate
from layoutalg.transforms.merge import Merge, MergeVariant, Unmerge
from layoutalg.transforms.modulo import Modulo
from layoutalg.transforms.offset import Offset
from layoutalg.transforms.pad import LeftPad, Pad, RightPad
from layoutalg.transforms.pass_through import PassThrough
from layoutalg.transforms.slice import Slice
from layoutalg.transforms.transform import UNKNOWN, Transform, VectorHint
from layoutalg.transforms.vectorize import Vectorize
from layoutalg.transforms.xor import Xor

__all__ = [
    "UNKNOWN",
    "Embed",
    "Freeze",
    "Indexing",
    "Insert",
    "LeftPad",
    "Merge",
    "MergeVariant",
    "Modulo",
    "Offset",
    "Pad",
    "PassThrough",
    "Replicate",
    "RightPad",
    "Slice",
    "Transform",
    "Unmerge",
    "VectorHint",
    "Vectorize",
    "Xor",
]

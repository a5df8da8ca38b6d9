"""Tile programs: CK Tile's own words for moving and computing, on values.

Reading order: ``tile_program`` (a program and its run), ``buffer_view``, ``views`` and ``windows`` (memory
as tensors, and where a tile stands), ``tensors`` and ``distributed_index`` (what threads hold),
``tile_accesses`` (load, store, sync), ``elementwise``, ``shuffles``, ``sweeps``, ``reductions``,
``warp_gemm``, ``tile_gemm`` (what is done with tiles), ``elements`` (single elements), ``trace`` (how a
program is written down), ``numpy_machine``, ``memory`` and ``steps`` (how NumPy runs it all, and what is
seen of it), ``access_maps``, ``program_claims``, ``lds_order`` and ``lds_conflicts`` (what must be true of
a program).
"""

from layoutalg.tile.buffer_view import BufferView
from layoutalg.tile.distributed_index import DistributedIndex
from layoutalg.tile.elements import (
    Element,
    equal,
    exp,
    exp2,
    log,
    maximum,
    minimum,
    not_equal,
    rsqrt,
    select,
    sqrt,
    tanh,
)
from layoutalg.tile.elementwise import (
    cast_tile,
    load_tile_with_elementwise,
    tile_elementwise_in,
    tile_elementwise_inout,
)
from layoutalg.tile.lds_conflicts import conflict_free_claims
from layoutalg.tile.memory import RaceError
from layoutalg.tile.numpy_machine import Machine, UnsetElementError
from layoutalg.tile.program_claims import program_claims
from layoutalg.tile.reductions import (
    block_reduce_cross_warp_sync,
    block_tile_reduce,
    block_tile_reduce_into,
    block_tile_reduce_sync,
    block_tile_reduce_xor_sync,
)
from layoutalg.tile.shuffles import (
    get_slice_tile,
    get_y_sliced_thread_data,
    set_slice_tile,
    set_y_sliced_thread_data,
    shuffle_tile,
    transpose_tile2d,
)
from layoutalg.tile.steps import Step, steps_of
from layoutalg.tile.sweeps import get_x_indices_from_distributed_indices, sweep_tile, sweep_tile_spans
from layoutalg.tile.tensors import (
    StaticDistributedTensor,
    clear_tile,
    make_static_distributed_tensor,
    set_tile,
    set_tile_if,
)
from layoutalg.tile.tile_accesses import (
    async_load_tile,
    block_sync_lds,
    load_tile,
    load_tile_raw,
    store_tile,
    update_tile,
)
from layoutalg.tile.tile_gemm import block_gemm
from layoutalg.tile.tile_program import (
    Finished,
    TileProgram,
    get_block_id,
    pointer,
    scalar,
    size,
    tile_program,
)
from layoutalg.tile.trace import tile_loop
from layoutalg.tile.views import (
    TensorView,
    allocate_lds,
    make_naive_tensor_view,
    make_naive_tensor_view_packed,
    pad_tensor_view,
    transform_tensor_view,
)
from layoutalg.tile.warp_gemm import warp_gemm
from layoutalg.tile.windows import (
    ViewWindow,
    get_slice_tile_of_window,
    make_tile_window,
    make_tile_window_linear,
    move_tile_window,
    replace_bottom_tensor_view,
    set_window_origin,
)

__all__ = [
    "BufferView",
    "DistributedIndex",
    "Element",
    "Finished",
    "Machine",
    "RaceError",
    "StaticDistributedTensor",
    "Step",
    "TensorView",
    "TileProgram",
    "UnsetElementError",
    "ViewWindow",
    "allocate_lds",
    "async_load_tile",
    "block_gemm",
    "block_reduce_cross_warp_sync",
    "block_sync_lds",
    "block_tile_reduce",
    "block_tile_reduce_into",
    "block_tile_reduce_sync",
    "block_tile_reduce_xor_sync",
    "cast_tile",
    "clear_tile",
    "conflict_free_claims",
    "equal",
    "exp",
    "exp2",
    "get_block_id",
    "get_slice_tile",
    "get_slice_tile_of_window",
    "get_x_indices_from_distributed_indices",
    "get_y_sliced_thread_data",
    "load_tile",
    "load_tile_raw",
    "load_tile_with_elementwise",
    "log",
    "make_naive_tensor_view",
    "make_naive_tensor_view_packed",
    "make_static_distributed_tensor",
    "make_tile_window",
    "make_tile_window_linear",
    "maximum",
    "minimum",
    "move_tile_window",
    "not_equal",
    "pad_tensor_view",
    "pointer",
    "program_claims",
    "replace_bottom_tensor_view",
    "rsqrt",
    "scalar",
    "select",
    "set_slice_tile",
    "set_tile",
    "set_tile_if",
    "set_window_origin",
    "set_y_sliced_thread_data",
    "shuffle_tile",
    "size",
    "sqrt",
    "steps_of",
    "store_tile",
    "sweep_tile",
    "sweep_tile_spans",
    "tanh",
    "tile_elementwise_in",
    "tile_elementwise_inout",
    "tile_loop",
    "tile_program",
    "transform_tensor_view",
    "transpose_tile2d",
    "update_tile",
    "warp_gemm",
]

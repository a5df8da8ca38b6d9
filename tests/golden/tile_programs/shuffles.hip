// Elements that change their places within a thread: shuffle_tile and transpose_tile2d.
#include "programs.hpp"

template <typename Encoding, index_t Rows, index_t Columns, index_t Vector, typename T>
__device__ auto loaded(const T* x)
{
    const auto view = view_of<Vector>(x, make_tuple(Rows, Columns), make_tuple(Columns, 1));
    return load_tile(make_tile_window(view, static_lengths<Rows, Columns>(), {0, 0}, distribution<Encoding>()));
}

// shuffle_tile to a distribution whose two Ys are exchanged: a 2x2 transposition in each thread.
PROGRAM shuffle_blocks_f32(const float* x, float* y)
{
    auto out = make_static_distributed_tensor<float>(distribution<TurnedBlocks16x16>());
    shuffle_tile(out, loaded<Blocks16x16, 16, 16, 2>(x));
    dump(out, y);
}

// The same of f16.
PROGRAM shuffle_blocks_f16(const half_t* x, half_t* y)
{
    auto out = make_static_distributed_tensor<half_t>(distribution<TurnedBlocks16x16>());
    shuffle_tile(out, loaded<Blocks16x16, 16, 16, 2>(x));
    dump(out, y);
}

// shuffle_tile of int8 with two Ys of length 4: a 4x4 transposition in each thread.
PROGRAM shuffle_quads_i8(const int8_t* x, int8_t* y)
{
    auto out = make_static_distributed_tensor<int8_t>(distribution<TurnedBlocks32x32>());
    shuffle_tile(out, loaded<Blocks32x32, 32, 32, 4>(x));
    dump(out, y);
}

// shuffle_tile with three Ys in opposite order; it also converts f32 to f16.
PROGRAM shuffle_spread_to_f16(const float* x, half_t* y)
{
    auto out = make_static_distributed_tensor<half_t>(distribution<TurnedSpread32x32>());
    shuffle_tile(out, loaded<Spread32x32, 32, 32, 4>(x));
    dump(out, y);
}

// shuffle_tile back from the opposite order, stored: the matrix is unchanged.
PROGRAM shuffle_and_store_f32(const float* x, float* y, float* z)
{
    auto out = make_static_distributed_tensor<float>(distribution<Spread32x32>());
    shuffle_tile(out, loaded<TurnedSpread32x32, 32, 32, 4>(x));
    dump(out, y);
    auto window = make_tile_window(view_of<4>(z, make_tuple(32, 32), make_tuple(32, 1)), static_lengths<32, 32>(), {0, 0});
    store_tile(window, out);
}

// transpose_tile2d of a 32x16 tile of f16 to 16x32: element (i, j) becomes (j, i) within its thread.
PROGRAM transpose_f16(const half_t* x, half_t* y, half_t* z)
{
    auto out = make_static_distributed_tensor<half_t>(distribution<TurnedCell16x32>());
    transpose_tile2d(out, loaded<Cell32x16, 32, 16, 2>(x));
    dump(out, y);
    auto window = make_tile_window(view_of<4>(z, make_tuple(16, 32), make_tuple(32, 1)), static_lengths<16, 32>(), {0, 0});
    store_tile(window, out);
}

// transpose_tile2d that converts int32 to f32.
PROGRAM transpose_i32_to_f32(const int32_t* x, float* y)
{
    auto out = make_static_distributed_tensor<float>(distribution<TurnedCell16x32>());
    transpose_tile2d(out, loaded<Cell32x16, 32, 16, 2>(x));
    dump(out, y);
}

// Reductions within threads, across lanes, and across waves.
#include "ck_tile/ops/reduce/block/block_reduce.hpp"
#include "ck_tile/ops/reduce/block/block_reduce2d.hpp"
#include "ck_tile/ops/reduce/block/block_reduce2d_problem.hpp"
#include "programs.hpp"

template <typename Encoding, index_t Rows, index_t Columns, index_t Vector, typename T>
__device__ auto loaded(const T* x)
{
    const auto view = view_of<Vector>(x, make_tuple(Rows, Columns), make_tuple(Columns, 1));
    return load_tile(make_tile_window(view, static_lengths<Rows, Columns>(), {0, 0}, distribution<Encoding>()));
}

struct Sum
{
    template <typename T>
    __device__ constexpr T operator()(T a, T b) const { return a + b; }
};
struct Greater
{
    template <typename T>
    __device__ constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Shape256
{
    static constexpr index_t BlockSize = 256;
};

// block_tile_reduce over the columns: the sums of each thread's own elements.
PROGRAM reduce_in_threads(const float* x, float* y)
{
    dump(block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 0.0f), y);
}

// block_tile_reduce and block_tile_reduce_sync: the sums of whole rows, in all lanes of the row.
PROGRAM reduce_sum(const float* x, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 0.0f);
    block_tile_reduce_sync(sums, Sum{});
    dump(sums, y);
}

// The same with an initial value of 1: each of a row's four lanes adds it.
PROGRAM reduce_sum_with_initial_value(const float* x, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 1.0f);
    block_tile_reduce_sync(sums, Sum{});
    dump(sums, y);
}

// The same of maxima of int32.
PROGRAM reduce_max(const int32_t* x, int32_t* y)
{
    const auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    auto most = block_tile_reduce<int32_t>(tile, sequence<1>{}, Greater{}, numeric<int32_t>::lowest());
    block_tile_reduce_sync(most, Greater{});
    dump(most, y);
}

// block_tile_reduce_sync without broadcast: the first lane of each row has the sum, others sums over lanes from theirs on.
PROGRAM reduce_sum_without_broadcast(const float* x, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 0.0f);
    block_tile_reduce_sync(sums, Sum{}, bool_constant<false>{});
    dump(sums, y);
}

// block_tile_reduce_xor_sync: butterflies instead of shifts.
PROGRAM reduce_sum_by_xor(const float* x, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 0.0f);
    block_tile_reduce_xor_sync(sums, Sum{});
    dump(sums, y);
}

// block_tile_reduce and block_tile_reduce_xor_sync of maxima of f16 (block_tile_reduce_sync wants four bytes).
PROGRAM reduce_max_f16_by_xor(const half_t* x, half_t* y)
{
    auto most = block_tile_reduce<half_t>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Greater{}, half_t(-60000));
    block_tile_reduce_xor_sync(most, Greater{});
    dump(most, y);
}

// block_tile_reduce of f16 into f32.
PROGRAM reduce_sum_f16_to_f32(const half_t* x, float* y)
{
    auto sums = block_tile_reduce<float>(
        loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, [](auto a, auto b) { return a + type_convert<float>(b); },
        type_convert<half_t>(0.0f));
    block_tile_reduce_sync(sums, Sum{});
    dump(sums, y);
}

// block_tile_reduce into an accumulator that holds the first tile's sums.
PROGRAM reduce_two_tiles(const float* x, const float* b, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 0.0f);
    block_tile_reduce(sums, loaded<Spread32x32, 32, 32, 4>(b), sequence<1>{}, Sum{});
    block_tile_reduce_sync(sums, Sum{});
    dump(sums, y);
}

// A tile that is replicated already: block_tile_reduce_sync adds the four replicas too.
PROGRAM reduce_replicated(const float* x, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<FourTimes32x8, 32, 8, 4>(x), sequence<1>{}, Sum{}, 0.0f);
    block_tile_reduce_sync(sums, Sum{});
    dump(sums, y);
}

// The rows' sums are stored: one dimension, from the reduced distribution.
PROGRAM reduce_and_store(const float* x, float* y)
{
    auto sums = block_tile_reduce<float>(loaded<Spread32x32, 32, 32, 4>(x), sequence<1>{}, Sum{}, 0.0f);
    block_tile_reduce_sync(sums, Sum{});
    const auto view = make_naive_tensor_view_packed<address_space_enum::global>(y, make_tuple(32));
    auto window = make_tile_window(view, static_lengths<32>(), {0});
    store_tile(window, sums);
}

// BlockReduce2D: in threads and across lanes in one call, two elements at a time.
PROGRAM block_reduce_2d_in_one_call(const float* x, float* y)
{
    const auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    const BlockReduce2D reduce{tile, -1000000.0f};
    dump(reduce([](float a, float b, float c) { return fmaxf(a, fmaxf(b, c)); }, Greater{}, sequence<1, 2>{}), y);
}

// BlockReduce2d and BlockReduce2dSync with ReduceOp::Add.
PROGRAM block_reduce_sum(const float* x, float* y)
{
    using Problem = BlockReduce2dProblem<float, float, Shape256>;
    const auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    auto sums = BlockReduce2d<Problem>{}(tile, 0.0f, ReduceOp::Add{});
    BlockReduce2dSync<Problem>{}(sums, ReduceOp::Add{});
    dump(sums, y);
}

// BlockReduce2d of f16 that computes squares' sums in f32, two elements at a time.
PROGRAM block_reduce_squares_f16(const half_t* x, float* y)
{
    using Problem = BlockReduce2dProblem<half_t, float, Shape256>;
    const auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    auto sums = BlockReduce2d<Problem>{}(tile, 0.0f, ReduceOp::SquareAdd{}, sequence<1, 2>{});
    BlockReduce2dSync<Problem>{}(sums, ReduceOp::Add{});
    dump(sums, y);
}

template <typename Encoding, index_t Rows, index_t Columns, typename Reduce, typename T>
__device__ void reduce_across_waves(const T* x, T* y, const T initial)
{
    using Problem = BlockReduce2dProblem<T, T, Shape256>;
    const auto tile = loaded<Encoding, Rows, Columns, 1>(x);
    auto found = BlockReduce2d<Problem>{}(tile, initial, Reduce{});
    BlockReduce2dSync<Problem>{}(found, Reduce{});
    using Cross = BlockReduce2dCrossWarpSync<Problem>;
    __shared__ char smem[Cross::template GetSmemSize<decltype(found)>()];
    Cross{}(found, smem, Reduce{});
    dump(found, y);
}

// BlockReduce2d, BlockReduce2dSync, BlockReduce2dCrossWarpSync: sums over four waves side by side.
PROGRAM THREADS(256) block_reduce_sum_over_four_waves(const float* x, float* y)
{
    reduce_across_waves<FourWaves4x512, 4, 512, ReduceOp::Add>(x, y, 0.0f);
}

// The same of maxima, over two pairs of waves: rows 0 and 1 in waves 0 and 1, rows 2 and 3 in waves 2 and 3.
PROGRAM THREADS(256) block_reduce_max_over_pairs_of_waves(const float* x, float* y)
{
    reduce_across_waves<PairsOfWaves4x256, 4, 256, ReduceOp::Max>(x, y, numeric<float>::lowest());
}

// BlockReduce2dCrossWarpSync where lanes of a wave hold different rows: each wave's first lane alone is heard.
PROGRAM THREADS(256) block_reduce_over_waves_with_rows_in_lanes(const float* x, float* y)
{
    reduce_across_waves<WideWaves16x64, 16, 64, ReduceOp::Add>(x, y, 0.0f);
}

// BlockReduce2d and its Sync with indices: the maxima and the columns where they are.
PROGRAM block_reduce_max_with_index(const float* x, float* y, int32_t* z)
{
    using Problem = BlockReduce2dProblem<float, float, Shape256, true>;
    const auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    using Tile = remove_cvref_t<decltype(tile)>;
    auto most = BlockReduce2d<Problem>::template MakeYBlockTile<Tile>();
    auto where = BlockReduce2d<Problem>::template MakeYIndexBlockTile<Tile>();
    set_tile(most, numeric<float>::lowest());
    set_tile(where, 0);
    const auto column = [](auto index) { return index[number<1>{}]; };
    BlockReduce2d<Problem>{}(tile, most, where, ReduceOp::Max{}, column);
    BlockReduce2dSync<Problem>{}(most, where, ReduceOp::Max{});
    dump(most, y);
    dump(where, z);
}

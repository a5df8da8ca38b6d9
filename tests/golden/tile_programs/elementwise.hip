// Functions on the elements of tiles, casts, and slices.
#include "programs.hpp"

template <typename Encoding, index_t Rows, index_t Columns, index_t Vector, typename T>
__device__ auto loaded(const T* x)
{
    const auto view = view_of<Vector>(x, make_tuple(Rows, Columns), make_tuple(Columns, 1));
    return load_tile(make_tile_window(view, static_lengths<Rows, Columns>(), {0, 0}, distribution<Encoding>()));
}

// set_tile with a value of another type: it is converted (2.75 becomes 2).
PROGRAM set_tile_i32(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Blocks16x16>());
    set_tile(tile, 2.75f);
    dump(tile, y);
}

// set_tile with number<0>: written in words of four bytes.
PROGRAM set_tile_zero_f16(const half_t* x, half_t* y)
{
    auto tile = loaded<Blocks16x16, 16, 16, 2>(x);
    set_tile(tile, number<0>{});
    dump(tile, y);
}

// set_tile with number<3>.
PROGRAM set_tile_number_f16(half_t* y)
{
    auto tile = make_static_distributed_tensor<half_t>(distribution<Blocks16x16>());
    set_tile(tile, number<3>{});
    dump(tile, y);
}

// clear_tile of a loaded tile.
PROGRAM clear_tile_i8(const int8_t* x, int8_t* y)
{
    auto tile = loaded<Quads16x16, 16, 16, 4>(x);
    clear_tile(tile);
    dump(tile, y);
}

// tile_elementwise_in with one tile and a result of another type.
PROGRAM elementwise_in_one_tile(const int32_t* x, float* y)
{
    dump(tile_elementwise_in([](int32_t a) { return 0.5f * static_cast<float>(a); }, loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// tile_elementwise_in with three tiles of two types.
PROGRAM elementwise_in_three_tiles(const float* x, const int32_t* b, float* y)
{
    const auto first = loaded<Spread32x32, 32, 32, 4>(x);
    const auto second = loaded<Spread32x32, 32, 32, 4>(b);
    const auto made = [](float a, int32_t b, float c) { return a - static_cast<float>(b) + 2.0f * c; };
    dump(tile_elementwise_in(made, first, second, first), y);
}

// tile_elementwise_in of tiles in two distributions: the thread buffers meet, not the indices; the first names the result's.
PROGRAM elementwise_in_two_distributions(const float* x, float* y, float* z)
{
    const auto first = loaded<Blocks16x16, 16, 16, 2>(x);
    const auto second = loaded<TurnedBlocks16x16, 16, 16, 2>(x);
    const auto sum = tile_elementwise_in([](float a, float b) { return 1000.0f * a + b; }, first, second);
    dump(sum, y);
    auto window = make_tile_window(view_of<1>(z, make_tuple(16, 16), make_tuple(16, 1)), static_lengths<16, 16>(), {0, 0});
    store_tile(window, sum);
}

// tile_elementwise_inout with one tile.
PROGRAM elementwise_inout_one_tile(const float* x, float* y)
{
    auto tile = loaded<Quads16x16, 16, 16, 4>(x);
    tile_elementwise_inout([](float& a) { a = a * a; }, tile);
    dump(tile, y);
}

// tile_elementwise_inout with two tiles: both are changed.
PROGRAM elementwise_inout_two_tiles(const float* x, const float* b, float* y, float* z)
{
    auto first = loaded<Quads16x16, 16, 16, 4>(x);
    auto second = loaded<Quads16x16, 16, 16, 4>(b);
    tile_elementwise_inout(
        [](float& a, float& b) {
            a = a + b;
            b = a - 2.0f * b;
        },
        first, second);
    dump(first, y);
    dump(second, z);
}

// cast_tile f32 to f16: ties go to even, what is too large to infinity, what is small to subnormal numbers.
PROGRAM cast_f32_to_f16(const float* x, half_t* y)
{
    dump(cast_tile<half_t>(loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// cast_tile f32 to bf16 (y holds the bits).
PROGRAM cast_f32_to_bf16(const float* x, uint16_t* y)
{
    dump(cast_tile<bf16_t>(loaded<Quads16x16, 16, 16, 4>(x)), reinterpret_cast<bf16_t*>(y));
}

// cast_tile f16 to f32.
PROGRAM cast_f16_to_f32(const half_t* x, float* y)
{
    dump(cast_tile<float>(loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// cast_tile f32 to int32: toward zero.
PROGRAM cast_f32_to_i32(const float* x, int32_t* y)
{
    dump(cast_tile<int32_t>(loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// cast_tile int32 to f32: rounded to nearest, ties to even.
PROGRAM cast_i32_to_f32(const int32_t* x, float* y)
{
    dump(cast_tile<float>(loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// cast_tile f32 to int8, of values in range: toward zero.
PROGRAM cast_f32_to_i8(const float* x, int8_t* y)
{
    dump(cast_tile<int8_t>(loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// cast_tile int32 to int8: the low byte.
PROGRAM cast_i32_to_i8(const int32_t* x, int8_t* y)
{
    dump(cast_tile<int8_t>(loaded<Quads16x16, 16, 16, 4>(x)), y);
}

// cast_tile f32 to fp8 (y holds the bits), four at a time by v_cvt_pk_fp8_f32.
PROGRAM cast_f32_to_fp8(const float* x, uint8_t* y)
{
    dump(cast_tile<fp8_t>(loaded<Quads16x16, 16, 16, 4>(x)), reinterpret_cast<fp8_t*>(y));
}

// cast_tile f32 to bf8 (y holds the bits): by the instruction for fp8, so the bits are those of fp8.
PROGRAM cast_f32_to_bf8(const float* x, uint8_t* y)
{
    dump(cast_tile<bf8_t>(loaded<Quads16x16, 16, 16, 4>(x)), reinterpret_cast<bf8_t*>(y));
}

// tile_elementwise_in of f16: every operation is rounded to f16.
PROGRAM elementwise_in_f16(const half_t* x, half_t* y)
{
    const auto tile = loaded<Quads16x16, 16, 16, 4>(x);
    dump(tile_elementwise_in([](half_t a, half_t b) -> half_t { return a * b; }, tile, tile), y);
}

// cast_tile fp8 (x holds the bits) to f32, of finite values.
PROGRAM cast_fp8_to_f32(const uint8_t* x, float* y)
{
    dump(cast_tile<float>(loaded<Quads16x16, 16, 16, 4>(reinterpret_cast<const fp8_t*>(x))), y);
}

// get_slice_tile: columns 16 to 32 of a 32x32 tile.
PROGRAM slice_of_columns(const float* x, float* y)
{
    dump(get_slice_tile(loaded<Spread32x32, 32, 32, 4>(x), sequence<0, 16>{}, sequence<32, 32>{}), y);
}

// get_slice_tile: rows 16 to 32 and columns 0 to 16, stored to where it came from.
PROGRAM slice_of_rows_and_columns_stored(const float* x, float* y, float* z)
{
    const auto slice = get_slice_tile(loaded<Spread32x32, 32, 32, 4>(x), sequence<16, 0>{}, sequence<32, 16>{});
    dump(slice, y);
    auto window = make_tile_window(view_of<4>(z, make_tuple(16, 16), make_tuple(16, 1)), static_lengths<16, 16>(), {0, 0});
    store_tile(window, slice);
}

// get_slice_tile with an end of -1, which stands for the length.
PROGRAM slice_to_the_end(const half_t* x, half_t* y)
{
    dump(get_slice_tile(loaded<Wide8x64, 8, 64, 4>(x), sequence<0, 32>{}, sequence<-1, -1>{}), y);
}

// get_slice_tile: 8 columns from 8, fewer than the vectors of all lanes: each lane gives 2 of its elements.
PROGRAM slice_inside_vectors(const float* x, float* y)
{
    dump(get_slice_tile(loaded<Spread32x32, 32, 32, 4>(x), sequence<0, 8>{}, sequence<32, 16>{}), y);
}

// set_slice_tile: a slice is negated and put into the other half of the columns.
PROGRAM set_slice_of_columns(const float* x, float* y)
{
    auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    auto slice = get_slice_tile(tile, sequence<0, 0>{}, sequence<32, 16>{});
    tile_elementwise_inout([](float& a) { a = -a; }, slice);
    set_slice_tile(tile, slice, sequence<0, 16>{}, sequence<32, 32>{});
    dump(tile, y);
}

// get_y_sliced_thread_data: Ys from (0, 1, 1), of lengths (2, 1, 2).
PROGRAM get_y_sliced(const float* x, float* y)
{
    const auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    const auto data = tile.get_y_sliced_thread_data(sequence<0, 1, 1>{}, sequence<2, 1, 2>{});
    static_for<0, 4, 1>{}([&](auto i) { y[4 * get_thread_id() + i] = data[i]; });
}

// set_y_sliced_thread_data: Ys from (1, 0, 2), of lengths (1, 2, 2), become 1000, 1001, ...
PROGRAM set_y_sliced(const float* x, float* y)
{
    auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    thread_buffer<float, 4> data;
    static_for<0, 4, 1>{}([&](auto i) { data(i) = 1000.0f + i; });
    tile.set_y_sliced_thread_data(sequence<1, 0, 2>{}, sequence<1, 2, 2>{}, data);
    dump(tile, y);
}

// set_tile_if: -1 where the column is greater than the row (the indices are within the tile).
PROGRAM set_tile_above_diagonal(const float* x, float* y)
{
    auto tile = loaded<Spread32x32, 32, 32, 4>(x);
    set_tile_if(tile, -1.0f, [](auto index) { return index[number<1>{}] > index[number<0>{}]; });
    dump(tile, y);
}

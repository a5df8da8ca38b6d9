// store_tile and update_tile.
#include "programs.hpp"

// A tile is stored with another row stride, at (2, 4) of the target.
PROGRAM store_at_origin_f32(const float* x, float* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = view_of<4>(y, make_tuple(20, 24), make_tuple(24, 1));
    auto window = make_tile_window(to, static_lengths<16, 16>(), {2, 4}, distribution<Quads16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// Four waves store 32x32 f16 elements through a window without a distribution: the tile's is taken.
PROGRAM THREADS(256) store_through_static_lengths_f16(const half_t* x, half_t* y)
{
    const auto from = view_of<2>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto to = view_of<2>(y, make_tuple(32, 34), make_tuple(34, 1));
    auto window = make_tile_window(to, static_lengths<32, 32>(), {0, 2});
    store_tile(window, load_tile(make_tile_window(from, static_lengths<32, 32>(), {0, 0}, distribution<Block32x32>())));
}

// Stored to a padded 13x14 view: what is out of range is not written.
PROGRAM store_padded_f32(const float* x, float* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = pad_tensor_view(
        view_of<1>(y, make_tuple(13, 14), make_tuple(16, 1)), static_lengths<16, 16>(), sequence<true, true>{});
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// Stored to a padded 13x14 view in vectors of four: a vector whose first element is valid is written whole.
PROGRAM store_padded_inside_vector_f32(const float* x, float* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = pad_tensor_view(
        view_of<4>(y, make_tuple(13, 14), make_tuple(16, 1)), static_lengths<16, 16>(), sequence<true, true>{});
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// Stored beyond an unpadded 12x16 view of row stride 40: columns beyond the view are written, offsets beyond it dropped.
PROGRAM store_beyond_unpadded_i32(const int32_t* x, int32_t* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = view_of<1>(y, make_tuple(12, 16), make_tuple(40, 1));
    auto window = make_tile_window(to, static_lengths<16, 16>(), {2, 12}, distribution<Quads16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// A tile whose lanes hold columns is stored to rows.
PROGRAM store_columns_f32(const float* x, float* y)
{
    const auto from = view_of<1>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = view_of<4>(y, make_tuple(16, 16), make_tuple(16, 1));
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Columns16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Columns16x16>())));
}

// A tile is stored through a transposed view of the target.
PROGRAM store_transposed_view_i8(const int8_t* x, int8_t* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = transform_tensor_view(
        view_of<1>(y, make_tuple(16, 16), make_tuple(16, 1)),
        make_tuple(make_pass_through_transform(16), make_pass_through_transform(16)),
        make_tuple(sequence<0>{}, sequence<1>{}), make_tuple(sequence<1>{}, sequence<0>{}));
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// Stored in vectors of four int8.
PROGRAM store_vectors_i8(const int8_t* x, int8_t* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = view_of<4>(y, make_tuple(16, 16), make_tuple(20, 1));
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// A replicated tile is stored: four lanes write the same value.
PROGRAM store_replicated_f32(const float* x, float* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 8), make_tuple(8, 1));
    const auto to = view_of<4>(y, make_tuple(16, 8), make_tuple(8, 1));
    auto window = make_tile_window(to, static_lengths<16, 8>(), {0, 0}, distribution<FourTimes16x8>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<16, 8>(), {0, 0}, distribution<FourTimes16x8>())));
}

// A 4x8x8 tile is stored into a merged view: its first two dimensions are rows.
PROGRAM store_three_dimensions_f32(const float* x, float* y)
{
    const auto from = view_of<2>(x, make_tuple(4, 8, 8), make_tuple(64, 8, 1));
    const auto to = transform_tensor_view(
        view_of<2>(y, make_tuple(32, 10), make_tuple(10, 1)),
        make_tuple(make_unmerge_transform(make_tuple(4, 8)), make_pass_through_transform(10)),
        make_tuple(sequence<0>{}, sequence<1>{}), make_tuple(sequence<0, 1>{}, sequence<2>{}));
    auto window = make_tile_window(to, static_lengths<4, 8, 8>(), {0, 0, 2}, distribution<Cube4x8x8>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<4, 8, 8>(), {0, 0, 0}, distribution<Cube4x8x8>())));
}

// update_tile of a view whose memory operation is set: as store_tile.
PROGRAM update_set_f32(const float* x, float* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = view_of<4>(y, make_tuple(16, 16), make_tuple(16, 1));
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    update_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// update_tile with atomic_add: two workgroups add the same tile to what is there.
PROGRAM update_atomic_add_f32(const float* x, float* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto to = make_naive_tensor_view<address_space_enum::global, memory_operation_enum::atomic_add>(
        y, make_tuple(16, 16), make_tuple(16, 1), number<4>{}, number<1>{});
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    update_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>())));
}

// update_tile with atomic_add of a replicated tile: each of the four lanes adds.
PROGRAM update_atomic_add_replicated_i32(const int32_t* x, int32_t* y)
{
    const auto from = view_of<4>(x, make_tuple(16, 8), make_tuple(8, 1));
    const auto to = make_naive_tensor_view<address_space_enum::global, memory_operation_enum::atomic_add>(
        y, make_tuple(16, 8), make_tuple(8, 1), number<1>{}, number<1>{});
    auto window = make_tile_window(to, static_lengths<16, 8>(), {0, 0}, distribution<FourTimes16x8>());
    update_tile(window, load_tile(make_tile_window(from, static_lengths<16, 8>(), {0, 0}, distribution<FourTimes16x8>())));
}

// update_tile with atomic_add of f16 pairs to a padded 13x14 view.
PROGRAM update_atomic_add_padded_f16(const half_t* x, half_t* y)
{
    const auto from = view_of<2>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto view = make_naive_tensor_view<address_space_enum::global, memory_operation_enum::atomic_add>(
        y, make_tuple(13, 14), make_tuple(16, 1), number<2>{}, number<1>{});
    const auto to = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    auto window = make_tile_window(to, static_lengths<16, 16>(), {0, 0}, distribution<Blocks16x16>());
    update_tile(window, load_tile(make_tile_window(from, static_lengths<16, 16>(), {0, 0}, distribution<Blocks16x16>())));
}

// Views, and load_tile.
#include "programs.hpp"

// A packed 16x16 view is loaded; each lane holds four neighbours of a row.
PROGRAM load_packed_f32(const float* x, float* y)
{
    const auto view = make_naive_tensor_view_packed<address_space_enum::global>(x, make_tuple(16, 16), number<4>{});
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// A strided 16x32 view of f16 is loaded in vectors of eight.
PROGRAM load_vectors_f16(const half_t* x, half_t* y)
{
    const auto view = view_of<8>(x, make_tuple(16, 32), make_tuple(40, 1));
    const auto window = make_tile_window(view, static_lengths<16, 32>(), {0, 0}, distribution<Octets16x32>());
    dump(load_tile(window), y);
}

// A 16x16 tile of int8 is loaded in vectors of four.
PROGRAM load_vectors_i8(const int8_t* x, int8_t* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Three Y dimensions, two of them parts of the columns: 16 int32 elements for each lane.
PROGRAM load_spread_i32(const int32_t* x, int32_t* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto window = make_tile_window(view, static_lengths<32, 32>(), {0, 0}, distribution<Spread32x32>());
    dump(load_tile(window), y);
}

// The same tile with its Y dimensions in opposite order: the thread buffer is in another order.
PROGRAM load_turned_spread_i32(const int32_t* x, int32_t* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto window = make_tile_window(view, static_lengths<32, 32>(), {0, 0}, distribution<TurnedSpread32x32>());
    dump(load_tile(window), y);
}

// A column-major view (strides 1 and 20), lanes along columns.
PROGRAM load_column_major_f32(const float* x, float* y)
{
    const auto view = make_naive_tensor_view<address_space_enum::global>(x, make_tuple(16, 16), make_tuple(1, 20));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Columns16x16>());
    dump(load_tile(window), y);
}

// Rows that a lane holds are four apart (Y is the outer part of the rows).
PROGRAM load_strided_rows_f16(const half_t* x, half_t* y)
{
    const auto view = view_of<1>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Strided16x16>());
    dump(load_tile(window), y);
}

// Four waves, two P dimensions (wave, lane).
PROGRAM THREADS(256) load_block_f32(const float* x, float* y)
{
    const auto view = view_of<2>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto window = make_tile_window(view, static_lengths<32, 32>(), {0, 0}, distribution<Block32x32>());
    dump(load_tile(window), y);
}

// Four waves in a square: both P dimensions are parts of rows and of columns.
PROGRAM THREADS(256) load_square_f16(const half_t* x, half_t* y)
{
    const auto view = view_of<2>(x, make_tuple(32, 32), make_tuple(34, 1));
    const auto window = make_tile_window(view, static_lengths<32, 32>(), {0, 0}, distribution<Square32x32>());
    dump(load_tile(window), y);
}

// Two P dimensions of which the wave's has length 1.
PROGRAM load_one_wave_of_two_dimensions_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<OneWave16x16>());
    dump(load_tile(window), y);
}

// One P dimension in a workgroup of two waves: both waves hold the same tile.
PROGRAM THREADS(128) load_lanes_in_two_waves_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// A window that begins at (5, 12) of a 24x40 view; the vectors are scalars.
PROGRAM load_at_origin_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(24, 40), make_tuple(40, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {5, 12}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Two workgroups load neighbouring windows; the origin depends on the workgroup.
PROGRAM load_by_workgroup_i32(const int32_t* x, int32_t* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 32), make_tuple(32, 1));
    const auto window =
        make_tile_window(view, static_lengths<16, 16>(), {0, 16 * get_block_id()}, distribution<Quads16x16>());
    dump(load_tile(window), y + get_block_id() * 256);
}

// pad_tensor_view makes a 13x14 view 16x16: out of range reads give 0.
PROGRAM load_padded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(13, 14), make_tuple(14, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Only the rows are padded; columns beyond the 14th are the next row's elements.
PROGRAM load_rows_padded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(13, 14), make_tuple(14, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, false>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// A 13x12 view padded to 16x16 and read in vectors of four: whole vectors are out of range.
PROGRAM load_padded_vectors_f16(const half_t* x, half_t* y)
{
    const auto view = view_of<4>(x, make_tuple(13, 12), make_tuple(16, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// A 13x14 view with row stride 16 read in vectors of four: a vector is valid if its first element is.
PROGRAM load_padded_inside_vector_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(13, 14), make_tuple(16, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Left and right pads around a 12x10 view.
PROGRAM load_left_and_right_padded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(12, 10), make_tuple(10, 1));
    const auto padded = transform_tensor_view(
        view, make_tuple(make_pad_transform(12, 4, 0), make_pad_transform(10, 3, 3)),
        make_tuple(sequence<0>{}, sequence<1>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// A buffer view with an invalid element value of -7: out of range reads give it.
PROGRAM load_invalid_value_f32(const float* x, float* y)
{
    const auto desc = make_naive_tensor_descriptor(make_tuple(13, 14), make_tuple(14, 1), number<1>{}, number<1>{});
    const auto buffer =
        make_buffer_view<address_space_enum::global>(x, desc.get_element_space_size(), -7.0f);
    const auto view = tensor_view<remove_cvref_t<decltype(buffer)>, remove_cvref_t<decltype(desc)>>{buffer, desc};
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Without pads a window beyond the view reads the next row's elements, and 0 beyond the view's element space.
PROGRAM load_beyond_unpadded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {8, 8}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Without pads a window before the view reads 0 where the offset is negative.
PROGRAM load_before_unpadded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {-4, -4}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// With pads a window at (-4, 6) reads 0 on both sides: a right pad has no lower end, but offsets are negative there.
PROGRAM load_before_padded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(13, 14), make_tuple(14, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {-4, 6}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// With pads a window at (2, -4): a right pad has no lower end, so columns before the first are the row before's last.
PROGRAM load_before_columns_padded_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(13, 14), make_tuple(14, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {2, -4}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// An invalid element value of -7 and padded columns, but no padded rows: rows beyond the view's element space give 0.
PROGRAM load_invalid_value_and_beyond_f32(const float* x, float* y)
{
    const auto desc = make_naive_tensor_descriptor(make_tuple(13, 14), make_tuple(14, 1), number<1>{}, number<1>{});
    const auto buffer =
        make_buffer_view<address_space_enum::global>(x, desc.get_element_space_size(), -7.0f);
    const auto view = tensor_view<remove_cvref_t<decltype(buffer)>, remove_cvref_t<decltype(desc)>>{buffer, desc};
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<false, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// load_tile with oob_conditional_check false: pads are not looked at, the element space's end still is.
PROGRAM load_padded_unchecked_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(13, 14), make_tuple(14, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window, number<-1>{}, bool_constant<false>{}), y);
}

// Every element of a 16x8 tile is held by four lanes (R is the outer part of the lane).
PROGRAM load_replicated_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 8), make_tuple(8, 1));
    const auto window = make_tile_window(view, static_lengths<16, 8>(), {0, 0}, distribution<FourTimes16x8>());
    dump(load_tile(window), y);
}

// Every element is held by four neighbouring lanes (R is the inner part of the lane).
PROGRAM load_replicated_inner_f16(const half_t* x, half_t* y)
{
    const auto view = view_of<8>(x, make_tuple(16, 8), make_tuple(8, 1));
    const auto window = make_tile_window(view, static_lengths<16, 8>(), {0, 0}, distribution<FourTimesInner16x8>());
    dump(load_tile(window), y);
}

// Two R dimensions, around the others in the lane.
PROGRAM load_replicated_twice_i32(const int32_t* x, int32_t* y)
{
    const auto view = view_of<4>(x, make_tuple(8, 8), make_tuple(8, 1));
    const auto window = make_tile_window(view, static_lengths<8, 8>(), {0, 0}, distribution<TwiceTwice8x8>());
    dump(load_tile(window), y);
}

// R is a part of the wave: waves 0 and 2, and 1 and 3, hold the same.
PROGRAM THREADS(256) load_replicated_waves_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 32), make_tuple(32, 1));
    const auto window = make_tile_window(view, static_lengths<16, 32>(), {0, 0}, distribution<WavesTwice16x32>());
    dump(load_tile(window), y);
}

// Two dimensions of a 4x6x16 view (strides 112, 18, 1) are merged; the window begins in the middle of a group.
PROGRAM load_merged_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(4, 6, 16), make_tuple(112, 18, 1));
    const auto merged = transform_tensor_view(
        view, make_tuple(make_merge_transform(make_tuple(4, 6)), make_pass_through_transform(16)),
        make_tuple(sequence<0, 1>{}, sequence<2>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    const auto window = make_tile_window(merged, static_lengths<16, 16>(), {4, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// One dimension of 256 is unmerged into 16x16, and read transposed.
PROGRAM load_unmerged_transposed_i32(const int32_t* x, int32_t* y)
{
    const auto view = make_naive_tensor_view_packed<address_space_enum::global>(x, make_tuple(256));
    const auto unmerged = transform_tensor_view(
        view, make_tuple(make_unmerge_transform(make_tuple(16, 16))), make_tuple(sequence<0>{}),
        make_tuple(sequence<1, 0>{}));
    const auto window = make_tile_window(unmerged, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// A transposed view: pass-through transforms exchange the dimensions.
PROGRAM load_transposed_view_f16(const half_t* x, half_t* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 24), make_tuple(24, 1));
    const auto turned = transform_tensor_view(
        view, make_tuple(make_pass_through_transform(16), make_pass_through_transform(24)),
        make_tuple(sequence<0>{}, sequence<1>{}), make_tuple(sequence<1>{}, sequence<0>{}));
    const auto window = make_tile_window(turned, static_lengths<16, 16>(), {8, 0}, distribution<Columns16x16>());
    dump(load_tile(window), y);
}

// A 4x8x8 tile at (1, 0, 4) of a 6x8x16 view.
PROGRAM load_three_dimensions_f32(const float* x, float* y)
{
    const auto view = view_of<2>(x, make_tuple(6, 8, 16), make_tuple(128, 16, 1));
    const auto window = make_tile_window(view, static_lengths<4, 8, 8>(), {1, 0, 4}, distribution<Cube4x8x8>());
    dump(load_tile(window), y);
}

// A slice and a frozen dimension: plane 2 of a 4x18x20 view, rows 1 to 17, columns 2 to 18.
PROGRAM load_sliced_and_frozen_i32(const int32_t* x, int32_t* y)
{
    const auto view = view_of<1>(x, make_tuple(4, 18, 20), make_tuple(360, 20, 1));
    const auto plane = transform_tensor_view(
        view, make_tuple(make_freeze_transform(2), make_slice_transform(18, 1, 17), make_slice_transform(20, 2, 18)),
        make_tuple(sequence<0>{}, sequence<1>{}, sequence<2>{}), make_tuple(sequence<>{}, sequence<0>{}, sequence<1>{}));
    const auto window = make_tile_window(plane, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// An embed transform with overlapping rows: element (i, j) is x[2*i + j].
PROGRAM load_embedded_f32(const float* x, float* y)
{
    const auto view = make_naive_tensor_view_packed<address_space_enum::global>(x, make_tuple(46));
    const auto embedded = transform_tensor_view(
        view, make_tuple(make_embed_transform(make_tuple(16, 16), make_tuple(2, 1))), make_tuple(sequence<0>{}),
        make_tuple(sequence<0, 1>{}));
    const auto window = make_tile_window(embedded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// An xor transform: element (i, j) is x[i][j ^ i].
PROGRAM load_xored_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(16, 16), make_tuple(16, 1));
    const auto mixed = transform_tensor_view(
        view, make_tuple(make_xor_transform(make_tuple(16, 16))), make_tuple(sequence<0, 1>{}),
        make_tuple(sequence<0, 1>{}));
    const auto window = make_tile_window(mixed, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// One dimension, lane by lane: each lane holds elements 64 apart.
PROGRAM load_strided_line_f32(const float* x, float* y)
{
    const auto view = make_naive_tensor_view_packed<address_space_enum::global>(x, make_tuple(300));
    const auto window = make_tile_window(view, static_lengths<256>(), {10}, distribution<StridedLine256>());
    dump(load_tile(window), y);
}

// A broadcast view: stride 0 along the rows.
PROGRAM load_broadcast_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 16), make_tuple(0, 1));
    const auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// load_tile_with_elementwise: two windows of one distribution are read together and added.
PROGRAM load_with_elementwise_f32(const float* x, const float* b, float* y)
{
    const auto windows = make_tuple(
        make_tile_window(view_of<4>(x, make_tuple(16, 16), make_tuple(16, 1)), static_lengths<16, 16>(), {0, 0},
                         distribution<Quads16x16>()),
        make_tile_window(view_of<4>(b, make_tuple(16, 16), make_tuple(16, 1)), static_lengths<16, 16>(), {0, 0},
                         distribution<Quads16x16>()));
    dump(load_tile_with_elementwise(windows, [](auto& out, auto first, auto second) { out = first + second; }), y);
}

// load_tile into a tile that exists.
PROGRAM load_into_tile_f32(const float* x, float* y)
{
    const auto view = view_of<2>(x, make_tuple(16, 16), make_tuple(16, 1));
    auto tile = make_static_distributed_tensor<float>(distribution<Blocks16x16>());
    load_tile(tile, make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Blocks16x16>()));
    dump(tile, y);
}

// load_tile_raw and a fence: out of range elements keep what the tile held.
PROGRAM load_raw_padded_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(13, 12), make_tuple(12, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window =
        make_tile_window_raw(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    auto tile = make_static_distributed_tensor<float>(distribution<Quads16x16>());
    set_tile(tile, -1.0f);
    load_tile_raw(tile, window);
    buffer_load_fence(0);
    dump(tile, y);
}

// A view of the generic address space, padded: out of range reads give 0.
PROGRAM load_generic_padded_f32(const float* x, float* y)
{
    const auto view = make_naive_tensor_view(x, make_tuple(13, 14), make_tuple(14, 1));
    const auto padded = pad_tensor_view(view, static_lengths<16, 16>(), sequence<true, true>{});
    const auto window = make_tile_window(padded, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    dump(load_tile(window), y);
}

// Windows that move, and what they know of themselves.
#include "programs.hpp"

// A window walks to the right by its own width, four times.
PROGRAM move_right_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(16, 64), make_tuple(64, 1));
    auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    for(index_t i = 0; i < 4; i++)
    {
        dump(load_tile(window), y + i * 256);
        move_tile_window(window, {0, 16});
    }
}

// A window walks up from the end, with negative steps.
PROGRAM move_up_i32(const int32_t* x, int32_t* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 16), make_tuple(16, 1));
    auto window = make_tile_window(view, static_lengths<16, 16>(), {16, 0}, distribution<Quads16x16>());
    for(index_t i = 0; i < 3; i++)
    {
        dump(load_tile(window), y + i * 256);
        move_tile_window(window, {-8, 0});
    }
}

// A window walks diagonally over a padded 25x22 view, beyond both ends.
PROGRAM move_diagonally_padded_f16(const half_t* x, half_t* y)
{
    const auto view = pad_tensor_view(
        view_of<2>(x, make_tuple(25, 22), make_tuple(22, 1)), static_lengths<16, 16>(), sequence<true, true>{});
    auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Blocks16x16>());
    for(index_t i = 0; i < 4; i++)
    {
        dump(load_tile(window), y + i * 256);
        move_tile_window(window, {6, 8});
    }
}

// A window leaves a padded view to the left and comes back: what is loaded depends on where it is alone.
PROGRAM move_out_and_back_f32(const float* x, float* y)
{
    const auto view = transform_tensor_view(
        view_of<1>(x, make_tuple(16, 16), make_tuple(16, 1)),
        make_tuple(make_pad_transform(16, 8, 8), make_pad_transform(16, 8, 8)),
        make_tuple(sequence<0>{}, sequence<1>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    auto window = make_tile_window(view, static_lengths<16, 16>(), {8, 8}, distribution<Quads16x16>());
    move_tile_window(window, {-8, -8});
    dump(load_tile(window), y);
    move_tile_window(window, {16, 0});
    dump(load_tile(window), y + 256);
    move_tile_window(window, {-8, 8});
    dump(load_tile(window), y + 512);
}

// A window walks over a merged dimension: steps of 5 rows of 4x6 merged to 24, with carries.
PROGRAM move_over_merged_f32(const float* x, float* y)
{
    const auto view = transform_tensor_view(
        view_of<1>(x, make_tuple(6, 6, 8), make_tuple(60, 9, 1)),
        make_tuple(make_merge_transform(make_tuple(6, 6)), make_pass_through_transform(8)),
        make_tuple(sequence<0, 1>{}, sequence<2>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    auto window = make_tile_window(view, static_lengths<8, 8>(), {0, 0}, distribution<Single8x8>());
    for(index_t i = 0; i < 5; i++)
    {
        dump(load_tile(window), y + i * 64);
        move_tile_window(window, {7, 0});
    }
}

// A window walks in a 3D view along its first dimension, then back along the second.
PROGRAM move_in_three_dimensions_f32(const float* x, float* y)
{
    const auto view = view_of<2>(x, make_tuple(8, 16, 8), make_tuple(128, 8, 1));
    auto window = make_tile_window(view, static_lengths<4, 8, 8>(), {0, 8, 0}, distribution<Cube4x8x8>());
    dump(load_tile(window), y);
    move_tile_window(window, {4, 0, 0});
    dump(load_tile(window), y + 256);
    move_tile_window(window, {-2, -8, 0});
    dump(load_tile(window), y + 512);
}

// Four waves copy 32x96 in three steps: both windows move.
PROGRAM THREADS(256) copy_with_two_windows_f16(const half_t* x, half_t* y)
{
    const auto from = view_of<2>(x, make_tuple(32, 96), make_tuple(96, 1));
    const auto to = view_of<2>(y, make_tuple(96, 32), make_tuple(32, 1));
    auto source = make_tile_window(from, static_lengths<32, 32>(), {0, 0}, distribution<Block32x32>());
    auto target = make_tile_window(to, static_lengths<32, 32>(), {64, 0}, distribution<Block32x32>());
    for(index_t i = 0; i < 3; i++)
    {
        store_tile(target, load_tile(source));
        move_tile_window(source, {0, 32});
        move_tile_window(target, {-32, 0});
    }
}

// A linear window (offsets known at compile time) loads, moves, and loads again.
PROGRAM linear_window_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 64), make_tuple(64, 1));
    auto window = make_tile_window_linear(view, static_lengths<32, 32>(), {0, 0}, distribution<OneWaveSpread32x32>());
    dump(load_tile(window), y);
    move_tile_window(window, {0, 32});
    dump(load_tile(window), y + 1024);
}

// A linear window whose columns alone are linear, over a padded view.
PROGRAM linear_columns_padded_f32(const float* x, float* y)
{
    const auto view = pad_tensor_view(
        view_of<4>(x, make_tuple(29, 32), make_tuple(32, 1)), static_lengths<32, 32>(), sequence<true, false>{});
    auto window = make_tile_window_linear(
        view, static_lengths<32, 32>(), {0, 0}, distribution<OneWaveSpread32x32>(), sequence<0, 1>{});
    dump(load_tile(window), y);
}

// A tile is stored through a linear window.
PROGRAM linear_store_i32(const int32_t* x, int32_t* y)
{
    const auto from = view_of<4>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto to = view_of<4>(y, make_tuple(32, 36), make_tuple(36, 1));
    auto window = make_tile_window_linear(to, static_lengths<32, 32>(), {0, 4}, distribution<OneWaveSpread32x32>());
    store_tile(window, load_tile(make_tile_window(from, static_lengths<32, 32>(), {0, 0}, distribution<OneWaveSpread32x32>())));
}

// A tile is loaded access by access through a linear window: load_tile with number<i_access>.
PROGRAM linear_one_access_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 32), make_tuple(32, 1));
    auto window = make_tile_window_linear(view, static_lengths<32, 32>(), {0, 0}, distribution<OneWaveSpread32x32>());
    auto tile = make_static_distributed_tensor<float>(distribution<OneWaveSpread32x32>());
    set_tile(tile, -1.0f);
    load_tile(tile, window, number<2>{});
    dump(tile, y);
}

// Origin and lengths of a window before and after a move, and after set_window_origin.
PROGRAM window_origin_and_lengths(const float* x, int32_t* y)
{
    const auto view = view_of<4>(x, make_tuple(64, 64), make_tuple(64, 1));
    auto window = make_tile_window(view, static_lengths<16, 16>(), {3, 5}, distribution<Quads16x16>());
    const auto record = [&](index_t part) {
        if(get_thread_id() == 0)
        {
            y[4 * part + 0] = window.get_window_origin()[number<0>{}];
            y[4 * part + 1] = window.get_window_origin()[number<1>{}];
            y[4 * part + 2] = window.get_window_lengths()[number<0>{}];
            y[4 * part + 3] = window.get_window_lengths()[number<1>{}];
        }
    };
    record(0);
    move_tile_window(window, {7, -5});
    record(1);
    window.set_window_origin({20, 24});
    record(2);
}

// set_window_origin: the next load is there.
PROGRAM set_window_origin_f32(const float* x, float* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 48), make_tuple(48, 1));
    auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0}, distribution<Quads16x16>());
    move_tile_window(window, {3, 4});
    window.set_window_origin({16, 24});
    dump(load_tile(window), y);
}

// A window of static lengths moves; then windows with a distribution are made of it, at its origin and at another.
PROGRAM window_from_window_f32(const float* x, float* y)
{
    const auto view = view_of<2>(x, make_tuple(48, 32), make_tuple(32, 1));
    auto bare = make_tile_window(view, static_lengths<16, 16>(), {0, 0});
    move_tile_window(bare, {16, 8});
    dump(load_tile(make_tile_window(bare, distribution<Blocks16x16>())), y);
    dump(load_tile(make_tile_window(bare, {1, 2}, distribution<Quads16x16>())), y + 256);
    const auto other = make_tile_window(bare, {32, 16});
    dump(load_tile(make_tile_window(other, distribution<Quads16x16>())), y + 512);
}

// get_slice_tile of a window: its origin becomes the slice's begin, whatever the window's own origin was.
PROGRAM slice_of_window_f32(const float* x, float* y)
{
    const auto view = view_of<1>(x, make_tuple(40, 40), make_tuple(40, 1));
    const auto bare = make_tile_window(view, static_lengths<32, 32>(), {5, 5});
    const auto slice = get_slice_tile(bare, sequence<2, 8>{}, sequence<18, 24>{});
    dump(load_tile(make_tile_window(slice, distribution<Quads16x16>())), y);
}

// replace_bottom_tensor_view: the same window on another buffer with another stride.
PROGRAM replace_view_i32(const int32_t* x, const int32_t* b, int32_t* y)
{
    const auto first = view_of<1>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto second = view_of<1>(b, make_tuple(32, 32), make_tuple(33, 1));
    const auto window = make_tile_window(first, static_lengths<16, 16>(), {4, 6}, distribution<Quads16x16>());
    dump(load_tile(replace_bottom_tensor_view(second, window)), y);
}

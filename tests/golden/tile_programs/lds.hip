// Tiles through LDS: written in one distribution, read in another.
#include "programs.hpp"

template <typename Encoding, index_t Rows, index_t Columns, index_t Vector, typename T>
__device__ auto loaded(const T* x)
{
    const auto view = view_of<Vector>(x, make_tuple(Rows, Columns), make_tuple(Columns, 1));
    return load_tile(make_tile_window(view, static_lengths<Rows, Columns>(), {0, 0}, distribution<Encoding>()));
}

// All of the LDS becomes -1 before a program writes it.
template <index_t Size, index_t Threads, typename T>
__device__ void fill(T* lds)
{
    for(index_t i = get_thread_id(); i < Size; i += Threads)
        lds[i] = type_convert<T>(-1.0f);
    block_sync_lds();
}

template <index_t Size, index_t Threads, typename T>
__device__ void copy(const T* lds, T* to)
{
    for(index_t i = get_thread_id(); i < Size; i += Threads)
        to[i] = lds[i];
}

// Stored to packed LDS by rows, loaded by columns.
PROGRAM THREADS(64) lds_packed_f32(const float* x, float* y, float* z)
{
    __shared__ float lds[256];
    fill<256, 64>(lds);
    const auto view = make_naive_tensor_view_packed<address_space_enum::lds>(lds, static_lengths<16, 16>(), number<4>{});
    auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0});
    store_tile(window, loaded<Quads16x16, 16, 16, 4>(x));
    block_sync_lds();
    dump(load_tile(make_tile_window(window, distribution<Columns16x16>())), y);
    copy<256, 64>(lds, z);
}

// Rows in LDS are padded to 20 elements; loaded by columns.
PROGRAM THREADS(64) lds_padded_rows_f32(const float* x, float* y, float* z)
{
    __shared__ float lds[320];
    fill<320, 64>(lds);
    constexpr auto desc =
        make_naive_tensor_descriptor(static_lengths<16, 16>(), static_lengths<20, 1>(), number<4>{}, number<1>{});
    const auto view = make_tensor_view<address_space_enum::lds>(lds, desc);
    auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0});
    store_tile(window, loaded<Quads16x16, 16, 16, 4>(x));
    block_sync_lds();
    dump(load_tile(make_tile_window(window, distribution<Columns16x16>())), y);
    copy<320, 64>(lds, z);
}

// CK's padded layout of K0 x M x K1: a plane of 16 rows and one more, merged back into 16x32.
PROGRAM THREADS(64) lds_padded_planes_f16(const half_t* x, half_t* y, half_t* z)
{
    __shared__ half_t lds[544];
    fill<544, 64>(lds);
    constexpr auto planes = make_naive_tensor_descriptor(
        static_lengths<4, 16, 8>(), static_lengths<17 * 8, 8, 1>(), number<8>{}, number<1>{});
    constexpr auto desc = transform_tensor_descriptor(
        planes,
        make_tuple(make_pass_through_transform(number<16>{}), make_merge_transform(static_lengths<4, 8>())),
        make_tuple(sequence<1>{}, sequence<0, 2>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    const auto view = make_tensor_view<address_space_enum::lds>(lds, desc);
    auto window = make_tile_window(view, static_lengths<16, 32>(), {0, 0});
    store_tile(window, loaded<Octets16x32, 16, 32, 8>(x));
    block_sync_lds();
    dump(load_tile(make_tile_window(window, distribution<Octets16x32>())), y);
    copy<544, 64>(lds, z);
}

// An xor swizzle of groups of eight columns by the row; read with Ys in another order.
PROGRAM THREADS(64) lds_xor_f16(const half_t* x, half_t* y, half_t* z)
{
    __shared__ half_t lds[512];
    fill<512, 64>(lds);
    constexpr auto groups =
        make_naive_tensor_descriptor(static_lengths<16, 4, 8>(), static_lengths<32, 8, 1>(), number<8>{}, number<1>{});
    constexpr auto mixed = transform_tensor_descriptor(
        groups, make_tuple(make_xor_transform(static_lengths<16, 4>()), make_pass_through_transform(number<8>{})),
        make_tuple(sequence<0, 1>{}, sequence<2>{}), make_tuple(sequence<0, 1>{}, sequence<2>{}));
    constexpr auto desc = transform_tensor_descriptor(
        mixed, make_tuple(make_pass_through_transform(number<16>{}), make_merge_transform(static_lengths<4, 8>())),
        make_tuple(sequence<0>{}, sequence<1, 2>{}), make_tuple(sequence<0>{}, sequence<1>{}));
    const auto view = make_tensor_view<address_space_enum::lds>(lds, desc);
    auto window = make_tile_window(view, static_lengths<16, 32>(), {0, 0});
    store_tile(window, loaded<Octets16x32, 16, 32, 8>(x));
    block_sync_lds();
    dump(load_tile(make_tile_window(window, distribution<Twos16x32>())), y);
    copy<512, 64>(lds, z);
}

// Four waves write a 32x32 tile, and read it through a transposed view.
PROGRAM THREADS(256) lds_transposed_by_four_waves_f16(const half_t* x, half_t* y, half_t* z)
{
    __shared__ half_t lds[32 * 34];
    fill<32 * 34, 256>(lds);
    constexpr auto desc =
        make_naive_tensor_descriptor(static_lengths<32, 32>(), static_lengths<34, 1>(), number<2>{}, number<1>{});
    constexpr auto turned = transform_tensor_descriptor(
        desc, make_tuple(make_pass_through_transform(number<32>{}), make_pass_through_transform(number<32>{})),
        make_tuple(sequence<0>{}, sequence<1>{}), make_tuple(sequence<1>{}, sequence<0>{}));
    auto window = make_tile_window(make_tensor_view<address_space_enum::lds>(lds, desc), static_lengths<32, 32>(), {0, 0});
    store_tile(window, loaded<Block32x32, 32, 32, 2>(x));
    block_sync_lds();
    const auto other = make_tensor_view<address_space_enum::lds>(lds, turned);
    dump(load_tile(make_tile_window(other, static_lengths<32, 32>(), {0, 0}, distribution<Square32x32>())), y);
    copy<32 * 34, 256>(lds, z);
}

// Two tiles share a buffer: a window moves from the first half to the second.
PROGRAM THREADS(64) lds_two_buffers_i32(const int32_t* x, const int32_t* b, int32_t* y, int32_t* z)
{
    __shared__ int32_t lds[512];
    fill<512, 64>(lds);
    const auto view = make_naive_tensor_view_packed<address_space_enum::lds>(lds, static_lengths<32, 16>(), number<4>{});
    auto window = make_tile_window(view, static_lengths<16, 16>(), {0, 0});
    store_tile(window, loaded<Quads16x16, 16, 16, 4>(x));
    move_tile_window(window, {16, 0});
    store_tile(window, loaded<Quads16x16, 16, 16, 4>(b));
    block_sync_lds();
    dump(load_tile(make_tile_window(view, static_lengths<16, 16>(), {8, 0}, distribution<Strided16x16>())), y);
    copy<512, 64>(lds, z);
}

// async_load_tile: from global memory to LDS without registers, 64 lanes side by side.
PROGRAM THREADS(64) lds_async_load_f32(const float* x, float* y, float* z)
{
    __shared__ float lds[256];
    fill<256, 64>(lds);
    const auto from = view_of<1>(x, make_tuple(4, 64), make_tuple(72, 1));
    const auto view = make_naive_tensor_view_packed<address_space_enum::lds>(lds, static_lengths<4, 64>(), number<1>{});
    auto window = make_tile_window(view, static_lengths<4, 64>(), {0, 0});
    async_load_tile(window, make_tile_window(from, static_lengths<4, 64>(), {0, 0}, distribution<Rows4x64>()));
    block_sync_lds_direct_load();
    dump(load_tile(make_tile_window(window, distribution<Rows4x64>())), y);
    copy<256, 64>(lds, z);
}

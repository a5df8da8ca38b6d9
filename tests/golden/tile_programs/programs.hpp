// What the programs share. A kernel's comment becomes the "doc" of its case.
#pragma once
#include "ck_tile/core.hpp"
#include "encodings.hpp"

using namespace ck_tile;

#define PROGRAM extern "C" __global__ void
#define THREADS(count) __attribute__((amdgpu_flat_work_group_size(count, count)))

template <index_t... Values>
__device__ constexpr auto static_lengths()
{
    return make_tuple(number<Values>{}...);
}

template <typename Encoding>
__device__ constexpr auto distribution()
{
    return make_static_tile_distribution(Encoding{});
}

// A view of global memory that promises its last dimension in vectors of so many elements.
template <index_t Vector, typename T, typename Lengths, typename Strides>
__device__ auto view_of(T* p, const Lengths& lengths, const Strides& strides)
{
    return make_naive_tensor_view<address_space_enum::global>(p, lengths, strides, number<Vector>{}, number<1>{});
}

// to[thread][i] = the thread buffer's element i
template <typename Tile, typename T>
__device__ void dump(const Tile& tile, T* to)
{
    constexpr index_t size = Tile::get_thread_buffer_size();
    static_for<0, size, 1>{}([&](auto i) { to[get_thread_id() * size + i] = tile.get_thread_buffer()[i]; });
}

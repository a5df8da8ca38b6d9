// out[i2, i0, i1] = in[i0, i1, i2] (half); lengths (64, 100, 256).
//
// Merged to lengths (6400, 256), strides (256, 1) in the source and (1, 6400) in the target. A
// workgroup of 64 threads moves a 64 x 64 tile; each thread loads 8 x 8 at a time. Through shared
// memory: xor, 8192 bytes.
//
//   loaded from  64*block_column + 16384*block_row + 16384*y0 + 64*y1 + 256*y2 + y3 + 2048*(lane // 8) + 16384*(warp // 1) + 8*(lane % 8) + 64*(warp % 1)
//   stored to    409600*block_column + 64*block_row + 64*y0 + 51200*y1 + y2 + 6400*y3 + 6400*(lane // 8) + 51200*(warp // 1) + 8*(lane % 8) + 64*(warp % 1)
//
// Launch with grid (100, 4, 1), block 64.

#include <hip/hip_runtime.h>

typedef _Float16 half_x8 __attribute__((ext_vector_type(8)));

extern "C" __global__ __launch_bounds__(64)
void permute_f16_64x100x256_to_201_by_64x64_64_8x8_lds_xor_along_target_for_gfx942(
    const _Float16* __restrict__ in,
    _Float16* __restrict__ out)
{
    __shared__ __attribute__((aligned(16))) _Float16 tile[4096];

    const int lane = threadIdx.x;
    const int block_row = blockIdx.x;
    const int block_column = blockIdx.y;

    const _Float16* source = in + (16384 * block_row + 1984 * (lane / 8) + 64 * block_column + 8 * lane);
    half_x8 loaded[8];
    #pragma unroll
    for (int r = 0; r < 8; ++r) {
        loaded[r] = *reinterpret_cast<const half_x8*>(source + 256 * r);
    }

    const int store = 512 * (lane % 8) + 8 * (lane % 8 ^ lane / 8);
    #pragma unroll
    for (int c = 0; c < 8; ++c) {
        *reinterpret_cast<half_x8*>(tile + store + 64 * c) = half_x8{loaded[0][c], loaded[1][c], loaded[2][c], loaded[3][c], loaded[4][c], loaded[5][c], loaded[6][c], loaded[7][c]};
    }

    __syncthreads();

    _Float16* target = out + (409600 * block_column + 6336 * (lane / 8) + 64 * block_row + 8 * lane);
    #pragma unroll
    for (int j = 0; j < 8; ++j) {
        *reinterpret_cast<half_x8*>(target + 51200 * j) = *reinterpret_cast<const half_x8*>(tile + 512 * j + 8 * (j ^ lane));
    }
}

// out[i2, i0, i1] = in[i0, i1, i2] (float); lengths (64, 100, 256).
//
// Merged to lengths (6400, 256), strides (256, 1) in the source and (1, 6400) in the target. A
// workgroup of 256 threads moves a 32 x 32 tile; each thread loads 2 x 2 at a time. Through shared
// memory: xor, 4096 bytes.
//
//   loaded from  32*block_column + 8192*block_row + 8192*y0 + 32*y1 + 256*y2 + y3 + 512*(lane // 16) + 2048*(warp // 1) + 2*(lane % 16) + 32*(warp % 1)
//   stored to    204800*block_column + 32*block_row + 32*y0 + 102400*y1 + y2 + 6400*y3 + 6400*(lane // 16) + 25600*(warp // 1) + 2*(lane % 16) + 32*(warp % 1)
//
// Launch with grid (200, 8, 1), block 256.

#include <hip/hip_runtime.h>

typedef float float_x2 __attribute__((ext_vector_type(2)));

extern "C" __global__ __launch_bounds__(256)
void permute_f32_64x100x256_to_201_by_32x32_256_2x2_lds_xor_along_target_for_gfx942(
    const float* __restrict__ in,
    float* __restrict__ out)
{
    __shared__ __attribute__((aligned(16))) float tile[1024];

    const int lane = threadIdx.x % 64;
    const int warp = threadIdx.x / 64;
    const int block_row = blockIdx.x;
    const int block_column = blockIdx.y;

    const float* source = in + (8192 * block_row + 2048 * warp + 32 * (block_column + lane) - 30 * (lane % 16));
    float_x2 loaded[2];
    #pragma unroll
    for (int r = 0; r < 2; ++r) {
        loaded[r] = *reinterpret_cast<const float_x2*>(source + 256 * r);
    }

    const int store = 64 * (lane % 16) + 2 * ((4 * warp + lane / 16) ^ lane % 16);
    #pragma unroll
    for (int c = 0; c < 2; ++c) {
        *reinterpret_cast<float_x2*>(tile + store + 32 * c) = float_x2{loaded[0][c], loaded[1][c]};
    }

    __syncthreads();

    float* target = out + (204800 * block_column + 25600 * warp + 6368 * (lane / 16) + 32 * block_row + 2 * lane);
    #pragma unroll
    for (int j = 0; j < 2; ++j) {
        *reinterpret_cast<float_x2*>(target + 102400 * j) = *reinterpret_cast<const float_x2*>(tile + 512 * j + 128 * warp + 2 * ((8 * j + 2 * warp + lane / 32) ^ lane));
    }
}

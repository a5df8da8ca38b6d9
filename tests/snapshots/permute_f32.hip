// out[i2, i0, i1] = in[i0, i1, i2] (float); lengths (64, 100, 256).
//
// Merged to lengths (6400, 256), strides (256, 1) in the source and (1, 6400) in the target. A
// workgroup of 64 threads moves a 32 x 32 tile; each thread loads 4 x 4 at a time. Through shared
// memory: xor, 4096 bytes.
//
//   loaded from  32*block_column + 8192*block_row + 8192*y0 + 32*y1 + 256*y2 + y3 + 1024*(lane // 8) + 8192*(warp // 1) + 4*(lane % 8) + 32*(warp % 1)
//   stored to    204800*block_column + 32*block_row + 32*y0 + 51200*y1 + y2 + 6400*y3 + 6400*(lane // 8) + 51200*(warp // 1) + 4*(lane % 8) + 32*(warp % 1)
//
// Launch with grid (8, 200, 1), block 64.

#include <hip/hip_runtime.h>

typedef float float_x4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(64)
void permute_f32_32x32_of_64x100x256_to_201(const float* __restrict__ in, float* __restrict__ out)
{
    __shared__ __attribute__((aligned(16))) float tile[1024];

    const int lane = threadIdx.x;
    const int block_column = blockIdx.x;
    const int block_row = blockIdx.y;

    const float* source = in + (8192 * block_row + 992 * (lane / 8) + 32 * block_column + 4 * lane);
    float_x4 loaded[4];
    #pragma unroll
    for (int r = 0; r < 4; ++r) {
        loaded[r] = *reinterpret_cast<const float_x4*>(source + 256 * r);
    }

    const int store = 128 * (lane % 8) + 4 * (lane % 8 ^ lane / 8);
    #pragma unroll
    for (int c = 0; c < 4; ++c) {
        *reinterpret_cast<float_x4*>(tile + store + 32 * c) = float_x4{loaded[0][c], loaded[1][c], loaded[2][c], loaded[3][c]};
    }

    __syncthreads();

    float* target = out + (204800 * block_column + 6368 * (lane / 8) + 32 * block_row + 4 * lane);
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        *reinterpret_cast<float_x4*>(target + 51200 * j) = *reinterpret_cast<const float_x4*>(tile + 256 * j + 4 * (2 * j + lane / 32 ^ lane));
    }
}

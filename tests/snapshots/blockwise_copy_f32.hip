// Tiles of (64, 64) of a tensor of (256, 128) (float) through shared memory.
//
// Threads (64,4):(4,1) fill a tile, threads (32,8):(1,32) empty it, 4 neighbours along dimension 1
// at a time.
//
//   loaded from  8192*block0 + 64*block1 + 128*y0 + 4*y1 + y2 + 128*(lane // 4) + 16*(lane % 4)
//   in LDS at    64*i0 + i1
//   stored to    8192*block0 + 64*block1 + 128*y0 + 4*y1 + y2 + 8*(lane // 32) + 256*(lane % 32)
//
// Launch with grid (2, 4), block 256.

#include <hip/hip_runtime.h>

typedef float float_x4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256)
void blockwise_copy_f32_256x128_by_64x64_21f8e63a(
    const float* __restrict__ in,
    float* __restrict__ out)
{
    __shared__ __attribute__((aligned(16))) float tile[4096];

    const int lane = threadIdx.x;  // of the workgroup
    const int block1 = blockIdx.x;
    const int block0 = blockIdx.y;

    const float* source = in + (8192 * block0 + 64 * (block1 + lane / 4) + 16 * lane);
    float_x4 held[4];
    #pragma unroll
    for (int j = 0; j < 4; ++j)
        held[j] = *reinterpret_cast<const float_x4*>(source + 4 * j);

    const int stored = 16 * lane;
    #pragma unroll
    for (int j = 0; j < 4; ++j)
        *reinterpret_cast<float_x4*>(tile + stored + 4 * j) = held[j];

    __syncthreads();

    const int read = 128 * lane - 4088 * (lane / 32);

    float* target = out + (8192 * block0 + 256 * lane + 64 * block1 - 8184 * (lane / 32));
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        #pragma unroll
        for (int j = 0; j < 2; ++j)
            *reinterpret_cast<float_x4*>(target + 128 * i + 4 * j) = *reinterpret_cast<const float_x4*>(tile + read + 64 * i + 4 * j);
}

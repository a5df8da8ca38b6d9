// Transpose of a row-major M x K float matrix: out[k, m] = in[m, k].
//
// A workgroup of 8 x 8 threads moves a 32 x 32 tile. Each thread loads a 4 x 4 square by rows and
// stores it by columns, 16 bytes at a time; the square is turned in registers.
//
//   element read     K*(32*block_m + i + 4*thread_m) + 32*block_k + j + 4*thread_k
//   element written  M*(32*block_k + j + 4*thread_k) + 32*block_m + i + 4*thread_m
//
// Launch with grid (M // 32, K // 32), block (8, 8).
// Proved for M a multiple of 32, K a multiple of 32, where K*M <= 2147483647.

#include <hip/hip_runtime.h>

typedef float float_x4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(64)
void transpose_f32_32x32(const float* __restrict__ in, float* __restrict__ out, int M, int K)
{
    const int block_m = blockIdx.x;
    const int thread_m = threadIdx.x;
    const int block_k = blockIdx.y;
    const int thread_k = threadIdx.y;

    const int m = 32 * block_m + 4 * thread_m;
    const int k = 32 * block_k + 4 * thread_k;

    const float* source = in + (K * m + k);
    const float_x4 row0 = *reinterpret_cast<const float_x4*>(source);
    const float_x4 row1 = *reinterpret_cast<const float_x4*>(source + K);
    const float_x4 row2 = *reinterpret_cast<const float_x4*>(source + 2 * K);
    const float_x4 row3 = *reinterpret_cast<const float_x4*>(source + 3 * K);

    float* target = out + (M * k + m);
    *reinterpret_cast<float_x4*>(target) = float_x4{row0[0], row1[0], row2[0], row3[0]};
    *reinterpret_cast<float_x4*>(target + M) = float_x4{row0[1], row1[1], row2[1], row3[1]};
    *reinterpret_cast<float_x4*>(target + 2 * M) = float_x4{row0[2], row1[2], row2[2], row3[2]};
    *reinterpret_cast<float_x4*>(target + 3 * M) = float_x4{row0[3], row1[3], row2[3], row3[3]};
}

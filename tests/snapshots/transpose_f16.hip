// Transpose of a row-major M x K half matrix: out[k, m] = in[m, k].
//
// A workgroup of 8 x 8 threads moves a 64 x 64 tile. Each thread loads a 8 x 8 square by rows and
// stores it by columns, 16 bytes at a time; the square is turned in registers.
//
//   element read     K*(64*block_m + i + 8*thread_m) + 64*block_k + j + 8*thread_k
//   element written  M*(64*block_k + j + 8*thread_k) + 64*block_m + i + 8*thread_m
//
// Launch with grid (M // 64, K // 64), block (8, 8).
// Proved for M a multiple of 64, K a multiple of 64, where K*M <= 2147483647.

#include <hip/hip_runtime.h>

typedef _Float16 half_x8 __attribute__((ext_vector_type(8)));

extern "C" __global__ __launch_bounds__(64)
void transpose_f16_64x64(const _Float16* __restrict__ in, _Float16* __restrict__ out, int M, int K)
{
    const int block_m = blockIdx.x;
    const int thread_m = threadIdx.x;
    const int block_k = blockIdx.y;
    const int thread_k = threadIdx.y;

    const int m = 64 * block_m + 8 * thread_m;
    const int k = 64 * block_k + 8 * thread_k;

    const _Float16* source = in + (K * m + k);
    const half_x8 row0 = *reinterpret_cast<const half_x8*>(source);
    const half_x8 row1 = *reinterpret_cast<const half_x8*>(source + K);
    const half_x8 row2 = *reinterpret_cast<const half_x8*>(source + 2 * K);
    const half_x8 row3 = *reinterpret_cast<const half_x8*>(source + 3 * K);
    const half_x8 row4 = *reinterpret_cast<const half_x8*>(source + 4 * K);
    const half_x8 row5 = *reinterpret_cast<const half_x8*>(source + 5 * K);
    const half_x8 row6 = *reinterpret_cast<const half_x8*>(source + 6 * K);
    const half_x8 row7 = *reinterpret_cast<const half_x8*>(source + 7 * K);

    _Float16* target = out + (M * k + m);
    *reinterpret_cast<half_x8*>(target) = half_x8{row0[0], row1[0], row2[0], row3[0], row4[0], row5[0], row6[0], row7[0]};
    *reinterpret_cast<half_x8*>(target + M) = half_x8{row0[1], row1[1], row2[1], row3[1], row4[1], row5[1], row6[1], row7[1]};
    *reinterpret_cast<half_x8*>(target + 2 * M) = half_x8{row0[2], row1[2], row2[2], row3[2], row4[2], row5[2], row6[2], row7[2]};
    *reinterpret_cast<half_x8*>(target + 3 * M) = half_x8{row0[3], row1[3], row2[3], row3[3], row4[3], row5[3], row6[3], row7[3]};
    *reinterpret_cast<half_x8*>(target + 4 * M) = half_x8{row0[4], row1[4], row2[4], row3[4], row4[4], row5[4], row6[4], row7[4]};
    *reinterpret_cast<half_x8*>(target + 5 * M) = half_x8{row0[5], row1[5], row2[5], row3[5], row4[5], row5[5], row6[5], row7[5]};
    *reinterpret_cast<half_x8*>(target + 6 * M) = half_x8{row0[6], row1[6], row2[6], row3[6], row4[6], row5[6], row6[6], row7[6]};
    *reinterpret_cast<half_x8*>(target + 7 * M) = half_x8{row0[7], row1[7], row2[7], row3[7], row4[7], row5[7], row6[7], row7[7]};
}

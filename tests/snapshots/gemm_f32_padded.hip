// C = A B for A M x K row-major and B K x N column-major
// (float), C M x N row-major (float).
//
// A workgroup of 256 threads makes a 256 x 128 tile of C, 16 of K
// at a time, with v_mfma_f32_32x32x2_f32. C in registers: transposed, a lane has neighbours of a
// row.
// Shared memory: padded, 24672 bytes. Schedule: nothing | load+0 barrier store+0 barrier
// multiply+0.
//
//   A loaded at    K*(256*block_m + 16*warp + 64*y0 + lane // 4) + 16*tile + y1 + 4*(lane % 4)
//   A in LDS at    4*i0 + i1 + 1024*(i1 // 4) (i0 row, i1 along K)
//
// Launch with grid (N // 128, M // 256), block 256.
// Proved for M a multiple of 256, N a multiple of 128, K a multiple of 16, where K*M <= 2147483647,
// K*N <= 2147483647, M*N <= 2147483647.

#include <hip/hip_runtime.h>

typedef float piece __attribute__((ext_vector_type(4)));  // 16 bytes on their way
typedef float fragment;
typedef float accumulator __attribute__((ext_vector_type(16)));
typedef float stored __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256)
void gemm_gfx942_rcr_f32_to_f32_256x128x16_by_4x1_of_32x32_simple_padded(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ c,
    [[maybe_unused]] int M,
    int N,
    int K)
{
    __shared__ __attribute__((aligned(16))) float a_lds[4108];
    __shared__ __attribute__((aligned(16))) float b_lds[2060];

    const int lane = threadIdx.x % 64;
    const int warp = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
    const int block_m = blockIdx.y;
    const int block_n = blockIdx.x;

    const float* a_next = a + (256 * K * block_m + (K - 16) * (lane / 4) + 16 * K * warp + 4 * lane);
    const int a_store = 1027 * (lane % 4) + 64 * warp + lane;
    const int a_read = 128 * warp + 4 * lane - 127 * (lane / 32);
    constexpr int a_read_at1[8] = {0, 2, 1028, 1030, 2056, 2058, 3084, 3086};
    const float* b_next = b + (128 * K * block_n + (K - 16) * (lane / 4) + 16 * K * warp + 4 * lane);
    const int b_store = 515 * (lane % 4) + 64 * warp + lane;
    const int b_read = 4 * lane - 127 * (lane / 32);
    constexpr int b_read_at1[8] = {0, 2, 516, 518, 1032, 1034, 1548, 1550};

    accumulator acc[2][4] = {};
    piece a_tile[4];
    piece b_tile[2];
    constexpr int tile_k = 16;  // of K at a time
    const int turns = K / tile_k;
    for (int turn = 0; turn < turns; ++turn) {
        #pragma unroll
        for (int i = 0; i < 4; ++i)
            a_tile[i] = *reinterpret_cast<const piece*>(a_next + i * (64 * K));
        #pragma unroll
        for (int i = 0; i < 2; ++i)
            b_tile[i] = *reinterpret_cast<const piece*>(b_next + i * (64 * K));
        a_next += tile_k;
        b_next += tile_k;
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < 4; ++i)
            *reinterpret_cast<piece*>(a_lds + a_store + i * 256) = a_tile[i];
        #pragma unroll
        for (int i = 0; i < 2; ++i)
            *reinterpret_cast<piece*>(b_lds + b_store + i * 256) = b_tile[i];
        __syncthreads();
        #pragma unroll
        for (int kk = 0; kk < 8; ++kk) {
            fragment a_part[2];
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                a_part[i] = *reinterpret_cast<const fragment*>(a_lds + a_read + i * 512 + a_read_at1[kk]);
            fragment b_part[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                b_part[i] = *reinterpret_cast<const fragment*>(b_lds + b_read + i * 128 + b_read_at1[kk]);
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                #pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] = __builtin_amdgcn_mfma_f32_32x32x2f32(b_part[j], a_part[i], acc[i][j], 0, 0, 0);
        }
    }

    float* c_first = c + (256 * N * block_m + N * lane + (-32 * N + 4) * (lane / 32) + 32 * N * warp + 128 * block_n);
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        #pragma unroll
        for (int j = 0; j < 4; ++j)
            #pragma unroll
            for (int g = 0; g < 4; ++g)
                *reinterpret_cast<stored*>(c_first + i * (128 * N) + j * 32 + g * 8) = stored{(float)acc[i][j][4 * g + 0], (float)acc[i][j][4 * g + 1], (float)acc[i][j][4 * g + 2], (float)acc[i][j][4 * g + 3]};
}

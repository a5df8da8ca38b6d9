// C = A B for A M x K row-major and B K x N column-major
// (half), C M x N row-major (half).
//
// A workgroup of 256 threads makes a 256 x 128 tile of C, 32 of K
// at a time, with v_mfma_f32_16x16x16_f16. C in registers: transposed, a lane has neighbours of a
// row.
// Shared memory: xor, 49152 bytes. Schedule: load+0 store+0 load+1 barrier read+0 | store+1 load+2
// multiply+0 barrier read+1 multiply+0.
//
//   A loaded at    K*(256*block_m + 16*warp + 64*y0 + lane // 4) + 32*tile + y1 + 8*(lane % 4)
//   A in LDS at    32*i0 + i1 ^ 4*(14 & i0) (i0 row, i1 along K)
//
// Launch with grid (N // 128, M // 256), block 256.
// Proved for M a multiple of 256, N a multiple of 128, K a multiple of 32, where K*M <= 2147483647,
// K*N <= 2147483647, M*N <= 2147483647.

#include <hip/hip_runtime.h>

typedef _Float16 piece __attribute__((ext_vector_type(8)));  // 16 bytes on their way
typedef _Float16 fragment __attribute__((ext_vector_type(4)));
typedef _Float16 fragments __attribute__((ext_vector_type(8)));
typedef float accumulator __attribute__((ext_vector_type(4)));
typedef _Float16 stored __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256)
void gemm_gfx942_rcr_f16_to_f16_256x128x32_by_4x1_of_16x16_pipelined_xor_whole(
    const _Float16* __restrict__ a,
    const _Float16* __restrict__ b,
    _Float16* __restrict__ c,
    [[maybe_unused]] int M,
    int N,
    int K)
{
    __shared__ __attribute__((aligned(16))) _Float16 a_lds[2][8192];
    __shared__ __attribute__((aligned(16))) _Float16 b_lds[2][4096];

    const int lane = threadIdx.x % 64;
    const int warp = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
    const int block_m = blockIdx.y;
    const int block_n = blockIdx.x;

    const _Float16* a_next = a + (256 * K * block_m + (K - 32) * (lane / 4) + 16 * K * warp + 8 * lane);
    const int a_store = 512 * warp + 8 * (lane ^ lane / 8);
    const int a_read = 512 * warp + 64 * (lane / 2 % 8) + 8 * ((4 * (lane % 2) + lane / 16) ^ lane / 2 % 8);
    const _Float16* b_next = b + (128 * K * block_n + (K - 32) * (lane / 4) + 16 * K * warp + 8 * lane);
    const int b_store = 512 * warp + 8 * (lane ^ lane / 8);
    const int b_read = 64 * (lane / 2 % 8) + 8 * ((4 * (lane % 2) + lane / 16) ^ lane / 2 % 8);

    accumulator acc[4][8] = {};
    piece a_tile[4];
    fragments a_part[2][1][4];
    piece b_tile[2];
    fragments b_part[2][1][8];
    constexpr int tile_k = 32;  // of K at a time
    const int turns = K / tile_k;
    enum { products = 0x008, loads = 0x020, reads = 0x100, stores = 0x200 };  // instructions that are put in order, as LLVM names them
    int left = turns - 1;  // tiles after the one that is loaded next
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        a_tile[i] = *reinterpret_cast<const piece*>(a_next + i * (64 * K));
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        b_tile[i] = *reinterpret_cast<const piece*>(b_next + i * (64 * K));
    a_next += left > 0 ? tile_k : 0;
    b_next += left > 0 ? tile_k : 0;
    left -= 1;
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        *reinterpret_cast<piece*>(a_lds[0] + a_store + i * 2048) = a_tile[i];
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        *reinterpret_cast<piece*>(b_lds[0] + b_store + i * 2048) = b_tile[i];
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        a_tile[i] = *reinterpret_cast<const piece*>(a_next + i * (64 * K));
    #pragma unroll
    for (int i = 0; i < 2; ++i)
        b_tile[i] = *reinterpret_cast<const piece*>(b_next + i * (64 * K));
    a_next += left > 0 ? tile_k : 0;
    b_next += left > 0 ? tile_k : 0;
    left -= 1;
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        a_part[0][0][i] = *reinterpret_cast<const fragments*>(a_lds[0] + a_read + i * 2048);
    #pragma unroll
    for (int i = 0; i < 8; ++i)
        b_part[0][0][i] = *reinterpret_cast<const fragments*>(b_lds[0] + b_read + i * 512);
    for (int turn = 2; turn <= turns; turn += 2) {
        #pragma unroll
        for (int now = 0; now < 2; ++now) {
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                *reinterpret_cast<piece*>(a_lds[1 - now] + a_store + i * 2048) = a_tile[i];
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                *reinterpret_cast<piece*>(b_lds[1 - now] + b_store + i * 2048) = b_tile[i];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                a_tile[i] = *reinterpret_cast<const piece*>(a_next + i * (64 * K));
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                b_tile[i] = *reinterpret_cast<const piece*>(b_next + i * (64 * K));
            a_next += left > 0 ? tile_k : 0;
            b_next += left > 0 ? tile_k : 0;
            left -= 1;
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                #pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[now][0][j], b_part[now][0][j], 0, 1, 2, 3), __builtin_shufflevector(a_part[now][0][i], a_part[now][0][i], 0, 1, 2, 3), acc[i][j], 0, 0, 0);
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                #pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[now][0][j], b_part[now][0][j], 4, 5, 6, 7), __builtin_shufflevector(a_part[now][0][i], a_part[now][0][i], 4, 5, 6, 7), acc[i][j], 0, 0, 0);
            #pragma unroll
            for (int i = 0; i < 6; ++i) {
                __builtin_amdgcn_sched_group_barrier(stores, 1, 0);
                __builtin_amdgcn_sched_group_barrier(products, 2, 0);
                __builtin_amdgcn_sched_group_barrier(loads, 1, 0);
                __builtin_amdgcn_sched_group_barrier(products, 2, 0);
            }
            __builtin_amdgcn_sched_group_barrier(products, 8, 0);
            __builtin_amdgcn_sched_barrier(0);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                a_part[1 - now][0][i] = *reinterpret_cast<const fragments*>(a_lds[1 - now] + a_read + i * 2048);
            #pragma unroll
            for (int i = 0; i < 8; ++i)
                b_part[1 - now][0][i] = *reinterpret_cast<const fragments*>(b_lds[1 - now] + b_read + i * 512);
            #pragma unroll
            for (int i = 2; i < 4; ++i)
                #pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[now][0][j], b_part[now][0][j], 0, 1, 2, 3), __builtin_shufflevector(a_part[now][0][i], a_part[now][0][i], 0, 1, 2, 3), acc[i][j], 0, 0, 0);
            #pragma unroll
            for (int i = 2; i < 4; ++i)
                #pragma unroll
                for (int j = 0; j < 8; ++j)
                    acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[now][0][j], b_part[now][0][j], 4, 5, 6, 7), __builtin_shufflevector(a_part[now][0][i], a_part[now][0][i], 4, 5, 6, 7), acc[i][j], 0, 0, 0);
            #pragma unroll
            for (int i = 0; i < 12; ++i) {
                __builtin_amdgcn_sched_group_barrier(reads, 1, 0);
                __builtin_amdgcn_sched_group_barrier(products, 1, 0);
            }
            __builtin_amdgcn_sched_group_barrier(products, 20, 0);
        }
    }
    if (turns % 2) {
        #pragma unroll
        for (int i = 0; i < 2; ++i)
            #pragma unroll
            for (int j = 0; j < 8; ++j)
                acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[0][0][j], b_part[0][0][j], 0, 1, 2, 3), __builtin_shufflevector(a_part[0][0][i], a_part[0][0][i], 0, 1, 2, 3), acc[i][j], 0, 0, 0);
        #pragma unroll
        for (int i = 0; i < 2; ++i)
            #pragma unroll
            for (int j = 0; j < 8; ++j)
                acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[0][0][j], b_part[0][0][j], 4, 5, 6, 7), __builtin_shufflevector(a_part[0][0][i], a_part[0][0][i], 4, 5, 6, 7), acc[i][j], 0, 0, 0);
        #pragma unroll
        for (int i = 2; i < 4; ++i)
            #pragma unroll
            for (int j = 0; j < 8; ++j)
                acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[0][0][j], b_part[0][0][j], 0, 1, 2, 3), __builtin_shufflevector(a_part[0][0][i], a_part[0][0][i], 0, 1, 2, 3), acc[i][j], 0, 0, 0);
        #pragma unroll
        for (int i = 2; i < 4; ++i)
            #pragma unroll
            for (int j = 0; j < 8; ++j)
                acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(__builtin_shufflevector(b_part[0][0][j], b_part[0][0][j], 4, 5, 6, 7), __builtin_shufflevector(a_part[0][0][i], a_part[0][0][i], 4, 5, 6, 7), acc[i][j], 0, 0, 0);
    }

    _Float16* c_first = c + (256 * N * block_m + N * lane + (-16 * N + 4) * (lane / 16) + 16 * N * warp + 128 * block_n);
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        #pragma unroll
        for (int j = 0; j < 8; ++j)
            *reinterpret_cast<stored*>(c_first + i * (64 * N) + j * 16) = stored{(_Float16)acc[i][j][0], (_Float16)acc[i][j][1], (_Float16)acc[i][j][2], (_Float16)acc[i][j][3]};
}

// Waves of a workgroup that use one place of the LDS with no barrier between them.
#include <hip/hip_runtime.h>

extern "C" __global__ void no_barrier_before_the_read(const int* x, int* out)
{
    __shared__ int rows[256];
    rows[threadIdx.x] = x[threadIdx.x];  // BROKEN: lds-race
    //+ __syncthreads();
    out[threadIdx.x] = rows[255 - threadIdx.x];  // BROKEN: lds-race
}

extern "C" __global__ void no_barrier_at_the_end_of_a_turn(const int* x, int* out, int turns)
{
    __shared__ int rows[256];
    int sum = 0;
    for (int turn = 0; turn < turns; ++turn) {
        rows[threadIdx.x] = x[turn * 256 + threadIdx.x];  // BROKEN: lds-race
        __syncthreads();
        sum += rows[255 - threadIdx.x];  // BROKEN: lds-race
        //+ __syncthreads();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void double_buffer_of_the_wrong_turn(const int* x, int* out, int turns)
{
    __shared__ int rows[2][256];
    rows[1][threadIdx.x] = 0;
    int sum = 0;
    for (int turn = 0; turn < turns; ++turn) {
        rows[turn & 1][threadIdx.x] = x[turn * 256 + threadIdx.x];  // BROKEN: lds-race
        __syncthreads();
        sum += rows[(turn + 1) & 1][255 - threadIdx.x];  // BROKEN: lds-race
        //= sum += rows[turn & 1][255 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void barrier_in_the_wrong_scope(const int* x, int* out, int n)
{
    __shared__ int rows[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    rows[threadIdx.x] = x[i];  // BROKEN: lds-race
    if (blockIdx.x * 128 + 128 < n) __syncthreads();
    //= __syncthreads();
    out[i] = rows[threadIdx.x ^ 64];  // BROKEN: lds-race
}

extern "C" __global__ void reduction_without_barrier(const int* x, int* out)
{
    __shared__ int rows[256];
    rows[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];  // BROKEN: lds-race
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) rows[threadIdx.x] += rows[threadIdx.x + step];  // BROKEN: lds-race
        //+ if (step > 64) __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = rows[0];
}

extern "C" __global__ void atomics_beside_plain_reads(const int* x, int* out)
{
    __shared__ int bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[x[threadIdx.x] & 63], 1);  // BROKEN: lds-race
    //+ __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];  // BROKEN: lds-race
}

extern "C" __global__ void cleared_by_another_wave(const int* x, int* out)
{
    __shared__ int bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;  // BROKEN: lds-race
    //+ __syncthreads();
    atomicAdd(&bins[x[threadIdx.x] & 63], 1);  // BROKEN: lds-race
    __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void one_total_of_four_waves(const int* x, int* out)
{
    __shared__ int total;
    if (threadIdx.x % 64 == 0) total = x[threadIdx.x];  // BROKEN: lds-race
    //= if (threadIdx.x == 0) total = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = total;
}

extern "C" __global__ void broadcast_too_early(const float* x, float* out)
{
    __shared__ float factor;
    if (threadIdx.x == 0) factor = x[0];  // BROKEN: lds-race
    //+ __syncthreads();
    out[threadIdx.x] = factor * threadIdx.x;  // BROKEN: lds-race
}

extern "C" __global__ void neighbour_across_two_waves(const int* x, int* out)
{
    __shared__ int rows[257];
    rows[threadIdx.x] = x[threadIdx.x];  // BROKEN: lds-race
    if (threadIdx.x == 255) rows[256] = 0;
    //+ __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x + 1];  // BROKEN: lds-race
}

extern "C" __global__ void second_use_of_a_tile(const short* x, short* out)
{
    __shared__ short tile[16][18];
    const int row = threadIdx.x / 16, column = threadIdx.x % 16;
    tile[row][column] = x[threadIdx.x];
    __syncthreads();
    const short turned = tile[column][row];  // BROKEN: lds-race
    //+ __syncthreads();
    tile[row][column] = turned * 2;  // BROKEN: lds-race
    __syncthreads();
    out[threadIdx.x] = tile[15 - row][15 - column];
}

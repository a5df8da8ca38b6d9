// Lanes of one wave that write different values to one place of the LDS with one instruction.
#include <hip/hip_runtime.h>

extern "C" __global__ void two_lanes_a_slot(const int* x, int* out)
{
    __shared__ int rows[64];
    rows[threadIdx.x / 2] = x[threadIdx.x];  // BROKEN: lds-lane-race
    //= rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x / 2];
}

extern "C" __global__ void scatter_by_key(const int* x, int* out)
{
    __shared__ int last[16];
    if (threadIdx.x < 16) last[threadIdx.x] = 0;
    __syncthreads();
    last[x[threadIdx.x] & 15] = threadIdx.x;  // BROKEN: lds-lane-race
    //= atomicMax(&last[x[threadIdx.x] & 15], static_cast<int>(threadIdx.x));
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = last[threadIdx.x];
}

extern "C" __global__ void anyone_may_be_the_best(const float* x, float* out, float limit)
{
    __shared__ float best;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    if (x[threadIdx.x] > limit) best = x[threadIdx.x];  // BROKEN: lds-lane-race
    //= if (threadIdx.x == 63 && x[threadIdx.x] > limit) best = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = best;
}

extern "C" __global__ void rows_overlap(const int* x, int* out)
{
    __shared__ int tile[64];
    tile[threadIdx.x / 8 * 7 + threadIdx.x % 8] = x[threadIdx.x];  // BROKEN: lds-lane-race
    //= tile[threadIdx.x / 8 * 8 + threadIdx.x % 8] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 57];
}

extern "C" __global__ void swizzle_drops_a_bit(const short* x, short* out)
{
    __shared__ short tile[64];
    tile[threadIdx.x & ~4u] = x[threadIdx.x];  // BROKEN: lds-lane-race
    //= tile[threadIdx.x ^ 4u] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x & ~4u];
}

extern "C" __global__ void bytes_of_two_lanes(const unsigned char* x, unsigned char* out)
{
    __shared__ unsigned char bytes[64];
    bytes[threadIdx.x * 3 % 32] = x[threadIdx.x];  // BROKEN: lds-lane-race
    //= bytes[threadIdx.x * 3 % 64] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = bytes[threadIdx.x % 32];
}

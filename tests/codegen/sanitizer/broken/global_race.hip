// Waves and workgroups that use one place of device memory with nothing that orders them.
#include <hip/hip_runtime.h>

extern "C" __global__ void two_blocks_one_element(const int* x, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[threadIdx.x] = x[i];  // BROKEN: global-race
    //= if (blockIdx.x == 0) out[threadIdx.x] = x[i];
}

extern "C" __global__ void reads_what_another_block_writes(const int* x, int* work, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    work[i] = x[i];  // BROKEN: global-race
    out[i] = work[(i + 64) % n];  // BROKEN: global-race
    //= out[i] = work[i];
}

extern "C" __global__ void two_waves_through_memory(const int* x, int* work, int* out)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    work[i] = x[i];  // BROKEN: global-race
    //+ __syncthreads();
    out[i] = work[i ^ 192];  // BROKEN: global-race
}

extern "C" __global__ void histogram_without_atomics(const int* x, int* bins)
{
    if (threadIdx.x == 0) {
        const int bin = x[blockIdx.x] & 3;
        bins[bin] += 1;  // BROKEN: global-race
        //= atomicAdd(&bins[bin], 1);
    }
}

extern "C" __global__ void last_block_without_fence(const int* x, int* sums, int* count, int* out)
{
    __shared__ int ticket;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = x[blockIdx.x * 64] + 1;  // BROKEN: global-race
        //+ __threadfence();
        ticket = atomicAdd(count, 1);
        //+ __threadfence();
    }
    __syncthreads();
    if (ticket == gridDim.x - 1 && threadIdx.x == 0) {
        int total = 0;
        for (int k = 0; k < gridDim.x; ++k) total += sums[k];  // BROKEN: global-race
        *out = total;
    }
}

extern "C" __global__ void plain_beside_atomic(int* count)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 1)
            *count += 1;  // BROKEN: global-race
        //= atomicAdd(count, 1);
        else
            atomicAdd(count, 1);  // BROKEN: global-race
    }
}

extern "C" __global__ void block_writes_its_neighbours_first(const float* x, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];  // BROKEN: global-race
    if (threadIdx.x == blockDim.x - 1 && i + 1 < n) out[i + 1] = 0;  // BROKEN: global-race
    //= (void)n;
}

extern "C" __global__ void blocks_overlap(const int* x, int* out)
{
    const int base = blockIdx.x * (blockDim.x - 1);
    //= const int base = blockIdx.x * blockDim.x;
    out[base + threadIdx.x] = x[base + threadIdx.x] + blockIdx.x;  // BROKEN: global-race
}

extern "C" __global__ void stencil_in_place(int* x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = x[i] + x[i > 0 ? i - 1 : 0] + 1;  // BROKEN: global-race
    //= const int value = x[i] + x[i ^ 1] + 1;
    x[i] = value;  // BROKEN: global-race
}

extern "C" __global__ void flag_without_fence(const int* x, int* data, int* flag, int* out)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data[0] = x[0];  // BROKEN: global-race
        //+ __threadfence();
        atomicExch(flag, 1);
        out[0] = 0;
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        //+ __threadfence();
        out[1] = data[0];  // BROKEN: global-race
    }
}

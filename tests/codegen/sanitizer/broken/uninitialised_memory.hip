// Reads of device memory or scratch that nobody has set.
#include <hip/hip_runtime.h>

extern "C" __global__ void adds_to_an_output(const float* x, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += x[i];  // BROKEN: uninitialised-memory
    //= out[i] = x[i];
}

extern "C" __global__ void counts_into_an_output(const int* x, int* out)
{
    //+ if (threadIdx.x < 8) out[threadIdx.x] = 0;
    //+ __syncthreads();
    atomicAdd(&out[x[threadIdx.x] & 7], 1);  // BROKEN: uninitialised-memory
}

extern "C" __global__ void beta_is_zero(const float* x, float* out, float alpha, float beta)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = alpha * x[i] + beta * out[i];  // BROKEN: uninitialised-memory
    //= out[i] = beta == 0 ? alpha * x[i] : alpha * x[i] + beta * out[i];
}

extern "C" __global__ void workspace_half_filled(const int* x, int* workspace, int* out)
{
    workspace[2 * threadIdx.x] = x[threadIdx.x];
    //+ workspace[2 * threadIdx.x + 1] = 0;
    __syncthreads();
    out[threadIdx.x] = workspace[63 - threadIdx.x];  // BROKEN: uninitialised-memory
    //+ out[threadIdx.x] += workspace[127 - threadIdx.x];
}

extern "C" __global__ void scratch_half_filled(const int* x, int* out, int n)
{
    int values[96];
    for (int k = 0; k < n; ++k) values[k] = x[k] + threadIdx.x;
    //= for (int k = 0; k < 96; ++k) values[k] = k < n ? x[k] + threadIdx.x : 0;
    int sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += values[(x[k] * 31 + 7 * threadIdx.x) % 96];  // BROKEN: uninitialised-memory
    out[threadIdx.x] = sum;
}

extern "C" __global__ void flag_never_cleared(const int* x, int* flags, int* out)
{
    const int slot = x[threadIdx.x];
    //+ flags[slot] = 0;
    if (flags[slot] == 0) flags[slot] = 1;  // BROKEN: uninitialised-memory
    out[threadIdx.x] = slot;
}

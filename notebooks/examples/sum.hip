// The sum of each block of 256 numbers; one barrier is missing.
#include <hip/hip_runtime.h>

extern "C" __global__ void sum(const int* x, int* out)
{
    __shared__ int part[256];
    const int t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

// Stores into arrays that were passed to be read.
#include <hip/hip_runtime.h>

extern "C" __global__ void scales_in_place(float* x, float* out, float factor)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = x[i] * factor;
    x[i] = value;  // BROKEN: input-written
    //= (void)x;
    out[i] = value;
}

extern "C" __global__ void wrong_way_round(float* x, const float* weights, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = x[i] + weights[i];
    const_cast<float*>(weights)[i] = value;  // BROKEN: input-written
    //= (void)value;
    out[i] = value;
}

extern "C" __global__ void counter_is_an_input(int* counter, int* out)
{
    if (threadIdx.x == 0)
        atomicAdd(counter, 1);  // BROKEN: input-written
    //= {}
    out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}

extern "C" __global__ void clamps_the_negative(int* x, int* out)
{
    int value = x[threadIdx.x];
    if (value < 0) {
        value = 0;
        x[threadIdx.x] = value;  // BROKEN: input-written
        //= (void)x;
    }
    out[threadIdx.x] = value;
}

extern "C" __global__ void clears_the_queue(int* x, int* out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        out[i] = x[i] + 1;
        if (i == n - 1) x[0] = n;  // BROKEN: input-written
        //= if (i == n) x[0] = n;
    }
}

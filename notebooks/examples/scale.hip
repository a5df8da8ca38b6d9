#include <hip/hip_runtime.h>

extern "C" __global__ void scale(const float* x, float* y, int rows, int columns)
{
    __shared__ float part[4 * 64];
    const int row = blockIdx.x * 4 + threadIdx.x / 64;
    const int column = threadIdx.x % 64;
    for (int first = 0; first < columns; first += 64) {
        part[threadIdx.x] = x[row * columns + first + column];
        __syncthreads();
        if (row < rows) y[row * columns + first + column] = 2 * part[threadIdx.x];
        __syncthreads();
    }
}

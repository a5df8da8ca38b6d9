// Outputs of which some elements are left as they were.
//
// No one line is wrong: what is marked is the store that does not reach them.
#include <hip/hip_runtime.h>

using int4_of = int __attribute__((ext_vector_type(4)));

extern "C" __global__ void whole_blocks_only(const int* x, int* out, int n)
{
    for (int base = 0; base + 256 <= n; base += 256)
    //= for (int base = 0; base + threadIdx.x < n; base += 256)
        out[base + threadIdx.x] = x[base + threadIdx.x];  // BROKEN: output-unwritten
}

extern "C" __global__ void guard_too_near(const int* x, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) out[i] = x[i];  // BROKEN: output-unwritten
    //= if (i < n) out[i] = x[i];
}

extern "C" __global__ void rest_of_vectors_dropped(const int* x, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        reinterpret_cast<int4_of*>(out)[i] = reinterpret_cast<const int4_of*>(x)[i];  // BROKEN: output-unwritten
    //+ if (i < n % 4) out[n / 4 * 4 + i] = x[n / 4 * 4 + i];
}

extern "C" __global__ void border_left_out(const float* x, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = x[i - 1] + x[i + 1];  // BROKEN: output-unwritten
    //+ else if (i < n) out[i] = x[i];
}

extern "C" __global__ void every_other_row(const int* x, int* out, int rows, int columns)
{
    for (int row = blockIdx.x; row < rows; row += 2 * gridDim.x)
    //= for (int row = blockIdx.x; row < rows; row += gridDim.x)
        out[row * columns + threadIdx.x] = x[row * columns + threadIdx.x];  // BROKEN: output-unwritten
}

extern "C" __global__ void count_of_the_first_block(const int* x, int* out, int* counts)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x];
    if (blockIdx.x > 0 && threadIdx.x == 0) counts[blockIdx.x] = blockDim.x;  // BROKEN: output-unwritten
    //= if (threadIdx.x == 0) counts[blockIdx.x] = blockDim.x;
}

extern "C" __global__ void grid_too_small(const int* x, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];  // BROKEN: output-unwritten
}

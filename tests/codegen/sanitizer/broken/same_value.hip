// Several threads write one value to one place: no error, reported where it is asked for.
#include <hip/hip_runtime.h>

extern "C" __global__ void every_lane_clears_the_total(const int* x, int* out)
{
    __shared__ int total;
    total = 0;  // BROKEN: same-value
    //= if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, x[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = total;
}

extern "C" __global__ void every_block_sets_the_flag(const int* x, int* out, int* flag)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];
    if (threadIdx.x == 0) *flag = 1;  // BROKEN: same-value
    //= if (i == 0) *flag = 1;
}

extern "C" __global__ void all_lanes_that_found_it(const int* x, int* found, int wanted)
{
    if (x[threadIdx.x] == wanted) *found = 1;  // BROKEN: same-value
    //= if (x[threadIdx.x] == wanted) atomicExch(found, 1);
}

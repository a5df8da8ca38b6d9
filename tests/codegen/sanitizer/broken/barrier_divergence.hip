// Barriers that a wave comes to with some of its lanes only.
#include <hip/hip_runtime.h>

extern "C" __global__ void odd_lanes_only(const int* x, int* out)
{
    __shared__ int rows[64];
    rows[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x & 1) {
        __syncthreads();  // BROKEN: barrier-divergence
        //= (void)rows;
    }
    //+ __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x];
}

extern "C" __global__ void barrier_inside_the_guard(const int* x, int* out, int n)
{
    __shared__ int rows[128];
    const int i = threadIdx.x;
    if (i < n) {
        rows[i] = x[i];
        __syncthreads();  // BROKEN: barrier-divergence
        //= }
        //+ __syncthreads();
        //+ if (i < n) {
        out[i] = rows[n - 1 - i];
    }
}

extern "C" __global__ void lanes_leave_early(const int* x, int* out, int n)
{
    __shared__ int rows[128];
    const int i = threadIdx.x;
    if (i >= n) return;
    //= if (n > 128) return;
    if (i < n) rows[i] = x[i];
    __syncthreads();  // BROKEN: barrier-divergence
    if (i < n) out[i] = rows[n - 1 - i];
}

extern "C" __global__ void as_often_as_the_lane_says(const int* x, int* out)
{
    int sum = 0;
    for (int k = 0; k < x[threadIdx.x]; ++k) {
    //= for (int k = 0; k < x[63]; ++k) {
        sum += k;
        __syncthreads();  // BROKEN: barrier-divergence
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void one_barrier_in_each_branch(const int* x, int* out)
{
    __shared__ int rows[64];
    const int value = x[threadIdx.x];
    if (value % 3 == 0) {
        rows[threadIdx.x] = value;
        __syncthreads();  // BROKEN: barrier-divergence
        //= (void)value;
    } else {
        rows[threadIdx.x] = -value;
        __syncthreads();  // BROKEN: barrier-divergence
        //= (void)value;
    }
    //+ __syncthreads();
    out[threadIdx.x] = rows[63 - threadIdx.x];
}

extern "C" __global__ void reduction_with_the_barrier_inside(const int* x, int* out)
{
    __shared__ int rows[128];
    rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (threadIdx.x < step) {
            rows[threadIdx.x] += rows[threadIdx.x + step];
            __syncthreads();  // BROKEN: barrier-divergence
            //= (void)step;
        }
        //+ __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = rows[0];
}

// Lanes of one wave that write different values to one place of device memory with one instruction.
#include <hip/hip_runtime.h>

using int2_of = int __attribute__((ext_vector_type(2), aligned(4)));

extern "C" __global__ void two_lanes_an_element(const int* x, int* out)
{
    out[threadIdx.x / 2] = x[threadIdx.x];  // BROKEN: global-lane-race
    //= if (threadIdx.x % 2 == 0) out[threadIdx.x / 2] = x[threadIdx.x];
}

extern "C" __global__ void keys_are_not_unique(const int* keys, int* out)
{
    out[keys[threadIdx.x]] = threadIdx.x;  // BROKEN: global-lane-race
    //= atomicMax(&out[keys[threadIdx.x]], static_cast<int>(threadIdx.x));
}

extern "C" __global__ void any_lane_is_the_best(const int* x, int* best, int limit)
{
    if (x[threadIdx.x] > limit) *best = threadIdx.x;  // BROKEN: global-lane-race
    //= if (x[threadIdx.x] > limit) atomicMin(best, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void pitch_too_small(const short* x, short* out)
{
    const int row = threadIdx.x / 8, column = threadIdx.x % 8;
    out[row * 7 + column] = x[threadIdx.x];  // BROKEN: global-lane-race
    //= out[row * 8 + column] = x[threadIdx.x];
}

extern "C" __global__ void pairs_overlap(const int* x, int* out)
{
    const int2_of pair = {x[threadIdx.x], -1};
    *reinterpret_cast<int2_of*>(out + threadIdx.x) = pair;  // BROKEN: global-lane-race
    //= *reinterpret_cast<int2_of*>(out + threadIdx.x * 2) = pair;
}

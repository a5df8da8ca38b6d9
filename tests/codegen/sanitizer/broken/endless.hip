// Loops that do not come to an end.
#include <hip/hip_runtime.h>

extern "C" __global__ void step_of_zero(const int* x, int* out, int n, int step)
{
    for (int i = threadIdx.x; i < n; i += step)  // BROKEN: endless
    //= for (int i = threadIdx.x; i < n; i += 64)
        const_cast<volatile int*>(out)[i] = x[i];  // BROKEN: endless
}

extern "C" __global__ void waits_for_a_flag_nobody_sets(int* flag, int* out)
{
    //+ if (threadIdx.x == 0) atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 0) {  // BROKEN: endless
    }
    out[threadIdx.x] = 1;
}

extern "C" __global__ void lock_not_given_back(int* lock, int* out)
{
    if (threadIdx.x % 64 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {  // BROKEN: endless
    }
    atomicAdd(out, 1);
    //+ __threadfence();
    //+ atomicExch(lock, 0);
}

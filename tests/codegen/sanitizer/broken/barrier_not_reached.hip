// Barriers that some waves of the workgroup pass by.
#include <hip/hip_runtime.h>

extern "C" __global__ void only_the_first_wave(const int* x, int* out)
{
    __shared__ int rows[128];
    rows[threadIdx.x] = x[threadIdx.x];
    const int first = __builtin_amdgcn_readfirstlane(threadIdx.x);
    if (first < 64) {
        __syncthreads();  // BROKEN: barrier-not-reached
        //= (void)first;
    }
    //+ __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x];
}

extern "C" __global__ void one_wave_goes_on(const int* x, int* out, int turns)
{
    __shared__ int rows[256];
    const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
    int sum = 0;
    for (int turn = 0; turn < turns; ++turn) {
        rows[threadIdx.x] = x[turn * 256 + threadIdx.x];
        if (wave == 3 && turn == 0) continue;
        //= (void)wave;
        __syncthreads();  // BROKEN: barrier-not-reached
        sum += rows[255 - threadIdx.x];
        __syncthreads();  // BROKEN: barrier-not-reached
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void a_barrier_more_each_wave(const int* x, int* out)
{
    const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
    int sum = 0;
    for (int k = 0; k <= wave; ++k) {
    //= for (int k = 0; k <= 3; ++k) {
        sum += x[k];
        __syncthreads();  // BROKEN: barrier-not-reached
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void producer_and_consumers(const int* x, int* out, int turns)
{
    __shared__ int rows[64];
    const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64), lane = threadIdx.x % 64;
    if (wave == 0) {
        for (int turn = 0; turn < turns; ++turn) {
            rows[lane] = x[turn * 64 + lane];
            __syncthreads();  // BROKEN: barrier-not-reached
            __syncthreads();  // BROKEN: barrier-not-reached
        }
    } else {
        int sum = 0;
        for (int turn = 0; turn < turns; ++turn) {
            __syncthreads();  // BROKEN: barrier-not-reached
            sum += rows[lane];
            //+ __syncthreads();
        }
        out[threadIdx.x - 64] = sum;
    }
}

extern "C" __global__ void as_long_as_the_data_say(const int* x, int* out)
{
    const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
    int rest = __builtin_amdgcn_readfirstlane(x[wave]);
    //= int rest = __builtin_amdgcn_readfirstlane(x[0]);
    int turns = 0;
    while (rest > 0) {
        rest -= 3;
        ++turns;
        __syncthreads();  // BROKEN: barrier-not-reached
    }
    out[threadIdx.x] = turns;
}

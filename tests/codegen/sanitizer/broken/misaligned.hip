// Addresses that are no multiple of what the access needs.
#include <hip/hip_runtime.h>

using int4_of = int __attribute__((ext_vector_type(4)));

extern "C" __global__ void half_at_an_odd_address(const unsigned char* x, short* out)
{
    out[threadIdx.x] = *reinterpret_cast<const short*>(x + 2 * threadIdx.x + 1);  // BROKEN: misaligned
    //= out[threadIdx.x] = *reinterpret_cast<const short*>(x + 2 * threadIdx.x);
}

extern "C" __global__ void word_after_a_byte(const unsigned char* x, int* out)
{
    out[threadIdx.x] = *reinterpret_cast<const int*>(x + 1 + 4 * threadIdx.x);  // BROKEN: misaligned
    //= out[threadIdx.x] = *reinterpret_cast<const int*>(x + 4 + 4 * threadIdx.x);
}

extern "C" __global__ void atomic_at_two(const int* x, unsigned char* out)
{
    atomicAdd(reinterpret_cast<int*>(out + 2) + threadIdx.x, x[threadIdx.x]);  // BROKEN: misaligned
    //= atomicAdd(reinterpret_cast<int*>(out) + threadIdx.x, x[threadIdx.x]);
}

extern "C" __global__ void lds_eight_bytes_at_odd(const long* x, long* out, int shift)
{
    __shared__ alignas(16) unsigned char bytes[64 * 8 + 16];
    *reinterpret_cast<long*>(bytes + 8 * threadIdx.x + shift) = x[threadIdx.x];  // BROKEN: misaligned
    //= *reinterpret_cast<long*>(bytes + 8 * threadIdx.x) = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<long*>(bytes + 8 * (63 - threadIdx.x) + shift);  // BROKEN: misaligned
    //= out[threadIdx.x] = *reinterpret_cast<long*>(bytes + 8 * (63 - threadIdx.x));
}

extern "C" __global__ void lds_sixteen_bytes_at_two(const int4_of* x, int4_of* out, int shift)
{
    __shared__ alignas(16) unsigned char bytes[64 * 16 + 16];
    *reinterpret_cast<int4_of*>(bytes + 16 * threadIdx.x) = x[threadIdx.x];
    if (threadIdx.x == 0) *reinterpret_cast<int4_of*>(bytes + 64 * 16) = x[0];
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<int4_of*>(bytes + 16 * threadIdx.x + shift);  // BROKEN: misaligned
    //= out[threadIdx.x] = *reinterpret_cast<int4_of*>(bytes + 16 * threadIdx.x);
}

extern "C" __global__ void lds_atomic_at_odd(const int* x, int* out, int shift)
{
    __shared__ alignas(16) unsigned char bytes[64 * 4 + 16];
    reinterpret_cast<int*>(bytes)[threadIdx.x] = 0;
    if (threadIdx.x < 4) reinterpret_cast<int*>(bytes)[64 + threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(reinterpret_cast<int*>(bytes + 4 * threadIdx.x + shift), x[threadIdx.x]);  // BROKEN: misaligned
    //= atomicAdd(reinterpret_cast<int*>(bytes + 4 * threadIdx.x), x[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<int*>(bytes)[threadIdx.x];
}

// What CK Tile's headers name of HIP, declared and nothing more: enough to check types and constants.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#ifdef STAND_IN_CONSTEXPR // host functions as constants: checked where they can be, not refused where they cannot
#define __host__ __attribute__((host)) constexpr
#else
#define __host__ __attribute__((host))
#endif
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#ifdef STAND_IN_KERNELS // device code that is run: with bodies
#define BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define BOUNDS_2(threads, waves) __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define BOUNDS_OF(a, b, name, ...) name
#define __launch_bounds__(...) BOUNDS_OF(__VA_ARGS__, BOUNDS_2, BOUNDS_1)(__VA_ARGS__)
#define DEVICE_BODY(...) { __VA_ARGS__ }
#else
#define __launch_bounds__(...)
#define DEVICE_BODY(...) ;
#endif
#define __HIPCC__ 1

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#undef assert
#define assert(x) ((void)0)

typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned long ulong;
struct dim3
{
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct stand_in_index
{
    unsigned x, y, z;
};
#ifdef STAND_IN_KERNELS
#define INDEX(name, X, Y, Z) \
    struct stand_in_##name \
    { \
        __declspec(property(get = gx)) unsigned x; \
        __declspec(property(get = gy)) unsigned y; \
        __declspec(property(get = gz)) unsigned z; \
        __device__ __forceinline__ unsigned gx() const { return X; } \
        __device__ __forceinline__ unsigned gy() const { return Y; } \
        __device__ __forceinline__ unsigned gz() const { return Z; } \
    }; \
    extern const __attribute__((device, weak)) stand_in_##name name;
#define OF_WORKITEM(axis) __builtin_amdgcn_workitem_id_##axis()
#define OF_WORKGROUP(axis) __builtin_amdgcn_workgroup_id_##axis()
#define SIZE_OF_GROUP(axis) __builtin_amdgcn_workgroup_size_##axis()
#define SIZE_OF_GRID(axis) (__builtin_amdgcn_grid_size_##axis() / __builtin_amdgcn_workgroup_size_##axis())
INDEX(threadIdx, OF_WORKITEM(x), OF_WORKITEM(y), OF_WORKITEM(z))
INDEX(blockIdx, OF_WORKGROUP(x), OF_WORKGROUP(y), OF_WORKGROUP(z))
INDEX(blockDim, SIZE_OF_GROUP(x), SIZE_OF_GROUP(y), SIZE_OF_GROUP(z))
INDEX(gridDim, SIZE_OF_GRID(x), SIZE_OF_GRID(y), SIZE_OF_GRID(z))
#else
extern const __device__ stand_in_index threadIdx, blockIdx, blockDim, gridDim;
#endif
constexpr int warpSize = 64; // of gfx9
__device__ void* memcpy(void*, const void*, unsigned long);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
struct uint2 { uint x, y; };
struct uint4 { uint x, y, z, w; };

typedef int hipError_t;
typedef int hipDevice_t;
typedef void* hipStream_t;
typedef void* hipEvent_t;
enum hipChoice { hipSuccess = 0, hipMemcpyDeviceToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToDevice };
struct hipDeviceProp_t
{
    int major, minor, multiProcessorCount, warpSize;
    char gcnArchName[64];
};
const char* hipGetErrorString(int);
const char* hipGetErrorName(int);
#ifdef STAND_IN_RUNS // host code that is linked and run
#define HOST_FUNCTION(name) template <typename... A> int name(A...) { return 0; }
template <typename... A> int hipDeviceGetAttribute(int* result, A...) { *result = warpSize; return 0; }
#else
#define HOST_FUNCTION(name) template <typename... A> int name(A...);
HOST_FUNCTION(hipDeviceGetAttribute)
#endif
HOST_FUNCTION(hipGetDevice)
HOST_FUNCTION(hipGetDeviceProperties)
HOST_FUNCTION(hipGetDeviceCount)
HOST_FUNCTION(hipMalloc)
HOST_FUNCTION(hipFree)
HOST_FUNCTION(hipMemcpy)
HOST_FUNCTION(hipMemcpyAsync)
HOST_FUNCTION(hipMemset)
HOST_FUNCTION(hipMemsetAsync)
HOST_FUNCTION(hipGetLastError)
HOST_FUNCTION(hipPeekAtLastError)
HOST_FUNCTION(hipEventCreate)
HOST_FUNCTION(hipEventDestroy)
HOST_FUNCTION(hipEventRecord)
HOST_FUNCTION(hipEventSynchronize)
HOST_FUNCTION(hipEventElapsedTime)
HOST_FUNCTION(hipDeviceSynchronize)
HOST_FUNCTION(hipStreamSynchronize)
HOST_FUNCTION(hipExtStreamGetCUMask)
HOST_FUNCTION(hipOccupancyMaxActiveBlocksPerMultiprocessor)
__host__ hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
__host__ hipError_t __hipPopCallConfiguration(dim3*, dim3*, size_t*, hipStream_t*);
__host__ hipError_t hipLaunchKernel(const void*, dim3, dim3, void**, size_t, hipStream_t);

#define DEVICE_FUNCTION(n) __device__ float n(float); __device__ double n(double); __device__ float n##f(float);
DEVICE_FUNCTION(exp2) DEVICE_FUNCTION(exp) DEVICE_FUNCTION(expm1) DEVICE_FUNCTION(log) DEVICE_FUNCTION(log2)
DEVICE_FUNCTION(sin) DEVICE_FUNCTION(cos) DEVICE_FUNCTION(tan) DEVICE_FUNCTION(asin) DEVICE_FUNCTION(acos)
DEVICE_FUNCTION(atan) DEVICE_FUNCTION(sinh) DEVICE_FUNCTION(cosh) DEVICE_FUNCTION(tanh) DEVICE_FUNCTION(asinh)
DEVICE_FUNCTION(acosh) DEVICE_FUNCTION(atanh) DEVICE_FUNCTION(ceil) DEVICE_FUNCTION(floor) DEVICE_FUNCTION(rint)
DEVICE_FUNCTION(sqrt) DEVICE_FUNCTION(rsqrt) DEVICE_FUNCTION(fabs) DEVICE_FUNCTION(erf) DEVICE_FUNCTION(round)
#define OCML(n) __device__ float n##_f32(float); __device__ _Float16 n##_f16(_Float16); __device__ double n##_f64(double);
OCML(__ocml_exp) OCML(__ocml_exp2) OCML(__ocml_log) OCML(__ocml_log2) OCML(__ocml_sin) OCML(__ocml_cos)
OCML(__ocml_ceil) OCML(__ocml_floor) OCML(__ocml_sqrt) OCML(__ocml_tanh)
__device__ float abs(float);
__device__ double abs(double);
__device__ int abs(int);
__device__ bool isnan(float);
__device__ bool isnan(double);
__device__ float powf(float, float);
__device__ float pow(float, float);
__device__ double pow(double, double);
__device__ inline float fmaxf(float a, float b) DEVICE_BODY(return __builtin_fmaxf(a, b);)
__device__ inline float fminf(float a, float b) DEVICE_BODY(return __builtin_fminf(a, b);)
__device__ inline int __clz(int a) DEVICE_BODY(return a == 0 ? 32 : __builtin_clz((unsigned)a);)
__device__ constexpr unsigned __umulhi(unsigned a, unsigned b) { return (1ull * a * b) >> 32; }
__device__ float __logf(float);
__device__ float __expf(float);
__device__ int __popc(unsigned);
__device__ int __ffs(int);
__device__ unsigned long long __ballot(int);
__device__ inline unsigned __lane_id() DEVICE_BODY(
    return __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0));)
__device__ inline void __syncthreads() DEVICE_BODY(
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");)
__device__ void __threadfence();
__device__ int printf(const char*, ...);
__device__ uint2 make_uint2(uint, uint);
__device__ float2 make_float2(float, float);
template <typename T> __device__ T __shfl(T, int, int = 64);
template <typename T> __device__ T __ldg(const T*);
template <typename T, typename U> __device__ T atomicAdd(T*, U);
template <typename T> __device__ T atomicCAS(T*, T, T);
template <typename T> __device__ T atomicMax(T*, T);
template <typename T> __device__ T atomicExch(T*, T);

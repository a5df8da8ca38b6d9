// A device-only stand-in for <hip/hip_runtime.h>, used where ROCm's headers are not installed.
//
// It has what generated kernels use and nothing else: kernel qualifiers, launch bounds, the built-in
// index variables, the workgroup barrier, and 16-bit floating-point types. Under hipcc the real header
// is included instead; the generated source is the same.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))

// clang's own launch_bounds attribute is ignored for this target
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))

namespace layoutalg_stand_in {

struct thread_index {
    __declspec(property(get = get_x)) unsigned x;
    __declspec(property(get = get_y)) unsigned y;
    __declspec(property(get = get_z)) unsigned z;
    __device__ __forceinline__ unsigned get_x() const { return __builtin_amdgcn_workitem_id_x(); }
    __device__ __forceinline__ unsigned get_y() const { return __builtin_amdgcn_workitem_id_y(); }
    __device__ __forceinline__ unsigned get_z() const { return __builtin_amdgcn_workitem_id_z(); }
};

struct block_index {
    __declspec(property(get = get_x)) unsigned x;
    __declspec(property(get = get_y)) unsigned y;
    __declspec(property(get = get_z)) unsigned z;
    __device__ __forceinline__ unsigned get_x() const { return __builtin_amdgcn_workgroup_id_x(); }
    __device__ __forceinline__ unsigned get_y() const { return __builtin_amdgcn_workgroup_id_y(); }
    __device__ __forceinline__ unsigned get_z() const { return __builtin_amdgcn_workgroup_id_z(); }
};

}  // namespace layoutalg_stand_in

extern const __attribute__((device, weak)) layoutalg_stand_in::thread_index threadIdx;
extern const __attribute__((device, weak)) layoutalg_stand_in::block_index blockIdx;

__device__ __forceinline__ void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

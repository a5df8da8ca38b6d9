// A device-only stand-in for <hip/hip_runtime.h>, used where ROCm's headers are not installed.
//
// It has what kernels use most: kernel qualifiers, launch bounds, the built-in index and size variables, the
// workgroup barrier, fences, atomics, and values that go from lane to lane. Under hipcc the real header is
// included instead; the source is the same.
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

struct block_size {
    __declspec(property(get = get_x)) unsigned x;
    __declspec(property(get = get_y)) unsigned y;
    __declspec(property(get = get_z)) unsigned z;
    __device__ __forceinline__ unsigned get_x() const { return __builtin_amdgcn_workgroup_size_x(); }
    __device__ __forceinline__ unsigned get_y() const { return __builtin_amdgcn_workgroup_size_y(); }
    __device__ __forceinline__ unsigned get_z() const { return __builtin_amdgcn_workgroup_size_z(); }
};

struct grid_size {
    __declspec(property(get = get_x)) unsigned x;
    __declspec(property(get = get_y)) unsigned y;
    __declspec(property(get = get_z)) unsigned z;
    __device__ __forceinline__ unsigned get_x() const {
        return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x();
    }
    __device__ __forceinline__ unsigned get_y() const {
        return __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y();
    }
    __device__ __forceinline__ unsigned get_z() const {
        return __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z();
    }
};

}  // namespace layoutalg_stand_in

extern const __attribute__((device, weak)) layoutalg_stand_in::thread_index threadIdx;
extern const __attribute__((device, weak)) layoutalg_stand_in::block_index blockIdx;
extern const __attribute__((device, weak)) layoutalg_stand_in::block_size blockDim;
extern const __attribute__((device, weak)) layoutalg_stand_in::grid_size gridDim;

__device__ __forceinline__ void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__device__ __forceinline__ void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
__device__ __forceinline__ void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

// As in HIP: relaxed, for all workgroups of the device; each gives what was there before.
#define LAYOUTALG_ATOMIC(name, operation)                                                                   \
    template <typename T>                                                                                   \
    __device__ __forceinline__ T name(T* place, T value) {                                                  \
        return operation(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                         \
    }
LAYOUTALG_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
LAYOUTALG_ATOMIC(atomicMin, __hip_atomic_fetch_min)
LAYOUTALG_ATOMIC(atomicMax, __hip_atomic_fetch_max)
LAYOUTALG_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
LAYOUTALG_ATOMIC(atomicOr, __hip_atomic_fetch_or)
LAYOUTALG_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
LAYOUTALG_ATOMIC(atomicExch, __hip_atomic_exchange)
#undef LAYOUTALG_ATOMIC

// One instruction of the hardware wherever it has one: for memory of this device, which no other one sees.
template <typename T>
__device__ __forceinline__ T unsafeAtomicAdd(T* place, T value) {
    [[clang::atomic(no_remote_memory, no_fine_grained_memory, ignore_denormal_mode)]] {
        return __hip_atomic_fetch_add(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
}

template <typename T>
__device__ __forceinline__ T atomicSub(T* place, T value) {
    return atomicAdd(place, -value);
}

template <typename T>
__device__ __forceinline__ T atomicCAS(T* place, T expected, T value) {
    __hip_atomic_compare_exchange_strong(
        place, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    return expected;
}

// Values of 32 and 64 bits from another lane of the wave, as in HIP: of `width` lanes that hang together.
constexpr int warpSize = 64;

__device__ __forceinline__ unsigned __lane_id() {
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

__device__ __forceinline__ unsigned long long __ballot(int is_true) {
    return __builtin_amdgcn_ballot_w64(is_true != 0);
}

template <typename T>
__device__ __forceinline__ T layoutalg_from_lane(T value, int lane) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of 32 or 64 bits");
    if constexpr (sizeof(T) == 8) {
        const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
        const unsigned low = layoutalg_from_lane(static_cast<unsigned>(bits), lane);
        const unsigned high = layoutalg_from_lane(static_cast<unsigned>(bits >> 32), lane);
        return __builtin_bit_cast(T, static_cast<unsigned long long>(high) << 32 | low);
    } else {
        return __builtin_bit_cast(T, __builtin_amdgcn_ds_bpermute(lane << 2, __builtin_bit_cast(int, value)));
    }
}

template <typename T>
__device__ __forceinline__ T __shfl(T value, int lane, int width = warpSize) {
    const int self = __lane_id();
    return layoutalg_from_lane(value, (self & ~(width - 1)) + (lane & (width - 1)));
}

template <typename T>
__device__ __forceinline__ T __shfl_xor(T value, int mask, int width = warpSize) {
    const int self = __lane_id(), lane = self ^ mask;
    return layoutalg_from_lane(value, lane >= ((self + width) & ~(width - 1)) ? self : lane);
}

template <typename T>
__device__ __forceinline__ T __shfl_down(T value, unsigned by, int width = warpSize) {
    const int self = __lane_id(), lane = self + by;
    return layoutalg_from_lane(value, (self & (width - 1)) + static_cast<int>(by) >= width ? self : lane);
}

template <typename T>
__device__ __forceinline__ T __shfl_up(T value, unsigned by, int width = warpSize) {
    const int self = __lane_id(), lane = self - by;
    return layoutalg_from_lane(value, lane < (self & ~(width - 1)) ? self : lane);
}

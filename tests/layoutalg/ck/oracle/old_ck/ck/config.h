// What CK's build writes: every element type is wanted.
#pragma once
#define CK_ENABLE_ALL_DTYPES
#define CK_ENABLE_INT8
#define CK_ENABLE_FP8
#define CK_ENABLE_BF8
#define CK_ENABLE_FP16
#define CK_ENABLE_BF16
#define CK_ENABLE_FP32
#define CK_ENABLE_FP64
#define CK_ENABLE_TF32
#define CK_USE_XDL
#define CK_USE_WMMA

// what old CK's headers name of HIP besides CK Tile's
namespace __hip_internal {
template <typename A, typename B> struct is_same { static constexpr bool value = false; };
template <typename A> struct is_same<A, A> { static constexpr bool value = true; };
template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool B, typename T, typename F> struct conditional { using type = T; };
template <typename T, typename F> struct conditional<false, T, F> { using type = F; };
} // namespace __hip_internal
enum hipDeviceAttribute_t { hipDeviceAttributeWarpSize = 87, hipDeviceAttributeMultiprocessorCount = 63 };
typedef _Float16 __half;
typedef _Float16 __half2 __attribute__((ext_vector_type(2)));
#define OF_HALF(name) __attribute__((device)) _Float16 name(_Float16);
OF_HALF(__hneg) OF_HALF(hsin) OF_HALF(hcos) OF_HALF(hceil) OF_HALF(hfloor) OF_HALF(hexp) OF_HALF(hlog) OF_HALF(hsqrt)
OF_HALF(hrcp) OF_HALF(hrint) OF_HALF(htrunc)
#define __hip_assert(x)

// The host's side of HIP's header as far as projects use it, on top of the stand-in for the device's.
#pragma once

#include_next <hip/hip_runtime.h>

#include <stddef.h>

enum hipError_t { hipSuccess = 0, hipErrorInvalidValue = 1, hipErrorOutOfMemory = 2, hipErrorUnknown = 999 };
enum hipMemcpyKind { hipMemcpyHostToDevice = 1, hipMemcpyDeviceToHost = 2 };
typedef struct ihipStream_t* hipStream_t;

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

extern "C" {
hipError_t hipMalloc(void** found, size_t size);
hipError_t hipFree(void* start);
hipError_t hipMemcpy(void* target, const void* source, size_t size, hipMemcpyKind kind);
hipError_t hipDeviceSynchronize(void);
hipError_t hipGetLastError(void);
const char* hipGetErrorString(hipError_t status);
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds = 0, hipStream_t stream = nullptr);
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* lds, hipStream_t* stream);
hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t lds, hipStream_t stream);
}

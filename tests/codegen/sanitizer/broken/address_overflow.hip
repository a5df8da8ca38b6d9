// Products of 32 bits that wrap before they become addresses of 64.
#include <hip/hip_runtime.h>

extern "C" __global__ void row_times_pitch(const int* x, int* out, int pitch, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = row * pitch;  // BROKEN: address-overflow
    //= const long at = static_cast<long>(row) * pitch;
    out[row] = at >= 0 && at < n ? x[at] : 0;  // BROKEN: address-overflow
}

extern "C" __global__ void row_times_unsigned_pitch(const unsigned* rows, const int* x, int* out, unsigned pitch, unsigned n)
{
    const unsigned row = rows[threadIdx.x];
    //+ const unsigned long wide = static_cast<unsigned long>(row) * pitch;
    out[threadIdx.x] = x[row * pitch];  // BROKEN: address-overflow
    //= out[threadIdx.x] = wide < n ? x[wide] : 0;
}

extern "C" __global__ void block_row_times_pitch(const int* x, int* out, int pitch, long n)
{
    //+ const long wide = static_cast<long>(blockIdx.x * 8) * pitch;
    const int* row = x + blockIdx.x * 8 * pitch;  // BROKEN: address-overflow
    //= const int* row = x + (wide < n ? wide : 0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = row[threadIdx.x];  // BROKEN: address-overflow
}

extern "C" __global__ void bytes_of_an_element(const char* x, int* out, unsigned size, unsigned long n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned at = i * 64 * size;  // BROKEN: address-overflow
    //= const unsigned long at = static_cast<unsigned long>(i * 64) * size;
    out[i] = at < n ? *reinterpret_cast<const int*>(x + at) : 0;  // BROKEN: address-overflow
}

extern "C" __global__ void store_with_a_large_pitch(const int* x, int* out, int pitch, int n)
{
    const unsigned i = threadIdx.x * 4096;
    //+ if (static_cast<unsigned long>(i) * pitch < n)
    out[i * pitch] = x[threadIdx.x];  // BROKEN: address-overflow
    //= out[static_cast<unsigned long>(i) * pitch] = x[threadIdx.x];
}

extern "C" __global__ void batch_times_size(const float* x, float* out, int rows, int columns, long n)
{
    const int batch = blockIdx.y, row = blockIdx.x, column = threadIdx.x;
    const int at = batch * rows * columns + row * columns + column;  // BROKEN: address-overflow
    //= const long wide = (static_cast<long>(batch) * rows + row) * columns + column, at = wide < n ? wide : 0;
    out[(batch * gridDim.x + row) * 64 + column] = x[at];  // BROKEN: address-overflow
}

extern "C" __global__ void signed_row_times_pitch(const int* rows, const int* x, int* out, int pitch, int n)
{
    const int at = rows[threadIdx.x] * pitch + threadIdx.x;  // BROKEN: address-overflow
    //= const long wide = static_cast<long>(rows[threadIdx.x]) * pitch + threadIdx.x, at = wide < n ? wide : 0;
    out[threadIdx.x] = x[at];  // BROKEN: address-overflow
}

extern "C" __global__ void signed_store_with_a_large_pitch(const int* x, int* out, int pitch, int n)
{
    const int row = static_cast<int>(threadIdx.x) * 4096;
    //+ if (static_cast<long>(row) * pitch < n)
    out[row * pitch] = x[threadIdx.x];  // BROKEN: address-overflow
    //= out[static_cast<long>(row) * pitch] = x[threadIdx.x];
}

extern "C" __global__ void rows_of_a_power_of_two(const int* rows, const int* x, int* out, int shift, int n)
{
    const int at = rows[threadIdx.x] << shift;  // BROKEN: address-overflow
    //= const long wide = static_cast<long>(rows[threadIdx.x]) << shift, at = wide < n ? wide : 0;
    out[threadIdx.x] = x[at];  // BROKEN: address-overflow
}

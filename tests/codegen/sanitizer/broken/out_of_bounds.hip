// Accesses outside of an array or of the LDS.
//
// In all files here: a line that has to be reported ends with BROKEN and the check. The mended twin has what
// follows "//=" instead of the line before it, and what follows "//+" besides.
#include <hip/hip_runtime.h>

using int4_of = int __attribute__((ext_vector_type(4)));

extern "C" __global__ void load_past_end(const int* x, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i + 1];  // BROKEN: out-of-bounds
    //= out[i] = x[i];
}

extern "C" __global__ void load_before_begin(const int* x, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i] - x[i - 1];  // BROKEN: out-of-bounds
    //= out[i] = i > 0 ? x[i] - x[i - 1] : x[i];
}

extern "C" __global__ void store_past_end(const int* x, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = x[i];
    out[i + 1] = value;  // BROKEN: out-of-bounds
    //= out[i] = value;
}

extern "C" __global__ void lds_read_past_end(const int* x, int* out, int shift)
{
    __shared__ int rows[64];
    rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x + shift];  // BROKEN: out-of-bounds
    //= out[threadIdx.x] = rows[(threadIdx.x + shift) % 64];
}

extern "C" __global__ void lds_write_past_end(const int* x, int* out, int stride)
{
    __shared__ int rows[64];
    rows[threadIdx.x * stride] = x[threadIdx.x];  // BROKEN: out-of-bounds
    //= rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x & 31];
}

extern "C" __global__ void lds_read_before_begin(const int* x, int* out, int shift)
{
    __shared__ int rows[64];
    rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = rows[static_cast<int>(threadIdx.x) - shift];  // BROKEN: out-of-bounds
    //= out[threadIdx.x] = rows[(threadIdx.x - shift) % 64];
}

extern "C" __global__ void dynamic_lds_too_small(const int* x, int* out)
{
    extern __shared__ int whole[];
    whole[threadIdx.x] = x[threadIdx.x];  // BROKEN: out-of-bounds
    __syncthreads();
    out[threadIdx.x] = whole[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void wrong_stride(const int* x, int* out, int columns)
{
    const int row = blockIdx.x, column = threadIdx.x;
    out[row * columns + column] = x[row * (columns + 1) + column];  // BROKEN: out-of-bounds
    //= out[row * columns + column] = x[row * columns + column];
}

extern "C" __global__ void tail_without_mask(const float* x, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    //+ if (i < n)
    out[i] = 2 * x[i];  // BROKEN: out-of-bounds
}

extern "C" __global__ void grid_too_large(const short* x, short* out, int rows, int columns)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    //+ if (row < rows)
    if (column < columns)
        out[row * columns + column] = x[row * columns + column];  // BROKEN: out-of-bounds
}

extern "C" __global__ void scalar_load_past_end(const int* __restrict__ begins, int* out, int n)
{
    const int row = blockIdx.x;
    const int length = begins[row + 1] - begins[row];  // BROKEN: out-of-bounds
    //= const int length = (row + 1 < gridDim.x ? begins[row + 1] : n) - begins[row];
    out[row * 64 + threadIdx.x] = threadIdx.x < length ? 1 : 0;
}

extern "C" __global__ void buffer_resource_too_large(const int* x, int* out, int n)
{
    const int bytes = (n + 64) * 4;
    //= const int bytes = n * 4;
    auto resource = __builtin_amdgcn_make_buffer_rsrc(const_cast<int*>(x), 0, bytes, 0x00027000);
    const int next = threadIdx.x * 4 + 4;
    out[threadIdx.x] = __builtin_amdgcn_raw_buffer_load_b32(resource, next, 0, 0);  // BROKEN: out-of-bounds
}

extern "C" __global__ void buffer_store_past_end(const int* x, int* out, int n)
{
    const int bytes = (n + 1) * 4;
    //= const int bytes = n * 4;
    auto resource = __builtin_amdgcn_make_buffer_rsrc(out, 0, bytes, 0x00027000);
    const int value = x[threadIdx.x];
    __builtin_amdgcn_raw_buffer_store_b32(value, resource, threadIdx.x * 4, 0, 0);  // BROKEN: out-of-bounds
}

extern "C" __global__ void vector_over_the_tail(const int* x, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;
    const int4_of four = reinterpret_cast<const int4_of*>(x)[i];  // BROKEN: out-of-bounds
    //= int4_of four; for (int k = 0; k < 4; ++k) four[k] = 4 * i + k < n ? x[4 * i + k] : 0;
    for (int k = 0; k < 4; ++k)
        if (4 * i + k < n) out[4 * i + k] = four[k];
}

extern "C" __global__ void loop_one_too_far(const float* x, float* out, int columns)
{
    const float* row = x + threadIdx.x * columns;
    float sum = 0;
    for (int column = 0; column <= columns; ++column)
    //= for (int column = 0; column < columns; ++column)
        sum += row[column];  // BROKEN: out-of-bounds
    out[threadIdx.x] = sum;
}

extern "C" __global__ void atomic_past_end(const int* x, int* bins, int n)
{
    const int bin = x[blockIdx.x * blockDim.x + threadIdx.x];
    //+ if (bin < n)
    atomicAdd(&bins[bin], 1);  // BROKEN: out-of-bounds
}

extern "C" __global__ void blocks_mixed_up(const int* x, int* out, int columns)
{
    const int row = blockIdx.x * 8 + threadIdx.y, column = blockIdx.y * 8 + threadIdx.x;
    //= const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
    const int value = x[row * columns + column];  // BROKEN: out-of-bounds
    out[row * columns + column] = value + 1;  // BROKEN: out-of-bounds
}

extern "C" __global__ void gather_unchecked(const int* places, const float* table, float* out, int n)
{
    const int place = places[threadIdx.x];
    out[threadIdx.x] = table[place];  // BROKEN: out-of-bounds
    //= out[threadIdx.x] = place >= 0 && place < n ? table[place] : 0;
}

// Reads of LDS that nobody has written.
#include <hip/hip_runtime.h>

extern "C" __global__ void half_a_tile(const int* x, int* out, int n)
{
    __shared__ int rows[64];
    if (threadIdx.x < n) rows[threadIdx.x] = x[threadIdx.x];
    //= rows[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x];  // BROKEN: uninitialised-lds
}

extern "C" __global__ void halo_not_filled(const int* x, int* out)
{
    __shared__ int rows[66];
    rows[threadIdx.x + 1] = x[threadIdx.x];
    //+ if (threadIdx.x < 2) rows[threadIdx.x * 65] = 0;
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x] + rows[threadIdx.x + 2];  // BROKEN: uninitialised-lds
}

extern "C" __global__ void sum_of_a_larger_block(const int* x, int* out)
{
    __shared__ int rows[128];
    rows[threadIdx.x] = x[threadIdx.x];
    //+ rows[threadIdx.x + 64] = 0;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (threadIdx.x < step) rows[threadIdx.x] += rows[threadIdx.x + step];  // BROKEN: uninitialised-lds
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = rows[0];
}

extern "C" __global__ void histogram_not_cleared(const int* x, int* out)
{
    __shared__ int bins[64];
    //+ if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    //+ __syncthreads();
    atomicAdd(&bins[x[threadIdx.x] & 63], 1);  // BROKEN: uninitialised-lds
    __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];  // BROKEN: uninitialised-lds
}

extern "C" __global__ void reads_the_padding(const int* x, int* out, int pitch)
{
    __shared__ int tile[16 * 20];
    const int row = threadIdx.x / 16, column = threadIdx.x % 16;
    tile[row * 20 + column] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[column * pitch + row];  // BROKEN: uninitialised-lds
    //= out[threadIdx.x] = tile[column * 20 + row];
}

extern "C" __global__ void other_buffer_first(const int* x, int* out, int turns)
{
    extern __shared__ int rows[];
    int sum = 0;
    for (int turn = 0; turn < turns; ++turn) {
        rows[(turn & 1) * 64 + threadIdx.x] = x[turn * 64 + threadIdx.x];
        __syncthreads();
        sum += rows[((turn + 1) & 1) * 64 + 63 - threadIdx.x];  // BROKEN: uninitialised-lds
        //= sum += rows[(turn & 1) * 64 + 63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void sums_of_waves_that_are_not(const int* x, int* out)
{
    __shared__ int sums[8];
    const int wave = threadIdx.x / 64;
    if (threadIdx.x % 64 == 0) sums[wave] = x[wave];
    __syncthreads();
    int total = 0;
    for (int k = 0; k < 8; ++k)
    //= for (int k = 0; k < blockDim.x / 64; ++k)
        total += sums[k];  // BROKEN: uninitialised-lds
    out[threadIdx.x] = total;
}

extern "C" __global__ void one_byte_of_a_word(const unsigned char* x, int* out)
{
    __shared__ alignas(4) unsigned char bytes[64 * 4];
    for (int k = 0; k < 3; ++k)
    //= for (int k = 0; k < 4; ++k)
        bytes[4 * threadIdx.x + k] = x[threadIdx.x] + k;
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<const int*>(bytes + 4 * (63 - threadIdx.x));  // BROKEN: uninitialised-lds
}

#include <hip/hip_runtime.h>
#include <stdint.h>

// written by: layoutalg code lds.layout.toml:tile --to hip
// tile: 0 <= row < 64, 0 <= col < 64
// int32_t holds every value on the way: they lie between 0 and 4095.
__host__ __device__ inline int32_t tile_offset(int32_t row, int32_t col)
{
    return 64 * row + (col ^ row);
}

// y is x turned: y[column, row] = x[row, column], a tile of 64 x 64 a workgroup.
extern "C" __global__ void turn(const float* x, float* y, int rows, int columns)
{
    __shared__ float tile[64 * 64];
    const int lane = threadIdx.x % 64;
    const int wave = threadIdx.x / 64;
    const int row0 = blockIdx.x * 64;
    const int column0 = blockIdx.y * 64;
    for (int turn = 0; turn < 16; ++turn) {
        const int row = 4 * turn + wave;
        tile[tile_offset(row, lane)] = x[(row0 + row) * columns + column0 + lane];
    }
    __syncthreads();
    for (int turn = 0; turn < 16; ++turn) {
        const int column = 4 * turn + wave;
        y[(column0 + column) * rows + row0 + lane] = tile[tile_offset(lane, column)];
    }
}

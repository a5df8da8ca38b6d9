// A matrix of output pixels by filter pixels and channels (half); lengths (16, 40).
//
// Each thread moves 8 neighbours along the last dimension, at a time: 8.
//
//   loaded from  16*i0 + i1 + (56 & i1) + 32*(i0 // 8) - 24
//   there if     2 <= i1 // 8 + i0 % 8
//   stored to    40*i0 + i1
//
// Launch with grid (1), block 256.

#include <hip/hip_runtime.h>

typedef _Float16 half_x8 __attribute__((ext_vector_type(8)));

extern "C" __global__ __launch_bounds__(256)
void image_to_column_f16_2x20x8_by_5_859e4139(
    const _Float16* __restrict__ in,
    _Float16* __restrict__ out)
{
    const int place = 256 * blockIdx.x + threadIdx.x;
    if (place < 80) {
        const int source = 16 * place - 60 * (place / 5) - 4 * (place / 5 % 8) - 24;
        half_x8 loaded0 = {};
        if (5 * (place / 5) - place / 5 % 8 + 2 <= place)
            loaded0 = *reinterpret_cast<const half_x8*>(in + source);

        const int target = 8 * place;
        *reinterpret_cast<half_x8*>(out + target) = loaded0;
    }
}

// A matrix of output pixels by filter pixels and channels (half); lengths (160, 144).
//
// Each thread moves 8 neighbours along the last dimension, at a time: 8.
//
//   loaded from  16*i0 + i1 + 112*(i1 // 48) - 176
//   there if     (1 <= i0 % 10 + (i1 // 16) % 3) & (i0 % 10 + (i1 // 16) % 3 < 11) & (1 <= (i1 // 16) // 3 + (i0 // 10) % 8) & ((i1 // 16) // 3 + (i0 // 10) % 8 < 9)
//   stored to    144*i0 + i1
//
// Launch with grid (12), block 256.

#include <hip/hip_runtime.h>

typedef _Float16 half_x8 __attribute__((ext_vector_type(8)));

extern "C" __global__ __launch_bounds__(256)
void image_to_column_f16_2x8x10x16_by_3x3_75e8b8ac(
    const _Float16* __restrict__ in,
    _Float16* __restrict__ out)
{
    const int place = 256 * blockIdx.x + threadIdx.x;
    if (place < 2880) {
        const int source = 112 * (place / 6) + 8 * place - 464 * (place / 18) - 176;
        half_x8 loaded0 = {};
        if (place / 180 % 8 + place / 6 % 3 <= 8 && 18 * (place / 2) + place <= 180 * (place / 180) + 54 * (place / 6) + 197 && 1 <= place / 180 % 8 + place / 6 % 3 && 180 * (place / 180) + 54 * (place / 6) + 18 <= 18 * (place / 2) + place)
            loaded0 = *reinterpret_cast<const half_x8*>(in + source);

        const int target = 8 * place;
        *reinterpret_cast<half_x8*>(out + target) = loaded0;
    }
}

// CK Tile's image to column in two dimensions, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/image_to_column.hpp"

namespace unrolled {
using namespace ck_tile;
using Shape = TileImageToColumnShape<sequence<8, 8>, sequence<64, 64>, sequence<128, 128>>;
using Kernel = ImageToColumn<BlockImageToColumnProblem<half_t, half_t, Shape, 2, 8, 8>>;
} // namespace unrolled
template __global__ void ck_tile::kentry<1, unrolled::Kernel, unrolled::Kernel::Kargs>(unrolled::Kernel::Kargs);

#define PLACE(name) __builtin_offsetof(unrolled::Kernel::Kargs, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(p_in), PLACE(p_out), PLACE(G), PLACE(N), PLACE(C), PLACE(input_spatial_lengths),
    PLACE(filter_spatial_lengths), PLACE(output_spatial_lengths), PLACE(image_g_n_c_wis_strides),
    PLACE(gemm_g_m_k_strides), PLACE(conv_filter_strides), PLACE(conv_filter_dilations),
    PLACE(input_left_pads), PLACE(input_right_pads)};

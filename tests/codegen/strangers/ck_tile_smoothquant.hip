// CK Tile's quantising of smoothed rows, a row to a wave, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/smoothquant.hpp"

namespace quantised {
using namespace ck_tile;
using Shape = Generic2dBlockShape<sequence<4, 512>, sequence<4, 64>, sequence<1, 8>>;
using Problem = SmoothquantPipelineProblem<half_t, float, float, float, int8_t, Shape, true, false>;
using Kernel = Smoothquant<SmoothquantPipelineOnePass<Problem>>;
} // namespace quantised
template __global__ void ck_tile::kentry<1, quantised::Kernel, quantised::Kernel::Kargs>(quantised::Kernel::Kargs);

#define PLACE(name) __builtin_offsetof(quantised::Kernel::Kargs, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(p_x), PLACE(p_smscale), PLACE(p_yscale), PLACE(p_qy), PLACE(m), PLACE(n), PLACE(x_stride),
    PLACE(y_stride)};

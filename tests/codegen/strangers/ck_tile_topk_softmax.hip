// CK Tile's softmax of rows with the largest k of each, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/topk_softmax.hpp"

// of the device library, which the wheel has not
__device__ float __ocml_exp_f32(float x) { return __builtin_elementwise_exp(x); }

namespace chosen {
using namespace ck_tile;
using Problem = TopkSoftmaxWarpPerRowProblem<float, float, index_t, 64>;
using Kernel = TopkSoftmaxKernel<TopkSoftmaxWarpPerRowPipeline<Problem>>;
} // namespace chosen
template __global__ void ck_tile::kentry<1, chosen::Kernel, chosen::Kernel::Kargs>(chosen::Kernel::Kargs);

#define PLACE(name) __builtin_offsetof(chosen::Kernel::Kargs, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(p_input), PLACE(p_output), PLACE(p_indices), PLACE(num_rows), PLACE(num_experts), PLACE(topk),
    PLACE(stride_input), PLACE(stride_output)};

// CK Tile's elementwise sum of two matrices with strides, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/elementwise.hpp"

namespace summed {
using namespace ck_tile;
using Shape = ElementWiseShape<sequence<4>, sequence<2048>, sequence<256>, float>;
using Problem = ElementWisePipelineProblem<half_t, float, half_t, Shape, element_wise::Add>;
using Kernel = ElementWiseKernel<Problem, ElementWiseDefaultPolicy>;
using Lengths = tuple<index_t, index_t>;
using Inputs = tuple<const half_t*, const half_t*>;
struct Arguments // the arguments of a launch, one behind the other
{
    index_t lengths[2], input_strides[2], output_strides[2];
    const half_t* inputs[2];
    half_t* output;
};
} // namespace summed
template __global__ void ck_tile::kentry<1, summed::Kernel, summed::Lengths, summed::Lengths, summed::Lengths,
                                         summed::Inputs, summed::half_t*>(
    summed::Lengths, summed::Lengths, summed::Lengths, summed::Inputs, summed::half_t*);

#define PLACE(name) __builtin_offsetof(summed::Arguments, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(inputs[0]), PLACE(inputs[1]), PLACE(output), PLACE(lengths[0]), PLACE(lengths[1]),
    PLACE(input_strides[0]), PLACE(input_strides[1]), PLACE(output_strides[0]), PLACE(output_strides[1])};

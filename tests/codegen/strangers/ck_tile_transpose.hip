// CK Tile's batched transpose, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/batched_transpose.hpp"

namespace moved {
using namespace ck_tile;
using Problem = BatchedTransposeProblem<half_t, sequence<64, 64>, sequence<1, 1>, false, false>;
using Kernel = BatchedTransposeKernel<BatchedTransposePipeline<Problem, BatchedTransposePolicy>>;
} // namespace moved
template __global__ void ck_tile::kentry<1, moved::Kernel, moved::Kernel::Kargs>(moved::Kernel::Kargs);

#define PLACE(name) __builtin_offsetof(moved::Kernel::Kargs, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(p_input), PLACE(p_output), PLACE(batch), PLACE(height), PLACE(width), PLACE(dim_stride)};

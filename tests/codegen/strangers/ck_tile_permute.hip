// CK Tile's permutation of up to eight dimensions, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/permute.hpp"
#include "ck_tile/ops/permute/pipeline/generic_petmute_problem.hpp"

namespace permuted {
using namespace ck_tile;
using Kernel = GenericPermute<GenericPermuteProblem<half_t, 256, 8>>;
} // namespace permuted
template __global__ void ck_tile::kentry<1, permuted::Kernel, permuted::Kernel::Kargs>(permuted::Kernel::Kargs);

#define PLACE(name) __builtin_offsetof(permuted::Kernel::Kargs, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(p_src), PLACE(p_dst), PLACE(num_elements), PLACE(perm_length), PLACE(perm_stride)};

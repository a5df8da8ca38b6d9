// CK Tile's sum over two of four dimensions, device code alone.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/reduce.hpp"

namespace reduced {
using namespace ck_tile;
using Shape = Reduce2dShape<sequence<2, 2>, sequence<2, 1024>, sequence<1, 512>, sequence<1, 8>>;
using Kernel = Reduce<Reduce2dProblem<half_t, float, half_t, Shape, ReduceOp::Add>>;
using Lengths = tuple<index_t, index_t, index_t, index_t>;
using Kept = sequence<0, 1>;
using Gone = sequence<2, 3>;
struct Arguments // the arguments of a launch, one behind the other
{
    const half_t* input;
    half_t* output;
    index_t lengths[4], strides[4];
};
} // namespace reduced
template __global__ void ck_tile::kentry<1, reduced::Kernel, const reduced::half_t*, reduced::half_t*,
                                         reduced::Lengths, reduced::Lengths, reduced::Kept, reduced::Gone>(
    const reduced::half_t*, reduced::half_t*, reduced::Lengths, reduced::Lengths, reduced::Kept, reduced::Gone);

#define PLACE(name) __builtin_offsetof(reduced::Arguments, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(input), PLACE(output), PLACE(lengths[0]), PLACE(lengths[1]), PLACE(lengths[2]), PLACE(lengths[3]),
    PLACE(strides[0]), PLACE(strides[1]), PLACE(strides[2]), PLACE(strides[3])};

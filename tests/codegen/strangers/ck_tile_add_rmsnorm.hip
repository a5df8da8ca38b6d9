// CK Tile's sum, root mean square norm and quantising of rows in one kernel, device code alone; ROWS: of a tile,
// each by a wave of its own where there are four, and by four waves where there is one.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/add_rmsnorm2d_rdquant.hpp"

namespace normed {
using namespace ck_tile;
using Shape = Generic2dBlockShape<sequence<ROWS, 2048 / ROWS>, sequence<ROWS, 256 / ROWS>, sequence<1, 8>>;
using Problem = AddRmsnorm2dRdquantFwdPipelineProblem<half_t, half_t, half_t, float, half_t, float, int8_t,
                                                      Shape, true, true, false>;
using Kernel = AddRmsnorm2dRdquantFwd<AddRmsnorm2dRdquantFwdPipelineOnePass<Problem>>;
} // namespace normed
template __global__ void ck_tile::kentry<1, normed::Kernel, normed::Kernel::Kargs>(normed::Kernel::Kargs);

#define PLACE(name) __builtin_offsetof(normed::Kernel::Kargs, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(p_a), PLACE(p_b), PLACE(p_gamma), PLACE(p_x), PLACE(p_yscale), PLACE(p_qy), PLACE(epsilon),
    PLACE(m), PLACE(n), PLACE(stride)};

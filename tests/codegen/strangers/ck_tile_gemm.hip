// A GEMM of CK Tile, device code alone, composed as its own examples compose theirs.
#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/epilogue.hpp"
#include "ck_tile/ops/gemm.hpp"

namespace gemm {
using namespace ck_tile;
using Rows = tensor_layout::gemm::RowMajor;
using Columns = tensor_layout::gemm::ColumnMajor;
using Tile = TileGemmShape<sequence<TILE>, sequence<WAVES>, sequence<WARP_TILE>>;

#if PIPELINE == 1
using Partitioner = GemmTile1DPartitioner<Tile>;
using Traits = TileGemmTraits<false, false, false, Rows, Columns, Rows>;
using Problem = GemmPipelineProblem<half_t, half_t, float, Tile, Traits>;
using Pipeline = GemmPipelineAGmemBGmemCRegV1<Problem>;
#else
using Partitioner = GemmSpatiallyLocalTilePartitioner<Tile, 8, 4>;
using Traits = TileGemmUniversalTraits<false, false, false, PIPELINE == 4, Rows, Columns, Rows, false, false, false, 1, false>;
using Problem = UniversalGemmPipelineProblem<half_t, half_t, float, Tile, Traits,
                                             GemmPipelineScheduler::Intrawave, true, TailNumber::TAIL>;
#if PIPELINE == 3
using Pipeline = GemmPipelineAgBgCrCompV3<Problem>;
#else
using Pipeline = GemmPipelineAgBgCrCompV4<Problem>;
#endif
#endif

template <index_t... Is>
constexpr index_t at(sequence<Is...>, int place)
{
    const index_t all[] = {Is...};
    return all[place];
}
using Epilogue = CShuffleEpilogue<CShuffleEpilogueProblem<
    half_t, half_t, tuple<>, float, half_t, tuple<>, Rows, element_wise::PassThrough,
    Partitioner::MPerBlock, Partitioner::NPerBlock, at(sequence<WAVES>{}, 0), at(sequence<WAVES>{}, 1),
    at(sequence<WARP_TILE>{}, 0), at(sequence<WARP_TILE>{}, 1), at(sequence<WARP_TILE>{}, 2),
    Problem::TransposeC, memory_operation_enum::set>>;
using Kernel = GemmKernel<Partitioner, Pipeline, Epilogue>;
using Arguments = Kernel::UniversalGemmKernel::KernelArgs;
} // namespace gemm

template __global__ void ck_tile::kentry<1, gemm::Kernel, gemm::Arguments>(gemm::Arguments);

// where the numbers of a launch lie in the argument block, told by the code object itself
#define PLACE(name) __builtin_offsetof(gemm::Arguments, name)
extern "C" __device__ __attribute__((used, retain)) const unsigned argument_places[] = {
    PLACE(as_ptr), PLACE(bs_ptr), PLACE(e_ptr), PLACE(M), PLACE(N), PLACE(K),
    PLACE(stride_As), PLACE(stride_Bs), PLACE(stride_E), PLACE(k_batch)};

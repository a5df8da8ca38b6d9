"""A kernel of our own in the style of old CK: blocks of A and B, their copies, a block GEMM that reads A."""

from __future__ import annotations

from layoutalg.ck import OLD_CK, Index

TRANSFERS = """
namespace ck {
template <typename ThreadGroup, typename BlockSliceLengths, typename ThreadClusterLengths,
          typename ThreadClusterArrangeOrder, typename DstData, typename DstDesc, index_t DstVectorDim,
          index_t DstScalarPerVector>
struct ThreadGroupTensorSliceTransfer_v4r1 {
  ThreadGroupTensorSliceTransfer_v4r1(const DstDesc& dst_desc, const Index& dst_block_slice_origin) {}
};
template <typename ThreadGroup, typename DstData, typename DstDesc>
struct ThreadGroupTensorSliceTransfer_DirectLoad {
  ThreadGroupTensorSliceTransfer_DirectLoad(const DstDesc& dst_desc) {}
};
template <typename SrcData, typename SrcDesc, typename SliceLengths, index_t SrcVectorDim,
          index_t SrcScalarPerVector>
struct ThreadwiseTensorSliceTransfer_v4 {};
template <index_t BlockSize> struct ThisThreadBlock {
  static constexpr index_t GetNumOfThread() { return BlockSize; }
  static index_t GetThreadId() { return threadIdx.x; }
};
template <index_t BlockSize, typename ADesc, index_t Lanes> struct BlockwiseGemm_toy {
  using ThisThreadBlock = ThisThreadBlock<BlockSize>;
  static auto CalculateAThreadOriginDataIndex() {
    const auto id = ThisThreadBlock::GetThreadId();
    return make_tuple(0, id % Lanes, 8 * (id % 64 / Lanes));
  }
  static constexpr ADesc a_block_desc;
  using AThreadCopy =
      ThreadwiseTensorSliceTransfer_v4<_Float16, decltype(a_block_desc), Sequence<1, 1, 8>, 2, 8>;
  void Run() {
    if constexpr(Lanes < 0)
      static_for<0, 9, 1>{}([&](auto k) { a_thread_copy_.Run(a_block_desc, make_tuple(k, 0, 0)); });
    static_for<0, 2, 1>{}([&](auto k) {
      static_for<0, ROUNDS, 1>{}(
          [&](auto m) { a_thread_copy_.Run(a_block_desc, make_tuple(0, m * Lanes, k * DEPTH)); });
    });
  }
  AThreadCopy a_thread_copy_{CalculateAThreadOriginDataIndex()};
};
}
"""
KERNEL = """
namespace ck {
template <index_t BlockSize, index_t Pad, typename Cluster, typename Order, index_t Lanes>
struct GridwiseToy {
  using ThisThreadBlock = ThisThreadBlock<BlockSize>;
  static constexpr auto GetABlockDescriptor() {
    return make_naive_tensor_descriptor(make_tuple(Number<1>{}, Number<64>{}, Number<32>{}),
                                        make_tuple(Number<2560>{}, Number<32 + Pad>{}, Number<1>{}));
  }
  static constexpr auto GetBBlockDescriptor() {
    return make_naive_tensor_descriptor_packed(make_tuple(Number<1>{}, Number<64>{}, Number<32>{}));
  }
  static constexpr auto GetCBlockDescriptor() {
    return make_naive_tensor_descriptor_packed(make_tuple(Number<1>{}, Number<64>{}, Number<32>{}));
  }
  using BlockwiseGemm = BlockwiseGemm_toy<BlockSize, decltype(GetABlockDescriptor()), Lanes>;
  template <typename Problem> static void Run(const Problem& problem) {
    constexpr auto a_block_desc = GetABlockDescriptor();
    const auto size = problem.size;
    auto a_copy = ThreadGroupTensorSliceTransfer_v4r1<
        ThisThreadBlock, Sequence<1, 64, 32>, Cluster, Order, _Float16,
        decltype(a_block_desc), 2, 8>(a_block_desc, make_multi_index(0, 0, 0));
    constexpr auto b_block_desc = GetBBlockDescriptor();
    auto b_copy = ThreadGroupTensorSliceTransfer_DirectLoad<
        ThisThreadBlock, _Float16, decltype(b_block_desc)>(b_block_desc);
    constexpr auto c_block_desc = GetCBlockDescriptor();
    auto c_copy = ThreadGroupTensorSliceTransfer_v4r1<
        ThisThreadBlock, Sequence<1, 64, 32>, Cluster, Order, _Float16,
        decltype(c_block_desc), 2, 8>(c_block_desc, make_multi_index(0, problem.begin, 0));
  }
};
}
"""
FILE = "include/ck/grid/gridwise_toy.hpp"
TARGET = "ck/grid/gridwise_toy.hpp::GridwiseToy"


def kernel_index(kernel: str = KERNEL, rounds: str = "64 / Lanes", depth: int = 16) -> Index:
    """The headers of the kernel."""
    index = Index("gfx942", {}, library=OLD_CK)
    index.add("include/ck/transfers.hpp", f"#define DEPTH {depth}\n{TRANSFERS}".replace("ROUNDS", rounds))
    index.add(FILE, f'#include "ck/transfers.hpp"\n{kernel}')
    return index


def kernel_bindings(
    *, threads: int = 256, pad: int = 8, cluster: str = "1, 64, 4", order: str = "0, 1, 2", lanes: int = 32
) -> dict[str, str]:
    """The class with these template arguments."""
    arguments = f"{threads}, {pad}, ck::Sequence<{cluster}>, ck::Sequence<{order}>, {lanes}"
    return {"class": f"ck::GridwiseToy<{arguments}>"}

// A kernel in the style of old CK: its threads copy a tile to shared memory, 8 halves at a time.
#pragma once

namespace ck {
template <index_t BlockSize>
struct ThisThreadBlock
{
    static constexpr index_t GetNumOfThread() { return BlockSize; }
    static index_t GetThreadId() { return threadIdx.x; }
};

template <typename ThreadGroup,
          typename BlockSliceLengths,
          typename ThreadClusterLengths,
          typename ThreadClusterArrangeOrder,
          typename DstData,
          typename DstDesc,
          index_t DstVectorDim,
          index_t DstScalarPerVector>
struct ThreadGroupTensorSliceTransfer_v4r1
{
    ThreadGroupTensorSliceTransfer_v4r1(const DstDesc& dst_desc, const Index& dst_block_slice_origin) {}
};

template <index_t Pad>
struct GridwiseTile
{
    static constexpr auto GetABlockDescriptor_M_K()
    {
        return make_naive_tensor_descriptor(make_tuple(Number<64>{}, Number<32>{}),
                                            make_tuple(Number<32 + Pad>{}, Number<1>{}));
    }

    static void Run()
    {
        constexpr auto a_block_desc = GetABlockDescriptor_M_K();

        auto a_blockwise_copy = ThreadGroupTensorSliceTransfer_v4r1<ThisThreadBlock<256>,
                                                                    Sequence<64, 32>,
                                                                    Sequence<64, 4>,
                                                                    Sequence<1, 0>,
                                                                    _Float16,
                                                                    decltype(a_block_desc),
                                                                    1,
                                                                    8>(a_block_desc, make_multi_index(0, 0));
    }
};
} // namespace ck

// A small device operation in the manner of old CK, for the guide.
#pragma once

namespace ck {

template <typename DataType, index_t BlockSize, index_t KPerBlock, index_t Vector>
struct GridwiseCopy
{
    static constexpr auto I1 = Number<1>{};

    __host__ __device__ static constexpr auto GetBlockDescriptor_K0_M_K1()
    {
        return make_naive_tensor_descriptor_packed(
            make_tuple(Number<KPerBlock / Vector>{}, Number<BlockSize>{}, Number<Vector>{}));
    }

    static auto MakeGridDescriptor_K0_M_K1(index_t M, index_t K, index_t Stride)
    {
        const auto m_k = make_naive_tensor_descriptor(make_tuple(M, K), make_tuple(Stride, I1));
        return transform_tensor_descriptor(
            m_k,
            make_tuple(make_unmerge_transform(make_tuple(K / Vector, Number<Vector>{})),
                       make_pass_through_transform(M)),
            make_tuple(Sequence<1>{}, Sequence<0>{}),
            make_tuple(Sequence<0, 2>{}, Sequence<1>{}));
    }
};

template <typename DataType, index_t BlockSize, index_t KPerBlock>
struct DeviceCopy
{
    using GridwiseGemm = GridwiseCopy<DataType, BlockSize, KPerBlock, 16 / sizeof(DataType)>;
};

} // namespace ck

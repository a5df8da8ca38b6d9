"""A policy of our own with a layout of shared memory: rows of 128 bytes, and a padding that is bound."""

from __future__ import annotations

from layoutalg.ck import Index

POLICY = """
namespace ck_tile {
struct Policy
{
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeALdsBlockDescriptor()
    {
        return make_naive_tensor_descriptor(make_tuple(number<32>{}, number<64>{}),
                                            make_tuple(number<64 + Problem::kPad>{}, number<1>{}),
                                            number<8>{}, number<1>{});
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeADramTileDistribution()
    {
        return make_static_tile_distribution(
            tile_distribution_encoding<sequence<>, tuple<sequence<4, 8>, sequence<8, 8>>,
                                       tuple<sequence<1, 2>>, tuple<sequence<1, 0>>,
                                       sequence<1, 2>, sequence<0, 1>>{});
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeARegTileDistribution()
    {
        return make_static_tile_distribution(
            tile_distribution_encoding<sequence<>, tuple<sequence<32>, sequence<4, 2, 8>>,
                                       tuple<sequence<2, 1>>, tuple<sequence<1, 0>>,
                                       sequence<2, 2>, sequence<0, 2>>{});
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeBLdsBlockDescriptor()
    {
        return make_naive_tensor_descriptor_packed(make_tuple(number<48>{}, number<64>{}));
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeBDramTileDistribution()
    {
        return MakeADramTileDistribution<Problem>();
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeCLdsBlockDescriptor()
    {
        return MakeALdsBlockDescriptor<Problem>();
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeCDramTileDistribution()
    {
        return MakeADramTileDistribution<Problem>();
    }
    template <typename Problem>
    CK_TILE_HOST_DEVICE static constexpr auto MakeShuffledCRegTileDistribution()
    {
        return MakeARegTileDistribution<Problem>();
    }
};
} // namespace ck_tile
"""


def policy_index(arch: str = "gfx942") -> Index:
    """The headers that hold this policy alone."""
    index = Index(arch, {})
    index.add("policy.hpp", POLICY)
    return index

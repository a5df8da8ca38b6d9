// A policy in the manner of CK Tile, our own: shared memory for a tile, its columns swizzled by a xor.
namespace ck_tile {
using half_t = _Float16;

struct TilePolicy
{
    template <typename Problem>
    static constexpr auto MakeLdsDescriptor()
    {
        constexpr index_t kM    = Problem::kM;
        constexpr index_t kK    = Problem::kK;
        constexpr index_t kPack = 16 / sizeof(typename Problem::DataType);
        static_assert(kK % kPack == 0, "whole vectors");

        constexpr auto rows = make_naive_tensor_descriptor(
            make_tuple(number<kM>{}, number<kK / kPack>{}, number<kPack>{}),
            make_tuple(number<kK>{}, number<kPack>{}, number<1>{}),
            number<kPack>{}, number<1>{});
        constexpr auto swizzled = transform_tensor_descriptor(
            rows,
            make_tuple(make_xor_transform(make_tuple(number<kM>{}, number<kK / kPack>{})),
                       make_pass_through_transform(number<kPack>{})),
            make_tuple(sequence<0, 1>{}, sequence<2>{}),
            make_tuple(sequence<0, 1>{}, sequence<2>{}));
        return transform_tensor_descriptor(
            swizzled,
            make_tuple(make_pass_through_transform(number<kM>{}),
                       make_merge_transform(make_tuple(number<kK / kPack>{}, number<kPack>{}))),
            make_tuple(sequence<0>{}, sequence<1, 2>{}),
            make_tuple(sequence<0>{}, sequence<1>{}));
    }

    template <typename Problem>
    static constexpr auto MakeStoreDescriptor()
    {
        constexpr index_t kM    = Problem::kM;
        constexpr index_t kK    = Problem::kK;
        constexpr index_t kPack = 16 / sizeof(typename Problem::DataType);
        return make_naive_tensor_descriptor(make_tuple(number<kM>{}, number<kK>{}),
                                            make_tuple(number<1>{}, number<kM>{}),
                                            number<kPack>{}, number<1>{});
    }
};
} // namespace ck_tile

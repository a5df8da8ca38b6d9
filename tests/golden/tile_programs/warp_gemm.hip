// Products of tiles by one matrix instruction or several of one wave.
#include "ck_tile/ops/gemm/warp/warp_gemm.hpp"
#include "programs.hpp"

template <typename Encoding, index_t Rows, index_t Columns, index_t Vector, typename T>
__device__ auto loaded(const T* x)
{
    const auto view = view_of<Vector>(x, make_tuple(Rows, Columns), make_tuple(Columns, 1));
    return load_tile(make_tile_window(view, static_lengths<Rows, Columns>(), {0, 0}, distribution<Encoding>()));
}

// c += a b^T of a WarpGemm; the encodings must be its own.
template <typename WarpGemm, typename A, typename B, typename C, index_t Vector, typename In, typename Out>
__device__ auto product(const In* a, const In* b, Out initial)
{
    static_assert(std::is_same_v<typename WarpGemm::AWarpDstrEncoding, A>);
    static_assert(std::is_same_v<typename WarpGemm::BWarpDstrEncoding, B>);
    static_assert(std::is_same_v<typename WarpGemm::CWarpDstrEncoding, C>);
    auto c = make_static_distributed_tensor<Out>(distribution<C>());
    set_tile(c, initial);
    WarpGemm{}(c, loaded<A, WarpGemm::kM, WarpGemm::kK, Vector>(a), loaded<B, WarpGemm::kN, WarpGemm::kK, Vector>(b));
    return c;
}

// WarpGemmMfmaF16F16F32M32N32K8 with c at 0, then stored.
PROGRAM gemm_f16_32x32x8(const half_t* x, const half_t* b, float* y, float* z)
{
    using Operand = Mfma32x32x8Operand;
    const auto c = product<WarpGemmMfmaF16F16F32M32N32K8, Operand, Operand, Mfma32x32Result, 4>(x, b, 0.0f);
    dump(c, y);
    auto window = make_tile_window(view_of<1>(z, make_tuple(32, 32), make_tuple(32, 1)), static_lengths<32, 32>(), {0, 0});
    store_tile(window, c);
}

// WarpGemmMfmaF16F16F32M16N16K16 with c at 0.5.
PROGRAM gemm_f16_16x16x16(const half_t* x, const half_t* b, float* y)
{
    using Operand = Mfma16x16x16Operand;
    dump(product<WarpGemmMfmaF16F16F32M16N16K16, Operand, Operand, Mfma16x16Result, 4>(x, b, 0.5f), y);
}

// WarpGemmMfmaF16F16F32M32N32K8TransposedCDistribution: lanes hold rows of c.
PROGRAM gemm_f16_32x32x8_transposed_c(const half_t* x, const half_t* b, float* y)
{
    using WarpGemm = WarpGemmMfmaF16F16F32M32N32K8TransposedCDistribution;
    using Operand = Mfma32x32x8Operand;
    dump(product<WarpGemm, Operand, Operand, Mfma32x32TurnedResult, 4>(x, b, 0.0f), y);
}

// WarpGemmMfmaF16F16F32M16N16K16TransposedCDistribution, stored in vectors of four.
PROGRAM gemm_f16_16x16x16_transposed_c(const half_t* x, const half_t* b, float* y, float* z)
{
    using WarpGemm = WarpGemmMfmaF16F16F32M16N16K16TransposedCDistribution;
    using Operand = Mfma16x16x16Operand;
    const auto c = product<WarpGemm, Operand, Operand, Mfma16x16TurnedResult, 4>(x, b, 0.0f);
    dump(c, y);
    auto window = make_tile_window(view_of<4>(z, make_tuple(16, 16), make_tuple(16, 1)), static_lengths<16, 16>(), {0, 0});
    store_tile(window, c);
}

// WarpGemmMfmaF16F16F32M32N32K16: two instructions along K; a lane's eight elements of K are neighbours.
PROGRAM gemm_f16_32x32x16(const half_t* x, const half_t* b, float* y)
{
    using Operand = Mfma32x32x16Operand;
    dump(product<WarpGemmMfmaF16F16F32M32N32K16<>, Operand, Operand, Mfma32x32Result, 8>(x, b, 0.0f), y);
}

// WarpGemmMfmaF32F32F32M16N16K4.
PROGRAM gemm_f32_16x16x4(const float* x, const float* b, float* y)
{
    using Operand = Mfma16x16x4F32Operand;
    dump(product<WarpGemmMfmaF32F32F32M16N16K4, Operand, Operand, Mfma16x16Result, 1>(x, b, 0.0f), y);
}

// Two products into one c along K: 32x32x16 by windows that move 8 columns.
PROGRAM gemm_f16_two_steps(const half_t* x, const half_t* b, float* y)
{
    auto a_window = make_tile_window(
        view_of<4>(x, make_tuple(32, 16), make_tuple(16, 1)), static_lengths<32, 8>(), {0, 0}, distribution<Mfma32x32x8Operand>());
    auto b_window = make_tile_window(
        view_of<4>(b, make_tuple(32, 16), make_tuple(16, 1)), static_lengths<32, 8>(), {0, 0}, distribution<Mfma32x32x8Operand>());
    auto c = make_static_distributed_tensor<float>(distribution<Mfma32x32Result>());
    clear_tile(c);
    for(index_t i = 0; i < 2; i++)
    {
        WarpGemmMfmaF16F16F32M32N32K8{}(c, load_tile(a_window), load_tile(b_window));
        move_tile_window(a_window, {0, 8});
        move_tile_window(b_window, {0, 8});
    }
    dump(c, y);
}

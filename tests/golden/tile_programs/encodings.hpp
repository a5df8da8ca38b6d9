// The tile distribution encodings of the programs; ../build_tile_programs.py reads them from here.
// A name says which rows and columns a lane holds, then the lengths of the tile.
#pragma once
#include "ck_tile/core.hpp"

// clang-format off
template <auto... Parts> using s = ck_tile::sequence<Parts...>;
template <typename... Parts> using t = ck_tile::tuple<Parts...>;
template <typename... Fields> using encoding = ck_tile::tile_distribution_encoding<Fields...>;

// One wave, one P dimension: the lane.
using Single8x8 = encoding<s<1>, t<s<8>, s<8, 1>>, t<s<1, 2>>, t<s<0, 0>>, s<2>, s<1>>;
using Quads16x16 = encoding<s<1>, t<s<16>, s<4, 4>>, t<s<1, 2>>, t<s<0, 0>>, s<2>, s<1>>;
using Octets16x32 = encoding<s<>, t<s<16>, s<4, 8>>, t<s<1, 2>>, t<s<0, 0>>, s<2>, s<1>>;
using Twos16x32 = encoding<s<1>, t<s<4, 4>, s<16, 2>>, t<s<1, 2>>, t<s<1, 0>>, s<1, 2>, s<0, 1>>;
using Columns16x16 = encoding<s<1>, t<s<4, 4>, s<16>>, t<s<2, 1>>, t<s<0, 0>>, s<1>, s<1>>;
using Strided16x16 = encoding<s<1>, t<s<4, 4>, s<16>>, t<s<1, 2>>, t<s<1, 0>>, s<1>, s<0>>;
using Blocks16x16 = encoding<s<1>, t<s<8, 2>, s<8, 2>>, t<s<1, 2>>, t<s<0, 0>>, s<1, 2>, s<1, 1>>;
using TurnedBlocks16x16 = encoding<s<1>, t<s<8, 2>, s<8, 2>>, t<s<1, 2>>, t<s<0, 0>>, s<2, 1>, s<1, 1>>;
using Blocks32x32 = encoding<s<1>, t<s<8, 4>, s<8, 4>>, t<s<1, 2>>, t<s<0, 0>>, s<1, 2>, s<1, 1>>;
using TurnedBlocks32x32 = encoding<s<1>, t<s<8, 4>, s<8, 4>>, t<s<1, 2>>, t<s<0, 0>>, s<2, 1>, s<1, 1>>;
using Spread32x32 = encoding<s<1>, t<s<2, 16>, s<2, 4, 4>>, t<s<1, 2>>, t<s<1, 1>>, s<1, 2, 2>, s<0, 0, 2>>;
using TurnedSpread32x32 = encoding<s<1>, t<s<2, 16>, s<2, 4, 4>>, t<s<1, 2>>, t<s<1, 1>>, s<2, 2, 1>, s<2, 0, 0>>;
using Tall64x4 = encoding<s<1>, t<s<64>, s<4>>, t<s<1>>, t<s<0>>, s<2>, s<0>>;
using Cube4x8x8 = encoding<s<1>, t<s<2, 2>, s<8>, s<4, 2>>, t<s<1, 2, 3>>, t<s<1, 0, 0>>, s<1, 3>, s<0, 1>>;
using Line256 = encoding<s<1>, t<s<64, 4>>, t<s<1>>, t<s<0>>, s<1>, s<1>>;
using StridedLine256 = encoding<s<1>, t<s<4, 64>>, t<s<1>>, t<s<1>>, s<1>, s<0>>;
using Rows4x64 = encoding<s<1>, t<s<4>, s<64>>, t<s<2>>, t<s<0>>, s<1>, s<0>>;
using Wide8x64 = encoding<s<1>, t<s<1, 8>, s<2, 8, 4>>, t<s<1, 2>>, t<s<1, 1>>, s<1, 2, 2>, s<0, 0, 2>>;

// One wave that holds every element more than once.
using FourTimes16x8 = encoding<s<4>, t<s<16>, s<8>>, t<s<0, 1>>, t<s<0, 0>>, s<2>, s<0>>;
using FourTimesInner16x8 = encoding<s<4>, t<s<16>, s<8>>, t<s<1, 0>>, t<s<0, 0>>, s<2>, s<0>>;
using FourTimes32x8 = encoding<s<4>, t<s<2, 16>, s<8>>, t<s<0, 1>>, t<s<0, 1>>, s<1, 2>, s<0, 0>>;
using TwiceTwice8x8 = encoding<s<2, 2>, t<s<8>, s<2, 4>>, t<s<0, 1, 2, 0>>, t<s<0, 0, 0, 1>>, s<2>, s<1>>;

// What block_tile_reduce makes of Spread32x32: the rows of its lanes.
using Spread32Rows = encoding<s<1, 4>, t<s<2, 16>>, t<s<1, 0>>, t<s<1, 1>>, s<1>, s<0>>;

// Two P dimensions: the wave and the lane.
using Block32x32 = encoding<s<1>, t<s<2, 4, 4>, s<16, 2>>, t<s<1>, s<1, 2>>, t<s<1>, s<2, 0>>, s<1, 2>, s<0, 1>>;
using Square32x32 = encoding<s<1>, t<s<2, 8, 2>, s<2, 8, 2>>, t<s<1, 2>, s<1, 2>>, t<s<0, 0>, s<1, 1>>, s<1, 2>, s<2, 2>>;
using TwoWaves32x32 = encoding<s<1>, t<s<2, 4, 4>, s<16, 2>>, t<s<1>, s<1, 2>>, t<s<0>, s<2, 0>>, s<1, 2>, s<1, 1>>;
using OneWave16x16 = encoding<s<1>, t<s<1, 16>, s<4, 4>>, t<s<1>, s<1, 2>>, t<s<0>, s<1, 0>>, s<2>, s<1>>;
using OneWaveSpread32x32 = encoding<s<1>, t<s<2, 1, 16>, s<2, 4, 4>>, t<s<1>, s<1, 2>>, t<s<1>, s<2, 1>>, s<1, 2, 2>, s<0, 0, 2>>;
using WavesTwice16x32 = encoding<s<2>, t<s<2, 8>, s<8, 4>>, t<s<0, 1>, s<1, 2>>, t<s<0, 0>, s<1, 0>>, s<2>, s<1>>;
using WideWaves16x64 = encoding<s<1>, t<s<2, 2, 4>, s<2, 16, 2>>, t<s<1, 2>, s<1, 2>>, t<s<0, 0>, s<2, 1>>, s<1, 2>, s<1, 2>>;
using FourWaves4x512 = encoding<s<1>, t<s<4>, s<2, 4, 64>>, t<s<2>, s<2>>, t<s<1>, s<2>>, s<1, 2>, s<0, 0>>;
using PairsOfWaves4x256 = encoding<s<1>, t<s<2, 2>, s<2, 2, 64>>, t<s<1, 2>, s<2>>, t<s<0, 1>, s<2>>, s<1, 2>, s<1, 0>>;
using ByWave4x128 = encoding<s<1>, t<s<4>, s<2, 64>>, t<s<2>, s<2>>, t<s<0>, s<1>>, s<1>, s<0>>;

// In and out of transpose_tile2d: Hs, and the lengths of Ys, in opposite order.
using Cell32x16 = encoding<s<1>, t<s<1, 8, 4>, s<8, 2>>, t<s<1, 2>>, t<s<1, 0>>, s<1, 2>, s<2, 1>>;
using TurnedCell16x32 = encoding<s<1>, t<s<8, 2>, s<1, 8, 4>>, t<s<2, 1>>, t<s<1, 0>>, s<1, 2>, s<1, 2>>;

// Operands of matrix instructions; warp_gemm.hip asserts that they are those of the WarpGemms.
using Mfma32x32x8Operand = encoding<s<>, t<s<32>, s<2, 4>>, t<s<2, 1>>, t<s<0, 0>>, s<2>, s<1>>;
using Mfma32x32Result = encoding<s<>, t<s<4, 2, 4>, s<32>>, t<s<1, 2>>, t<s<1, 0>>, s<1, 1>, s<0, 2>>;
using Mfma32x32TurnedResult = encoding<s<>, t<s<32>, s<4, 2, 4>>, t<s<2, 1>>, t<s<1, 0>>, s<2, 2>, s<0, 2>>;
using Mfma16x16x16Operand = encoding<s<>, t<s<16>, s<4, 4>>, t<s<2, 1>>, t<s<0, 0>>, s<2>, s<1>>;
using Mfma16x16Result = encoding<s<>, t<s<1, 4, 4>, s<16>>, t<s<1, 2>>, t<s<1, 0>>, s<1, 1>, s<0, 2>>;
using Mfma16x16TurnedResult = encoding<s<>, t<s<16>, s<1, 4, 4>>, t<s<2, 1>>, t<s<1, 0>>, s<2, 2>, s<0, 2>>;
using Mfma32x32x16Operand = encoding<s<>, t<s<32>, s<2, 8>>, t<s<2, 1>>, t<s<0, 0>>, s<2>, s<1>>;
using Mfma16x16x4F32Operand = encoding<s<>, t<s<16>, s<4, 1>>, t<s<2, 1>>, t<s<0, 0>>, s<2>, s<1>>;

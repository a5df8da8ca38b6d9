// Visits of a tile's elements by their distributed indices.
#include "programs.hpp"

// sweep_tile: the visits are counted, each element gets its number.
PROGRAM sweep_order(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    int32_t visit = 0;
    sweep_tile(tile, [&](auto index) { tile(index) = visit++; });
    dump(tile, y);
}

// sweep_tile of a distribution with its Ys in another order: visits go by X and H, not by Y.
PROGRAM sweep_order_of_turned_ys(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<TurnedSpread32x32>());
    int32_t visit = 0;
    sweep_tile(tile, [&](auto index) { tile(index) = visit++; });
    dump(tile, y);
}

// sweep_tile with unpacks (1, 2): two indices at a time along the columns; 10 times the visit plus the index's place.
PROGRAM sweep_pairs(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    int32_t visit = 0;
    sweep_tile<decltype(tile)>(
        [&](auto first, auto second) {
            tile(first) = 10 * visit;
            tile(second) = 10 * visit + 1;
            visit++;
        },
        sequence<1, 2>{});
    dump(tile, y);
}

// sweep_tile with unpacks (1, 8): all columns of a row at once.
PROGRAM sweep_eights(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    int32_t visit = 0;
    sweep_tile<decltype(tile)>(
        [&](auto... indices) {
            int32_t place = 0;
            ((tile(indices) = 10 * visit + place++), ...);
            visit++;
        },
        sequence<1, 8>{});
    dump(tile, y);
}

// sweep_tile with unpacks (2, 2): four indices at a time.
PROGRAM sweep_two_by_two(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    int32_t visit = 0;
    sweep_tile<decltype(tile)>(
        [&](auto i00, auto i01, auto i10, auto i11) {
            tile(i00) = 10 * visit;
            tile(i01) = 10 * visit + 1;
            tile(i10) = 10 * visit + 2;
            tile(i11) = 10 * visit + 3;
            visit++;
        },
        sequence<2, 2>{});
    dump(tile, y);
}

// tile_sweeper: accesses 3 and 5 alone, of those with unpacks (1, 2).
PROGRAM sweeper_accesses(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    set_tile(tile, -1);
    int32_t visit = 0;
    const auto visitor = [&](auto first, auto second) {
        tile(first) = 10 * visit;
        tile(second) = 10 * visit + 1;
        visit++;
    };
    tile_sweeper sweeper{tile, visitor, sequence<1, 2>{}};
    sweeper(number<3>{});
    sweeper(number<5>{});
    dump(tile, y);
}

// sweep_tile_span: columns outside, rows inside.
PROGRAM span_columns_first(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    constexpr auto spans = decltype(tile)::get_distributed_spans();
    int32_t visit = 0;
    sweep_tile_span(spans[number<1>{}], [&](auto column) {
        sweep_tile_span(spans[number<0>{}], [&](auto row) { tile(make_tuple(row, column)) = visit++; });
    });
    dump(tile, y);
}

// sweep_tile_uspan: the span of the columns with unpacks of its parts (1, 2).
PROGRAM span_unpacked(int32_t* y)
{
    auto tile = make_static_distributed_tensor<int32_t>(distribution<Spread32x32>());
    constexpr auto spans = decltype(tile)::get_distributed_spans();
    int32_t visit = 0;
    sweep_tile_span(spans[number<0>{}], [&](auto row) {
        sweep_tile_uspan(
            spans[number<1>{}],
            [&](auto first, auto second) {
                tile(make_tuple(row, first)) = 10 * visit;
                tile(make_tuple(row, second)) = 10 * visit + 1;
                visit++;
            },
            sequence<1, 2>{});
    });
    dump(tile, y);
}

template <typename Encoding, typename T>
__device__ void write_x_indices(T* rows, T* columns)
{
    auto row_tile = make_static_distributed_tensor<int32_t>(distribution<Encoding>());
    auto column_tile = make_static_distributed_tensor<int32_t>(distribution<Encoding>());
    sweep_tile(row_tile, [&](auto index) {
        const auto x = get_x_indices_from_distributed_indices(distribution<Encoding>(), index);
        row_tile(index) = x[number<0>{}];
        column_tile(index) = x[number<1>{}];
    });
    dump(row_tile, rows);
    dump(column_tile, columns);
}

// get_x_indices_from_distributed_indices: the row and the column of every element of the thread buffer.
PROGRAM x_indices_spread(int32_t* y, int32_t* z)
{
    write_x_indices<Spread32x32>(y, z);
}

// The same with the Ys in another order.
PROGRAM x_indices_turned_spread(int32_t* y, int32_t* z)
{
    write_x_indices<TurnedSpread32x32>(y, z);
}

// The same for two P dimensions and four waves.
PROGRAM THREADS(256) x_indices_square(int32_t* y, int32_t* z)
{
    write_x_indices<Square32x32>(y, z);
}

// The same where every element is held by four lanes.
PROGRAM x_indices_replicated(int32_t* y, int32_t* z)
{
    write_x_indices<FourTimes32x8>(y, z);
}

// Rows are scaled: a tile of one dimension is read by the first part of the distributed index of another.
PROGRAM scale_rows(const float* x, const float* b, float* y)
{
    const auto view = view_of<4>(x, make_tuple(32, 32), make_tuple(32, 1));
    const auto rows = make_naive_tensor_view_packed<address_space_enum::global>(b, make_tuple(32));
    auto tile = load_tile(make_tile_window(view, static_lengths<32, 32>(), {0, 0}, distribution<Spread32x32>()));
    const auto scale = load_tile(make_tile_window(rows, static_lengths<32>(), {0}, distribution<Spread32Rows>()));
    sweep_tile(tile, [&](auto index) { tile(index) = tile[index] * scale[make_tuple(index[number<0>{}])]; });
    dump(tile, y);
}

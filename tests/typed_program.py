"""What a user writes, for a type checker: tests/layoutalg/test_api.py."""

import layoutalg as la


def padded(rows: int, columns: int, extra: int) -> la.TensorDescriptor:
    """Rows with some elements between them, so that columns meet different banks."""
    return la.make_naive_tensor_descriptor((rows, columns), (columns + extra, 1))


def tile_of(text: str) -> la.TileDistribution:
    encoding: la.TileDistributionEncoding = la.read_encoding(text)
    return la.make_static_tile_distribution(encoding)


def judged(layout: la.TensorDescriptor) -> dict[str, bool]:
    """Every default claim by name, and whether it is proved."""
    found: dict[str, bool] = {}
    for claim in la.default_claims(layout):
        verdict = la.prove(claim)
        found[claim.name] = isinstance(verdict, la.Proved)
        if isinstance(verdict, la.Refuted):
            print(claim.name, dict(verdict.point), verdict.explanation)
        elif isinstance(verdict, la.Unknown):
            print(claim.name, verdict.reason)
    return found


def main() -> int:
    rows = padded(256, 128, 8)
    view = rows.unmerge(0, (4, 64)).merge(1, 2)
    print(view.rank, view(1, 130), view.calculate_offset((1, 130)), view.is_valid_index((1, 130)))
    coordinate = la.make_tensor_coordinate(rows, (1, 3))
    moved = la.move_tensor_coordinate(coordinate, (1, 0))
    print(coordinate.offset, coordinate.hidden_index, moved.offset - coordinate.offset)
    results = judged(view)
    claims = (la.one_to_one(view), la.memory_bounds(view), la.vector_access(view, 1, 8), la.bijective(view))
    for claim in claims:
        verdict: la.Verdict = la.prove(claim)
        results[claim.name] = bool(verdict)
        certificate = la.certificate(claim, verdict)
        if verdict:
            print(la.recheck(certificate, ["z3"]).result)
    domain = la.Domain.of({"tid": 256}, {"N": (1, 64)})
    found: la.Simplified = la.simplify("tid // 8 * 8 + tid % 8", domain)
    print(str(found), found.cost_before, found.cost, la.to_python(found))
    layout: la.Layout = la.make_layout((4, (2, 4)), (2, (1, 8)))
    print(layout(3, (1, 2)), layout.rank, layout.as_descriptor()(1, 1))
    tile = tile_of(
        "tile_distribution_encoding<sequence<>, tuple<sequence<4, 2, 4>, sequence<32>>,"
        " tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 1>, sequence<0, 2>>"
    )
    print(tile(33, 2, 3), tile.element((33,), (2, 3)), bool(la.prove(la.owned(tile))))
    print(view.code("c", name="rows"))
    la.show(view, "formulas")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())

"""Mistakes in the C++ spelling of an encoding: what is written, and words that the answer must say."""

__all__ = ["CPP"]

NAME = "tile_distribution_encoding"
HS = "tuple<sequence<4, 2, 4>, sequence<32>>"
PS = "tuple<sequence<1, 2>>, tuple<sequence<1, 0>>"
YS = "sequence<1, 1>, sequence<0, 2>"


def spelled(hs=HS, ps=PS, ys=YS, rs="sequence<>", name=NAME):
    """An encoding with one of its parts replaced."""
    return f"{name}<{rs}, {hs}, {ps}, {ys}>"


def lengths(first):
    """The lengths of X with another first sequence."""
    return f"tuple<{first}, sequence<32>>"


CPP = (
    (spelled(ys="sequence<1, 1>"), "6 arguments", "sixth argument", "missing"),
    (spelled(ys=f"{YS}, {YS}"), "6 arguments", "Ys", "^"),
    (spelled()[:-1], "wanted", "'>'", "found the end", "^"),
    (spelled(lengths("sequnce<4, 2, 4>")), "did you mean sequence?", "'sequnce'", "^"),
    (spelled(name="tile_distribution_encodng"), "did you mean tile_distribution_encoding"),
    (spelled("tuple<sequence<4, 2, 4> sequence<32>>"), "wanted ','", "'sequence'", "^"),
    (spelled(lengths("sequence<4 2 4>")), "wanted ','", "'2'", "^"),
    (spelled(lengths("sequence<4.0, 2, 4>")), "a number >= 1", "'4.0'", "^"),
    (spelled(lengths("sequence<4, 0, 4>")), "a number >= 1", "'0'", "^"),
    (spelled(lengths("sequence<4, -2, 4>")), "a number >= 1", "'-2'", "^"),
    (spelled("sequence<4, 2, 4>"), "second argument", "wanted tuple<...>", "'sequence'", "^"),
    (spelled(rs="1"), "first argument", "wanted sequence<...>", "'1'", "^"),
    (spelled(ps="tuple<sequence<3, 2>>, tuple<sequence<1, 0>>"), "P0 names factor 1 of X2", "major 1 is X0"),
    (spelled(ps="tuple<sequence<1, 2>>, tuple<sequence<3, 0>>"), "P0 names factor 3 of X0", "X0 with 3"),
    (spelled(ps="tuple<sequence<0, 2>>, tuple<sequence<1, 0>>"), "P0 names factor 1 of R", "R with 0"),
    (spelled(ps="tuple<sequence<1, 2>>, tuple<sequence<0, 0>>"), "P0 and Y0 both name factor 0 of X0", "^"),
    (spelled(ys="sequence<1, 1>, sequence<0>"), "ys_to_rhs_major has 2", "ys_to_rhs_minor 1", "^"),
    (spelled(ps="tuple<sequence<1, 2>>, tuple<sequence<1>>"), "2 major numbers and 1 minor", "^"),
    (spelled(ps="tuple<sequence<1, 2>>, tuple<>"), "ps_to_rhss_major has 1", "ps_to_rhss_minor 0", "^"),
)

"""Old CK, whose namespace is ck: its numbers and sequences, its classes, instances of its operations."""

from __future__ import annotations

import pytest

from layoutalg.ck import OLD_CK, Index, attempt, builders, import_layout, library_of
from layoutalg.ck.class_reach import reached
from layoutalg.ck.cpp.code_macros import code_macros
from layoutalg.ck.cpp.cpp_errors import ImportFailedError, RejectedError, nested_code
from layoutalg.ck.cpp.statement_parser import read_expression
from layoutalg.ck.evaluator import interpreter
from layoutalg.ck.import_target import ordinals
from layoutalg.ck.instances import Instances
from layoutalg.ck.interpreter.cpp_values import Constant, Sequence
from layoutalg.ck.shipped_bindings import default_bindings
from tests.golden.ck_import import has_headers, old_headers
from tests.refusals import refused

SAMPLE = [  # a class of each kind, and how many of its functions make layouts
    ("grid/gridwise_gemm_xdl_cshuffle_v3.hpp", 10),
    ("device/impl/device_gemm_multiple_d_xdl_cshuffle.hpp", 3),
    ("device/impl/device_grouped_conv_fwd_multiple_abd_xdl_cshuffle.hpp", 3),
    ("block/blockwise_gemm_pipeline_xdlops_base.hpp", 8),
    ("thread/threadwise_tensor_slice_transfer_v3r1.hpp", 3),
    ("device/matrix_padder.hpp", 10),
]


def index_of(*texts):
    index = Index("gfx942", {}, library=OLD_CK)
    for text in texts:
        index.code |= code_macros(text)
    for name, text in zip("abcdef", texts, strict=False):
        index.add(f"include/ck/{name}.hpp", text)
    return index


def value(expression, text=""):
    interp = interpreter(index_of(f"namespace ck {{ {text} }}"))
    with nested_code():
        return interp.evaluate(read_expression(expression), interp.space("ck"))


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("Number<3>{} + Number<4>{}", Constant(7)),
        ("Sequence<4, 2>::Size()", Constant(2)),
        ("Sequence<4, 2>{}[Number<1>{}]", Constant(2)),
        ("make_tuple(5, Number<2>{})[Number<0>{}]", 5),
        ("Array<index_t, 3>{1, 2, 3}.At(2)", 3),
        ("typename arithmetic_sequence_gen<1, 4, 1>::type{}", Sequence((1, 2, 3))),
        ("math::max(3, Number<9>{})", 9),
        ("math::integer_divide_ceil(9, 4)", 3),
        ("make_naive_tensor_descriptor_packed(make_tuple(4, 8)).GetLength(Number<1>{})", Constant(8)),
        ("make_naive_tensor_descriptor(make_tuple(4, 8), make_tuple(8, 1)).GetElementSpaceSize()", 32),
    ],
)
def test_the_names_of_old_ck(expression, wanted):
    assert value(expression) == wanted


@pytest.mark.parametrize(
    ("text", "expression", "wanted"),
    [
        ("struct A { index_t a; }; struct B : A { index_t b; };", "B{3, 4}.a", 3),
        ("struct A { index_t a, b; };", "A{3, 4}.b", 4),
        ("struct A { index_t a_; A(index_t a) : a_{2 * a} {} };", "A{3}.a_", 6),
        ("struct A { index_t a_; A(index_t a) { a_ = a + 1; } };", "A(3).a_", 4),
        ("struct A { index_t a_; index_t two() const { return 2 * a_; } };", "A{3}.two()", 6),
        ("template <int N> struct X {}; struct A { using X = X<2>; };", "A::X{}", "X"),
    ],
)
def test_objects_are_made_by_constructors_and_by_their_bases(text, expression, wanted):
    found = value(expression, text)
    assert (str(found) if isinstance(wanted, str) else found) == wanted


def test_a_full_specialisation_of_a_member_template():
    text = """struct A {
      template <typename T, index_t N, typename U = T> static constexpr auto f();
      template <> constexpr auto f<float, 4>() { return 14; }
      template <> constexpr auto f<double, 4>() { return 24; }
    };"""
    assert value("A::f<double, 4>()", text) == 24
    assert value("A::template f<float, 4, float>()", text) == 14


def test_an_assert_that_does_not_hold_is_refused():
    text = "struct A { static constexpr auto f(index_t n) { assert(n > 4); return n; } };"
    assert value("A::f(5)", text) == 5
    with refused(RejectedError):
        value("A::f(4)", text)


def test_lengths_do_not_count_where_a_type_is_asked_for():
    made = "make_naive_tensor_descriptor_packed(make_tuple(m, 8))"
    text = f"struct A {{ static auto f(index_t m) {{ return {made}; }} }};"
    assert value("remove_cvref_t<decltype(A::f(0))>::GetNumOfDimension()", text) == 2
    with refused(ImportFailedError, "1"):
        import_layout("a.hpp::A::f", {"m": 0}, index=index_of(f"namespace ck {{ {text} }}"))


def test_a_macro_of_another_header_stands_for_a_member():
    macro = "#define TWICE \\\n  static constexpr int twice() { return 2 * N; }\n"
    user = "namespace ck { template <int N> struct A {\n TWICE\n static constexpr int k = twice(); }; }"
    index = index_of(macro, user)
    interp = interpreter(index)
    assert interp.evaluate(read_expression("A<4>::k"), interp.space("ck")) == 8


def test_of_two_classes_of_one_name_the_one_that_the_header_includes():
    a, b = ("namespace ck { struct S { static constexpr int k = %d; }; }" % n for n in (1, 2))  # noqa: UP031
    user = '#include "ck/b.hpp"\nnamespace ck { constexpr int found = S::k; }'
    interp = interpreter(index_of(a, b, user))
    interp.preferred = "include/ck/c.hpp"
    assert interp.evaluate(read_expression("found"), interp.space("ck")) == 2


def test_the_class_of_a_function_is_bound_as_text():
    grid = """template <index_t M> struct Grid {
      static auto Make(index_t K) { return make_naive_tensor_descriptor_packed(make_tuple(M, K)); } };
      template <index_t N> struct Device { using GridwiseGemm = Grid<2 * N>; };"""
    index = index_of(f"namespace ck {{ {grid} }}")
    bindings = {"class": "ck::Device<16>::GridwiseGemm", "K": 8}
    assert import_layout("a.hpp::Grid::Make", bindings, index=index).layout.lengths == (32, 8)
    assert sorted(reached("ck::Device<16>", index).values()) == [
        "ck::Device<16>",
        "ck::Device<16>::GridwiseGemm",
    ]
    with refused(ImportFailedError, "Grid"):
        import_layout("a.hpp::Grid::Make", {"class": "ck::Device<16>", "K": 8}, index=index)


def test_instances_are_read_with_the_arguments_of_their_lists():
    index = index_of(
        "namespace ck { enum struct P { No, Yes }; template <P X, index_t N> struct DeviceA {}; }"
    )
    listed = "namespace ck { template <P X> using a_instances = std::tuple<DeviceA<X, 64>, DeviceA<X, 32>>; }"
    used = '#include "list.hpp"\nvoid f(I& i) { add(i, ck::a_instances<P::Yes>{}); }'
    found = Instances({"src/list.hpp": listed, "src/use.cpp": used}, index).of("DeviceA")
    assert [one.text for one in found] == ["ck::DeviceA<ck::P::Yes, 64>"]
    assert found[0].arguments == {"X": "ck::P::Yes", "N": "64"}


@pytest.mark.parametrize(
    ("path", "space"),
    [
        ("ck/a.hpp::S::f", "ck"),
        ("include/ck/a.hpp", "ck"),
        ("ck_tile/a.hpp", "ck_tile"),
        ("ops/gemm", "ck_tile"),
    ],
)
def test_a_path_says_the_library(path, space):
    assert library_of(path).space == space


def imports(part, index):
    rows = ordinals([b for b in builders(index) if part in b.file])
    for builder, ordinal in sorted(rows.items(), key=lambda row: row[0].declared.begin):
        target = f"{builder.file}::{builder.name}#{ordinal}"
        bindings = default_bindings(builder.file, builder.name, ordinal, index=index)
        yield attempt(target, bindings, index=index, spare=set(bindings))


@pytest.mark.slow
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch, or set LAYOUTALG_CK_ROOT")
@pytest.mark.parametrize(("part", "count"), SAMPLE, ids=[part.rpartition("/")[2] for part, _ in SAMPLE])
def test_functions_are_imported_with_the_shipped_bindings(part, count):
    index = old_headers("gfx942")
    found = list(imports(f"tensor_operation/gpu/{part}", index))
    assert sum(one.layout is not None for one in found) >= count, [one.message for one in found]

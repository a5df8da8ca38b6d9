"""What is printed is what is meant: every printer's text is read back, every node inside every other."""

from __future__ import annotations

import ctypes
import itertools
import random
import sys
from functools import cache

import numpy as np
import pytest
import sympy

from layoutalg import Domain, LayoutError, Proved, Refuted, evaluate, parse
from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.compile.toolchain import run as run_tool
from layoutalg.index import BitAnd, BitOr, BitXor, FloorDiv, FloorMod, Max, Min, Select, ShiftLeft, ShiftRight
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.index_code import IndexFunction, to_python
from layoutalg.proofs import prove
from layoutalg.proofs.certificates.claim_json import claim_of, json_of
from layoutalg.term import interpret_term
from layoutalg.term.as_terms import to_term
from tests.fuzz.oracle import value
from tests.latex_reader import python_of

DOMAIN = Domain.of({"x": 16, "y": 9, "t": 5})
X, Y, T = (DOMAIN[name] for name in "xyt")
POINTS = [dict(zip("xyt", point, strict=True)) for point in itertools.product((0, 3, 15), (0, 1, 8), (0, 4))]
NEITHER = sympy.Not(sympy.And(X < 3, sympy.Or(Y < 4, sympy.Ne(T, 1))), evaluate=False)
OPERATIONS = {  # of two operands that are not negative; the second is brought into reach where that is needed
    "+": lambda a, b: a + b,
    "+ reversed": lambda a, b: b + 3 * a,
    "-": lambda a, b: Max.unchecked(a - b, b - a),
    "- sum": lambda a, b: 8 + a - sympy.Integer(1) * Min.unchecked(b, 8),
    "*": lambda a, b: a * b,
    "* number": lambda a, b: 4 * a + 2 * b,
    "power": lambda a, b: a**2 + b,
    "//": lambda a, b: FloorDiv.unchecked(a, b + 1),
    "// of a difference": lambda a, b: FloorDiv.unchecked(a - b, 3) + b,
    "%": lambda a, b: FloorMod.unchecked(a, b + 1),
    "% of a difference": lambda a, b: FloorMod.unchecked(a - 2 * b, sympy.Integer(7)),
    "^": BitXor.unchecked,
    "^ of a sum": lambda a, b: BitXor.unchecked(8 - Min.unchecked(b, 8) + a, b),
    "&": BitAnd.unchecked,
    "|": BitOr.unchecked,
    "<<": lambda a, b: ShiftLeft.unchecked(a, FloorMod.unchecked(b, sympy.Integer(4))),
    ">>": lambda a, b: ShiftRight.unchecked(a, FloorMod.unchecked(b, sympy.Integer(4))),
    "min": Min.unchecked,
    "max": Max.unchecked,
    "select <": lambda a, b: Select.unchecked(sympy.Lt(a, b, evaluate=False), a, b),
    "select ==": lambda a, b: Select.unchecked(sympy.Eq(a, b, evaluate=False), a + 1, b),
    "select and": lambda a, b: Select.unchecked(sympy.And(X < 3, sympy.Ne(T, 1)), a, b),
    "select not and": lambda a, b: Select.unchecked(NEITHER, a, b),
    "select or not": lambda a, b: Select.unchecked(sympy.Or(X < 3, sympy.Not(sympy.Eq(T, 1))), a, b),
}


def nested():
    """Every operation inside every other, on its left, on its right and on both sides."""
    for outer, inner in itertools.product(OPERATIONS.values(), repeat=2):
        yield outer(inner(X, Y), T)
        yield outer(T, inner(X, Y))
        yield T + outer(inner(Y, T), inner(T, X))


def random_trees(count):
    draw = random.Random(5)

    def tree(depth):
        if not depth:
            return draw.choice((X, Y, T, sympy.Integer(draw.choice((0, 1, 3, 8)))))
        return draw.choice(list(OPERATIONS.values()))(tree(depth - 1), tree(draw.randrange(depth)))

    return [tree(3) for _ in range(count)]


FORMS = [form for form in [*nested(), *random_trees(150)] if not form.is_Integer]


@cache
def meanings(form):
    return evaluate(form, {name: np.array([point[name] for point in POINTS]) for name in "xyt"}).tolist()


def test_there_are_all():
    assert len(FORMS) > 1500


def differs(text_of, forms=FORMS):
    """Forms whose text is read as something else."""
    found = []
    for form in forms:
        text = text_of(form)
        got = [value(text, point) for point in POINTS]
        if got != meanings(form):
            found.append((form.args, text))
    return found


@pytest.mark.slow
def test_str_of_an_expression():
    assert not differs(str)


def test_str_of_a_choice_is_what_python_reads():
    """By Python itself: ``~True`` would be -2."""
    names = {"select": lambda condition, a, b: a if condition else b, "min": min, "max": max}
    for form in FORMS:
        code = compile(str(form), "<str>", "eval")
        assert [eval(code, {**names, **p}) for p in POINTS] == meanings(form), str(form)  # noqa: S307


def conditions(draw, depth):
    if not depth:
        comparison = draw.choice((sympy.Lt, sympy.Le, sympy.Gt, sympy.Eq, sympy.Ne))
        left = draw.choice((X, Y, BitXor.unchecked(X, T), X - 2 * Y))
        return comparison(left, draw.choice((T, Y + 1, sympy.Integer(3))), evaluate=False)
    if draw.random() < 0.3:
        return sympy.Not(conditions(draw, depth - 1), evaluate=False)
    joined = draw.choice((sympy.And, sympy.Or))
    return joined(*(conditions(draw, depth - 1) for _ in range(draw.choice((2, 3)))), evaluate=False)


@pytest.mark.slow
def test_conditions_of_a_choice_are_read_back_as_they_are():
    draw = random.Random(7)
    for _ in range(300):
        form = Select.unchecked(conditions(draw, draw.choice((0, 1, 2, 3))), X + 1, Y)
        if not isinstance(form, Select):
            continue
        text, again = str(form), parse(str(form), DOMAIN)
        assert not {"~", "&", "|"} & set(text)
        assert [eval(text, {"select": lambda c, a, b: a if c else b, **p}) for p in POINTS] == meanings(form)  # noqa: S307
        assert evaluate(again, {n: np.array([p[n] for p in POINTS]) for n in "xyt"}).tolist() == meanings(
            form
        )


def test_str_of_a_term():
    assert not differs(lambda form: str(to_term(form)))


@pytest.mark.slow
def test_str_is_read_back_by_parse():
    def again(form):
        return str(interpret_term(to_term(parse(str(form), DOMAIN)), SYMBOLIC, DOMAIN.__getitem__))

    assert not differs(again, FORMS[1::4])


@pytest.mark.slow
def test_latex():
    assert not differs(lambda form: python_of(sympy.latex(form)))


def test_python():
    for form in FORMS:
        text = to_python(form)
        code = compile(text, "<python>", "eval")
        assert [eval(code, dict(p)) for p in POINTS] == meanings(form), text  # noqa: S307  the text is our own


@pytest.mark.slow
def test_c(tmp_path):
    functions = {}
    for number, form in enumerate(FORMS[::6]):
        try:
            made = IndexFunction.of_expression(form, DOMAIN, f"f{number}")
            made.text("c")
            functions[made.formulas.name] = made, form
        except LayoutError:  # C would round what may be negative towards zero
            continue
    assert len(functions) > 200
    require_same(functions, tmp_path)


@pytest.mark.slow
def test_c_of_numbers_that_may_be_negative(tmp_path):
    """Divided by powers of two, which shifts and masks do as we round."""
    four, eight = sympy.Integer(4), sympy.Integer(8)
    forms = [
        operation(number, divisor) + added
        for operation in (FloorDiv.unchecked, FloorMod.unchecked)
        for number in (X - 2 * Y, 3 - X * Y, -X, T - X + BitXor.unchecked(X, Y))
        for divisor in (four, eight)
        for added in (0, X)
    ]
    functions = {}
    for number, form in enumerate(forms):
        made = IndexFunction.of_expression(form, DOMAIN, f"f{number}")
        assert "/" not in made.text("c").split("return", 1)[1]
        functions[made.formulas.name] = made, form
    require_same(functions, tmp_path)


def require_same(functions, tmp_path):
    """Compiled, each gives what its form means."""
    source, built = tmp_path / "forms.c", tmp_path / "forms.so"
    source.write_text("\n".join(exported(name, made) for name, (made, _) in functions.items()))
    flags = ["-O1", "-shared", "-fPIC"]
    run_tool([sys.executable, "-m", "ziglang", "cc", *flags, "-o", str(built), str(source)])
    library = ctypes.CDLL(str(built))
    for name, (made, form) in functions.items():
        compiled = getattr(library, f"get_{name}")
        compiled.restype = ctypes.c_int64
        compiled.argtypes = [ctypes.c_int64] * len(made.formulas.inputs)
        found = [compiled(*(p[n] for n in made.formulas.inputs)) for p in POINTS]
        assert found == meanings(form), made.text("c")


def exported(name, made):
    """The function of a form, and one around it that a library exports."""
    names = made.formulas.inputs
    arguments = ", ".join(f"int64_t {n}" for n in names) or "void"
    return (
        f"{made.text('c')}\nint64_t get_{name}({arguments}) {{ return {name}_offset({', '.join(names)}); }}\n"
    )


@pytest.mark.slow
def test_json():
    for form in FORMS[::5]:
        claim = Claim("c", "s", DOMAIN, (Comparison(form, "<=", X),), (sympy.Le(X, form, evaluate=False),))
        again = claim_of(json_of(claim))
        assert meanings(again.then[0].left) == meanings(form)
        wanted = [evaluate(claim.when[0], p) for p in POINTS]
        assert [evaluate(again.when[0], p) for p in POINTS] == wanted


@pytest.mark.slow
def test_smt():
    """At a single point a solver must find the value itself, and refute the next."""
    single = Domain.of({"x": (13, 14), "y": (6, 7), "t": (3, 4)})
    names = {DOMAIN[name]: single[name] for name in "xyt"}
    for form in FORMS[3::41]:
        side = form.xreplace(names)
        number = sympy.Integer(evaluate(side, {"x": 13, "y": 6, "t": 3}))
        for member in ("z3 integers", "z3 words"):
            for wanted, kind in ((number, Proved), (number + 1, Refuted)):
                claim = Claim("c", "s", single, (Comparison(side, "==", wanted),))
                assert isinstance(prove(claim, members=[member]), kind), (form, member)

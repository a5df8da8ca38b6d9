"""The package as a user meets it: what it names, how its values behave, what a type checker makes of it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
import sympy

import layoutalg as la
from tests.refusals import refused

ROOT = Path(__file__).parents[2]
CLASSES = [value for name in la.__all__ if inspect.isclass(value := getattr(la, name))]
ROWS = la.make_naive_tensor_descriptor((256, 128), (136, 1)).unmerge(0, (4, 64))


def kinds(cls):
    """Every public attribute of a class, and whether it is called or read."""
    for base in cls.__mro__:
        if base.__module__.startswith("layoutalg"):
            for name in {*vars(base), *vars(base).get("__annotations__", {})}:
                if not name.startswith("_"):
                    found = vars(base).get(name)
                    yield name, inspect.isfunction(getattr(found, "__func__", found))


def test_a_name_is_a_property_or_a_method_on_every_class_alike():
    places = defaultdict(set)
    for cls in CLASSES:
        for name, is_method in kinds(cls):
            places[name].add((is_method, cls.__name__))
    both = {name: sorted(found) for name, found in places.items() if len({m for m, _ in found}) > 1}
    assert both == {}


def test_dir_is_the_api():
    assert dir(la) == sorted({*la.__all__, *la.ROOMS})
    assert all(hasattr(la, name) for name in dir(la))
    assert {"prove", "show", "simplify", "one_to_one", "make_naive_tensor_descriptor"} <= set(dir(la))


def test_a_misspelt_name_gets_the_nearest():
    script = "import layoutalg as la; la.make_naive_tensor_descripter"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "Did you mean: 'make_naive_tensor_descriptor'?" in done.stderr


@pytest.mark.parametrize("name", [n for n in la.__all__ if callable(getattr(la, n))])
def test_help_shows_an_example(name):
    assert ">>> " in (inspect.getdoc(getattr(la, name)) or "")


def test_importing_loads_no_solver_and_no_picture():
    script = (
        "import sys, layoutalg; print(sorted({'z3', 'drawsvg', 'networkx', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_version_is_one():
    from importlib.metadata import version  # noqa: PLC0415  asked of the installed package

    assert la.__version__ == version("layoutalg")
    done = subprocess.run(
        [sys.executable, "-m", "layoutalg", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"layoutalg {la.__version__}\n"


def test_a_descriptor_is_called_with_what_one_has():
    i, j, k = np.indices(ROWS.lengths)
    assert (ROWS(i, j, k) == ROWS.calculate_offset((i, j, k))).all()
    assert ROWS(1, 3, 2) == ROWS((1, 3, 2)) == 9114
    tid = sympy.Symbol("tid", integer=True, nonnegative=True)
    at = ROWS(1, tid, 2)
    assert all(at.subs(tid, t) == ROWS(1, t, 2) for t in range(64))
    M, K = la.sizes("M K")
    assert la.make_naive_tensor_descriptor((M, K), (K, 1))(2, 3) == 2 * K + 3


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: ROWS(1, 3), "3 2"),
        (lambda: ROWS(1, 64, 2), "1 64 2 4 128"),
        (lambda: ROWS(1, -1, 2), ""),
        (lambda: ROWS(np.arange(5), 0, 0), ""),
        (lambda: ROWS(1, "x", 2), ""),
        (lambda: ROWS(np.arange(4), sympy.Symbol("x"), 0), ""),
    ],
)
def test_an_index_that_does_not_fit_is_refused(call, facts):
    with refused(la.LayoutError, *facts.split()):
        call()


# A class whose constructor takes SymPy's conditions, which have no type.
SYMPY = {'Expression type contains "Any" (has type "type[Domain]")  [misc]'}
PROGRAM = ROOT / "tests" / "typed_program.py"


@pytest.mark.long
def test_a_typed_program_sees_no_any_of_ours(tmp_path):
    """``--disallow-any-expr`` on a user's program: what it reports is SymPy's, which ships no types."""
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\ndisallow_any_expr = true\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(config), "--no-error-summary", str(PROGRAM)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    reported = {line.partition("error: ")[2] for line in done.stdout.splitlines() if PROGRAM.name in line}
    assert reported == SYMPY, done.stdout

"""The house: which room may import which, held by reading the source.

Every import counts: at the top of a file, inside a function, and for annotations only.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"layoutalg": "layoutalg", "proofs": "layoutalg.proofs", "codegen": "layoutalg.codegen"}
# A room (a folder of layoutalg, or a file of its own) imports rooms before it, never one behind it.
ROOMS = (
    *("errors", "extras", "files", "display", "reading", "index", "length", "machine", "data_type"),
    *("term", "domain", "claim", "verdict", "rules", "index_code", "transforms", "descriptor"),
    *("distribution", "layout", "mma", "memory", "tensor", "properties", "tile"),
    *("codegen", "proofs", "ck", "check", "pictures", "cli"),
)
APART = (("proofs", "codegen"), ("codegen", "proofs"))  # neither imports the other
# Files that name each other's types and nothing else: rules are found by functions of a normal form.
TYPES_IN_A_CIRCLE = {"layoutalg.rules"}
# Imports inside functions: a command loads what it needs, nothing loads a solver or a picture unasked.
LATE = {
    "layoutalg": "pictures",
    "layoutalg.cli": "a command loads what it needs",
    "layoutalg.check.build": "CK's headers",
    "layoutalg.descriptor.descriptor": "index code, which few who import the package want",
    "layoutalg.check.decide": "the solvers",
    "layoutalg.check.file_layouts": "the solvers",
    "layoutalg.check.named_layouts": "CK's headers, the schema",
    "layoutalg.check.sources": "CK's headers",
    "layoutalg.check.pytest_plugin": "every run of pytest loads it",
}
OUTSIDE = {  # third-party packages a part may import
    "layoutalg.proofs": {"sympy", "numpy", "z3", "cvc5"},
    "layoutalg.codegen": {
        *("sympy", "numpy", "jsonschema", "msgpack", "elftools", "hip", "torch", "cupy", "triton"),
    },
    "layoutalg.pictures": {
        *("drawsvg", "networkx", "sympy", "numpy", "latex2mathml", "pygments", "jinja2"),
        *("resvg_py", "matplotlib", "anywidget", "traitlets"),
    },
    "layoutalg.check": {"sympy", "numpy", "jsonschema", "junitparser", "pytest"},
    "layoutalg.ck.package_index": {"pypi_simple", "packaging", "requests"},
    "layoutalg.ck": {"sympy", "numpy"},
    "layoutalg.cli": {"typer", "rich", "sympy", "numpy"},
    "layoutalg": {"sympy", "numpy"},
}
ABOUT = {"layoutalg.rules", "layoutalg.pictures.views", "layoutalg.cli"}  # of what another file defines
FAMILIES = "layoutalg.codegen.kernels."
FILE_LINES = 800  # above this a reader wants to know why it is one file
FUNCTION_LINES = 60  # a screen of a laptop


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found: dict[str, Path] = {}
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            if "__pycache__" not in parts and not (folder == "layoutalg" and parts[0] in FOLDERS):
                found[".".join((package, *parts)).removesuffix(".__init__")] = path
    return found


MODULES = modules()
PACKAGES = {module for module, path in MODULES.items() if path.name == "__init__.py"}


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imports(module: str) -> dict[str, set[str]]:
    """What a module imports, by how: ``top``, ``late`` (inside a function), ``types`` (for annotations)."""
    tree = tree_of(module)
    blocks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)]
    types = {id(node) for block in blocks for node in ast.walk(block)}
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    late = {id(node) for function in functions for node in ast.walk(function)}
    found: dict[str, set[str]] = {"top": set(), "late": set(), "types": set()}
    for node in ast.walk(tree):
        how = found["types" if id(node) in types else "late" if id(node) in late else "top"]
        if isinstance(node, ast.Import):
            how |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            how |= (full & MODULES.keys()) or {node.module}
    return {how: names - {module} for how, names in found.items()}


@cache
def all_imports() -> dict[str, dict[str, set[str]]]:
    """What each module imports; read once, and not before a test asks."""
    return {module: imports(module) for module in MODULES}


@cache
def ours() -> dict[str, set[str]]:
    """The modules of the package that each module imports."""
    return {
        module: {name for names in found.values() for name in names if name in MODULES}
        for module, found in all_imports().items()
    }


def room(module: str) -> str:
    """The part of ``layoutalg`` that a module belongs to."""
    return [*module.split("."), ""][1]


def circles(graph: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Sets of nodes that reach each other."""
    edges = nx.DiGraph({node: list(others) for node, others in graph.items()})
    return [set(found) for found in nx.strongly_connected_components(edges) if len(found) > 1]


def test_every_room_has_its_place():
    rooms = {room(module) for module in MODULES} - {"", "__main__"}
    assert rooms == set(ROOMS)
    assert len([p for p in (ROOT / "layoutalg").glob("*.py") if not p.name.startswith("__")]) <= 8


@pytest.mark.parametrize("part", ROOMS)
def test_imports_go_one_way_down(part):
    for module in (m for m in MODULES if room(m) == part):
        for other in ours()[module] - {"layoutalg"}:
            assert ROOMS.index(room(other)) <= ROOMS.index(part), f"{module} imports {other}"
            assert (part, room(other)) not in APART, f"{module} imports {other}"
    faces = {m for m in MODULES if "layoutalg" in ours()[m] and room(m) not in ("", "cli")}
    assert not faces, "only what stands above all rooms imports the package's face"


def test_no_circle_of_files():
    for circle in circles(ours()):
        folders = {module.rpartition(".")[0] for module in circle}
        assert folders <= TYPES_IN_A_CIRCLE, sorted(circle)
    loaded = {m: (found["top"] | found["late"]) & MODULES.keys() for m, found in all_imports().items()}
    assert circles(loaded) == []


def test_no_circle_of_folders():
    """A file beside folders counts as a room of its own."""
    mixed = {p for p in PACKAGES if any(other.rpartition(".")[0] == p for other in PACKAGES)}

    def folder(module: str) -> str:
        package = module if module in PACKAGES else module.rpartition(".")[0]
        return module if package in mixed else package

    graph: dict[str, set[str]] = defaultdict(set)
    for module, others in ours().items():
        graph[folder(module)] |= {folder(other) for other in others} - {folder(module)}
    assert circles(graph) == []


def test_late_imports_hold_something_apart():
    for module, found in all_imports().items():
        if found["late"] & MODULES.keys():
            package = module.rpartition(".")[0]
            assert module in LATE or (package in LATE and package != "layoutalg"), module


def test_each_part_uses_only_its_libraries():
    standard = set(sys.stdlib_module_names) | {"layoutalg", "__future__"}
    for module, found in all_imports().items():
        part = next(part for part in OUTSIDE if module.startswith(part))
        outside = {name.split(".")[0] for name in found["top"] | found["late"]} - standard
        assert outside <= OUTSIDE[part], module


def test_a_name_stands_for_one_idea():
    """Two files have one name where they are about one thing: its rules, its view, its command."""
    places = defaultdict(list)
    for module in MODULES.keys() - PACKAGES:
        folder, _, name = module.rpartition(".")
        places[name].append(folder)
    for name, folders in places.items():
        others = [folder for folder in folders if folder not in ABOUT and not folder.startswith(FAMILIES)]
        in_families = any(folder.startswith(FAMILIES) for folder in folders)
        assert len(others) + in_families <= 1, f"{name}: {folders}"


def test_processes_are_started_in_one_file():
    users = [m for m, found in all_imports().items() if "subprocess" in found["top"] | found["late"]]
    assert users == ["layoutalg.codegen.compile.toolchain"]


def says_why_it_is_one_concept(tree: ast.Module) -> bool:
    """Whether the docstring of a file says ``One concept: ...``."""
    return "One concept:" in (ast.get_docstring(tree) or "")


def long_functions(tree: ast.Module) -> list[str]:
    """The functions, methods and coroutines of more than 60 lines."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES]


def test_long_files_say_why_and_functions_stay_small():
    """A file has no ceiling: one concept is one file. Above 800 lines its docstring says why it is one."""
    for module, path in MODULES.items():
        name, lines = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8").count("\n")
        assert lines <= FILE_LINES or says_why_it_is_one_concept(tree_of(module)), name
        assert not long_functions(tree_of(module)), name


def test_a_long_function_and_a_long_file_without_a_reason_are_found():
    body = "    pass\n" * (FUNCTION_LINES - 1)
    assert long_functions(ast.parse(f"def short():\n{body}")) == []
    assert long_functions(ast.parse(f"def long():\n    pass\n{body}")) == ["long"]
    assert long_functions(
        ast.parse(f"class A:\n    async def long():\n{body}    pass\n".replace("    pass", "        pass"))
    ) == ["long"]
    assert not says_why_it_is_one_concept(ast.parse('"""A table."""'))
    assert says_why_it_is_one_concept(ast.parse('"""A table.\n\nOne concept: a row an instruction."""'))


def test_circles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"e"}, "e": set()}
    assert circles(graph) == [{"a", "b", "c"}]

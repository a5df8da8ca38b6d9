"""Imports go one way: the table of the design, held by reading the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VALUES = "value modules"
LAYERS = {  # a part, and what it may import of this package besides itself
    "errors": set(),
    "index": {"errors"},
    "input_limits": {"errors"},
    "recursion": {"errors"},
    "near_names": {"errors"},
    "balance": set(),
    "tokens": {"errors", "input_limits"},
    "polynomial": set(),
    "atoms": {"polynomial"},
    "digits": {"atoms", "polynomial"},
    "samples": {"atoms", "polynomial"},
    "interval": set(),
    "bounds": {"atoms", "digits", "interval", "polynomial", "samples"},
    "arithmetic": {"errors"},
    "symbolic": {"arithmetic", "index"},
    "fold": {"arithmetic", "index", "errors"},
    "term": {"arithmetic", "balance", "errors"},
    "term_size": {"input_limits", "term"},
    "cost": {"term"},
    "evaluate": {"index", "errors", "input_limits"},
    "shown": {"show"},
    "verdict": {"shown"},
    "target_name": {"errors", "near_names"},
    "data_type": {"errors", "target_name"},
    "variable": {"errors"},
    "machine": {"errors", "length", "data_type", "distribution", "shown", "target_name"},
    "files": set(),
}
OUTSIDE = {  # third-party packages a part may import
    "layoutalg": {"sympy", "numpy"},
    "proofs": {"sympy", "numpy", "z3", "cvc5"},
    "codegen": {"sympy", "numpy", "jsonschema", "msgpack", "elftools", "hip", "torch", "cupy"},
    "layoutalg/show": {
        *("drawsvg", "networkx", "sympy", "numpy", "cmap", "latex2mathml", "pygments", "jinja2"),
        *("resvg_py", "matplotlib", "anywidget", "traitlets"),
    },
    "layoutalg/check": {"sympy", "numpy", "jsonschema", "junitparser", "pytest"},
    "layoutalg/ck": {"sympy", "numpy"},
    "layoutalg/cli": {"typer", "rich", "sympy", "numpy"},
}
ABOVE = {"show", "check", "cli", "ck"}
LATE = {
    ("layoutalg/domain/domain.py", "rules"),
    ("layoutalg/domain/domain.py", "parse"),
}  # inside one method each


def sources(folder: str) -> list[Path]:
    found = [p for p in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in p.parts]
    if folder == "layoutalg":
        found = [p for p in found if p.relative_to(ROOT).parts[1] not in {"proofs", "codegen", *ABOVE}]
    return found


def imported(path: Path) -> set[str]:
    """Dotted names of all modules a file imports, but for annotations only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    names: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


STANDARD = set(__import__("sys").stdlib_module_names) | {"layoutalg", "__future__"}


@pytest.mark.parametrize("folder", OUTSIDE)
def test_each_part_uses_only_its_libraries(folder: str) -> None:
    for path in sources(folder):
        outside = {module.split(".")[0] for module in imported(path)} - STANDARD
        assert outside <= OUTSIDE[folder], name(path)


def test_nothing_below_imports_the_prover_the_generator_or_the_surface() -> None:
    for path in sources("layoutalg"):
        parts = {module.split(".")[1] for module in imported(path) if module.startswith("layoutalg.")}
        forbidden = parts & {"proofs", "codegen", *ABOVE}
        assert not forbidden or path.name in {"__main__.py", "shown.py"}, name(path)


def test_prover_and_generator_never_import_each_other() -> None:
    for folder, other in (("proofs", "codegen"), ("codegen", "proofs")):
        for path in sources(folder):
            assert not any(m.startswith(f"layoutalg.{other}") for m in imported(path)), name(path)
            parts = {m.split(".")[1] for m in imported(path) if m.startswith("layoutalg.")}
            assert not parts & ABOVE, name(path)


def test_values_import_only_what_is_left_of_them() -> None:
    for path in sources("layoutalg"):
        part = path.relative_to(ROOT / "layoutalg").parts[0].removesuffix(".py")
        if part not in LAYERS:
            continue
        parts = {m.split(".")[1] for m in imported(path) if m.startswith("layoutalg.")} - {part}
        assert parts <= LAYERS[part], name(path)


def test_processes_are_started_in_one_file() -> None:
    users = [p for f in ("layoutalg", "proofs", "codegen") for p in sources(f) if "subprocess" in imported(p)]
    assert [name(path) for path in users] == ["codegen/compile/toolchain.py"]


def test_no_cycle_between_modules_that_load_each_other() -> None:
    """Modules of transforms and rules import downwards only, counting top-level imports."""
    graph: dict[str, set[str]] = {}
    for path in sources("layoutalg"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        graph[module] = {
            name
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
            for name in (f"{node.module}.{alias.name}", node.module)
        }
    modules = set(graph)
    for module, names in graph.items():  # a submodule imported by name is not its package
        packages = {n.rpartition(".")[0] for n in names if n in modules}
        graph[module] = (names & modules) - {p for p in packages if p == module.rpartition(".")[0]}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"cycle: {' -> '.join((*trail, module))}"
        if module in done:
            return
        for following in sorted(graph.get(module, set())):
            if following in graph:
                visit(following, (*trail, module))
        done.add(module)

    for module in graph:
        visit(module, ())


def test_files_and_functions_stay_small() -> None:
    """A file over 250 lines or a function over 40 holds more than one concept; tables may be longer."""
    tables = {"codegen/gfx9/vector_rows.py"}
    for folder in ("layoutalg", "proofs", "codegen", "layoutalg/cli", "layoutalg/show", "layoutalg/ck"):
        for path in sources(folder):
            text = path.read_text(encoding="utf-8")
            assert text.count("\n") <= 400 or name(path) in tables, name(path)
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                    assert node.end_lineno - node.lineno < 45, f"{name(path)}: {node.name}"

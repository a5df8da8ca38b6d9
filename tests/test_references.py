"""What a docstring or a page refers to is there: modules, classes and functions by their dotted names."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("layoutalg", "proofs", "codegen", "notebooks")
FILES = [
    ROOT / "README.md",
    *(p for f in FOLDERS for p in (ROOT / f).rglob("*") if p.suffix in {".py", ".ipynb"}),
]
ROLE = re.compile(r":(?:mod|func|class|meth|attr|data):`~?(layoutalg[\w.]+)`|``?(layoutalg(?:\.\w+)+)``?")


def is_there(name):
    """Whether a dotted name is that of a module, or of something in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def references():
    """Every name that is referred to, with the first file that does."""
    found: dict[str, str] = {}
    for path in FILES:
        for groups in ROLE.findall(path.read_text(encoding="utf-8")):
            found.setdefault(groups[0] or groups[1], str(path.relative_to(ROOT)))
    return found


@pytest.mark.parametrize(("name", "file"), references().items())
def test_what_is_referred_to_is_there(name, file):
    assert is_there(name), f"{file} refers to {name}"


def test_a_name_that_is_not_there_is_seen():
    assert not is_there("layoutalg.term.parse.parse")

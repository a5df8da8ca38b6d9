"""The files of the catalogue and their wrong twins.

>>> len(names()) == len(twins())
True
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Twin", "names", "text_of", "twins"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Twin:
    """A file with ``old`` replaced by ``new``, of which the claim ``refuted`` does not hold."""

    name: str
    old: str
    new: str
    refuted: str

    @property
    def text(self) -> str:
        text = text_of(self.name)
        assert text.count(self.old) == 1, (
            f"{self.name}: {self.old!r} stands in it {text.count(self.old)} times"
        )
        return text.replace(self.old, self.new)


def names() -> list[str]:
    """The files, as ``kind/name``."""
    found = HERE.rglob("*.layout.toml")
    return sorted(str(path.relative_to(HERE)).removesuffix(".layout.toml") for path in found)


def text_of(name: str) -> str:
    return (HERE / f"{name}.layout.toml").read_text(encoding="utf-8")


def twins() -> list[Twin]:
    table = tomllib.loads((HERE / "twins.toml").read_text(encoding="utf-8"))
    return [Twin(name, **row) for name, row in sorted(table.items())]

"""Tables that remember which of their names were asked for.

>>> seen = set()
>>> Watched({"kM": 64, "kN": 8}, seen, "Problem.")["kM"], seen
(64, {'Problem.kM'})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Watched"]


class Watched(dict[str, Any]):
    """A table of values that adds to ``seen`` the names that were asked for, with a prefix."""

    def __init__(self, values: Mapping[str, Any], seen: set[str], prefix: str = "") -> None:
        super().__init__(values)
        self.seen = seen
        self.prefix = prefix

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        self.seen.add(self.prefix + name)
        return found

    def get(self, name: str, default: Any = None) -> Any:
        """The value, noted as used if there is one."""
        if name not in self:
            return default
        return self[name]

"""What came of a claim, as plain data: it travels between processes and into every report.

>>> finding = Finding("a.layout.toml", 3, "rows", "LA201", "one-to-one: rows", "proved", by="digits")
>>> Finding.from_json(finding.as_json()) == finding
True
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

__all__ = ["GOOD", "MAY_BE_KNOWN", "SAID", "WORST_FIRST", "Finding", "Status"]

Status = Literal["proved", "refuted", "found", "unknown", "unconfirmed", "error", "clean", "note"]
WORST_FIRST: tuple[Status, ...] = (
    *("error", "refuted", "found", "unconfirmed", "unknown", "proved", "clean", "note"),
)
GOOD: tuple[Status, ...] = ("proved", "clean", "note")
MAY_BE_KNOWN: tuple[Status, ...] = ("refuted", "found", "unconfirmed", "unknown")  # what a baseline may hold
SAID = {"unconfirmed": "proved, not confirmed"}  # where a status is not its own word


@dataclass(frozen=True)
class Finding:
    """A claim and its verdict, or an error of a file (``status`` error, code LA001).

    ``unconfirmed``: proved, and a second checker that was asked for did not confirm it; ``note``: no claim,
    but something to know of a layout. Of a kernel that was run: ``found`` a mistake, or ``clean``.

    ``summary`` is one sentence, ``details`` the lines that explain a refutation. ``seconds`` is what deciding
    took; ``certificate`` is there if it was asked for.
    """

    file: str
    line: int
    layout: str
    code: str
    claim: str
    status: Status
    by: str = ""
    summary: str = ""
    details: tuple[str, ...] = ()
    point: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    is_cached: bool = False
    certificate: dict[str, Any] | None = None

    @property
    def fingerprint(self) -> str:
        """What stays the same while lines move: of file, layout, code and claim."""
        text = f"{self.file}\n{self.layout}\n{self.code}\n{self.claim}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def verdict(self) -> str:
        """The status in words."""
        return SAID.get(self.status, self.status)

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: Any) -> Finding:
        """The finding of a JSON value.

        Raises :class:`ValueError` where the value is none.
        """
        fitting = isinstance(content, dict) and set(content) == {row.name for row in fields(cls)}
        if not fitting or not all(_fits(content[name], kind) for name, kind in KINDS.items()):
            raise ValueError(f"no finding: {str(content)[:60]}")
        return cls(**{**content, "details": tuple(content["details"])})


KINDS: dict[str, Any] = {
    **dict.fromkeys(("file", "layout", "code", "claim", "status", "by", "summary"), str),
    "line": int,
    "details": list,
    "point": dict,
    "seconds": float | int,
    "is_cached": bool,
    "certificate": dict | None,
}


def _fits(value: Any, kind: Any) -> bool:
    """Whether a JSON value is of a kind; lists are of texts."""
    if isinstance(value, tuple | list) and kind is list:
        return all(isinstance(part, str) for part in value)
    return isinstance(value, kind)

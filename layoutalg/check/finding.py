"""What came of a claim, as plain data: it travels between processes and into every report.

>>> finding = Finding("a.layout.toml", 3, "rows", "LA201", "one-to-one: rows", "proved", by="digits")
>>> Finding.from_json(finding.as_json()) == finding
True
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = ["Finding", "Status"]

Status = Literal["proved", "refuted", "unknown", "error"]


@dataclass(frozen=True)
class Finding:
    """A claim and its verdict, or an error of a file (``status`` error, code LA001).

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
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Finding:
        return cls(**{**content, "details": tuple(content["details"])})

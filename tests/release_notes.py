"""What a release says of itself: ``python -m tests.release_notes`` prints its section of the changelog.

With ``--version`` it prints the version. It imports Python's own modules alone, so a bare machine runs it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["notes", "released", "version"]

ROOT = Path(__file__).parent.parent
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
DATED = re.compile(r"(\S+) \(\d{4}-\d\d-\d\d\)")


def version(source: str) -> str:
    """The version that the package states.

    >>> version('__version__ = "1.2.3"')
    '1.2.3'
    """
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if found is None:
        raise SystemExit("layoutalg/__init__.py states no __version__")
    return found[1]


def released(changelog: str) -> list[str]:
    """The versions whose sections have a date, as they stand.

    >>> released("## Unreleased\\n\\n## 0.2.0 (2026-11-29)\\n\\n## 0.1.0\\n")
    ['0.2.0']
    """
    return [found[1] for heading in HEADING.findall(changelog) if (found := DATED.fullmatch(heading))]


def notes(changelog: str, wanted: str) -> str:
    """What stands below the heading of a version, up to the next heading.

    >>> notes("## 0.2.0 (2026-11-29)\\n\\nIt is faster.\\n\\n## 0.1.0\\n", "0.2.0")
    'It is faster.'
    """
    _, *sections = HEADING.split(changelog)
    for heading, text in zip(sections[::2], sections[1::2], strict=True):
        found = DATED.fullmatch(heading)
        if found and found[1] == wanted and text.strip():
            return text.strip()
    raise SystemExit(
        f'CHANGELOG.md has no text below a heading "## {wanted} (YEAR-MONTH-DAY)": write it first'
    )


if __name__ == "__main__":
    this = version((ROOT / "layoutalg" / "__init__.py").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    print(this if sys.argv[1:] == ["--version"] else notes(changes, this))

"""The command that installs what an optional part needs, wherever this package came from.

A checkout, a wheel and an action know the package by different names; what an extra consists of has one.

>>> install_command("cluster")
"pip install 'distributed>=2024.1'"
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

__all__ = ["install_command"]

NAME = "layoutalg"


def install_command(extra: str) -> str:
    """The command, as the installed package states its extras; that of a checkout where none is installed."""
    try:
        rows = requires(NAME) or []
    except PackageNotFoundError:
        rows = []
    wanted = re.compile(rf"""(?P<package>[^;]+?)\s*;\s*extra\s*==\s*["']{re.escape(extra)}["']""")
    found = [row["package"].replace(" ", "") for text in rows if (row := wanted.fullmatch(text))]
    return (
        f"pip install {' '.join(map(_quoted, found))}" if found else f"pip install '.[{extra}]' in a checkout"
    )


def _quoted(package: str) -> str:
    """Quoted where a shell would take a sign of it for its own."""
    return f"'{package}'" if re.search(r"[<>\[\]*]", package) else package

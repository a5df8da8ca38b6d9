"""Values that notebooks display: the one place where a value asks for its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Shown"]


class Shown:
    """A value with a picture: IPython asks for it by ``_repr_mimebundle_``."""

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        """HTML, SVG, LaTeX and text by MIME type."""
        from layoutalg.show.mimebundle import mimebundle  # noqa: PLC0415  pictures load only when looked at

        return mimebundle(self, include, exclude)

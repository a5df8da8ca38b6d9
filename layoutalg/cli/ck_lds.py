"""The part of ``layoutalg ck check`` about shared memory: the accesses to a layout, judged phase by phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from layoutalg.check.lds_access import JudgedAccess, judged_accesses
from layoutalg.ck import Index
from layoutalg.ck.import_target import Target
from layoutalg.ck.lds_pairs import Direction, LdsPartner, is_lds_name, target_beside
from layoutalg.errors import LayoutError

__all__ = ["LdsQuestion", "LdsReport", "lds_report"]


@dataclass(frozen=True)
class LdsQuestion:
    """What is asked: a layout of shared memory, and who writes and reads it if the caller says so."""

    target: str
    writer: str | None = None
    reader: str | None = None
    element: str | None = None
    width: int | None = None
    defaults: bool = False

    @property
    def partners(self) -> list[LdsPartner] | None:
        """The distributions that are named; None to pair by CK's names."""
        return list(self._named()) or None

    def _named(self) -> Iterator[LdsPartner]:
        both: tuple[tuple[Direction, str | None], ...] = (("write", self.writer), ("read", self.reader))
        for direction, named in both:
            if named is not None:
                full = target_beside(self.target, named)
                yield LdsPartner(full, Target.of(full).name, direction)


@dataclass(frozen=True)
class LdsReport:
    """A part for each access, whether all that are judged are proved, and which bindings were read for it."""

    text: str
    is_free: bool
    read: frozenset[str] = frozenset()


def lds_report(ask: LdsQuestion, bindings: Mapping[str, Any], index: Index) -> LdsReport:
    """What is to be said of the accesses to a layout of shared memory; nothing for other layouts.

    An access that the caller names must be judged: that it is not is an error.
    """
    partners = ask.partners
    if partners is None and not is_lds_name(ask.target):
        if ask.element is None and ask.width is None:
            return LdsReport("", is_free=True)
        raise LayoutError("--element and --width are for layouts of LDS", hint="name a --writer or --reader")
    found = judged_accesses(
        ask.target,
        bindings,
        index=index,
        partners=partners,
        element=ask.element,
        width=ask.width,
        defaults=ask.defaults,
    )
    judged = [one for one in found if isinstance(one, JudgedAccess)]
    is_free = all(one.is_proved for one in judged) and (partners is None or len(judged) == len(found))
    read = frozenset(name for one in found for name in one.read)
    return LdsReport("\n".join(map(str, found)), is_free, read)

"""What can go wrong with an import: it needs bindings, CK rejects it, or it is not understood."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from layoutalg.errors import LayoutError, LimitError
from layoutalg.reading.recursion import deeply

__all__ = [
    "AmbiguousError",
    "AssertionFailedError",
    "ImportFailedError",
    "MissingMemberError",
    "NeedsBindingError",
    "NotUnderstoodError",
    "RejectedError",
    "UndeclaredError",
    "UnusedBindingError",
    "nested_code",
]

FRAMES = 20_000  # C++ nests deeper than index expressions do


class ImportFailedError(LayoutError):
    """An import that gives no layout: where, through which calls, and what would help."""

    verdict = "not understood"
    read: frozenset[str] = frozenset()  # the bindings that were read before it failed

    def __init__(self, message: str, place: str = "", *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.place = place
        self.chain: tuple[str, ...] = ()

    def full_text(self) -> str:
        """One line, then the chain of calls, innermost first."""
        head = f"{self.verdict}: {self.message}"
        lines = [f"{head} ({self.place})" if self.place else head]
        lines += [f"  in {call}" for call in self.chain]
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


class NeedsBindingError(ImportFailedError):
    """A value that only the caller can give is not bound; ``name`` is the key to bind."""

    verdict = "needs bindings"

    def __init__(
        self, message: str, place: str = "", *, name: str = "", hint: str = "", is_type: bool = False
    ) -> None:
        super().__init__(message, place, hint=hint)
        self.name = name
        self.is_type = is_type


class UnusedBindingError(ImportFailedError):
    """A binding of the caller that nothing read."""

    verdict = "unused binding"


class RejectedError(ImportFailedError):
    """Something that the C++ compiler rejects too: a static_assert, a missing function."""

    verdict = "rejected by CK"
    is_hard = False  # whether it ends the import although another overload might fit


class AssertionFailedError(RejectedError):
    """A ``static_assert`` that does not hold."""

    is_hard = True


class MissingMemberError(RejectedError):
    """A class without the member that was asked for.

    Where a template argument asks, the overload or specialisation is left out, as in C++ (SFINAE).
    """


class NotUnderstoodError(ImportFailedError):
    """C++ that the interpreter cannot evaluate."""


class OtherSpecialisationError(NotUnderstoodError):
    """A function of a specialisation that the bound arguments do not choose."""


class UndeclaredError(NotUnderstoodError):
    """A name that stands nowhere: not in the headers, and not among the bindings."""

    def __init__(self, name: str, place: str = "", *, hint: str = "") -> None:
        super().__init__(f"{name} is declared nowhere in the headers", place, hint=hint)
        self.name = name


class AmbiguousError(NotUnderstoodError):
    """More than one overload, specialisation or definition fits, and none of them best."""


@contextmanager
def nested_code() -> Iterator[None]:
    """Room for recursion over C++ code, which nests deeper than index expressions do.

    Recursion without end raises :class:`NotUnderstoodError`.
    """
    try:
        with deeply("expressions", FRAMES):
            yield
    except LimitError as error:
        raise NotUnderstoodError(error.message) from None

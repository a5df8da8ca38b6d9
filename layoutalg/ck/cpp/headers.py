"""All headers under a root: what each namespace declares, as one target compiles it.

Only files under the root are read, and only as text. A process keeps what it read, and reads again when a
file changed, came or went.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from layoutalg.ck.cpp.ck_library import CK_TILE, CkLibrary
from layoutalg.ck.cpp.code_macros import CodeMacro, code_macros, list_macros, with_code
from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, nested_code
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.declarations import Declaration, scanned
from layoutalg.ck.cpp.include_graph import IncludeGraph
from layoutalg.ck.cpp.preprocessor import Preprocessor, target_macros
from layoutalg.errors import LimitError, ToolError
from layoutalg.machine import known_target
from layoutalg.reading.near_names import near_names

__all__ = ["HeaderTexts", "Index", "header_texts", "headers", "load"]

TREES = 8  # kept by a process: two that are compared, of both libraries, for two targets; 100 MB each


@dataclass(frozen=True)
class HeaderTexts:
    """The headers of a library under a root as they were read: each file's name and text.

    ``digest`` is one of all of it, so that a result can name the headers that it stands on.
    """

    root: Path
    library: CkLibrary
    texts: tuple[tuple[str, str], ...] = field(repr=False, compare=False)
    digest: str


def header_texts(root: Path, library: CkLibrary = CK_TILE) -> HeaderTexts:
    """The texts of a library's headers under a root; ``ToolError`` where the root has no such library."""
    root = root.resolve()
    if not (root / library.folder).is_dir():
        raise ToolError(
            f"{root} has no {library.folder}", hint="layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
        )
    return _texts(root, library, tuple(map(_state, sorted(_files(root / library.folder, root)))))


def _files(folder: Path, root: Path) -> Iterator[str]:
    """The headers below a folder; a link that leads out of the root is none."""
    if not folder.resolve().is_relative_to(root):
        return
    for place, _, names in os.walk(folder):
        for name in names:
            path = f"{place}/{name}"
            leads_out = os.path.islink(path) and not Path(path).resolve().is_relative_to(root)  # noqa: PTH114
            if name.endswith(".hpp") and not leads_out:
                yield path


_State = tuple[str, int, int, int, int]  # of a file: its path, size, inode, when it was written and changed


def _state(path: str) -> _State:
    """What changes whenever a file's content does."""
    try:
        found = os.stat(path)  # noqa: PTH116  as above: a thousand files, and Path takes four times as long
    except OSError:
        return path, -1, 0, 0, 0
    return path, found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns


@lru_cache(maxsize=TREES)
def _texts(root: Path, library: CkLibrary, states: tuple[_State, ...]) -> HeaderTexts:
    files = sorted(Path(path) for path, size, *_ in states if size >= 0)
    texts = tuple((path.relative_to(root).as_posix(), _text(path)) for path in files)
    digest = hashlib.sha256(repr(texts).encode())
    return HeaderTexts(root, library, texts, digest.hexdigest())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error.strerror}") from None


def headers(root: Path, arch: str = "gfx942", library: CkLibrary = CK_TILE) -> Index:
    """The headers of a library of CK under a root as compiled for a target, as they are now."""
    return _indexed(header_texts(root, library), known_target(arch, where="arch"))


@lru_cache(maxsize=TREES)
def _indexed(texts: HeaderTexts, arch: str) -> Index:
    first = Preprocessor(target_macros(arch))
    first.text(dict(texts.texts).get(texts.library.configuration, ""))
    index = Index(arch, first.macros, library=texts.library, root=texts.root)
    for _, text in texts.texts:
        index.code |= code_macros(text)
    for name, text in texts.texts:
        index.add(name, text)
    return index


@dataclass(eq=False)
class Index:
    """The declarations of all headers, by namespace and name, for one target.

    ``unread`` lists what was stepped over or could not be read, with its place.
    """

    arch: str
    macros: dict[str, str]
    sources: dict[str, Source] = field(default_factory=dict)
    spaces: dict[str, dict[str, list[Declaration]]] = field(default_factory=lambda: defaultdict(dict))
    unread: list[str] = field(default_factory=list)
    reading: str = ""
    library: CkLibrary = CK_TILE
    includes: IncludeGraph = field(default_factory=IncludeGraph)
    root: Path | None = None
    code: dict[str, CodeMacro] = field(default_factory=dict)  # macros that stand for declarations

    def __post_init__(self) -> None:
        known_target(self.arch, where="arch")

    def copy(self) -> Index:
        """An index to which more files can be added, while this one stays as it is."""
        spaces: dict[str, dict[str, list[Declaration]]] = defaultdict(dict)
        for space, names in self.spaces.items():
            spaces[space] = {name: list(found) for name, found in names.items()}
        made = Index(self.arch, dict(self.macros), dict(self.sources), spaces, list(self.unread))
        made.library, made.root = self.library, self.root
        made.code, made.includes = dict(self.code), self.includes.copy()
        return made

    def add(self, name: str, text: str) -> Source:
        """Preprocess and scan one file; its declarations join those of the others."""
        own = Preprocessor(dict(self.macros))
        source = Source.of(name, with_code(own.text(text), self.code, list_macros(text)), own.macros)
        self.sources[name] = source
        self.includes.add(name, text)
        self.reading = name
        with nested_code():
            self._declare(scanned(source), "")
        return source

    def _declare(self, declarations: Iterator[Declaration], space: str) -> None:
        try:
            for declared in declarations:
                if declared.kind == "namespace" and declared.body is not None:
                    inner = f"{space}::{declared.name}" if space and declared.name else space or declared.name
                    begin, end = declared.body + 1, declared.source.closing(declared.body)
                    self._declare(scanned(declared.source, begin, end), inner)
                elif declared.kind == "unread":
                    self.unread.append(f"{declared.place}: {declared.name}: stepped over")
                elif declared.kind == "using namespace":
                    self.spaces[space].setdefault("", []).append(declared)
                elif declared.kind == "enum" and not declared.is_static:
                    for name, _ in declared.enumerators:
                        self.spaces[space].setdefault(name, []).append(declared)
                    self.spaces[space].setdefault(declared.name, []).append(declared)
                else:
                    self.spaces[space].setdefault(declared.name, []).append(declared)
        except NotUnderstoodError as error:
            self.unread.append(f"{error.place}: {error.message}")
        except LimitError as error:
            self.unread.append(error.message)
        except (IndexError, RecursionError) as error:  # text that is no C++
            self.unread.append(f"{self.reading}: cannot be read: {type(error).__name__}")

    def seen(self, found: list[Declaration], file: str) -> list[Declaration]:
        """Those declarations that a file sees by its includes, else those whose files see it, else all."""
        if not file:
            return found
        seen = self.includes.seen_from(file)
        by_others = (d for d in found if file in self.includes.seen_from(d.source.name))
        return [d for d in found if d.source.name in seen] or [*by_others] or found

    @cached_property
    def names_of_spaces(self) -> set[str]:
        """The full names of all namespaces, also of those that only contain others."""
        return {"::".join(n.split("::")[: i + 1]) for n in self.spaces for i in range(len(n.split("::")))}

    def file(self, name: str) -> Source:
        """The file with this path, or the only one whose path ends with it; else ``NotUnderstoodError``."""
        found = [path for path in self.sources if path == name or path.endswith(f"/{name}")]
        if len(found) == 1:
            return self.sources[found[0]]
        if not found:
            last = {path.rpartition("/")[2]: path for path in self.sources}
            near = [last[one] for one in near_names(name.rpartition("/")[2], last)]
            hint = f"did you mean {' or '.join(near)}?" if near else "layoutalg ck list names them"
            raise NotUnderstoodError(f"no header is called {name}", hint=hint)
        raise NotUnderstoodError(f"{len(found)} headers are called {name}", hint="; ".join(sorted(found)[:5]))


def load(root: Path, arch: str = "gfx942", library: CkLibrary = CK_TILE) -> Index:
    """The headers as :func:`headers` has them, in an index of one's own to which files can be added."""
    return headers(root, arch, library).copy()

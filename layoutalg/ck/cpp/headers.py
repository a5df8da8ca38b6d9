"""All headers under a root: what each namespace declares, as one target compiles it.

Only files under the root are read, and only as text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
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

__all__ = ["Index", "load"]


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
        made = Index(self.arch, dict(self.macros), dict(self.sources), spaces, library=self.library)
        made.code, made.includes, made.root = self.code, self.includes.copy(), self.root
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
    """The headers of a library of CK under a root, as compiled for a target."""
    root, arch = root.resolve(), known_target(arch, where="arch")
    if not (root / library.folder).is_dir():
        raise ToolError(
            f"{root} has no {library.folder}", hint="layoutalg ck fetch, or set LAYOUTALG_CK_ROOT"
        )
    first = Preprocessor(target_macros(arch))
    configuration = root / library.configuration
    if configuration.is_file():
        first.text(configuration.read_text(encoding="utf-8", errors="replace"))
    index = Index(arch, first.macros, library=library, root=root)
    texts: dict[str, str] = {}
    for path in sorted((root / library.folder).rglob("*.hpp")):
        if path.resolve().is_relative_to(root):
            texts[str(path.relative_to(root))] = path.read_text(encoding="utf-8", errors="replace")
            index.code |= code_macros(texts[str(path.relative_to(root))])
    for name, text in texts.items():
        index.add(name, text)
    return index

"""Execute the notebooks and keep what their cells show: ``python -m tests.notebooks``.

``--check`` writes nothing and fails where a notebook shows anything else than what is kept in it. Names
choose notebooks: ``python -m tests.notebooks 01 swizzle``. What is kept has no counts, times, paths or random
names, and of each picture one form, so that it changes only where what is shown changes.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import os
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from layoutalg.ck.fetch import MARK, OBJECTS, PACKAGE, PINNED, VARIABLE

__all__ = ["FOLDER", "chosen", "environment", "executed", "kept", "main", "written"]

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "notebooks"
KINDS = (
    "text/html",
    "image/svg+xml",
    "text/latex",
    "text/plain",
)  # the first of them, and plain text beside it
NEEDS = {  # tags of cells: their outputs are made where these files are, and kept as they are elsewhere
    "needs-code-objects": (
        "LAYOUTALG_CODE_OBJECTS",
        PINNED.folder / PACKAGE / OBJECTS,
        "gfx942/layer_norm.co",
    ),
    "needs-ck-headers": (VARIABLE, PINNED.folder, MARK),
}
SECONDS = 300  # for a cell
ENVIRONMENT = {"COLUMNS": "110", "NO_COLOR": "1", "PYTHONHASHSEED": "0", "TRITON_DEFAULT_FP_FUSION": "1"}
PASSED = re.compile(r"PATH|HOME|USER|LANG|LC_\w+|TMPDIR|VIRTUAL_ENV|XDG_\w+|LAYOUTALG_\w+|LD_LIBRARY_PATH")
OF_THE_MACHINE = (  # what differs between two runs, and what is kept for it
    (re.compile(re.escape(tempfile.gettempdir()) + r"/(?:tmp)\w+"), "example"),
    (re.compile(re.escape(str(FOLDER)) + "/?"), ""),
    (re.compile(re.escape(str(ROOT)) + "/?"), ""),
    (re.compile(re.escape(str(Path.home())) + "/"), "~/"),
    (re.compile(r"\S*ipykernel_\d+/\d+\.py"), "cell.py"),
    (re.compile(r" at 0x[0-9a-f]{9,}"), ""),
    (re.compile(r"\b\d+\.\d+s\b"), "..s"),
    (re.compile(r"\bla-[0-9a-f]{32}\b"), "la-widget"),  # by which a live one finds its still picture
)


def chosen(words: list[str]) -> list[Path]:
    """The notebooks whose names have one of the words in them; all without a word."""
    files = sorted(FOLDER.glob("*.ipynb"))
    unknown = [word for word in words if not any(word in path.name for path in files)]
    if unknown:
        raise SystemExit(f"tests.notebooks: no notebook has {unknown[0]!r} in its name")
    return [path for path in files if not words or any(word in path.name for word in words)]


def _text(found: Any) -> Any:
    """A text as every machine writes it."""
    if not isinstance(found, str):
        return found
    for pattern, told in OF_THE_MACHINE:
        found = pattern.sub(told, found)
    return found


def kept(outputs: list[Any]) -> list[dict[str, Any]]:
    """Outputs of a cell without what differs between runs; texts to one stream are one output."""
    made: list[dict[str, Any]] = []
    for output in outputs:
        if output["output_type"] == "stream":
            if made and made[-1].get("name") == output["name"]:
                made[-1]["text"] += output["text"]
            else:
                made.append({"name": output["name"], "output_type": "stream", "text": output["text"]})
        else:
            data = output["data"]
            first = next((kind for kind in KINDS if kind in data), None)
            shown = {kind: _text(data[kind]) for kind in data if kind in {first, "text/plain"}}
            made.append({"data": dict(sorted(shown.items())), "metadata": {}, "output_type": "display_data"})
    for output in made:
        if "text" in output:
            output["text"] = _text(output["text"])
    return made


def _is_there(tag: str) -> bool:
    """Whether this machine has the files that cells with a tag need."""
    variable, folder, file = NEEDS[tag]
    return (Path(os.environ.get(variable) or folder) / file).exists()


def environment() -> dict[str, str]:
    """What a notebook's kernel knows of the machine: no CI service, colour or option of a user changes it."""
    passed = {name: value for name, value in os.environ.items() if PASSED.fullmatch(name)}
    return {**passed, **ENVIRONMENT, "PYTHONPATH": str(ROOT)}


def executed(path: Path) -> str:
    """The text of a notebook with the outputs that its cells have now; an error says which cell failed."""
    notebook = nbformat.read(path, as_version=4)
    before = copy.deepcopy(notebook)
    where = {"metadata": {"path": str(FOLDER)}}
    quiet = ["--IPKernelApp.log_level=ERROR"]  # it warns that it speaks TCP with this process
    client = NotebookClient(notebook, timeout=SECONDS, resources=where, extra_arguments=quiet)
    try:
        asyncio.run(client.async_execute(env=environment()))  # a loop of its own, which it closes
    except CellExecutionError as error:
        raise SystemExit(f"{path.name}: {error}") from None
    for cell, old in zip(notebook.cells, before.cells, strict=True):
        if cell.cell_type != "code":
            continue
        is_kept = not all(_is_there(tag) for tag in cell.metadata.get("tags", ()))
        cell.outputs = old.outputs if is_kept else [nbformat.from_dict(one) for one in kept(cell.outputs)]
        cell.execution_count = None
        told = [one for one in cell.outputs if one.get("name") == "stderr"]
        if told:
            raise SystemExit(f"{path.name}, cell {cell.id}: it writes to stderr: {told[0]['text']}")
    return written(before, notebook)


def written(before: Any, after: Any) -> str:
    """A notebook as it is kept: its own metadata, the cells with their outputs."""
    for old, new in zip(before.cells, after.cells, strict=True):
        new.metadata = old.metadata
    after.metadata = before.metadata
    return json.dumps(json.loads(nbformat.writes(after)), indent=1, ensure_ascii=False) + "\n"


def _run(path: Path) -> tuple[Path, str, float]:
    start = time.monotonic()
    return path, executed(path), time.monotonic() - start


def _difference(path: Path, text: str) -> str:
    lines = unified_diff(
        path.read_text(encoding="utf-8").splitlines(), text.splitlines(), "kept", "now", "", "", 2
    )
    return "\n".join(line[:200] for line in list(lines)[:40])


def main(arguments: list[str] | None = None) -> int:
    """Write the notebooks, or with ``--check`` say which are stale."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.notebooks", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", help="parts of the names of notebooks; all without any")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where outputs are stale")
    parser.add_argument("--processes", type=int, default=2, help="notebooks that run at a time")
    asked = parser.parse_args(arguments)
    stale = []
    files = chosen(asked.names)
    with ThreadPoolExecutor(max(1, asked.processes)) as pool:  # each kernel is a process of its own
        for path, text, seconds in pool.map(_run, files):
            is_same = text == path.read_text(encoding="utf-8")
            print(
                f"{path.name}: {len(text) // 1000} kB, {seconds:.0f} s, {'as kept' if is_same else 'changed'}"
            )
            if asked.check and not is_same:
                print(_difference(path, text))
                stale.append(path.name)
            elif not is_same:
                path.write_text(text, encoding="utf-8")
    if stale:
        print(f"stale: {', '.join(stale)}; python -m tests.notebooks writes them")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

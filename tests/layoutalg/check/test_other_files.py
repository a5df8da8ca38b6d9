"""What is said of a file does not depend on the files that were looked at before it.

Files with the same names for other things are checked in one process, in several orders and in four
threads, and each alone in a process of its own. A name is a table in one file, something else in another, and
unknown in a third.
"""

from __future__ import annotations

import json
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from layoutalg.check.decide import Options, findings_of
from tests.forked_commands import forked_commands

TABLE = 'lengths = ["{length}"]\nrange = [0, "{end}"]\none_to_one = {once}\n'
OFFSETS = (
    "p[b] + i",
    "8*p[b] + i",
    "8*w[b] + i",
    "p[b]//2*8 + i",
    "w[b] + p[b]",
    "d*b + i",
    "w*b + i",
    "i % p[b]",
    "(8*b + i) // d",
)


def drawn(draw: random.Random) -> str:
    """A random layout file, in which p, w and d are tables, definitions or unknown."""
    names = draw.sample("pwd", draw.choice((1, 1, 2, 3)))
    text = "[symbols]\nB = { max = 64 }\n"
    lets = {n: draw.choice(("8", "B + 1", "B - B", "16")) for n in names if n == "d" or draw.random() < 0.25}
    if lets:
        values = ", ".join(f"{name} = {json.dumps(value)}" for name, value in lets.items())
        text = f"let = {{ {values} }}\n{text}"
    for name in names:
        if name not in lets:
            length, end = draw.choice(("B", "1", "B + 1")), draw.choice(("B", "8", "2"))
            row = TABLE.format(length=length, end=end, once=draw.choice(("true", "false")))
            text += f"[tables.{name}]\n{row}"
    offset, size = draw.choice(OFFSETS), draw.choice(("8*B", "B + 7", "512"))
    text += f'[layout.a]\nindex = {{ b = "B", i = 8 }}\noffset = "{offset}"\nsize = "{size}"\n'
    return text + 'claims = ["in bounds", "one-to-one"]\n'


def said(folder, commands, names) -> dict[str, list[tuple[str, ...]]]:
    """The findings of one ``layoutalg check`` of these files, by file."""
    words = ["check", "--no-cache", "--output-format", "json", *names]
    done = subprocess.run(
        [commands / "layoutalg", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1, 2), done.stderr
    found: dict[str, list[tuple[str, ...]]] = {name: [] for name in names}
    for row in json.loads(done.stdout)["findings"]:
        found[row["file"]].append((row["layout"], row["claim"], row["status"], row["summary"]))
    return {name: sorted(rows) for name, rows in found.items()}


def said_here(name) -> list[tuple[str, ...]]:
    """The findings of one file, in this process."""
    found = findings_of(name, Options())
    return sorted((one.layout, one.claim, one.status, one.summary) for one in found)


@pytest.mark.parametrize(
    "seed",
    [
        0,
        pytest.param(1, marks=pytest.mark.slow),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 12)),
    ],
)
def test_files_are_judged_as_each_alone(tmp_path, monkeypatch, seed):
    draw = random.Random(seed)
    names = [f"{number}.layout.toml" for number in range(6)]
    for name in names:
        (tmp_path / name).write_text(drawn(draw), encoding="utf-8")
    with forked_commands() as commands:
        alone = {name: said(tmp_path, commands, [name])[name] for name in names}
        for _ in range(3):
            draw.shuffle(names)
            assert said(tmp_path, commands, names) == alone
    monkeypatch.chdir(tmp_path)
    with ThreadPoolExecutor(4) as threads:
        assert dict(zip(names, threads.map(said_here, names), strict=True)) == alone
    statuses = {row[2] for rows in alone.values() for row in rows}
    assert {"proved", "refuted", "error"} <= statuses

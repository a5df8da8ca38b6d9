"""Files are written as a whole; what is no file keeps its place."""

from __future__ import annotations

import os
import threading
import tty
from pathlib import Path

import pytest

from layoutalg.files import write_text


def test_a_file_is_written_as_a_whole_with_its_folders(tmp_path):
    path = tmp_path / "new" / "a.txt"
    assert write_text(write_text(path, "first"), "second").read_text() == "second"
    assert [one.name for one in path.parent.iterdir()] == ["a.txt"]


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_text()), daemon=True)
    reader.start()
    write_text(path, "through")
    assert path.is_fifo()
    reader.join(timeout=30)
    assert read == ["through"]


def test_a_device_is_written_to_and_stays_one():
    mine, its = os.openpty()
    try:
        tty.setraw(its)
        path = Path(os.ttyname(its))
        write_text(path, "seen")
        assert path.is_char_device()
        assert os.read(mine, 10) == b"seen"
    finally:
        os.close(mine)
        os.close(its)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError):
        write_text(tmp_path, "content")

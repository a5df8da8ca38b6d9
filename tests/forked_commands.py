"""``layoutalg`` as a command that starts at once: a process that has loaded the package forks for each call.

Pages show many commands, and a second of each is the import of SymPy, Z3 and the package. Here that is done
once. A call runs in a process of its own, forked from the loaded one, with its caller's folder, environment,
arguments, input and outputs; only modules are there already. The README's commands, the installed wheel and
the hooks are tested as users start them.

>>> with forked_commands() as folder:
...     subprocess.run([folder / "layoutalg", "--version"], capture_output=True, text=True).stdout.split()[0]
'layoutalg'
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOADED = (
    *(
        "layoutalg.cli.main",
        "layoutalg.proofs",
        "layoutalg.pictures",
        "layoutalg.check",
        "layoutalg.ck.importer",
    ),
    *("layoutalg.codegen.compile", "layoutalg.codegen.executors", "jsonschema", "z3"),
)
# The caller sends its place and its three streams, and ends with the status that comes back.
CALLER = """#!{python} -SE
import json, os, socket, sys
place = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
with socket.socket(socket.AF_UNIX) as to:
    to.connect({address!r})
    socket.send_fds(to, [len(place).to_bytes(8, "big")], [0, 1, 2])
    to.sendall(place)
    said = to.recv(1)
sys.exit(said[0] if said else 70)
"""


@contextlib.contextmanager
def forked_commands() -> Iterator[Path]:
    """A folder with a command ``layoutalg``, to be put on the path while the context lasts."""
    with tempfile.TemporaryDirectory() as name:
        folder, address = Path(name), str(Path(name) / "calls")
        command = folder / "layoutalg"
        command.write_text(CALLER.format(python=sys.executable, address=address), encoding="utf-8")
        command.chmod(0o755)
        environment = {**os.environ, "COLUMNS": "120", "TERM": "dumb"}
        server = subprocess.Popen(
            [sys.executable, "-m", __name__, address], cwd=ROOT, env=environment, stdout=subprocess.PIPE
        )
        with server:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"
            try:
                yield folder
            finally:
                server.terminate()


def serve(address: str) -> None:
    """Answer calls for ever, each in a process of its own."""
    for name in LOADED:
        importlib.import_module(name)
    with socket.socket(socket.AF_UNIX) as calls:
        calls.bind(address)
        calls.listen()
        print("ready", flush=True)
        while True:
            caller, _ = calls.accept()
            with caller:
                if os.fork() == 0:
                    if os.fork() == 0:  # a grandchild, which nobody has to wait for
                        calls.close()
                        os._exit(answer(caller))
                    os._exit(0)
                os.wait()


def answer(caller: socket.socket) -> int:
    """Run one call where its caller stands; the exit status, which the caller is told."""
    length, streams, _, _ = socket.recv_fds(caller, 8, 3)
    place = b""
    while len(place) < int.from_bytes(length, "big"):
        place += caller.recv(1 << 16)
    arguments, folder, environment = json.loads(place)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["layoutalg", *arguments]
    status = status_of_main()
    sys.stdout.flush()
    sys.stderr.flush()
    caller.send(bytes([status]))
    return status


def status_of_main() -> int:
    """What the command line's process would end with."""
    main = importlib.import_module("layoutalg.cli").main
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])

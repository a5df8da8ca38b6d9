"""A code object whose bytes were changed is run, lifted, or refused in one line; nothing else happens.

Bytes, words and lengths are changed anywhere, above all in what the ELF file, its notes and the kernel's
descriptor say of sizes. Each is tried in a process of its own, with little memory, so that a crash is seen.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import struct
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from layoutalg.codegen.compile.compile_hip import compile_source
from layoutalg.codegen.executors.code_object_run import run_code_object
from layoutalg.codegen.executors.passed_arguments import Output
from layoutalg.codegen.gfx9.lifting.lift import lift
from layoutalg.errors import InternalError, LayoutError, ToolError
from tests.refusals import refused

MEMORY = 8 << 30  # bytes of addresses: libraries and threads reserve some 3 GiB, no launch here needs 1 MiB
SECONDS = 60
SOURCE = """
#include <hip/hip_runtime.h>
extern "C" __global__ void reversed(const float* a, float* b, int n) {
  __shared__ float s[256];
  float x[20];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0.f;
  __syncthreads();
  for (int k = 0; k < 20; ++k) x[(k * 7 + n) % 20] = a[k];
  if (i < n) b[i] = s[255 - threadIdx.x] + a[i] + x[n % 20];
}
"""
EXTREMES = (0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFFF00, 0x80000000)


def changed(draw: random.Random, content: bytes) -> bytes:
    """The bytes with one or a few changes."""
    found, size = bytearray(content), len(content)
    low, high = draw.choice(((0, 64), (64, 400), (size - 1600, size), (0, size), (0x200, 0x900)))
    kind = draw.choice(("byte", "byte", "word", "word", "word", "cut", "insert", "many"))
    if kind == "byte":
        found[draw.randrange(low, high)] = draw.randrange(256)
    elif kind == "word":
        value = draw.choice((*EXTREMES, draw.getrandbits(32), draw.getrandbits(16)))
        struct.pack_into("<I", found, draw.randrange(low, high - 4) & ~3, value)
    elif kind == "cut":
        del found[draw.randrange(size) :]
    elif kind == "insert":
        place = draw.randrange(low, high)
        found[place:place] = draw.randbytes(draw.choice((1, 4, 8)))
    else:
        for _ in range(20):
            found[draw.randrange(low, high)] = draw.randrange(256)
    return bytes(found)


def said_of(path: Path) -> str:
    """What running and lifting a file end in, a word each."""
    words = []
    arrays = [np.ones(512, np.float32), Output(np.zeros(512, np.float32)), 500]
    for what in (lambda: run_code_object(path, [2], [256], arrays), lambda: lift(path)):
        try:
            what()
            words.append("done")
        except InternalError as error:
            words.append(f"internal error: {error}")
        except (LayoutError, ToolError) as error:
            words.append("refused" if str(error) and "\n" not in str(error) else f"not one line: {error}")
        except Exception as error:  # noqa: BLE001  it is what the test looks for
            words.append(f"{type(error).__name__}: {error}")
    return "; ".join(words)


def apart(path: Path) -> str:
    """What a process of its own says of a file, or the signal that ended it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writing, said_of(path).encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        words = told.read().decode()
    _, status = os.waitpid(child, 0)
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else words


@pytest.mark.parametrize(
    ("seed", "count"),
    [
        (0, 8),
        pytest.param(1, 40, marks=pytest.mark.slow),
        *(pytest.param(n, 2500, marks=pytest.mark.long) for n in range(2, 6)),
    ],
)
def test_a_changed_code_object_is_run_or_refused(tmp_path, seed, count):
    content, seen = compile_source(SOURCE, "gfx942").code_object, Counter[str]()
    path = tmp_path / "changed.co"
    path.write_bytes(content)
    assert said_of(path) == "done; done"  # here, so that each process has all that is made once
    for number in range(count):
        path.write_bytes(changed(random.Random(f"{seed} {number}"), content))
        words = apart(path)
        assert set(words.split("; ")) <= {"done", "refused"}, (number, words)
        seen[words] += 1
    assert len(seen) > 1, seen


@pytest.mark.parametrize(
    ("launch", "facts"),
    [
        ({"grid": [2], "dynamic_lds": 1_000_000}, "LDS 65536 1001024"),
        ({"grid": [2], "dynamic_lds": 65536 - 1023}, "LDS 65536 65537"),
        ({"grid": [99999999999999999999]}, "threads axis 4294967295"),
        ({"grid": [1 << 23, 8]}, "workgroups 16777216"),
    ],
)
def test_a_launch_that_no_gpu_could_start_is_refused(launch, facts):
    content = compile_source(SOURCE, "gfx942").code_object
    arrays = [np.ones(512, np.float32), Output(np.zeros(512, np.float32)), 500]
    with refused(LayoutError, *facts.split()):
        run_code_object(content, block=[256], arguments=arrays, **launch)


def test_scratch_memory_that_no_gpu_has_is_refused():
    content = bytearray(compile_source(SOURCE, "gfx942").code_object)
    place = content.index(struct.pack("<II", 1024, 128))  # of LDS and of scratch, in the kernel's descriptor
    content[place : place + 8] = struct.pack("<II", 1024, 0x7FFFFF00)
    arrays = [np.ones(512, np.float32), Output(np.zeros(512, np.float32)), 500]
    with refused(LayoutError, "scratch", "131056"):
        run_code_object(bytes(content), [2], [256], arrays)

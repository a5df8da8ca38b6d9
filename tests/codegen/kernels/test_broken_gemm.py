"""Broken GEMMs: each is refused by a proof, and caught by the executor where proofs are off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.kernels.gemm import GemmConfig, configured, gemm
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem, K, M
from layoutalg.codegen.kernels.gemm.text import GemmText
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.schedule import BARRIER, LOAD, MULTIPLY, SCHEDULES, STORE, Schedule, Step, schedule
from layoutalg.codegen.text.single_turns import without_single_turns
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain
from layoutalg.errors import ToolError
from layoutalg.machine import Target
from tests.codegen.kernels.broken import refuted, require_caught, require_refused
from tests.codegen.kernels.test_gemm import launched, made
from tests.refusals import refused


def turned_about(tiles: GemmTiles) -> None:
    """The fragments of A and B as if they changed places in the instruction, which they do not."""
    config = tiles.config
    config.__dict__["block"] = replace(config.block, is_c_transposed=not config.is_c_transposed)


def other_swizzle(tiles: GemmTiles) -> None:
    plain = GemmTiles(replace(tiles.config, lds="row-major"))
    tiles.__dict__["a"] = replace(tiles.a, read=plain.a.read)


def beyond_lds(tiles: GemmTiles) -> None:
    tiles.__dict__["b"] = replace(tiles.b, store=tiles.b.store.moved((8, 0)))


def stride_off_by_one(tiles: GemmTiles) -> None:
    tensor = make_naive_tensor_descriptor((M, K), (K + 1, 1)).assuming(tiles.problem.sizes)
    tiles.__dict__["a"] = replace(tiles.a, load=replace(tiles.a.load, descriptor=tensor))


def no_barrier(tiles: GemmTiles) -> None:
    tiles.config.__dict__["schedule"] = Schedule((LOAD, BARRIER, STORE, MULTIPLY))


class Unmasked(BufferAccess):
    """Asks the hardware for everything: what lies past K is the next row."""

    def places(self, made, space, along, *begin):
        whole = super().places(made, space, along, *begin)
        return replace(whole, when=whole.when[:1])


class TooLong(BufferAccess):
    """Ends a row after the matrix."""

    def places(self, made, space, along, *begin):
        return super().places(made, space + K, along, *begin)

    def resource(self, name, place, elements):
        return super().resource(name, place, f"{elements} + K")


def loaded_by(kind: type[BufferAccess]) -> Callable[[GemmTiles], None]:
    def breaks(tiles: GemmTiles) -> None:
        for name in ("a", "b"):
            operand = getattr(tiles, name)
            right = operand.buffer_loads
            tiles.__dict__[name] = replace(operand, buffer_loads=kind(right.kind, right.vector))

    return breaks


def stored_by(kind: type[BufferAccess]) -> Callable[[GemmTiles], None]:
    def breaks(tiles: GemmTiles) -> None:
        right = tiles.config.buffer_stores
        assert right is not None
        tiles.config.__dict__["buffer_stores"] = kind(right.kind, right.vector)

    return breaks


@dataclass(frozen=True)
class Broken:
    """What breaks a kernel's tiles, the claim that sees it, and the fault (None: the result is wrong)."""

    breaks: Callable[[GemmTiles], None]
    claim: str
    fault: str | None
    fields: tuple[tuple[str, Any], ...] = ()
    edit: tuple[str, str] | None = None
    sizes: tuple[int, int, int] | None = None


BROKEN = {
    "missing barrier": Broken(no_barrier, "barrier between", "no barrier between"),
    "swapped fragment": Broken(turned_about, "right result", None),
    "wrong swizzle on one side": Broken(other_swizzle, "same map", None),
    "LDS overflow": Broken(beyond_lds, "in memory bounds", "allocated"),
    "stride off by one": Broken(stride_off_by_one, "in memory bounds", "out of bounds|not aligned"),
    "K tail not masked": Broken(
        loaded_by(Unmasked),
        "bound of the hardware",
        None,
        (("has_tails", True),),
        ("_k + k_next < K", "_k + k_next < K || true"),
        (256, 128, 40),
    ),
    "resource too long": Broken(
        loaded_by(TooLong),
        "bound of the hardware",
        "out of bounds",
        (("has_tails", True),),
        None,
        (100, 128, 40),
    ),
    "columns of C not masked": Broken(
        stored_by(Unmasked),
        "bound of the hardware",
        None,
        (("has_tails", True),),
        (
            "int offset, bool is_inside)\n{\n    const unsigned place = is_inside",
            "int offset, bool)\n{\n    const unsigned place = true",
        ),
        (256, 100, 40),
    ),
    "resource of C too long": Broken(
        stored_by(TooLong),
        "bound of the hardware",
        "out of bounds",
        (("has_tails", True),),
        None,
        (100, 128, 40),
    ),
}


def broken_tiles(case: Broken) -> GemmTiles:
    tiles = GemmTiles(configured("xor", **dict(case.fields)))
    case.breaks(tiles)
    return tiles


@pytest.mark.slow
@pytest.mark.sample(16, slow=4)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_kernel_is_refused_at_proof_time(name):
    case = BROKEN[name]
    require_refused(replace(made("xor"), claims=claims_of(broken_tiles(case))), case.claim)


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("name", BROKEN)
def test_with_proofs_off_it_is_caught_when_executed(name):
    case = BROKEN[name]
    config = configured("xor", **dict(case.fields))
    right = "\n".join(without_single_turns(GemmText(GemmTiles(config)).statements()))
    wrong = "\n".join(without_single_turns(GemmText(broken_tiles(case)).statements()))

    def broken(text):
        lines, into = right.splitlines(), wrong.splitlines()
        body = "\n".join(f"    {line}" if line else "" for line in lines)
        assert body in text
        found = text.replace(body, "\n".join(f"    {line}" if line else "" for line in into))
        if case.edit:
            assert case.edit[0] in found
            found = found.replace(*case.edit)
        assert found != text
        return found

    require_caught(lambda: launched(config, sizes=case.sizes, text=broken)[0].is_good, case.fault)


def test_more_shared_memory_than_there_is_does_not_compile():
    text = gemm("naive").text.replace("a_lds[8192]", "a_lds[40000]")
    with pytest.raises(ToolError):
        compile_hip(text, Target.named("gfx942"))


@pytest.mark.slow
def test_offsets_beyond_32_bits_are_refused_and_caught():
    kernel = gemm(configured("naive", element="i8"))
    sizes = GemmProblem(configured("naive", element="i8")).sizes
    unlimited = [
        replace(claim, domain=Domain(claim.domain.variables, ()))
        for claim in kernel.claims
        if claim.name == "fits int32"
    ]
    assert refuted(unlimited) == {"fits int32"}
    wide = replace(kernel, domain=Domain(sizes.variables, ()))
    given = {"M": 512, "N": 128, "K": 2**23}  # rows of A from 2**31 on
    arrays = {name: np.zeros((given[rows], given["K"]), np.int8) for name, rows in (("a", "M"), ("b", "N"))}
    task = Launch(wide, compile_hip(kernel.text, Target.named("gfx942")), given, arrays)
    with pytest.raises(ExecutionFaultError):
        CpuExecutor(workgroups=[1]).run(task)


BROKEN_TEXT = {  # an edit of the naive source; a fault, or None for a wrong result
    "swapped operands": ("32x32x8f16(b_part[j], a_part[i]", "32x32x8f16(a_part[i], b_part[j]", None),
    "wrong row": ("a_read + i * 4096", "a_read + i * 4096 + 32", None),
    "wrong k": ("b_read + i * 1024 + kk * 8", "b_read + i * 1024 + kk * 4", None),
    "loads past the end": ("a_next + i * (64 * K)", "a_next + i * (256 * K)", "which has"),
    "misaligned": ("a_lds + a_store + i * 2048", "a_lds + a_store + i * 2048 + 1", "not aligned"),
    "outside LDS": ("b_lds + b_store + i * 2048", "b_lds + b_store + i * 8192", "of 24576 allocated"),
    "k not advanced": ("b_next += tile_k", "b_next += 0", None),
}


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_an_edited_text_is_caught_when_executed(name):
    old, new, fault = BROKEN_TEXT[name]

    def broken(text):
        assert old in text
        return text.replace(old, new)

    require_caught(lambda: launched(GemmConfig(), text=broken)[0].is_good, fault)


@pytest.mark.parametrize("missing", [0, 1])
def test_each_barrier_is_needed(missing):
    steps = [LOAD, BARRIER, STORE, BARRIER, MULTIPLY]
    assert not refuted(Schedule(tuple(steps)).claims())
    del steps[(1, 3)[missing]]
    assert refuted(Schedule(tuple(steps)).claims()) == {"barrier between"}


def test_registers_overwritten_too_early_are_refuted():
    order = Schedule((STORE, BARRIER, LOAD, MULTIPLY, BARRIER))
    assert "in order" in refuted(order.claims())


@pytest.mark.parametrize("order", ["double", "pipelined", "streamed"])
def test_one_buffer_less_is_refuted(order):
    assert refuted(replace(SCHEDULES[order], buffers=1).claims()) == {"barrier between"}


@pytest.mark.parametrize("order", ["pipelined", "streamed"])
def test_one_set_of_fragments_less_is_refuted(order):
    assert refuted(replace(SCHEDULES[order], fragments=1).claims()) == {"in order"}


@pytest.mark.parametrize("parts", [2, 4, 8])
def test_a_streamed_part_of_the_next_tile_before_the_barrier_is_refuted(parts):
    order = schedule("streamed", parts)
    assert not refuted(order.claims())
    *before, barrier, read, multiply = order.turn
    assert refuted(replace(order, turn=(*before, read, barrier, multiply)).claims()) == {"barrier between"}


@pytest.mark.parametrize("parts", [2, 4])
def test_a_streamed_part_multiplied_before_it_is_read_is_refuted(parts):
    order = schedule("streamed", parts)
    turn = [step for step in order.turn if step != Step("read", part=1)]
    turn.insert(turn.index(Step("multiply", part=1)) + 1, Step("read", part=1))
    assert "in order" in refuted(replace(order, turn=tuple(turn)).claims())


def test_an_odd_number_of_streamed_parts_is_refused():
    with refused(LayoutError, "K", "1"):
        configured("pipelined", order="streamed")


def test_rows_of_other_waves_are_refuted():
    tiles = GemmTiles(GemmConfig(waves=(2, 2)))
    tiles.__dict__["a"] = GemmTiles(GemmConfig()).a
    assert "right rows" in refuted(claims_of(tiles))


class CarelessProblem(GemmProblem):
    """Forgets that a split K has to be of whole parts."""

    @property
    def multiples(self) -> tuple[int, int, int]:
        return self.config.tile


@pytest.mark.slow
def test_parts_of_k_that_leave_a_rest_are_refuted():
    config = configured("xor", split_k=2)
    tiles = GemmTiles(config)
    assert not refuted(claims_of(tiles))
    tiles = GemmTiles(config)
    tiles.__dict__["problem"] = CarelessProblem(config)
    assert refuted(claims_of(tiles)) == {"covers"}


def test_c_staged_with_another_layout_is_refuted():
    tiles = GemmTiles(configured("pipelined", stages_result=True))
    stage = tiles.stage
    assert stage is not None
    plain = make_naive_tensor_descriptor(stage.read.lengths, (stage.read.lengths[1], 1))
    tiles.__dict__["stage"] = replace(stage, read=replace(stage.read, descriptor=plain))
    assert "same map" in refuted(claims_of(tiles))

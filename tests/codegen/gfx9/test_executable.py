"""The code object is executed: text beside it must be its own, its descriptor is honoured or refused."""

from __future__ import annotations

import itertools
import struct
from dataclasses import replace

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_hip, compile_source
from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.compile.code_object import open_elf, read_code_object
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.executors import CpuExecutor, Launch, Output, run_code_object
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.errors import ToolError
from layoutalg.machine import Target
from tests.codegen.small_kernel import TEXT
from tests.refusals import refused

TARGETS = ("gfx90a", "gfx942", "gfx950")
NOP = bytes.fromhex("000080bf")


@pytest.fixture(scope="module", params=TARGETS)
def made(request):
    return compile_source(TEXT, request.param)


def offset_in_file(content, address):
    """Where the bytes at an address stand in the file."""
    for segment in open_elf(content).iter_segments("PT_LOAD"):
        first = address - segment["p_vaddr"]
        if 0 <= first < segment["p_filesz"]:
            return segment["p_offset"] + first
    raise AssertionError(address)


def with_bytes(content, address, given):
    at = offset_in_file(content, address)
    return content[:at] + given + content[at + len(given) :]


def with_descriptor_bits(content, offset, bits):
    """The same code object with other bits of a word of its kernel's descriptor."""
    loaded = load_object(content)
    address = loaded.symbol(f"{loaded.kernel().name}.kd") + offset
    (word,) = struct.unpack("<I", loaded.bytes_at(address, 4))
    return with_bytes(content, address, struct.pack("<I", word ^ bits))


def test_the_code_is_decoded_and_its_lines_are_those_of_the_text(made):
    plain, lined = executable(made.code_object), executable(made.code_object, "scale", made.assembly)
    assert [i.text for i in plain.instructions] == [i.text for i in lined.instructions]
    assert all(str(i).startswith("address 0x") for i in plain.instructions)
    lines = made.assembly.splitlines()
    assert all(i.mnemonic in lines[i.line - 1] for i in lined.instructions)


def test_an_instruction_whose_bytes_do_not_come_back_is_refused(made):
    """A bit of op_sel that the assembler has no text for, on the first instruction of eight bytes."""
    places = [one.address or 0 for one in executable(made.code_object).instructions]
    first = next(one for one, following in itertools.pairwise(places) if following - one == 8)
    odd = struct.pack("<II", 0xD18996C7, 0x01B7584A)
    with pytest.raises(LayoutError, match=rf"{first:#x}\b.*\bc79689d1 4a58b701\b"):
        executable(with_bytes(made.code_object, first, odd))


def test_a_text_of_other_code_is_refused(made):
    other = made.assembly.replace("v_mul_f32_e32", "v_add_f32_e32")
    assert other != made.assembly
    with pytest.raises(LayoutError, match=r"\bscale\b"):
        executable(made.code_object, "scale", other)
    broken = made.assembly.replace("v_mul_f32_e32", "v_no_such")
    with pytest.raises(LayoutError):
        executable(made.code_object, "scale", broken)


def test_a_text_with_another_descriptor_is_refused(made):
    other = made.assembly.replace(".amdhsa_float_denorm_mode_32 3", ".amdhsa_float_denorm_mode_32 0")
    assert other != made.assembly
    with pytest.raises(LayoutError, match=r"\bscale\.kd\b"):
        executable(made.code_object, "scale", other)


@pytest.mark.slow
def test_a_code_object_without_its_matrix_instructions_does_not_agree():
    choice = Choice("gemm", "gfx942", "f16", {"rung": "naive"})
    kernel, sizes = choice.kernel(), choice.small_sizes()
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    content = compiled.code_object
    for one in executable(content).instructions:
        if one.mnemonic.startswith("v_mfma"):
            content = with_bytes(content, one.address, NOP + NOP)
    assert content != compiled.code_object
    inputs = inputs_of(kernel, sizes, "integers", seed=1)
    spoiled = Launch(kernel, replace(compiled, code_object=content), sizes, inputs)
    with pytest.raises(LayoutError):
        CpuExecutor().run(spoiled)
    alone = Launch(kernel, replace(spoiled.compiled, assembly=""), sizes, inputs)
    assert not compare_outputs(alone, CpuExecutor().run(alone).outputs)["c"].is_good


def assemble_listing(_content):
    """No text at all beside the code object."""
    return


FIELDS = {
    "FLOAT_ROUND_MODE_32": (48, 1 << 12),
    "FLOAT_ROUND_MODE_16_64": (48, 2 << 14),
    "FLOAT_DENORM_MODE_16_64": (48, 1 << 18),
    "FLOAT_DENORM_MODE_32": (48, 1 << 16),
    "FP16_OVFL": (48, 1 << 26),
    "TG_SPLIT": (44, 1 << 16),
    "ENABLE_WAVEFRONT_SIZE32": (56, 1 << 10),
}


@pytest.mark.parametrize("field", FIELDS)
def test_modes_that_the_cpu_has_not_are_refused_by_name(made, field):
    with refused(LayoutError, field):
        executable(with_descriptor_bits(made.code_object, *FIELDS[field]))


@pytest.mark.slow
def test_fewer_vector_registers_than_are_used_are_a_fault():
    choice = Choice("gemm", "gfx942", "f16", {"rung": "pipelined"})
    kernel, sizes = choice.kernel(), choice.small_sizes()
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    loaded = load_object(compiled.code_object)
    address = loaded.symbol(f"{loaded.kernel().name}.kd") + 44  # accum_offset of 4 registers
    content = with_bytes(compiled.code_object, address, struct.pack("<I", 0))
    inputs = inputs_of(kernel, sizes, "integers", seed=1)
    spoiled = Launch(kernel, replace(compiled, code_object=content, assembly=""), sizes, inputs)
    with pytest.raises(ExecutionFaultError):
        CpuExecutor([0]).run(spoiled)


ARGUMENTS = [np.ones(64, np.float32), Output(np.zeros(64, np.float32)), 64, 1.5]


def test_denormals_are_flushed_where_the_descriptor_says_so(made):
    tiny = np.full(64, -1e-40, np.float32)
    arguments = [tiny, ARGUMENTS[1], 64, 1.5]
    kept = run_code_object(made.code_object, [1], [64], arguments).outputs
    flushed = run_code_object(
        with_descriptor_bits(made.code_object, 48, 3 << 16), [1], [64], arguments
    ).outputs
    assert np.array_equal(next(iter(kept.values())), tiny * np.float32(1.5))
    assert np.array_equal(np.signbit(next(iter(flushed.values()))), np.ones(64, bool))
    assert not next(iter(flushed.values())).any()


def test_a_target_without_a_name_is_the_machine_of_the_file(made):
    named = f"amdgcn-amd-amdhsa--{made.target.name}".encode()
    content = made.code_object.replace(b"amdhsa.target", b"amdhsa.tarXXX")
    assert content != made.code_object
    assert read_code_object(content)[0].target == made.target.name
    unknown = made.code_object.replace(named, named.replace(b"amd-amdhsa-", b"xyz-amdhsa-"))
    assert read_code_object(unknown)[0].target == made.target.name


def test_what_is_no_code_object_is_refused():
    with refused(ToolError):
        executable(b"no ELF")
    text = '.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\ns_endpgm\n'
    with refused((LayoutError, ToolError)):
        executable(link(assemble(text, "gfx1100")))

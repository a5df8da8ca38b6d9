"""Every instruction of compiled kernels comes back; what does not is named, and data is not code."""

from __future__ import annotations

import pytest

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.gfx9.decoding.encoded import UndecodableError
from layoutalg.codegen.gfx9.decoding.reached import CodeBytes, reached
from layoutalg.codegen.gfx9.decoding.round_trip import lost
from layoutalg.codegen.matrix.kernel_matrix import Choice
from tests.codegen.matrix_launches import EVERY, TARGETS, code_called
from tests.codegen.strangers.aiter_objects import code_objects
from tests.refusals import refused

OWN = [("gemm", "f16", {"rung": "pipelined"}), ("copy", "f32", {}), ("transpose", "f16", {})]
PARTS = 16  # of a folder of code objects


def round_trip(content):
    """Kernels by name: how many instructions, and which did not come back."""
    loaded = load_object(content)
    code = CodeBytes(loaded.code, loaded.code_address, loaded.target)
    found = {kernel.name: reached(code, loaded.entry(kernel)) for kernel in loaded.kernels}
    return {name: (len(kernel), lost(kernel, code)) for name, kernel in found.items()}


def code(*words):
    return CodeBytes(b"".join(word.to_bytes(4, "little") for word in words), 0x100, "gfx942")


def test_data_behind_and_between_is_not_looked_at():
    given = code(0xBF820002, 0xFFFFFFFF, 0xFFFFFFFF, 0xBF810000, 0xFFFFFFFF)
    found = reached(given, 0x100)
    assert [(one.address, one.text) for one in found.values()] == [
        (0x100, "s_branch L_10c"),
        (0x10C, "s_endpgm"),
    ]
    assert lost(found, given) == {}


def test_data_that_is_reached_is_refused_with_address_and_bytes():
    with refused(UndecodableError, "0x104", "ffffffff", "000081bf"):
        reached(code(0xBF800000, 0xFFFFFFFF, 0xBF810000), 0x100)
    with refused(UndecodableError, "0x104"):
        reached(code(0xBF800000), 0x100)
    with refused(UndecodableError, "0x90"):
        reached(code(0xBF82FFE3), 0x100)


def test_bits_that_are_not_printed_do_not_come_back():
    good, unused = (0xD2854000, 0x00020501), (0xD2850000, 0x04020501)  # v_mul_lo_u32 with bits of no meaning
    found = reached(code(*good, *unused, 0xBF810000), 0x100)
    assert list(lost(found, code(*good, *unused, 0xBF810000))) == [0x100, 0x108]


def test_a_constant_that_could_be_shorter_comes_back():
    given = code(0x7E0202FF, 0x00000005, 0x7E0202FF, 0x3F800000, 0xBF810000)
    found = reached(given, 0x100)
    assert [one.text for one in found.values()][:2] == [
        "v_mov_b32_e32 v1, lit(0x5)",
        "v_mov_b32_e32 v1, lit(0x3f800000)",
    ]
    assert lost(found, given) == {}


@pytest.mark.sample(4)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("family", "element", "options"), OWN)
def test_every_instruction_of_our_own_kernels_comes_back(target, family, element, options):
    text = Choice(family, target, element, options).kernel().text
    made = compile_source(text, target).code_object
    for count, gone in round_trip(made).values():
        assert count >= 10
        assert gone == {}


@pytest.mark.long
@pytest.mark.parametrize("kernel_name", EVERY)
def test_every_instruction_of_the_whole_matrix_comes_back(kernel_name):
    for count, gone in round_trip(code_called(kernel_name).code_object).values():
        assert (count > 5, gone) == (True, {})


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_every_instruction_of_a_folder_of_code_objects_comes_back(part):
    """Instructions with bits that no text names are listed, and none is of another kind."""
    total = missing = 0
    files = code_objects()[part::PARTS]
    for file in files:
        for name, (count, gone) in round_trip(file.read_bytes()).items():
            total, missing = total + count, missing + len(gone)
            if gone:
                print(f"{file.name} {name}: {len(gone)} of {count}")
            assert all(one.mnemonic.startswith("v_mfma_scale") for one in gone.values()), (file, gone)
    print(f"{total} instructions, {missing} did not come back")
    assert (total > 0) == bool(files)  # a folder may hold fewer objects than parts

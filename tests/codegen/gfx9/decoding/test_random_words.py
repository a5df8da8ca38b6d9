"""Random words decode as LLVM's disassembler has them, or are refused: by the tables or by the round trip."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from layoutalg.codegen.gfx9.decoding.decode import decode
from layoutalg.codegen.gfx9.decoding.encoded import UndecodableError
from layoutalg.codegen.gfx9.decoding.opcodes import opcodes
from layoutalg.codegen.gfx9.decoding.reached import CodeBytes
from layoutalg.codegen.gfx9.decoding.round_trip import lost
from tests.codegen.gfx9.decoding.llvm_objdump import disassembled, version
from tests.codegen.gfx9.decoding.random_words import random_words

FIRST = 0x100000  # address of the first, so that branches backward stay above 0
TARGETS = ("gfx90a", "gfx942", "gfx950")
OLDER = (
    "v_pk_fmac_f16_e64",
    "v_alignbit_b32",
    "v_alignbyte_b32",
)  # LLVM 19 has less of these than 22 assembles
CONSTANT = r"v_(fma|mad)[am]k_f(16|32)"  # LLVM prints 0x84 behind these as 0x4, the constant of that code

ARITHMETIC = ("SOP1", "SOP2", "SOPC", "VOP1", "VOP2", "VOPC", "VOP3")
# no text of these comes back by chance: their operands are special, or all their sources scalar
NEVER = {
    "v_addc_co_u32_e64",
    "v_clrexcp",
    "v_cmp_ne_i32_e64",
    "v_cndmask_b32_e64",
    "v_cvt_scalef32_pk32_f16_fp6",
    "v_madak_f16",
    "v_madmk_f16",
    "v_nop",
    "v_readlane_b32",
    "v_subb_co_u32_e64",
    "v_subbrev_co_u32_e64",
    "v_writelane_b32",
}


def decoded_words(target, count, seed, **options):
    """Words cut to their length with what they decode to; what the tables refuse is counted."""
    found, told, address = list[Any](), Counter[str](), FIRST
    for words in random_words(target, count, seed, **options):
        try:
            one = decode(words, address, target)
        except UndecodableError:
            told["refused by the tables"] += 1
            continue
        found.append((words[: one.size // 4], one))
        address += one.size
    return found, told


def compared(target, count, seed):
    found, told = decoded_words(target, count, seed)
    theirs = disassembled([words for words, _ in found], target)
    content = b"".join(word.to_bytes(4, "little") for words, _ in found for word in words)
    gone = lost({one.address: one for _, one in found}, CodeBytes(content, FIRST, target))
    wrong = []
    for (words, one), text in zip(found, theirs, strict=True):
        if one.address in gone:
            told["refused by the round trip"] += 1
        elif plain(one.text) == plain(text) or is_llvms_own(one):
            told["equal"] += 1
        else:
            wrong.append((" ".join(f"{word:08x}" for word in words), one.text, text))
    return told, wrong


def is_llvms_own(one):
    """Differences where the bytes came back and LLVM's disassembler is wrong or older than its assembler."""
    is_code = (
        re.match(CONSTANT, one.mnemonic) and 0x80 <= int(re.findall(r"0x[0-9a-f]+", one.text)[0], 16) < 0x100
    )
    return bool(is_code) or (version() < 22 and one.mnemonic in OLDER)


def plain(text):
    """Branches by their mnemonic: LLVM prints words, we an address. Older LLVM has no ``lit``."""
    text = re.sub(r"^(s_branch|s_cbranch_\w+|s_call_b64 \S+) .*", r"\1", text)
    return re.sub(r"lit\((0x[0-9a-f]+)\)", r"\1", text)


@pytest.mark.parametrize("target", TARGETS)
def test_some_words_decode_as_llvm_has_them(target):
    told, wrong = compared(target, 400, 1)
    assert wrong == []
    assert told["equal"] >= 100


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_ten_thousand_words_decode_as_llvm_has_them(target):
    told, wrong = compared(target, 10_000, 2)
    print(target, dict(told))
    assert wrong == []
    assert told["equal"] >= 3000


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("target", TARGETS)
def test_the_rows_of_the_tables_are_the_assemblers(target):
    """A row that no try brings back is of no use, or wrong; which those are is known."""
    found, _ = decoded_words(target, 30_000, 3, in_turn=True)
    content = b"".join(word.to_bytes(4, "little") for words, _ in found for word in words)
    gone = lost({one.address: one for _, one in found}, CodeBytes(content, FIRST, target))
    good = {one.mnemonic for _, one in found if one.address not in gone}
    rows = {row.mnemonic for name in ARITHMETIC for row in opcodes(target)[name].values()}
    assert sorted(rows - good - NEVER) == []


@pytest.mark.parametrize("target", TARGETS)
def test_no_two_opcodes_of_an_encoding_have_one_name(target):
    for table in opcodes(target).values():
        names = Counter(row.mnemonic for row in table.values())
        assert [name for name, count in names.items() if count > 1] == []

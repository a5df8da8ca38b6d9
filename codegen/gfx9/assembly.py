"""Assembly text as the compiler writes it, read into instructions and the kernel's directives.

>>> first = parse_instruction("global_load_dwordx4 v[20:23], v[0:1], off offset:16", 1)
>>> first.mnemonic, first.operands, first.modifiers
('global_load_dwordx4', ('v[20:23]', 'v[0:1]', 'off'), {'offset': '16'})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.compile.loaded_object import LoadedObject
from layoutalg.errors import LayoutError

__all__ = [
    "IMAGE_BASE",
    "Assembly",
    "Instruction",
    "UnknownInstructionError",
    "parse_assembly",
    "parse_instruction",
    "target_of_assembly",
]

_ACCUMULATOR = re.compile(r"a(\d|\[)")
_LABEL = re.compile(r"^\s*([.\w$]+):\s*(?:;.*|//.*)?$")
_KERNEL = re.compile(r"^\s*\.amdhsa_kernel\s+(\S+)(.*?)^\s*\.end_amdhsa_kernel", re.MULTILINE | re.DOTALL)
_DIRECTIVE = re.compile(r"^\s*\.amdhsa_(\w+)\s+(-?\w+)", re.MULTILINE)
_TARGET = re.compile(r'\.amdgcn_target\s+"amdgcn-[\w.]+-[\w.]+-[\w.]*-(gfx\w+)')


IMAGE_BASE = 0x7E00_0000_0000  # where code objects are loaded, below all buffers


class UnknownInstructionError(LayoutError):
    """An instruction that has no row in the tables; it is never guessed."""


@dataclass(frozen=True)
class Instruction:
    """One instruction as written: operands in order, modifiers by name (``""`` for a bare word).

    ``line``: of the assembly file, 0 if there is none; ``address``: in the code object, if it came from one.
    """

    mnemonic: str
    operands: tuple[str, ...]
    modifiers: Mapping[str, str]
    line: int
    text: str
    address: int | None = None

    @property
    def place(self) -> int:
        """Its line, or its address where there are no lines."""
        return self.line or self.address or 0

    def named(self, place: int) -> str:
        """A place of the same code in words."""
        return f"line {place}" if self.line or self.address is None else f"address {place:#x}"

    def __str__(self) -> str:
        return f"{self.named(self.place)}: {self.text}"


@dataclass(frozen=True)
class Assembly:
    """One kernel: its instructions, where its labels point, and its ``.amdhsa_`` directives.

    ``loaded``: the code object that it came from, if it did.
    """

    name: str
    target: str
    instructions: tuple[Instruction, ...]
    labels: Mapping[str, int]
    directives: Mapping[str, int]
    loaded: LoadedObject | None = None

    @cached_property
    def names_accumulators(self) -> bool:
        """Whether any operand is an accumulator."""
        return any(_ACCUMULATOR.match(text) for one in self.instructions for text in one.operands)

    @property
    def flushes_denormals(self) -> bool:
        """Whether floats of 32 bits that are not normal count as 0."""
        return self.loaded is not None and not self.directives["float_denorm_mode_32"]

    @property
    def scaled_kinds(self) -> frozenset[str]:
        """The floats whose results ``mul`` and ``div`` scale: none in IEEE mode, nor where denormals stay."""
        if self.directives.get("ieee_mode", 1):
            return frozenset()
        modes = {"f16": "16_64", "f32": "32", "f64": "16_64"}
        keeps = {kind: self.directives.get(f"float_denorm_mode_{name}", 3) for kind, name in modes.items()}
        return frozenset(kind for kind, kept in keeps.items() if not kept)


def parse_assembly(text: str, kernel: str | None = None) -> Assembly:
    """The only kernel of an assembly file, or the one named."""
    kernels = {match[1]: match for match in _KERNEL.finditer(text)}
    name = kernel or next(iter(kernels), None)
    if name is None or name not in kernels or (kernel is None and len(kernels) > 1):
        msg = f"wanted an assembly file with the kernel {kernel or 'alone'}, got {sorted(kernels)}"
        raise LayoutError(msg)
    target = target_of_assembly(text)
    instructions, labels = _body(text, name)
    directives = {key: int(value, 0) for key, value in _DIRECTIVE.findall(kernels[name][2])}
    return Assembly(name, target, tuple(instructions), labels, directives)


def target_of_assembly(text: str) -> str:
    """The target that an assembly file names.

    >>> target_of_assembly('.amdgcn_target "amdgcn-amd-amdhsa--gfx942"')
    'gfx942'
    """
    found = _TARGET.search(text)
    if found is None:
        msg = "the assembly names no target"
        raise LayoutError(msg, hint='a line .amdgcn_target "amdgcn-amd-amdhsa--gfx942"')
    return found[1]


def _body(text: str, name: str) -> tuple[list[Instruction], dict[str, int]]:
    """Instructions from the kernel's label to the end of its section."""
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        label = _LABEL.match(line)
        if label and label[1] == name:
            inside = True
            continue
        if not inside:
            continue
        code = line.split(";", 1)[0].split("//", 1)[0].strip()
        if label:
            labels[label[1]] = len(instructions)
        elif code.startswith((".section", ".end_amdhsa", ".size")):
            break
        elif code and not code.startswith("."):
            instructions.append(parse_instruction(code, number))
    return instructions, labels


def parse_instruction(code: str, line: int) -> Instruction:
    """One line of code, without its comment."""
    mnemonic, _, rest = code.partition(" ")
    mnemonic, rest = mnemonic.strip(), rest.strip()
    if "\t" in mnemonic:
        mnemonic, _, more = mnemonic.partition("\t")
        rest = f"{more} {rest}".strip()
    operands: list[str] = []
    modifiers: dict[str, str] = {}
    if mnemonic == "s_waitcnt":
        return Instruction(mnemonic, tuple(rest.replace("&", " ").split()), {}, line, code)
    for position, part in enumerate(_split(rest)):
        words = _words(part)
        bare = position == 0 or not _is_modifier(words[0])
        operands += words[:1] if bare else []
        for word in words[1 if bare else 0 :]:
            key, _, value = word.partition(":")
            modifiers[key] = value
    return Instruction(mnemonic, tuple(operands), modifiers, line, code)


def _split(text: str) -> list[str]:
    """Parts between commas that are not inside brackets."""
    parts = re.split(r",(?![^\[(|]*[\])])", text)
    return [part.strip() for part in parts if part.strip()]


def _words(part: str) -> list[str]:
    return re.findall(r"(?:[^\s\[(]|\[[^\]]*\]|\([^)]*\))+", part)


def _is_modifier(word: str) -> bool:
    return bool(re.match(r"[a-z_0-9]+:", word)) and not word.startswith(("s[", "v[", "a["))

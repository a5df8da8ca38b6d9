"""Configurations of CK's tile engine: every admissible combination of the values in one of its JSON files.

The combinations that its builder leaves out are left out here too: tiles that the warps do not divide, more
shared memory than there is, and warps, instructions and traits that its own tables do not allow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError

__all__ = ["is_tile_engine", "tile_engine_configurations"]

TILES = ("tile_m", "tile_n", "tile_k")
WARPS = ("warp_m", "warp_n", "warp_k")
WARP_TILES = ("warp_tile_m", "warp_tile_n", "warp_tile_k")
TRAITS = ("pipeline", "epilogue", "scheduler", "pad_m", "pad_n", "pad_k", "persistent")
LARGEST = {"compv4": 2**15}  # bytes of shared memory for A and B; two buffers halve it
LARGEST_USUAL = 2**16
BY_PIPELINE = {"preshufflev1": "gemm preshuffle", "preshufflev2": "gemm preshuffle"}
TYPES = {"fp8": "f8", "bf8": "bf8", "fp16": "f16", "bf16": "bf16", "int8": "i8", "fp32": "f32"}
OUTPUT = {"fp8": "fp16", "bf8": "fp16", "int8": "int32"}
RULES = ("commons/validation_utils.py", "tile_engine/ops/commons/validation_utils.py")  # above a file


def is_tile_engine(content: Any) -> bool:
    """Whether a JSON value is of the tile engine's form."""
    return isinstance(content, dict) and isinstance(content.get("tile_config"), dict)


def tile_engine_configurations(
    content: Mapping[str, Any], path: Path, types: tuple[str, ...], layouts: tuple[str, ...], arch: str
) -> Iterator[Configuration]:
    """All configurations of a file, for each type of elements and each layout such as ``rcr``."""
    tiles = {name: _values(content["tile_config"], name, path) for name in (*TILES, *WARPS, *WARP_TILES)}
    traits = {name: _values(content.get("trait_config", {}), name, path) for name in TRAITS}
    rules = _Rules.beside(path)
    for element, layout in product(types, layouts):
        if element not in TYPES or len(layout) < 3 or not set(layout[:3]) <= {"r", "c"}:
            raise LayoutError(
                f"tile engine: wanted a type among {', '.join(TYPES)} and a layout such as rcr,"
                f" got {element} and {layout}"
            )
        for chosen in product(*tiles.values()):
            sizes = dict(zip(tiles, chosen, strict=True))
            if not rules.allow_sizes(sizes, element, arch):
                continue
            for picked in product(*traits.values()):
                trait = dict(zip(traits, picked, strict=True))
                if rules.allow_trait(trait) and _fits(sizes, element, str(trait["pipeline"])):
                    yield _configuration(sizes, trait, element, layout, path, arch)


def _values(table: Mapping[str, Any], name: str, path: Path) -> list[Value]:
    """The values of an entry: those listed, or the steps of a range."""
    entry = table.get(name)
    if entry is None and name in TRAITS:
        return [False] if name.startswith(("pad", "pers")) else [_USUAL[name]]
    if isinstance(entry, dict) and isinstance(entry.get("values"), list):
        return list(entry["values"])
    if isinstance(entry, dict) and all(isinstance(entry.get(k), int) for k in ("min", "max", "step")):
        return list(range(entry["min"], entry["max"] + 1, max(1, entry["step"])))
    raise LayoutError(f"{path}: {name}: wanted values, or min, max and step, got {entry!r}")


_USUAL = {"pipeline": "compv3", "epilogue": "cshuffle", "scheduler": "intrawave"}


def _fits(sizes: Mapping[str, Any], element: str, pipeline: str) -> bool:
    bits = (sizes["tile_m"] + sizes["tile_n"]) * sizes["tile_k"] * DataType.named(TYPES[element]).bits
    return bool(bits <= 8 * LARGEST.get(pipeline, LARGEST_USUAL))


def _configuration(
    sizes: Mapping[str, Any], trait: Mapping[str, Any], element: str, layout: str, path: Path, arch: str
) -> Configuration:
    words = [element, layout, *(str(trait[name]) for name in TRAITS)]
    shapes = ["x".join(str(sizes[name]) for name in names) for names in (TILES, WARPS, WARP_TILES)]
    pipeline = str(trait["pipeline"])
    kernel = BY_PIPELINE.get(pipeline, f"gemm {pipeline}")
    types = {"a_type": element, "b_type": element, "c_type": OUTPUT.get(element, element)}
    types["acc_type"] = "int32" if element == "int8" else "fp32"
    layouts = dict(zip(("a_layout", "b_layout", "c_layout"), layout, strict=False))
    more = {"double_smem": pipeline == "compv4", "preshuffle": kernel.endswith("preshuffle")}
    parameters = dict(sizes) | dict(trait) | types | layouts | more
    return Configuration("_".join(["gemm", *words, *shapes]), kernel, parameters, str(path), 1, arch)


@dataclass(frozen=True)
class _Rules:
    """What the tile engine's own tables allow; everything that divides, where there are none."""

    warps: Mapping[str, Any] = field(default_factory=dict)
    warp_tiles: Mapping[str, Any] = field(default_factory=dict)
    unsupported: frozenset[tuple[str, ...]] = frozenset()

    @classmethod
    def beside(cls, path: Path) -> _Rules:
        """The tables in the sources that the file belongs to; nothing of these is executed."""
        above = [folder / name for folder in path.absolute().parents for name in RULES]
        source = next((place for place in above if place.is_file()), None)
        if source is None:
            return cls()
        found = {}
        for node in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                try:
                    found[node.targets[0].id] = ast.literal_eval(node.value)
                except ValueError:
                    continue
        return cls(
            found.get("WARP_SUPPORTED_COMBINATIONS", {}),
            found.get("WARP_TILE_SUPPORTED_COMBINATIONS", {}),
            frozenset(found.get("TRAIT_UNSUPPORTED_COMBINATIONS", ())),
        )

    def allow_sizes(self, sizes: Mapping[str, Any], element: str, arch: str) -> bool:
        """Whether warps divide the tile, and both are combinations that are built."""
        for axis in "mnk":
            if sizes[f"tile_{axis}"] % (sizes[f"warp_{axis}"] * sizes[f"warp_tile_{axis}"]):
                return False
        warps = self.warps.get(arch)
        if warps and [sizes[name] for name in WARPS] not in warps:
            return False
        output = OUTPUT.get(element, element)
        tiles = self.warp_tiles.get(arch, {}).get(f"{element}_{element}_{output}")
        return not tiles or [sizes[name] for name in WARP_TILES] in tiles

    def allow_trait(self, trait: Mapping[str, Any]) -> bool:
        """Whether a pipeline, epilogue and scheduler go together."""
        return (trait["pipeline"], trait["epilogue"], trait["scheduler"]) not in self.unsupported

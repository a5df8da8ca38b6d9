"""Parameters read out of the name of a kernel, as tuning tables and benchmarks write it.

>>> found = configuration_of_name("a8w8_blockscale_cktile_128x128x128_1x4x1_16x16x64_intrawave_0x0x0_1")
>>> found.kernel, found.parameters["tile_m"], found.parameters["warp_tile_k"]
('gemm blockscale', 128, 64)
>>> configuration_of_name("_ZN5aiter28bf16gemm_outf32_tn_32x64_pf3E") is None
True
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from layoutalg.ck.configurations.configuration import Configuration, Value
from layoutalg.ck.configurations.old_ck_name import kernel_arguments
from layoutalg.errors import LayoutError
from layoutalg.reading.spelled_integer import spelled_integer

__all__ = ["configuration_of_name", "naming"]

TABLE = Path(__file__).with_name("names.toml")


@cache
def naming() -> dict[str, Any]:
    """The table of names."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def configuration_of_name(name: str, file: str = "", line: int = 1, arch: str = "") -> Configuration | None:
    """The configuration that a kernel's name tells; None where no pattern reads it."""
    for entry in naming()["name"]:
        pattern = entry["pattern"].replace("SHAPES", naming()["shapes"])
        found = re.fullmatch(pattern, name, re.IGNORECASE)
        if found is None:
            continue
        said = {key: _value(text) for key, text in found.groupdict().items() if text is not None}
        kernel = entry["kernel"].format(**said)
        kernel = "gemm preshuffle" if kernel.startswith("gemm preshufflev") else kernel
        return Configuration(name, kernel, entry.get("set", {}) | said, file, line, arch)
    return _of_device_operation(name, file, line, arch)


def _of_device_operation(name: str, file: str, line: int, arch: str) -> Configuration | None:
    """The configuration of a kernel of old CK: the template arguments that its name says."""
    family = next((one for one in naming()["families"] if name.startswith(f"{one}_")), None)
    if family is None:
        return None
    try:
        said = kernel_arguments(name)
    except LayoutError:
        return None
    return Configuration(name, naming()["families"][family], said, file, line, arch)


def _value(text: str) -> Value:
    if text in {"True", "False"}:
        return text == "True"
    found = spelled_integer(text)
    return text.lower() if found is None else found

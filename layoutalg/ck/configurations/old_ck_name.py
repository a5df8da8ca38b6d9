"""Names of tuned kernels: what a row of a table of tuned GEMMs says of the device operation it runs.

Such a name lists block and tile sizes, how threads copy and which pipeline runs, in the order of its
family.

>>> name = "a8w8_rowwise_256x16x64x512_16x16_1x1_32x8x1_32x8x1_1x16x1x16_4x4x1_1x1_intrawave_v3"
>>> found = kernel_arguments(name)
>>> found["MPerBlock"], found["BlkGemmPipelineVer"]
('16', 'ck::BlockGemmPipelineVersion::v3')
>>> found["ABlockTransferThreadClusterLengths_AK0_M_AK1"]
'ck::Sequence<32, 8, 1>'
"""

from __future__ import annotations

import re

from layoutalg.errors import LayoutError

__all__ = ["kernel_arguments"]

NAME = re.compile(
    r"(?P<family>[a-z]\w*?)_(?:(?P<scale>\d+x\d+x\d+)_)?(?P<block>\d+x\d+x\d+x\d+)_(?P<rest>[\dx_]+)_"
    r"(?P<scheduler>intrawave|interwave)_v(?P<version>\d+)"
)
BLOCK = ("BlockSize", "MPerBlock", "NPerBlock", "KPerBlock")
SCALE = ("ScaleBlockM", "ScaleBlockN", "ScaleBlockK")
CLUSTERS = ("ABlockTransferThreadClusterLengths_AK0_M_AK1", "BBlockTransferThreadClusterLengths_BK0_N_BK1")
SHUFFLE = "CShuffleBlockTransferClusterLengths_MBlock_MPerBlock_NBlock_NPerBlock"
BY_VECTOR = re.compile(r"bpreshuffle|blockscale")  # families that name AK1 and BK1 in front of the tile
SCHEDULERS = {"intrawave": "Intrawave", "interwave": "Interwave"}


def kernel_arguments(name: str) -> dict[str, str]:
    """The template arguments that a kernel's name says, by the names of a device operation's parameters."""
    found = NAME.fullmatch(name)
    parts = found["rest"].split("_") if found is not None else []
    if found is None or len(parts) != len(_PARTS):
        wanted = "FAMILY_BLOCKxMxNxK_..._SCHEDULER_vN"
        hint = "as in aiter's tables of tuned GEMMs"
        raise LayoutError(f"kernel name: wanted {wanted}, got {name!r}", hint=hint)
    numbers = [part.split("x") for part in parts]
    said = dict(zip(BLOCK, found["block"].split("x"), strict=True))
    if found["scale"]:
        said |= dict(zip(SCALE, found["scale"].split("x"), strict=True))
    is_by_vector = BY_VECTOR.search(found["family"]) is not None
    first, second = numbers[:2]
    tile, waves = (second, None) if is_by_vector else (first, second)
    said |= dict(zip(("AK1", "BK1"), first, strict=True)) if is_by_vector else {}
    said |= dict(zip(("MPerXDL", "NPerXDL"), tile, strict=True))
    said |= dict(zip(("MXdlPerWave", "NXdlPerWave"), waves, strict=True)) if waves else {}
    said |= {key: _sequence(row) for key, row in zip(CLUSTERS, numbers[2:4], strict=True)}
    said[SHUFFLE] = _sequence(numbers[4])
    said["CDEShuffleBlockTransferScalarPerVectors"] = _sequence(numbers[5])
    said |= dict(
        zip(("CShuffleMXdlPerWavePerShuffle", "CShuffleNXdlPerWavePerShuffle"), numbers[6], strict=True)
    )
    said["BlkGemmPipeSched"] = f"ck::BlockGemmPipelineScheduler::{SCHEDULERS[found['scheduler']]}"
    said["BlkGemmPipelineVer"] = f"ck::BlockGemmPipelineVersion::v{found['version']}"
    return said


_PARTS = ("first", "second", "copy of A", "copy of B", "copy of C", "vectors of C", "shuffle")


def _sequence(values: list[str]) -> str:
    return f"ck::Sequence<{', '.join(values)}>"

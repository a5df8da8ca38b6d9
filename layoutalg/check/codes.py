"""Rule codes: what each check is called in reports, and what to look at when it fails.

Families: LA0 files, LA1 bounds, LA2 maps, LA3 vectors, LA4 integer widths, LA5 transforms, LA6 sharing,
LA7 shared memory, LA8 configurations, LA9 kernels that are run (``layoutalg sanitize``).

>>> code_of("one-to-one").id
'LA201'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.codegen.kernel_checks import CHECKS
from layoutalg.reading.near_names import no_such

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "CODES",
    "FAMILIES",
    "OWN_CLAIM",
    "STALE",
    "UNCLAIMED",
    "UNREADABLE",
    "Code",
    "code_named",
    "code_of",
    "is_selected",
    "require_codes",
]

FAMILIES = {
    "LA0": "files",
    "LA1": "bounds",
    "LA2": "maps",
    "LA3": "vector access",
    "LA4": "integer widths",
    "LA5": "transforms",
    "LA6": "sharing between threads",
    "LA7": "shared memory",
    "LA8": "configurations",
    "LA9": "kernels that are run",
}


@dataclass(frozen=True)
class Code:
    """A check: ``claim`` is the name its claims carry, ``look`` says where the fault usually lies."""

    id: str
    claim: str
    summary: str
    look: str

    @property
    def name(self) -> str:
        """The claim's name as one word, for formats that want one."""
        return self.claim.replace(" ", "-")

    @property
    def family(self) -> str:
        return FAMILIES[self.id[:3]]


UNREADABLE = Code(
    "LA001",
    "readable",
    "A layout file or module cannot be read, or does not say what it must.",
    "The message names the line and the key, what was wanted and what came.",
)
UNCLAIMED = Code(
    "LA002",
    "claimed",
    "A layout of which nothing is claimed, and of its kind nothing is claimed by default.",
    "State claims, or give sizes a max and the layout a size, so that bounds can be asked for.",
)
STALE = Code(
    "LA003",
    "known",
    "The baseline lists a problem that no longer occurs.",
    "Write the baseline again (--write-baseline), so that the problem fails if it comes back.",
)
CODES = (
    UNREADABLE,
    UNCLAIMED,
    STALE,
    Code(
        "LA101",
        "in memory bounds",
        "A valid index has an offset outside 0 <= offset < element_space_size.",
        "Strides and pads: is the space computed for the same lengths, does every pad check validity?",
    ),
    Code(
        "LA102",
        "in logical bounds",
        "A valid index leaves the length of a dimension on its way to memory, perhaps into the next row.",
        "The transform whose lower index is out of range: lengths that do not fit, a mask that is missing.",
    ),
    Code(
        "LA103",
        "in tile bounds",
        "A thread holds an element outside the tile.",
        "More warps or lanes than the encoding was made for.",
    ),
    Code(
        "LA104",
        "inside tables",
        "A valid index reads an entry that a table does not have.",
        "The table's length, and the condition that is to keep the index inside it.",
    ),
    Code(
        "LA201",
        "one-to-one",
        "Two indices share an element.",
        "A stride smaller than what lies below it, a length cut off by a modulo, swapped dimensions.",
    ),
    Code(
        "LA202",
        "covers",
        "An element of the space has no index: it is never read or written.",
        "Gaps between rows, a tile longer than the threads reach, a loop that ends early.",
    ),
    Code(
        "LA204",
        "same map",
        "Two layouts send an index to different places.",
        "The order of dimensions and strides in one of them.",
    ),
    Code(
        "LA205",
        "inverse of",
        "One layout after the other does not lead back.",
        "Lengths of merge and unmerge, and their order.",
    ),
    Code(
        "LA206",
        "equals",
        "The offset is not the closed form that the file expects.",
        "Whichever of the two was changed last; the index shown tells where they part.",
    ),
    Code(
        "LA207",
        "table",
        "The offsets are not those of the table in the file.",
        "Whichever of the two was changed last; the index shown tells where they part.",
    ),
    Code(
        "LA208",
        "monotone",
        "The offset gets smaller along a dimension.",
        "A negative stride, a modulo or an xor on that dimension.",
    ),
    Code(
        "LA209",
        "determines",
        "Two indices share an element and differ in what the element was said to determine.",
        "A stride smaller than what lies below it, a place that two parts of the index reach.",
    ),
    Code(
        "LA210",
        "disjoint",
        "Two layouts have an element in common.",
        "Where the second begins: an offset too small, a part that runs past its end.",
    ),
    Code(
        "LA211",
        "lifted",
        "An address of compiled code is no formula of lane, wave, workgroup, arguments and turns.",
        "The missing claim and its instruction: state it as a fact; or the address is loaded.",
    ),
    Code(
        "LA212",
        "as claimed",
        "Compiled code accesses what is not claimed, or leaves out what is claimed.",
        "The access that is told: its formula beside the layout that is claimed for its buffer.",
    ),
    Code(
        "LA301",
        "vector divides length",
        "The length along the vector is no multiple of it: the last vector is cut.",
        "Pad the dimension to a multiple of the vector, or use narrower vectors.",
    ),
    Code(
        "LA302",
        "vector contiguous",
        "Elements of one vector do not lie next to each other.",
        "The stride of the dimension, or a split, xor or pad inside the vector.",
    ),
    Code(
        "LA303",
        "vector aligned",
        "A vector starts at an offset that is no multiple of its width.",
        "Row pitches and base offsets: each must be a multiple of the vector.",
    ),
    Code(
        "LA304",
        "vector valid together",
        "Part of a vector is valid and part is padding.",
        "Pads that are no multiple of the vector; CK leaves this to the caller.",
    ),
    Code(
        "LA401",
        "fits int32",
        "An index, a length or the element space leaves 32 bits and wraps silently.",
        "State the largest sizes (max), split the tensor, or use a 64-bit index.",
    ),
    Code(
        "LA402",
        "fits uint32",
        "An index, a length or the element space leaves 32 unsigned bits.",
        "State the largest sizes (max), and check what may become negative.",
    ),
    Code(
        "LA403",
        "fits buffer",
        "A byte offset leaves the 4 GiB that a buffer instruction reaches.",
        "Rebase the buffer resource for each tile or expert, or use global instructions.",
    ),
    Code(
        "LA404",
        "fits magic dividend",
        "A merge divides a number outside 0 .. 2**31 - 1 by a magic number: CK's result is wrong there.",
        "The length of the merged dimension, and indices that a pad makes negative.",
    ),
    Code(
        "LA405",
        "fits 24 bits",
        "An unmerge that multiplies in 24 bits gets a larger number.",
        "Drop use_24bit, or state the largest sizes (max).",
    ),
    Code(
        "LA501",
        "xor permutes",
        "An xor names a column that does not exist.",
        "The number of columns must be a power of two; pad it, or swizzle fewer bits.",
    ),
    Code(
        "LA502",
        "divides",
        "A length is no multiple of what it is cut into.",
        "State what is known (multiple_of), or handle the tail.",
    ),
    Code(
        "LA601",
        "agree",
        "Writer and reader of a buffer use different addresses for one element.",
        "The swizzle or the pitch on one of the two sides.",
    ),
    Code(
        "LA602",
        "one writer",
        "Two threads write one address.",
        "The strides of thread axes, and threads beyond the tile.",
    ),
    Code(
        "LA603",
        "held once",
        "Two threads or registers hold one element of a tile, and no R says so.",
        "A factor that belongs to no P or Y; threads that differ in nothing.",
    ),
    Code(
        "LA604",
        "held at all",
        "An element of the tile belongs to no thread: it is never loaded or stored.",
        "A factor that belongs to no P or Y; fewer warps or lanes than the encoding was made for.",
    ),
    Code(
        "LA605",
        "same distribution",
        "A register holds different elements under the two distributions.",
        "The order of Y, or of the factors of P; where they differ data must be shuffled.",
    ),
    Code(
        "LA701",
        "aligned in LDS",
        "A lane accesses shared memory at an address that is no multiple of its width.",
        "Row pitches and paddings: each must be a multiple of the vector.",
    ),
    Code(
        "LA702",
        "conflict-free",
        "Two lanes of one phase want different words of one bank: the access is serialised.",
        "layoutalg banks shows the phase and proposes a padding or a swizzle.",
    ),
    Code(
        "LA801",
        "accepted by CK",
        "A static_assert of CK refuses the configuration: no kernel comes of it.",
        "The sizes that the assertion names: leave the configuration out, or choose others.",
    ),
    Code(
        "LA900",
        "executable",
        "A kernel cannot be run, or not to its end.",
        "The instruction or the argument that the message names.",
    ),
    *(Code(check.code, check.name.replace("-", " "), check.summary, check.look) for check in CHECKS),
)
_BY_CLAIM = {code.claim: code for code in CODES}
_BY_ID = {code.id: code for code in CODES}
_BY_NAME = {code.name: code for code in CODES}
OWN_CLAIM = Code("LA200", "claim", "A claim of your own does not hold.", "The comparison shown.")


def code_of(claim_name: str) -> Code:
    """The code of a claim by its name; claims of a user's own share LA200."""
    return _BY_CLAIM.get(claim_name, OWN_CLAIM)


def code_named(text: str) -> Code:
    """The code ``LA201`` or of the claim ``one-to-one``."""
    found = (
        _BY_ID.get(text.upper())
        or _BY_CLAIM.get(text.lower().replace("_", " "))
        or _BY_NAME.get(text.lower())
    )
    if text.upper() == OWN_CLAIM.id:
        return OWN_CLAIM
    if found is None:
        by_name = [*_BY_ID, OWN_CLAIM.id] if text.upper().startswith("LA") else [*_BY_CLAIM]
        raise no_such("rule", text, by_name)
    return found


def require_codes(names: Iterable[str], where: str) -> None:
    """Refuse a rule or family that no code begins with.

    >>> require_codes(["LA2", "LA101"], "--select")
    >>> require_codes(["LAX"], "--select")
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: --select: there is no rule or family LAX (did you mean ...? known are ...)
    """
    known = [*FAMILIES, *(code.id for code in CODES), OWN_CLAIM.id]
    for name in names:
        if not name or not any(code.startswith(name) for code in known):
            raise no_such("rule or family", name, known, where=where)


def is_selected(code: str, select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Whether reports speak of a code: the longest prefix that fits decides; ``ignore`` wins a tie.

    >>> is_selected("LA201", ["LA2"], ["LA202"]), is_selected("LA202", ["LA2"], ["LA202"])
    (True, False)
    """
    chosen = max((len(p) for p in select if code.startswith(p)), default=-1)
    left_out = max((len(p) for p in ignore if code.startswith(p)), default=-1)
    return chosen > left_out

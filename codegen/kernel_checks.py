"""What the sanitizer looks for: a name for each class of mistake, what it is, where it usually comes from.

>>> check_named("lds-race").summary
'Two waves access a place of the LDS, at least one of them writes, and no barrier orders them.'
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import no_such

__all__ = ["CHECKS", "GROUPS", "Check", "check_named", "chosen_checks"]


@dataclass(frozen=True)
class Check:
    """A class of mistakes. ``native``: what the machine in C calls it, empty where Python looks for it."""

    name: str
    code: str
    group: str
    native: str
    summary: str
    look: str
    is_usual: bool = True


CHECKS = (
    Check("out-of-bounds", "LA901", "memory", "out_of_bounds",
          "An access leaves its buffer, the LDS of the workgroup or the scratch memory of a lane.",
          "The bound that guards the access, and strides and sizes that were passed."),
    Check("misaligned", "LA902", "memory", "misaligned",
          "An address is no multiple of what the access needs.",
          "Row pitches and base offsets: vectors want them to be multiples of their width."),
    Check("input-written", "LA903", "memory", "writes_input",
          "A buffer that was passed as an input is written.",
          "The pointer of the store; pass Output(array) if the kernel may write it."),
    Check("uninitialised-register", "LA911", "init", "unset_register",
          "A register that nothing ever set decides an address, a branch or a stored value.",
          "A path on which the variable is not assigned."),
    Check("uninitialised-lds", "LA912", "init", "unset_lds",
          "What was read from a place of the LDS that nobody wrote is used.",
          "The loop that fills the LDS: does it reach every element that is read, also in the tail?"),
    Check("uninitialised-memory", "LA913", "init", "unset_memory",
          "What was read from global or scratch memory that nobody wrote is used.",
          "An output that is read before it is written; pass is_initialised if it has content."),
    Check("output-unwritten", "LA914", "init", "",
          "Elements of an output were not written by any thread.",
          "The grid, and bounds that cut the last tile."),
    Check("lds-race", "LA921", "races", "lds_race",
          "Two waves access a place of the LDS, at least one of them writes, and no barrier orders them.",
          "A missing __syncthreads(): between filling and reading, and before the next turn fills again."),
    Check("lds-lane-race", "LA922", "races", "lds_lanes",
          "Lanes of one wave write different values to one place of the LDS in one instruction.",
          "The index that lanes write to: which of them stays is not said."),
    Check("global-race", "LA923", "races", "memory_race",
          "Workgroups or waves access a place of global memory, at least one writes, in no order.",
          "Tiles that overlap, a missing atomic, a missing __threadfence() beside one."),
    Check("global-lane-race", "LA924", "races", "memory_lanes",
          "Lanes of one wave write different values to one place of global memory in one instruction.",
          "The index that lanes write to: which of them stays is not said."),
    Check("same-value", "LA925", "races", "same_value",
          "Several write the same value to one place with nothing to order them: harmless as it stands.",
          "Let one of them write.", is_usual=False),
    Check("missing-wait", "LA931", "waits", "early",
          "A register or a place of the LDS is used while a load into it is still under way.",
          "The s_waitcnt before it: which counter, and how many may stay under way."),
    Check("mfma-hazard", "LA941", "hazards", "",
          "The result of a matrix instruction is used before the hardware has it.",
          "s_nop, or independent instructions between the two."),
    Check("valu-hazard", "LA942", "hazards", "",
          "An instruction uses what a vector or scalar instruction just wrote, too early for the hardware.",
          "s_nop, or independent instructions between the two."),
    Check("trans-hazard", "LA943", "hazards", "",
          "The result of a transcendental instruction is used by the very next vector instruction.",
          "s_nop 0, or an independent instruction between the two."),
    Check("barrier-not-reached", "LA951", "barriers", "barrier_missed",
          "A wave ended without coming to a barrier at which others of its workgroup wait.",
          "A barrier inside a branch that not all threads take, an early return."),
    Check("barrier-divergence", "LA952", "barriers", "barrier_diverges",
          "A wave comes to a barrier with some of its lanes switched off.",
          "A barrier inside a branch or a loop that only some threads of a wave take."),
    Check("no-active-lane", "LA953", "barriers", "no_lane",
          "A barrier or readfirstlane while EXEC is 0, or accesses of a wave whose lanes stay off.",
          "The mask in EXEC: a branch over it (s_cbranch_execz) is missing, or it was never restored."),
    Check("address-overflow", "LA961", "memory", "overflows",
          "A signed 32-bit sum or product wrapped, and an address was made of it.",
          "Compute the index in 64 bits, or split the tensor."),
    Check("endless", "LA971", "barriers", "",
          "A workgroup does not end.",
          "The condition of the loop; a wait for a workgroup that has not started."),
)  # fmt: skip
GROUPS = tuple(dict.fromkeys(check.group for check in CHECKS))
_BY_NAME = {check.name: check for check in CHECKS}


def check_named(name: str) -> Check:
    """The check of a name; refused, with what is near, where there is none."""
    if name not in _BY_NAME:
        raise no_such("check", name, _BY_NAME)
    return _BY_NAME[name]


def chosen_checks(select: Collection[str] = (), ignore: Collection[str] = ()) -> tuple[Check, ...]:
    """Checks by name, code (or its beginning) or group; the usual ones if nothing is selected.

    >>> [check.name for check in chosen_checks(["races"], ["LA924", "same-value"])]
    ['lds-race', 'lds-lane-race', 'global-race']
    """
    for name in (*select, *ignore):
        if not any(_fits(check, name) for check in CHECKS):
            known = [*GROUPS, *_BY_NAME, *(check.code for check in CHECKS)]
            raise no_such("check or group", name, known)
    if isinstance(select, str) or isinstance(ignore, str):
        msg = "select and ignore: wanted a list of checks, got a text"
        raise LayoutError(msg, hint='select=["races"]')
    wanted = [c for c in CHECKS if any(_fits(c, name) for name in select) or (not select and c.is_usual)]
    return tuple(check for check in wanted if not any(_fits(check, name) for name in ignore))


def _fits(check: Check, name: str) -> bool:
    return name in (check.name, check.group, "all") or (name.startswith("LA") and check.code.startswith(name))

"""Moves in boxes: several dimensions at a time, by runs of the source and runs of the target.

Reading order: ``strided_move`` (what lies where), ``memory_runs`` (what lies together), ``box`` (accesses),
``planner`` (which box for which move), ``claims`` (what must hold), ``text`` (the source), ``boxed_kernel``,
``better_box`` (when boxes are better).
"""

from layoutalg.codegen.kernels.boxes.better_box import better_box
from layoutalg.codegen.kernels.boxes.box import Box
from layoutalg.codegen.kernels.boxes.boxed_kernel import BoxMeaning, box_kernel
from layoutalg.codegen.kernels.boxes.planner import planned_box
from layoutalg.codegen.kernels.boxes.strided_move import SIDES, StridedMove

__all__ = ["SIDES", "Box", "BoxMeaning", "StridedMove", "better_box", "box_kernel", "planned_box"]

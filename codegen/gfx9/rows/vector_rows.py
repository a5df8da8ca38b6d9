"""The table of vector arithmetic: an instruction's operand types and its meaning, a row each."""

from __future__ import annotations

from layoutalg.codegen.gfx9.rows.comparison_rows import COMPARISON_ROWS
from layoutalg.codegen.gfx9.rows.conversion_rows import CONVERSION_ROWS
from layoutalg.codegen.gfx9.rows.division_rows import DIVISION_ROWS
from layoutalg.codegen.gfx9.rows.float_rows import FLOAT_ROWS
from layoutalg.codegen.gfx9.rows.integer_rows import INTEGER_ROWS
from layoutalg.codegen.gfx9.rows.row import VectorRow

__all__ = ["VECTOR_ROWS"]

VECTOR_ROWS: dict[str, VectorRow] = (
    INTEGER_ROWS | FLOAT_ROWS | DIVISION_ROWS | CONVERSION_ROWS | COMPARISON_ROWS
)

"""AMD's dense matrix instructions: shapes, rates, and who holds which element of an operand.

Reading order: ``rows`` and a table for each architecture (``cdna1`` to ``cdna4``, ``rdna3``, ``rdna4``);
``operand_layouts`` (who holds what); ``matrix_instruction`` (what a row says, what follows from it, the
search by name); ``block`` (a workgroup's product of one instruction); ``transposing_read`` (operands that lie
the other way).
"""

from layoutalg.mma.block import BlockGemm, along_k, in_pieces, transposed
from layoutalg.mma.matrix_instruction import MATRIX_INSTRUCTIONS, MatrixInstruction

__all__ = ["MATRIX_INSTRUCTIONS", "BlockGemm", "MatrixInstruction", "along_k", "in_pieces", "transposed"]

"""The points an index is defined on: named axes, sizes that stay open, facts about them.

Reading order: ``variable`` (one axis or size), ``domain`` (all of them and their facts), ``points`` (every
point, in blocks), ``probes`` (a few points that tell much).
"""

from layoutalg.domain.domain import Bound, Domain
from layoutalg.domain.variable import Variable

__all__ = ["Bound", "Domain", "Variable"]

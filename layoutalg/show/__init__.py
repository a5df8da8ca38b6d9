"""Pictures of layouts. Nothing imports this but the command line and a value's display methods."""

from layoutalg.show.graph import graph_svg

__all__ = ["graph_svg"]

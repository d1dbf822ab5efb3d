"""Pictures of row patterns and of the matches that they find."""

from match_recognize.plot.diagrams import Diagram, diagram
from match_recognize.plot.matches import plot_matches

__all__ = ["Diagram", "diagram", "plot_matches"]

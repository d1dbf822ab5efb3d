"""What the search of a clause came to, and what each of its threads did."""

from match_recognize.explanations.explanation import Explanation, why
from match_recognize.explanations.thread_trace import Trace, trace

__all__ = ["Explanation", "Trace", "trace", "why"]

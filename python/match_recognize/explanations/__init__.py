"""What the search of a clause came to, and what each of its threads did."""

from match_recognize.explanations.explanation import Condition, Explanation, Partition, why
from match_recognize.explanations.thread_trace import Trace, trace

__all__ = ["Condition", "Explanation", "Partition", "Trace", "trace", "why"]

"""The progress of streaming queries with MATCH_RECOGNIZE."""

from match_recognize.streaming.stream_progress import ClauseProgress, Progress, progress

__all__ = ["ClauseProgress", "Progress", "progress"]

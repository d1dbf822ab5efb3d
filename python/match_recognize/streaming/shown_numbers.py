"""The numbers of a streaming query, as people read them."""

from __future__ import annotations

UNKNOWN = "unknown"


def count(number: int | None) -> str:
    """Returns 1234567 as ``1,234,567``."""
    return UNKNOWN if number is None else f"{number:,}"


def rate(per_second: float | None) -> str:
    """Returns 1234.5 as ``1,234`` and 0.25 as ``0.2``."""
    if per_second is None:
        return UNKNOWN
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.1f}"


def duration(seconds: float | None) -> str:
    """Returns 0.35 as ``350 ms``, 1.25 as ``1.2 s`` and 125 as ``2 min 5 s``."""
    if seconds is None:
        return UNKNOWN
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s"


def size(number: float) -> str:
    """Returns 1536 as ``1.5 KiB``."""
    if number < 1024:
        return f"{number:.0f} B"
    for unit in ("KiB", "MiB", "GiB"):
        number /= 1024
        if number < 1024:
            return f"{number:.1f} {unit}"
    return f"{number / 1024:,.1f} TiB"


def utc(time: str | None) -> str:
    """Returns ``2026-01-05T10:00:00.000Z`` as ``2026-01-05 10:00:00 UTC``."""
    if time is None:
        return UNKNOWN
    return time.replace("T", " ").replace(".000", "").replace("Z", " UTC")

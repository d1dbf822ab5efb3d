"""Values of Python as literals of SQL, with the type that they have in Python."""

from __future__ import annotations

import datetime
import math
import sys
from decimal import Decimal
from typing import Any

from match_recognize.builder.places import refusal
from match_recognize.kinds import is_a

ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    # Spark reads digits after a backslash as one character, so two more would be part of it.
    "\0": "\\u0000",
    "\x1a": "\\Z",
}

#: What Spark's interval of days and smaller units holds: microseconds in 64 bits.
MAX_INTERVAL = datetime.timedelta(microseconds=2**63 - 1)


def is_literal(value: object) -> bool:
    """Whether a value can be written as a literal."""
    value = plain(value)
    return value is None or isinstance(
        value,
        (bool, int, float, Decimal, str, bytes, bytearray, datetime.date, datetime.timedelta),
    )


def literal(value: Any) -> str:
    """Returns a value as SQL. A datetime without a time zone is a time of the session's."""
    value = plain(value)
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return _integer(int(value))
    if isinstance(value, float):
        return _float(float(value))
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (bytes, bytearray)):
        return f"X'{bytes(value).hex().upper()}'"
    if isinstance(value, datetime.datetime):
        return f"TIMESTAMP_LTZ '{value.isoformat(sep=' ')}'"
    if isinstance(value, datetime.date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, datetime.timedelta):
        return _interval(value)
    raise refusal(
        f"A value of type {type(value).__name__} cannot be written in SQL: {value!r}. Use a "
        "bool, number, str, bytes, date, datetime or timedelta, or a column of the DataFrame."
    )


def plain(value: Any) -> Any:
    """Takes scalars of NumPy and pandas to those of Python; what has no value to None."""
    if is_a(value, "numpy", "generic") or (is_a(value, "numpy", "ndarray") and value.shape == ()):
        # Python has no times finer than microseconds, and NumPy makes them integers.
        unit = str(value.dtype).partition("[")[2].rstrip("]")
        if value.dtype.kind in "mM" and unit in ("ns", "ps", "fs", "as"):
            value = value.astype(f"{value.dtype.kind}8[us]")
        if value.dtype.kind in "mM" and isinstance(value.item(), int):
            raise refusal(f"Python has no time for {value!r}. Use days, or smaller units.")
        return value.item()
    if type(value).__name__ in ("NaTType", "NAType"):
        pandas: Any = sys.modules.get("pandas")
        return None if pandas and (value is pandas.NaT or value is pandas.NA) else value
    if is_a(value, "pandas", "Timestamp"):
        return value.to_pydatetime(warn=False)
    if is_a(value, "pandas", "Timedelta"):
        return value.to_pytimedelta()
    return value


def _integer(value: int) -> str:
    if -(2**63) <= value < 2**63:
        return str(value)
    raise refusal(f"{value} is too large for Spark's BIGINT. Use a Decimal.")


def _float(value: float) -> str:
    if math.isnan(value):
        return "DOUBLE('NaN')"
    if math.isinf(value):
        return "DOUBLE('Infinity')" if value > 0 else "DOUBLE('-Infinity')"
    return f"{value!r}D"


def _decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise refusal(f"{value} is no DECIMAL of Spark. Use a float.")
    text = format(value, "f")
    whole, _, fraction = text.lstrip("-").partition(".")
    if len(whole.lstrip("0")) + len(fraction) > 38:
        raise refusal(f"{value} has more than the 38 digits of Spark's DECIMAL.")
    return f"{text}BD"


def _string(value: str) -> str:
    text = "".join(ESCAPES.get(character, character) for character in value)
    # Spark replaces ${name} in the text of a statement, also within strings.
    return "'" + text.replace("${", "\\u0024{") + "'"


def _interval(value: datetime.timedelta) -> str:
    if abs(value) > MAX_INTERVAL:
        raise refusal(f"{value} is longer than Spark's longest interval.")
    sign = "-" if value < datetime.timedelta(0) else ""
    size = abs(value)
    minutes, seconds = divmod(size.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{size.microseconds:06d}" if size.microseconds else ""
    clock = f"{hours:02d}:{minutes:02d}:{seconds:02d}{fraction}"
    return f"INTERVAL '{sign}{size.days} {clock}' DAY TO SECOND"

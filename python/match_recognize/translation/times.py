"""Dates and times: differences, sums, formats, and the parts of a date."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from match_recognize.translation.dialects import NotUnderstood

#: Units that TIMESTAMPDIFF of Spark has.
_UNITS = {
    "YEAR",
    "QUARTER",
    "MONTH",
    "WEEK",
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "MILLISECOND",
    "MICROSECOND",
}

#: By unit of DATE_TRUNC, what TRUNC of Oracle calls it.
_CUTS = {
    "YEAR": "SYYYY YYYY YEAR SYEAR YYY YY Y",
    "QUARTER": "Q",
    "MONTH": "MONTH MON MM RM",
    "WEEK": "IW",
    "DAY": "DDD DD J",
    "HOUR": "HH HH12 HH24",
    "MINUTE": "MI",
}

#: Parts of a date that Trino and Snowflake call otherwise.
_PARTS = {
    "DAY_OF_MONTH": "DAY",
    "DAYOFMONTH": "DAY",
    "DAY_OF_YEAR": "DOY",
    "WEEKOFYEAR": "WEEK",
    "YEAR_OF_WEEK": "YEAROFWEEK",
    "YOW": "YEAROFWEEK",
}

DIFFERENCES = (exp.DateDiff, exp.DatetimeDiff, exp.TimestampDiff, exp.TimeDiff)
SUMS = (exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)


def _unit(node: exp.Expr) -> str:
    unit = node.args["unit"].name.upper()
    if unit not in _UNITS:
        raise NotUnderstood(f"the unit {unit} has no counterpart in Spark")
    return str(unit)


def difference(node: exp.Expr) -> exp.Expr:
    """Returns the difference of two times in a unit.

    Args:
        node: one of `DIFFERENCES` with a unit.
    """
    unit = _unit(node)
    start, end = node.expression, node.this
    if node.args.get("date_part_boundary"):
        if unit == "DAY":
            return exp.Anonymous(this="DATEDIFF", expressions=[end, start])
        start, end = cut(unit, start), cut(unit, end)
    return exp.Anonymous(this="TIMESTAMPDIFF", expressions=[exp.var(unit), start, end])


def cut(unit: str, time: exp.Expr) -> exp.Expr:
    """Returns a time without what is smaller than a unit.

    Args:
        unit: a unit that DATE_TRUNC of Spark has.
        time: the time.
    """
    return exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string(unit), time])


def sum_(node: exp.Expr) -> exp.Expr:
    """Returns the sum of a time and a number of units.

    A sum with an interval keeps a DATE a DATE, and the time of a TIMESTAMP.

    Args:
        node: one of `SUMS` with a unit.
    """
    unit, count = _unit(node), node.expression
    step = 1
    if unit == "QUARTER":
        unit, step = "MONTH", 3
    if unit in ("MILLISECOND", "MICROSECOND"):
        call = [exp.var(unit), count, node.this]
        return exp.Anonymous(this="TIMESTAMPADD", expressions=call)
    if isinstance(count, exp.Literal) and re.fullmatch(r"\d+", count.name):
        number = str(int(count.name) * step)
        interval: exp.Expr = exp.Interval(this=exp.Literal.string(number), unit=exp.var(unit))
    else:
        one = exp.Interval(this=exp.Literal.string(str(step)), unit=exp.var(unit))
        interval = exp.Mul(this=exp.paren(count, copy=False), expression=one)
    return exp.paren(exp.Add(this=node.this, expression=interval), copy=False)


def formatted(node: exp.ToChar, read: str) -> exp.Expr:
    """Returns a time as text.

    Args:
        node: TO_CHAR with a format.
        read: the engine that it is for.

    Raises:
        NotUnderstood: Spark has no such format.
    """
    form = node.args["format"]
    if not isinstance(form, exp.Literal) or not form.is_string:
        raise NotUnderstood("the format of TO_CHAR is no string")
    python = Dialect.get_or_raise(read).format_time(exp.Literal.string(form.name.upper()))
    rest = re.sub(r"%-?[a-zA-Z]|\"[^\"]*\"", "", python.name) if python else form.name
    if re.search(r"\w", rest):
        raise NotUnderstood(
            f"the format '{form.name}' has no counterpart; use FORMAT_NUMBER", 0, 0
        )
    text = exp.TimeToStr(this=node.this, format=python)
    # sqlglot leaves what Spark has no letter for.
    if "%" in text.sql("spark"):
        raise NotUnderstood(f"the format '{form.name}' has no counterpart", 0, 0)
    return text


def parsed_time(node: exp.StrToDate | exp.StrToTime, read: str) -> exp.Expr:
    """Returns a text as a time.

    Args:
        node: TO_DATE or TO_TIMESTAMP with a format.
        read: the engine that it is for.

    Raises:
        NotUnderstood: Spark has no such format.
    """
    form = node.args.get("format")
    if not isinstance(form, exp.Literal) or read not in ("oracle", "snowflake"):
        return node
    if re.search(r"[A-Z]", re.sub(r"%-?[a-zA-Z]|\"[^\"]*\"|T", "", form.name)):
        raise NotUnderstood(f"the format '{form.name}' has no counterpart")
    if read != "oracle":
        return node
    if form.name.endswith(".%f") and isinstance(node.this, exp.Literal):
        # TIMESTAMP '...', which may have no fraction.
        return exp.cast(node.this, exp.DType.TIMESTAMP)
    if re.search(r"%-?[HIMS]", form.name):
        # A DATE of Oracle has a time of day.
        return exp.StrToTime(this=node.this, format=form)
    return node


def truncated(node: exp.DateTrunc) -> exp.Expr:
    """Returns TRUNC(time, unit) of Oracle.

    Args:
        node: the call.

    Raises:
        NotUnderstood: Spark has no such unit.
    """
    unit = node.args["unit"].name.upper()
    known = next((name for name, words in _CUTS.items() if unit in words.split()), None)
    if known is None:
        raise NotUnderstood(f"TRUNC to {unit} has no counterpart", near=r"\bTRUNC\b")
    return cut(known, node.this)


def part(node: exp.Extract, read: str) -> exp.Expr:
    """Returns a part of a date.

    Args:
        node: EXTRACT.
        read: the engine that it is for.
    """
    unit = node.name.upper()
    if unit in ("DOW", "DAYOFWEEK", "DAY_OF_WEEK"):
        return weekday(node.expression, read)
    if unit in ("DAYOFWEEKISO", "DAYOFWEEK_ISO", "DOW_ISO", "ISODOW"):
        return weekday(node.expression, "trino")
    if unit not in _PARTS:
        return node
    return exp.Extract(this=exp.var(_PARTS[unit]), expression=node.expression)


def weekday(time: exp.Expr, read: str) -> exp.Expr:
    """Returns the number of a weekday as an engine counts them.

    Args:
        time: the time.
        read: the engine. Monday is 1 in Trino, Sunday is 0 in Snowflake and 1 in Flink and Spark.
    """
    if read == "trino":
        return _shifted("WEEKDAY", time, exp.Add)
    if read == "snowflake":
        return _shifted("DAYOFWEEK", time, exp.Sub)
    return exp.Anonymous(this="DAYOFWEEK", expressions=[time])


def _shifted(function: str, time: exp.Expr, by_one: type[exp.Binary]) -> exp.Expr:
    number = exp.Anonymous(this=function, expressions=[time])
    return exp.paren(by_one(this=number, expression=exp.Literal.number(1)), copy=False)

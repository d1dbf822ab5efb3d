"""What sqlglot writes for Spark with another meaning: corrected where that is short, or refused.

What Spark refuses with an error of its own is left to Spark.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from sqlglot import exp

from match_recognize.translation.dialects import NotUnderstood

#: Engines that write \\1 for a group in REGEXP_REPLACE; the others write $1, as Spark does.
_BACKSLASHES = ("bigquery", "oracle", "snowflake")

#: By unit of TRUNC of Oracle, that of DATE_TRUNC. Spark's TRUNC is NULL for an unknown unit.
_CUTS = {
    "DD": "DAY",
    "HH24": "HOUR",
    "IW": "WEEK",
    "MI": "MINUTE",
    "MM": "MONTH",
    "Q": "QUARTER",
    "YYYY": "YEAR",
}

#: To which Spark cuts times. To another one, it cuts them to NULL.
_UNITS = {*_CUTS.values(), "SECOND", "MILLISECOND", "MICROSECOND"}

#: By unit of ISO 8601, that of Spark.
_ISO = {"ISOWEEK": "WEEK", "WEEKISO": "WEEK", "WEEK_ISO": "WEEK"}

_DIFFERENCES = (exp.DateDiff, exp.DatetimeDiff, exp.TimestampDiff)
_STRINGS = (exp.Literal, exp.National, exp.RawString)
_SUMS = (exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)
_TRUNCATIONS = (exp.DateTrunc, exp.DatetimeTrunc, exp.TimestampTrunc)


def rewritten(tree: exp.Expr, read: str) -> exp.Expr:
    """Replaces what sqlglot would write with another meaning, or raises `NotUnderstood`."""
    root = tree.copy()
    if read == "databricks":
        # All else means there what it means here.
        for message, near in itertools.chain.from_iterable(map(_of_zones, root.dfs())):
            raise NotUnderstood(message, near=near)
        return root
    # From the innermost nodes on: sqlglot's own transform() passes over what it has replaced.
    for node in reversed(list(root.dfs())):
        for message, near in _refusals(node, read):
            raise NotUnderstood(message, near=near)
        new = _changed(node, read)
        if node is root:
            root = new
        elif new is not node:
            node.replace(new)
    return root


def _changed(node: exp.Expr, read: str) -> exp.Expr:
    if isinstance(node, (exp.Extract, *_TRUNCATIONS, *_DIFFERENCES, *_SUMS)):
        _use_iso_units(node, read)
    if isinstance(node, _DIFFERENCES) and node.args.get("date_part_boundary"):
        return _difference(node)
    if isinstance(node, _SUMS) and node.args.get("unit"):
        return _sum(node)
    if isinstance(node, (exp.StrToDate, exp.StrToTime)) and read == "oracle":
        return _time(node)
    if isinstance(node, _TRUNCATIONS):
        return _truncated(node, read)
    if read == "oracle" and isinstance(node, (exp.Cast, exp.CurrentDate)):
        return _date(node)
    if isinstance(node, exp.Floor) and node.args.get("to"):
        return _cut(node.args["to"].name.upper(), node.this)
    if isinstance(node, (exp.DayOfWeek, exp.DayOfWeekIso, exp.Extract)):
        return _weekday(node, read)
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PERCENTILES):
        # sqlglot would write an approximate one.
        call = exp.Anonymous(this=node.this.sql_name(), expressions=[node.this.this])
        return exp.WithinGroup(this=call, expression=node.expression)
    if isinstance(node, exp.RegexpLike):
        return _regexp(node, read)
    if isinstance(node, exp.RegexpExtract):
        return _extracted(node, read)
    if isinstance(node, exp.SplitPart) and read == "trino":
        parts = exp.Split(this=node.this, expression=node.args["delimiter"])
        part = [parts, node.args["part_index"]]
        return exp.Anonymous(this="TRY_ELEMENT_AT", expressions=part)
    if isinstance(node, exp.TimeToUnix) and read == "trino":
        time = exp.cast(node.this, exp.DType.TIMESTAMP)
        micros = exp.Anonymous(this="UNIX_MICROS", expressions=[time])
        return exp.paren(exp.Div(this=micros, expression=exp.Literal.number("1e6")), copy=False)
    if isinstance(node, exp.RegexpReplace) and read in _BACKSLASHES:
        return _replacement(node, read)
    return node


def _refusals(node: exp.Expr, read: str) -> Iterator[tuple[str, str]]:
    """What would run in Spark and mean something else: a message, and where it is."""
    options = node.args.get("limit_options")
    if options and (options.args.get("with_ties") or options.args.get("percent")):
        advice = "filter by RANK() or PERCENT_RANK() in a subquery"
        yield f"WITH TIES and PERCENT have no counterpart; {advice}", r"\bTIES\b|\bPERCENT\b"
    # WITH OFFSET of BigQuery counts from 0, as Spark does.
    if isinstance(node, exp.Unnest) and node.args.get("offset") and read != "bigquery":
        advice = "write POSEXPLODE and add 1 to the position"
        yield f"WITH ORDINALITY has no counterpart; {advice}", r"\bWITH\s+ORDINALITY\b"
    if isinstance(node, exp.Order) and isinstance(node.parent, exp.ArrayAgg):
        advice = "write SORT_ARRAY around it"
        yield f"ORDER BY in an aggregate has no counterpart; {advice}", r"\bORDER\s+BY\b"
    if isinstance(node, exp.ToNumber) and (
        node.args.get("precision") or node.args.get("nlsparam")
    ):
        advice = "CAST the result to DECIMAL(p, s)"
        yield f"TO_NUMBER takes only a format in Spark; {advice}", r"\bTO_\w+(?=\s*\()"
    if isinstance(node, (exp.Max, exp.Min)) and node.expressions:
        name = type(node).__name__.upper()
        yield f"{name} of the first values has no counterpart", rf"\b{name}\b"
    yield from _of_zones(node)
    # In Flink, it has 10 digits, too.
    digits = node.expressions or read == "flink"
    if isinstance(node, exp.DataType) and node.this == exp.DType.DECIMAL and not digits:
        advice = "write its digits, such as DECIMAL(38, 0)"
        near = r"\b(?:NUMBER|NUMERIC|DECIMAL)\b"
        yield f"DECIMAL has no fraction and 10 digits in Spark; {advice}", near
    if isinstance(node, exp.StrPosition) and (
        node.args.get("occurrence") or isinstance(node.args.get("position"), exp.Neg)
    ):
        yield "only the first occurrence from the left has a counterpart", r"\bINSTR\b"
    if isinstance(node, exp.RegexpReplace) and node.args.get("occurrence"):
        yield "REGEXP_REPLACE takes no occurrence in Spark", r"\bREGEXP_REPLACE\b"
    # A backslash is an escape in LIKE of Spark and BigQuery, and a character in the others.
    like = isinstance(node, (exp.Like, exp.ILike)) and not isinstance(node.parent, exp.Escape)
    if (
        like
        and read != "bigquery"
        and any("\\" in each.name for each in node.expression.find_all(*_STRINGS))
    ):
        yield "LIKE reads a backslash as an escape in Spark; write ESCAPE '#'", r"\bI?LIKE\b"


def _of_zones(node: exp.Expr) -> Iterator[tuple[str, str]]:
    reason = "no value of Spark has a zone"
    if isinstance(node, exp.AtTimeZone):
        yield f"AT TIME ZONE has no counterpart, since {reason}", r"\bAT\s+TIME\s+ZONE\b"
    elif node.args.get("zone"):
        near = r"\b\w*(?:DATE|TIME|TRUNC)\w*(?=\s*\()"
        yield f"a time zone as an argument has no counterpart, since {reason}", near
    if isinstance(node, exp.DataType) and node.this in (exp.DType.TIME, exp.DType.TIMETZ):
        yield "TIME has no counterpart; write a string or a number of seconds", r"\bTIME\b"


def _difference(node: exp.Expr) -> exp.Expr:
    """Counts the boundaries between two times; Spark counts whole units."""
    unit = node.args["unit"].name.upper()
    if unit == "DAY":
        return exp.Anonymous(this="DATEDIFF", expressions=[node.this, node.expression])
    for key in ("this", "expression"):
        node.set(key, _cut(unit, node.args[key]))
    return node


def _use_iso_units(node: exp.Expr, read: str) -> None:
    """Weeks begin on Monday in Spark; the first of a year has its first Thursday."""
    key = "this" if isinstance(node, exp.Extract) else "unit"
    unit = node.args.get(key)
    if unit is None:
        return
    name, monday = unit.name.upper(), "weeks begin on Monday in Spark"
    if isinstance(unit, exp.WeekStart):
        if name != "MONDAY" or isinstance(node, exp.Extract):
            raise NotUnderstood(f"{monday}; write ISOWEEK if they may", near=r"\bWEEK\b")
        name = "ISOWEEK"
    elif read == "bigquery" and name == "WEEK" and isinstance(node, exp.Extract):
        raise NotUnderstood(f"{monday}; write ISOWEEK if they may", near=r"\bWEEK\b")
    if name in _ISO or (isinstance(node, exp.Extract) and name == "ISOYEAR"):
        node.set(key, exp.var(_ISO.get(name, "YEAROFWEEK")))


def _known(unit: str) -> str:
    if unit not in _UNITS:
        near = r"\b\w*(?:ADD|DIFF|FLOOR|TRUNC)\w*(?=\s*\()"
        raise NotUnderstood(f"the unit {unit} has no counterpart", near=near)
    return unit


def _cut(unit: str, time: exp.Expr) -> exp.Expr:
    unit = _known(unit)
    return exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string(unit), time])


def _sum(node: exp.Expr) -> exp.Expr:
    """Adds an interval. This keeps a DATE a DATE, and the time of a TIMESTAMP."""
    unit, count = node.args["unit"].name.upper(), node.expression
    unit, step = ("MONTH", 3) if unit == "QUARTER" else (_known(unit), 1)
    if isinstance(count, exp.Literal) and count.name.isdigit():
        number = exp.Literal.string(str(int(count.name) * step))
        interval: exp.Expr = exp.Interval(this=number, unit=exp.var(unit))
    else:
        one = exp.Interval(this=exp.Literal.string(str(step)), unit=exp.var(unit))
        interval = exp.Mul(this=exp.paren(count, copy=False), expression=one)
    return exp.paren(exp.Add(this=node.this, expression=interval), copy=False)


def _time(node: exp.Expr) -> exp.Expr:
    """A DATE of Oracle has a time of day; TIMESTAMP '...' may have no fraction."""
    form = node.args.get("format")
    if not isinstance(form, exp.Literal):
        return node
    if form.name.endswith(".%f") and isinstance(node.this, exp.Literal):
        return exp.cast(node.this, exp.DType.TIMESTAMP)
    if re.search(r"%-?[HIMS]", form.name):
        return exp.StrToTime(this=node.this, format=form)
    return node


def _truncated(node: exp.Expr, read: str) -> exp.Expr:
    unit = node.args["unit"].name.upper()
    if read == "oracle":
        if unit not in _CUTS:
            raise NotUnderstood(f"TRUNC to {unit} has no counterpart", near=r"\bTRUNC\b")
        return _cut(_CUTS[unit], node.this)
    # TRUNC keeps a DATE a DATE.
    is_date = isinstance(node, exp.DateTrunc) and unit in ("YEAR", "QUARTER", "MONTH", "WEEK")
    return node if is_date else _cut(unit, node.this)


def _date(node: exp.Expr) -> exp.Expr:
    """A DATE of Oracle has a time of day, in seconds."""
    if isinstance(node, exp.CurrentDate):
        return _cut("SECOND", exp.CurrentTimestamp())
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.DATE:
        return _cut("SECOND", exp.cast(node.this, exp.DType.TIMESTAMP))
    return node


def _weekday(node: exp.Expr, read: str) -> exp.Expr:
    """Monday is 1 in Trino, and Sunday is 0 in Snowflake. Elsewhere Sunday is 1, as in Spark."""
    time = node.expression if isinstance(node, exp.Extract) else node.this
    if isinstance(node, exp.Extract) and node.name.upper() not in ("DOW", "DAYOFWEEK"):
        return node
    if isinstance(node, exp.DayOfWeekIso) or read == "trino":
        monday = exp.Anonymous(this="WEEKDAY", expressions=[time])
        return exp.paren(exp.Add(this=monday, expression=exp.Literal.number(1)), copy=False)
    if read == "snowflake":
        sunday = exp.Anonymous(this="DAYOFWEEK", expressions=[time])
        return exp.paren(exp.Sub(this=sunday, expression=exp.Literal.number(1)), copy=False)
    return node


def _regexp(node: exp.RegexpLike, read: str) -> exp.Expr:
    """Writes the flags into the expression. Snowflake compares it with all of the text."""
    flags = node.args.get("flag")
    letters = "" if flags is None else flags.name.lower()
    if letters.strip("ci") or (flags is not None and not isinstance(flags, exp.Literal)):
        raise NotUnderstood("these flags have no counterpart", near=r"\bREGEXP_LIKE\b|\bRLIKE\b")
    # The last one counts.
    pieces: list[exp.Expr] = [node.expression]
    if letters.endswith("i"):
        pieces.insert(0, exp.Literal.string("(?i)"))
    if read == "snowflake":
        pieces[-1:] = [exp.Literal.string("^(?:"), node.expression, exp.Literal.string(")$")]
    whole: exp.Expr = exp.Anonymous(this="CONCAT", expressions=pieces)
    if isinstance(node.expression, exp.Literal):
        whole = exp.Literal.string("".join(each.name for each in pieces))
    return exp.RegexpLike(this=node.this, expression=whole if len(pieces) > 1 else pieces[0])


def _extracted(node: exp.RegexpExtract, read: str) -> exp.Expr:
    """NULL where nothing is found, as in all of these engines. Spark's own is '' there."""
    if read == "flink":
        # Its third argument is the group.
        node.set("group", node.args.pop("position", None))
    where = (node.args.get(key) for key in ("position", "occurrence", "parameters"))
    if any(each is not None and each.name != "1" for each in where):
        advice = "only the first occurrence has a counterpart"
        raise NotUnderstood(advice, near=r"\bREGEXP_\w+")
    group, arguments = node.args.get("group"), [node.this, node.expression]
    if group is None or group.name == "0":
        return exp.Anonymous(this="REGEXP_SUBSTR", expressions=arguments)
    is_there = exp.RegexpLike(this=node.this.copy(), expression=node.expression.copy())
    return exp.If(this=is_there, true=node.copy(), false=exp.Null())


def _replacement(node: exp.RegexpReplace, read: str) -> exp.Expr:
    """Writes the groups in the replacement, which is empty by default. BigQuery has a group 0."""
    first = 0 if read == "bigquery" else 1
    replacement = node.args.get("replacement")
    if replacement is None:
        node.set("replacement", exp.Literal.string(""))
    elif isinstance(replacement, _STRINGS):
        # A digit after a group would belong to its number in Spark.
        text = re.sub(rf"\\([{first}-9])(\d?)|\\(\\)|([\\$])", _group, replacement.name)
        node.set("replacement", exp.Literal.string(text))
    return node


def _group(found: re.Match[str]) -> str:
    if found[1]:
        return f"${found[1]}" + (f"\\{found[2]}" if found[2] else "")
    return "\\" + (found[3] or found[4])

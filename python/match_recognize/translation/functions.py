"""Functions whose translation by sqlglot would mean something else, or is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from match_recognize.translation.dialects import NotUnderstood
from match_recognize.translation.spark_functions import NAMES

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

_DIFFERENCES = (exp.DateDiff, exp.DatetimeDiff, exp.TimestampDiff, exp.TimeDiff)
_SUMS = (exp.DateAdd, exp.DatetimeAdd, exp.TimestampAdd, exp.TsOrDsAdd)


def rewritten(tree: exp.Expr, read: str) -> exp.Expr:
    """Replaces functions of an engine by what means the same in Spark.

    Args:
        tree: a statement or an expression.
        read: the engine that it is for.

    Returns:
        The changed tree.

    Raises:
        NotUnderstood: Spark has no counterpart.
    """

    def change(node: exp.Expr) -> exp.Expr:
        _refuse(node)
        if isinstance(node, _DIFFERENCES) and node.args.get("unit"):
            return _difference(node)
        if isinstance(node, _SUMS) and node.args.get("unit"):
            return _sum(node)
        if isinstance(node, exp.Systimestamp):
            return exp.CurrentTimestamp()
        if isinstance(node, exp.DayOfWeekIso):
            monday = exp.Anonymous(this="WEEKDAY", expressions=[node.this])
            return exp.paren(exp.Add(this=monday, expression=exp.Literal.number(1)), copy=False)
        if isinstance(node, exp.DataType) and node.this == exp.DType.DECIMAL:
            return _decimal(node, read)
        if isinstance(node, exp.ToChar) and node.args.get("format"):
            return _formatted(node, read)
        if isinstance(node, exp.Count) and node.this is None and not node.expressions:
            return exp.Count(this=exp.Star())
        if read == "flink":
            return _of_flink(node)
        return node

    return tree.transform(change)


def changes(tree: exp.Expr, read: str) -> Iterator[str]:
    """Says what the functions and operators of a tree mean in Spark, where that differs.

    Args:
        tree: a statement or an expression, as parsed.
        read: the engine that it is for.

    Yields:
        Sentences.
    """
    if any(
        node.args.get("date_part_boundary") and node.args["unit"].name.upper() != "DAY"
        for node in tree.find_all(*_DIFFERENCES)
    ):
        yield (
            "DATEDIFF counts the boundaries between two times. TIMESTAMPDIFF counts whole units, "
            "so it is applied to times cut to the unit."
        )
    if read in ("trino", "flink") and tree.find(exp.Div):
        yield (
            "The quotient of two integers is an integer in the source and a fraction in Spark. "
            "Write DIV where both sides of / are integers."
        )
    if read == "oracle" and any(not lit.this for lit in tree.find_all(exp.Literal)):
        yield "The empty string is NULL in Oracle and a value in Spark. Check what '' is for."
    if read == "oracle" and any(_days(node) for node in tree.find_all(exp.Add, exp.Sub)):
        yield (
            "A number added to a date is a number of days in Oracle, and so is the difference of "
            "two dates. Where a column is a TIMESTAMP in Spark, write INTERVAL '1' DAY and such."
        )
    if read != "flink" and any(
        node.is_type(exp.DType.TIMESTAMP) for node in tree.find_all(exp.Cast)
    ):
        yield (
            "TIMESTAMP has no time zone in the source. In Spark it is an instant, shown in the "
            "zone of the session; TIMESTAMP_NTZ has no zone."
        )
    if read == "oracle" and any(node.is_type(exp.DType.DATE) for node in tree.find_all(exp.Cast)):
        yield "A DATE of Oracle has a time of day. In Spark such a column is a TIMESTAMP."
    if read == "oracle" and tree.find(exp.DPipe):
        yield (
            "NULL || 'a' is 'a' in Oracle and NULL in Spark. Write CONCAT_WS('', x, 'a') where "
            "x may be NULL."
        )
    unknown = {
        node.name.upper()
        for node in rewritten(tree.copy(), read).find_all(exp.Anonymous)
        if not node.name.startswith("mr__") and node.name.lower() not in NAMES
    } - {"MATCH_PROCTIME"}
    for name in sorted(unknown):
        yield f"Spark has no function {name}. Replace it, or register one by this name."
    if tree.find(exp.GroupConcat):
        yield "LISTAGG needs Spark 4.0. Before it, write ARRAY_JOIN(COLLECT_LIST(x), ',')."


def _refuse(node: exp.Expr) -> None:
    if isinstance(node, exp.Column) and node.args.get("join_mark"):
        raise NotUnderstood("(+) is an outer join of Oracle; write LEFT JOIN", near=r"\(\+\)")
    if isinstance(node, exp.Connect):
        raise NotUnderstood(
            "CONNECT BY has no counterpart; write WITH RECURSIVE", near=r"\bCONNECT\s+BY\b"
        )
    if isinstance(node, exp.SimilarTo):
        raise NotUnderstood(
            "SIMILAR TO has no counterpart; write RLIKE", near=r"\bSIMILAR\s+TO\b"
        )
    if isinstance(node, exp.Parameter):
        raise NotUnderstood(
            "columns and variables with $ have no counterpart; name them", near=r"\$\w+"
        )
    _refuse_rows(node)
    if isinstance(node, (exp.Command, exp.MatchRecognize)):
        raise NotUnderstood("this statement is of a kind that is not translated")


def _refuse_rows(node: exp.Expr) -> None:
    """Refuses what limits rows and would return others."""
    options = node.args.get("limit_options") if isinstance(node, exp.Fetch) else None
    if options and options.args.get("with_ties"):
        raise NotUnderstood(
            "WITH TIES has no counterpart; filter by RANK() in a subquery",
            near=r"\bWITH\s+TIES\b",
        )
    if options and options.args.get("percent"):
        raise NotUnderstood(
            "FETCH takes no PERCENT in Spark; filter by PERCENT_RANK()", near=r"\bPERCENT\b"
        )
    if isinstance(node, exp.Select) and node.args.get("qualify"):
        more = any(node.args.get(key) for key in ("distinct", "limit", "offset", "order"))
        if more or any(column.is_star for column in node.expressions):
            raise NotUnderstood(
                "QUALIFY next to *, DISTINCT, ORDER BY or LIMIT is not translated; compute the "
                "window function in a subquery and filter above it",
                near=r"\bQUALIFY\b",
            )


def _decimal(node: exp.Expr, read: str) -> exp.Expr:
    """A DECIMAL without digits has 10 in Spark and Flink, and 38 elsewhere."""
    if node.expressions or read == "flink":
        return node
    if read == "oracle":
        raise NotUnderstood(
            "NUMBER has any scale in Oracle; write one, as NUMBER(38, 10)", near=r"\bNUMBER\b"
        )
    digits = [exp.DataTypeParam(this=exp.Literal.number(n)) for n in (38, 0)]
    return exp.DataType(this=exp.DType.DECIMAL, expressions=digits)


def _days(node: exp.Expr) -> bool:
    """Whether a sum or difference may be one of dates."""
    return not node.find(exp.Interval) and (
        isinstance(node, exp.Sub) or any(side.is_number for side in (node.this, node.expression))
    )


def _unit(node: exp.Expr) -> str:
    unit = node.args["unit"].name.upper()
    if unit not in _UNITS:
        raise NotUnderstood(f"the unit {unit} has no counterpart in Spark")
    return str(unit)


def _difference(node: exp.Expr) -> exp.Expr:
    unit = _unit(node)
    start, end = node.expression, node.this
    if node.args.get("date_part_boundary"):
        if unit == "DAY":
            return exp.Anonymous(this="DATEDIFF", expressions=[end, start])
        start, end = _cut(unit, start), _cut(unit, end)
    return exp.Anonymous(this="TIMESTAMPDIFF", expressions=[exp.var(unit), start, end])


def _cut(unit: str, time: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string(unit), time])


def _sum(node: exp.Expr) -> exp.Expr:
    """A sum with an interval keeps a DATE a DATE, and the time of a TIMESTAMP."""
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


def _formatted(node: exp.ToChar, read: str) -> exp.Expr:
    form = node.args["format"]
    if not isinstance(form, exp.Literal) or not form.is_string:
        raise NotUnderstood("the format of TO_CHAR is no string")
    python = Dialect.get_or_raise(read).format_time(exp.Literal.string(form.name.upper()))
    rest = re.sub(r"%-?[a-zA-Z]|\"[^\"]*\"", "", python.name) if python else form.name
    if re.search(r"\w", rest):
        raise NotUnderstood(
            f"the format '{form.name}' has no counterpart; use FORMAT_NUMBER", 0, 0
        )
    return exp.TimeToStr(this=node.this, format=python)


def _of_flink(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Floor) and node.args.get("to"):
        return _cut(node.args["to"].name.upper(), node.this)
    if isinstance(node, exp.Anonymous) and node.name.upper() == "JSON_VALUE":
        return exp.Anonymous(this="GET_JSON_OBJECT", expressions=node.expressions)
    if isinstance(node, exp.DataType) and node.this == exp.DType.TIMESTAMP:
        return exp.DataType(this=exp.DType.TIMESTAMPNTZ)
    return node

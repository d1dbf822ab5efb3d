"""Functions whose translation by sqlglot would mean something else, or is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from match_recognize.translation import times
from match_recognize.translation.dialects import NotUnderstood
from match_recognize.translation.refusals import STRINGS, refuse


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
        if isinstance(node, exp.Extract):
            node = times.part(node, read)
        refuse(node, read)
        if isinstance(node, times.DIFFERENCES) and node.args.get("unit"):
            return times.difference(node)
        if isinstance(node, times.SUMS) and node.args.get("unit"):
            return times.sum_(node)
        if isinstance(node, (exp.StrToDate, exp.StrToTime)):
            return times.parsed_time(node, read)
        if isinstance(node, exp.DateTrunc) and read == "oracle":
            return times.truncated(node)
        if isinstance(node, exp.ToNumber):
            return _number(node)
        if isinstance(node, exp.ToChar) and node.args.get("format"):
            return times.formatted(node, read)
        if isinstance(node, exp.Systimestamp):
            return exp.CurrentTimestamp()
        if isinstance(node, exp.Localtimestamp):
            return exp.Anonymous(this="LOCALTIMESTAMP")
        if isinstance(node, exp.DayOfWeekIso):
            return times.weekday(node.this, "trino")
        if isinstance(node, exp.DayOfWeek):
            return times.weekday(node.this, read)
        if isinstance(node, exp.Week):
            return exp.Anonymous(this="WEEKOFYEAR", expressions=[node.this])
        if isinstance(node, exp.DataType) and node.this == exp.DType.DECIMAL:
            return _decimal(node, read)
        if isinstance(node, exp.RegexpLike):
            return _regexp(node, read)
        if isinstance(node, exp.RegexpReplace):
            return _replacement(node, read)
        if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PERCENTILES):
            return _percentile(node)
        if isinstance(node, exp.Count) and node.this is None and not node.expressions:
            return exp.Count(this=exp.Star())
        if isinstance(node, exp.ConcatWs) and read in ("flink", "trino"):
            # It skips NULLs there, as in Spark.
            return exp.Anonymous(this="CONCAT_WS", expressions=node.expressions)
        if isinstance(node, exp.Select) and read == "oracle":
            return _without_dual(node)
        if read == "flink":
            return _of_flink(node)
        return node

    root = tree.copy()
    # From the innermost nodes on: sqlglot's own transform() passes over what it has replaced.
    for node in reversed(list(root.dfs())):
        new = change(node)
        if node is root:
            root = new
        elif new is not node:
            node.replace(new)
    return root


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
        for node in tree.find_all(*times.DIFFERENCES)
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
    if read == "oracle" and tree.find(exp.DPipe, exp.Concat):
        yield (
            "NULL || 'a' and CONCAT(NULL, 'a') are 'a' in Oracle and NULL in Spark. Write "
            "CONCAT_WS('', x, 'a') where x may be NULL."
        )
    if read != "flink" and any(map(_to_integer, tree.find_all(exp.Cast))):
        yield (
            "A cast to an integer type rounds in the source and cuts off the fraction in Spark. "
            "Write CAST(ROUND(x) AS INT) where x may have a fraction."
        )
    if read in ("trino", "flink") and any(map(_of_array_or_map, tree.find_all(exp.Bracket))):
        yield (
            "Arrays begin at 1 in the source and at 0 in Spark, so a number in [] is written one "
            "less. Undo this for a map. Other subscripts stay: write x - 1 for an array."
        )
    yield from _of_nulls(tree, read)
    if tree.find(exp.AddMonths):
        yield (
            "ADD_MONTHS keeps the last day of a month and the time of day in the source. In "
            "Spark it does neither. Write x + INTERVAL '1' MONTH to keep the time."
        )
    if read == "snowflake" and tree.find(exp.RegexpLike):
        yield "A regular expression of Snowflake must match the whole text: ^ and $ are added."
    if read in _BACKSLASHES and any(
        _text(node.args.get("replacement")) is None for node in tree.find_all(exp.RegexpReplace)
    ):
        yield (
            "REGEXP_REPLACE takes groups as \\1 in the source and as $1 in Spark. Change the "
            "replacement where it is no literal."
        )
    if tree.find(exp.GroupConcat):
        yield "LISTAGG needs Spark 4.0. Before it, write ARRAY_JOIN(COLLECT_LIST(x), ',')."


def _of_nulls(tree: exp.Expr, read: str) -> Iterator[str]:
    # sqlglot does not know this of Flink and Oracle.
    of_any = read in ("flink", "oracle")
    if any(
        of_any or not x.args.get("ignore_nulls") for x in tree.find_all(exp.Greatest, exp.Least)
    ):
        yield (
            "GREATEST and LEAST are NULL in the source if one of the values is NULL. Spark skips "
            "NULLs."
        )
    if read in ("trino", "flink") and tree.find(exp.ArrayAgg):
        yield "ARRAY_AGG keeps NULLs in the source. COLLECT_LIST of Spark drops them."


def _decimal(node: exp.Expr, read: str) -> exp.Expr:
    """A DECIMAL without digits has 10 in Spark and Flink, and 38 elsewhere."""
    if node.expressions or read == "flink":
        return node
    if read == "oracle":
        raise NotUnderstood(
            "NUMBER has any scale in Oracle; write one, as NUMBER(38, 10)", near=r"\bNUMBER\b"
        )
    if read == "trino" and isinstance(node.parent, exp.Cast) and node.parent.this.is_string:
        raise NotUnderstood(
            "DECIMAL needs digits; write CAST('1.5' AS DECIMAL(2, 1))", near=r"\bDECIMAL\b"
        )
    digits = [exp.DataTypeParam(this=exp.Literal.number(n)) for n in (38, 0)]
    return exp.DataType(this=exp.DType.DECIMAL, expressions=digits)


def _number(node: exp.ToNumber) -> exp.Expr:
    """Writes the number in a text, with the digits that Snowflake gives it, or with a format."""
    form, digits, scale = (node.args.get(key) for key in ("format", "precision", "scale"))
    near = r"\bTO_NUM(?:BER|ERIC)\b|\bTO_DECIMAL\b"
    if node.args.get("default") or node.args.get("nlsparam"):
        raise NotUnderstood(
            "TO_NUMBER takes only a format in Spark; write COALESCE(TRY_TO_NUMBER(x, '999'), 0)",
            near=near,
        )
    if form is None and digits is None:
        raise NotUnderstood(
            "TO_NUMBER without a format has any scale; write CAST(x AS NUMBER(38, 10))", near=near
        )
    safe = bool(node.args.get("safe"))
    number: exp.Expr = node.this
    if form is not None:
        known = r"(?:S|MI)?\$?[09,GD.]+(?:S|MI)?"
        if not form.is_string or not re.fullmatch(known, form.name, re.IGNORECASE):
            raise NotUnderstood("this format of TO_NUMBER has no counterpart", near=near)
        name = "TRY_TO_NUMBER" if safe else "TO_NUMBER"
        number = exp.Anonymous(this=name, expressions=[number, form])
    if digits is None:
        return number
    sizes = [exp.DataTypeParam(this=size) for size in (digits, scale)]
    kind = exp.DataType(this=exp.DType.DECIMAL, expressions=sizes)
    if safe:
        return exp.TryCast(this=number, to=kind, safe=True)
    return exp.Cast(this=number, to=kind)


def _to_integer(node: exp.Cast) -> bool:
    return node.is_type(*exp.DataType.INTEGER_TYPES) and not node.this.is_int


def _of_array_or_map(node: exp.Bracket) -> bool:
    """Whether brackets may hold the index of an array; ELEMENT_AT has an offset of its own."""
    return node.args.get("offset") is None and not all(x.is_string for x in node.expressions)


def _days(node: exp.Expr) -> bool:
    """Whether a sum or difference may be one of dates."""
    return not node.find(exp.Interval) and (
        isinstance(node, exp.Sub) or any(side.is_number for side in (node.this, node.expression))
    )


def _regexp(node: exp.RegexpLike, read: str) -> exp.Expr:
    """Writes the flags into the expression. Snowflake compares it with all of the text."""
    pattern, flags = node.expression, node.args.get("flag")
    letters = "" if flags is None else flags.name.lower()
    unknown = letters.strip("cims" if read == "snowflake" else "cimn")
    if unknown or (flags is not None and not isinstance(flags, exp.Literal)):
        raise NotUnderstood("these flags have no counterpart", near=r"\bREGEXP_LIKE\b")
    # The later of i and c counts; n is called s in Spark.
    marks = "i" if letters.rfind("i") > letters.rfind("c") else ""
    marks += "m" if "m" in letters else ""
    marks += "s" if "s" in letters or "n" in letters else ""
    before = f"(?{marks})" if marks else ""
    after = ""
    if read == "snowflake":
        before, after = f"{before}^(?:", ")$"
    if not before and not after:
        return exp.RegexpLike(this=node.this, expression=pattern)
    if isinstance(pattern, exp.Literal):
        whole: exp.Expr = exp.Literal.string(f"{before}{pattern.name}{after}")
    else:
        pieces = [exp.Literal.string(before), pattern, exp.Literal.string(after)]
        whole = exp.Anonymous(this="CONCAT", expressions=pieces if after else pieces[:2])
    return exp.RegexpLike(this=node.this, expression=whole)


#: Engines that write \\1 for a group in REGEXP_REPLACE; the others write $1, as Spark does.
_BACKSLASHES = ("oracle", "snowflake")


def _text(node: exp.Expr | None) -> str | None:
    """The text of a literal; the empty string without a node."""
    if node is None:
        return ""
    return node.name if isinstance(node, STRINGS) else None


def _replacement(node: exp.RegexpReplace, read: str) -> exp.Expr:
    """Writes the groups in the replacement, which is empty by default."""
    text = _text(node.args.get("replacement"))
    if text is None or (read not in _BACKSLASHES and node.args.get("replacement")):
        return node
    if read in _BACKSLASHES:
        # A digit after a group would belong to its number in Spark.
        text = re.sub(r"\\([1-9])(\d?)|\\(\\)|([\\$])", _group, text)
    node = node.copy()
    node.set("replacement", exp.Literal.string(text))
    return node


def _group(found: re.Match[str]) -> str:
    if found[1]:
        return f"${found[1]}" + (f"\\{found[2]}" if found[2] else "")
    return "\\" + (found[3] or found[4])


def _percentile(node: exp.WithinGroup) -> exp.Expr:
    """Keeps the function, which sqlglot would replace by an approximate one."""
    call = exp.Anonymous(this=node.this.sql_name(), expressions=[node.this.this])
    return exp.WithinGroup(this=call, expression=node.expression)


def _without_dual(node: exp.Select) -> exp.Expr:
    source = node.args.get("from_")
    table = source.this if source is not None and not node.args.get("joins") else None
    if isinstance(table, exp.Table) and table.name.upper() == "DUAL" and not table.db:
        node.set("from_", None)
    return node


def _of_flink(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Floor) and node.args.get("to"):
        return times.cut(node.args["to"].name.upper(), node.this)
    if isinstance(node, exp.GroupConcat) and not node.args.get("separator"):
        return exp.GroupConcat(this=node.this, separator=exp.Literal.string(","))
    if isinstance(node, exp.Anonymous) and node.name.upper() == "JSON_VALUE":
        return exp.Anonymous(this="GET_JSON_OBJECT", expressions=node.expressions)
    if isinstance(node, exp.DataType) and node.this == exp.DType.TIMESTAMP:
        return exp.DataType(this=exp.DType.TIMESTAMPNTZ)
    return node

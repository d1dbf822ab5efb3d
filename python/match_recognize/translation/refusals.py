"""What has no counterpart in Spark, or would mean something else there."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from match_recognize.translation.dialects import NotUnderstood

#: Columns that Oracle itself adds to a table.
_PSEUDOCOLUMNS = {"LEVEL", "ROWID", "ROWNUM"}

#: Parts of a date that EXTRACT of Spark has.
_EXTRACTED = {
    "DAY",
    "DAYOFWEEK",
    "DAYOFWEEK_ISO",
    "DAYOFYEAR",
    "DOW",
    "DOW_ISO",
    "DOY",
    "HOUR",
    "MINUTE",
    "MONTH",
    "QUARTER",
    "SECOND",
    "WEEK",
    "YEAR",
    "YEAROFWEEK",
}

#: Options of CREATE that Spark has.
_OPTIONS = (
    exp.ClusterProperty,
    exp.FileFormatProperty,
    exp.LocationProperty,
    exp.PartitionedByProperty,
    exp.SchemaCommentProperty,
    exp.TemporaryProperty,
)

#: Strings, which engines write in several ways.
STRINGS = (exp.Literal, exp.National, exp.RawString)

#: What Spark does not sort.
_UNSORTED = (exp.ArrayAgg, exp.ArrayUniqueAgg)


def refuse(node: exp.Expr, read: str) -> None:
    """Refuses a node of a tree that cannot be translated.

    Args:
        node: the node, as parsed.
        read: the engine that the statement is for.

    Raises:
        NotUnderstood: with what to write instead.
    """
    for message, near in (
        *_statements(node),
        *_tables(node),
        *_rows(node),
        *_columns(node, read),
        *_aggregates(node),
        *_values(node, read),
    ):
        raise NotUnderstood(message, near=near)


Refusals = Iterator[tuple[str, str]]


def _statements(node: exp.Expr) -> Refusals:
    if isinstance(node, (exp.Command, exp.MatchRecognize)):
        yield "this statement is of a kind that is not translated", ""
    if isinstance(node, exp.Properties):
        for each in node.expressions:
            if not isinstance(each, _OPTIONS):
                words = each.sql("snowflake").replace("=", " ").removeprefix("SQL ").split()
                name = words[0] if words else "this"
                yield f"the option {name} of CREATE has no counterpart", rf"\b{name}\b"


def _tables(node: exp.Expr) -> Refusals:
    if isinstance(node, exp.Connect):
        yield "CONNECT BY has no counterpart; write WITH RECURSIVE", r"\bCONNECT\s+BY\b"
    if isinstance(node, exp.Join) and str(node.args.get("method") or "").upper() == "ASOF":
        yield "ASOF JOIN has no counterpart; join the rows by a condition", r"\bASOF\b"
    if isinstance(node, exp.HistoricalData):
        yield "AT and BEFORE have no counterpart; write VERSION AS OF", r"\b(?:AT|BEFORE)\s*\("
    if isinstance(node, exp.Version) and isinstance(node.expression, exp.Column):
        yield "a join with the version of each row has no counterpart", r"\bFOR\s+SYSTEM_TIME\b"
    if isinstance(node, exp.Table) and node.args.get("partition"):
        yield "PARTITION has no counterpart; filter by its key", r"\bPARTITION\s*\("
    if isinstance(node, exp.Unnest) and node.args.get("offset"):
        yield (
            "WITH ORDINALITY has no counterpart; write POSEXPLODE and add 1 to the position",
            r"\bWITH\s+ORDINALITY\b",
        )
    if isinstance(node, exp.Explode) and isinstance(node.this, exp.Kwarg):
        yield (
            "FLATTEN has no counterpart; write LATERAL EXPLODE(array) AS f(value)",
            r"\bFLATTEN\b",
        )


def _rows(node: exp.Expr) -> Refusals:
    """What limits or orders rows, and would return others."""
    options = node.args.get("limit_options") if isinstance(node, exp.Fetch) else None
    if options and options.args.get("with_ties"):
        yield "WITH TIES has no counterpart; filter by RANK() in a subquery", r"\bWITH\s+TIES\b"
    if options and options.args.get("percent"):
        yield "FETCH takes no PERCENT in Spark; filter by PERCENT_RANK()", r"\bPERCENT\b"
    if isinstance(node, exp.Order) and node.args.get("siblings"):
        yield "ORDER SIBLINGS BY has no counterpart", r"\bORDER\s+SIBLINGS\b"
    if isinstance(node, exp.Select) and node.args.get("qualify"):
        more = any(node.args.get(key) for key in ("distinct", "limit", "offset", "order"))
        if more or any(column.is_star for column in node.expressions):
            yield (
                "QUALIFY next to *, DISTINCT, ORDER BY or LIMIT is not translated; compute the "
                "window function in a subquery and filter above it",
                r"\bQUALIFY\b",
            )


def _columns(node: exp.Expr, read: str) -> Refusals:
    if isinstance(node, exp.Parameter):
        yield "columns and variables with $ have no counterpart; name them", r"\$\w+"
    if not isinstance(node, exp.Column):
        return
    if node.args.get("join_mark"):
        yield "(+) is an outer join of Oracle; write LEFT JOIN", r"\(\+\)"
    if read == "oracle" and not node.table and not node.this.args.get("quoted"):
        name = node.name.upper()
        if name in _PSEUDOCOLUMNS:
            advice = "LIMIT, or ROW_NUMBER() in a subquery" if name == "ROWNUM" else "a column"
            yield f"{name} has no counterpart; write {advice}", rf"\b{name}\b"


def _aggregates(node: exp.Expr) -> Refusals:
    if isinstance(node, exp.Order) and isinstance(node.parent, _UNSORTED):
        yield (
            "ORDER BY in an aggregate has no counterpart; write SORT_ARRAY around it",
            r"\bORDER\s+BY\b",
        )
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.ArrayAgg):
        yield (
            "ARRAY_AGG takes no WITHIN GROUP in Spark; write SORT_ARRAY around it",
            r"\bWITHIN\s+GROUP\b",
        )
    if isinstance(node, exp.Window) and str(node.args.get("over")).upper() == "KEEP":
        yield "KEEP has no counterpart; write MAX_BY or MIN_BY", r"\bKEEP\b"
    if isinstance(node, (exp.Max, exp.Min)) and node.expressions:
        name = type(node).__name__.upper()
        yield f"{name} of the first values has no counterpart", rf"\b{name}\b"


def _values(node: exp.Expr, read: str) -> Refusals:
    if isinstance(node, exp.SimilarTo):
        yield "SIMILAR TO has no counterpart; write RLIKE", r"\bSIMILAR\s+TO\b"
    if isinstance(node, exp.AtTimeZone):
        yield (
            "AT TIME ZONE has no counterpart, since no value of Spark has a zone",
            r"\bAT\s+TIME\s+ZONE\b",
        )
    if isinstance(node, exp.DataType) and node.this in (exp.DType.TIME, exp.DType.TIMETZ):
        yield (
            "not every Spark has the type TIME; write a string or a number of seconds",
            r"\bTIME\b",
        )
    if isinstance(node, exp.Extract) and node.name.upper() not in _EXTRACTED:
        yield f"EXTRACT has no {node.name.upper()} in Spark", rf"\b{node.name}\b"
    if isinstance(node, exp.RegexpReplace) and node.args.get("occurrence"):
        yield "REGEXP_REPLACE takes no occurrence in Spark", r"\bREGEXP_REPLACE\b"
    if isinstance(node, exp.Ceil) and node.args.get("to"):
        yield "CEIL of a time has no counterpart; add one unit to FLOOR", r"\bCEIL(?:ING)?\b"
    if isinstance(node, exp.Anonymous) and read == "oracle" and node.name.upper() == "TRUNC":
        yield (
            "TRUNC takes numbers and times; write TRUNC(x, 'DD') for a time, and "
            "SIGN(x) * FLOOR(ABS(x)) for a number",
            r"\bTRUNC\b",
        )
    # A backslash is an escape in LIKE of Spark, and a character in that of the others.
    if isinstance(node, (exp.Like, exp.ILike)) and not isinstance(node.parent, exp.Escape):
        pattern = node.expression
        several = isinstance(pattern, (exp.All, exp.Any))
        literals = pattern.find_all(*STRINGS) if several else [pattern]
        if any(isinstance(each, STRINGS) and "\\" in each.name for each in literals):
            yield "LIKE reads a backslash as an escape in Spark; write ESCAPE '#'", r"\bI?LIKE\b"

"""The builder without Spark: the statement of a clause, and mistakes at their Python line."""

from __future__ import annotations

import datetime
import inspect
import math
import random
import re
import sys
from decimal import Decimal
from typing import Any

import pytest
from match_recognize import MatchRecognizeError, match, variable, variables
from match_recognize import functions as mf
from match_recognize.builder import checks, pattern
from match_recognize.builder.expression import show
from match_recognize.builder.literals import literal
from match_recognize.builder.spark_errors import explain
from match_recognize.builder.statement import statement


class Frame:
    """What the builder asks of a DataFrame before to_df()."""

    def __init__(self, *columns: str) -> None:
        self.columns = list(columns) or ["symbol", "day", "price", "my column"]

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802


top, down, up = variables("top down up")


def line_here() -> int:
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def test_the_statement_of_text() -> None:
    built = (
        match(Frame())
        .partition_by("symbol")
        .order_by("day")
        .measures(low="MIN(price)")
        .pattern("TOP DOWN+ UP+")
        .define(DOWN="price < PREV(price)", UP="price > PREV(price)")
    )
    assert built.sql() == (
        "SELECT *\n"
        "FROM {input} MATCH_RECOGNIZE (\n"
        "  PARTITION BY symbol\n"
        "  ORDER BY day\n"
        "  MEASURES\n"
        "    MIN(price) AS low\n"
        "  PATTERN (TOP DOWN+ UP+)\n"
        "  DEFINE\n"
        "    DOWN AS price < PREV(price),\n"
        "    UP AS price > PREV(price)\n"
        ")"
    )
    assert "FROM ticks MATCH" in built.sql("ticks")


def test_the_statement_of_every_part() -> None:
    built = (
        match(Frame())
        .partition_by("symbol", "my column", "year(day) AS y")
        .order_by(mf.desc("day", nulls="last"), "price DESC", mf.asc(mf.fn.abs(mf.col("price"))))
        .measures(first_day=top.day, n=mf.count(down))
        .measures({"lowest price": mf.min_(variable("move").price), "end": mf.last(up.day, 1)})
        .all_rows_per_match(omit_empty_matches=True)
        .show_timeout_matches()
        .after_match_skip_to_first("up")
        .pattern(top + down.one_or_more() + up.one_or_more())
        .within(datetime.timedelta(minutes=2))
        .subset({variable("move"): [down, up]}, other="top, up")
        .define({down: down.price < mf.prev(down.price)})
    )
    assert built.sql() == (
        "SELECT *\n"
        "FROM {input} MATCH_RECOGNIZE (\n"
        "  PARTITION BY symbol,\n"
        "               `my column`,\n"
        "               year(day) AS y\n"
        "  ORDER BY day DESC NULLS LAST,\n"
        "           price DESC,\n"
        "           abs(price) ASC\n"
        "  MEASURES\n"
        "    top.day AS first_day,\n"
        "    COUNT(down.*) AS n,\n"
        "    MIN(move.price) AS `lowest price`,\n"
        "    LAST(up.day, 1) AS `end`\n"
        "  ALL ROWS PER MATCH OMIT EMPTY MATCHES SHOW TIMEOUT MATCHES\n"
        "  AFTER MATCH SKIP TO FIRST up\n"
        "  PATTERN (top down+ up+)\n"
        "  WITHIN INTERVAL '0 00:02:00' DAY TO SECOND\n"
        "  SUBSET move = (down, up),\n"
        "         other = (top, up)\n"
        "  DEFINE\n"
        "    down AS down.price < PREV(down.price)\n"
        ")"
    )


def test_options() -> None:
    base = match(Frame()).pattern("A")
    made = {
        base.one_row_per_match(): "ONE ROW PER MATCH",
        base.show_timeout_matches(): "ONE ROW PER MATCH SHOW TIMEOUT MATCHES",
        base.all_rows_per_match(): "ALL ROWS PER MATCH",
        base.all_rows_per_match(show_empty_matches=True): "ALL ROWS PER MATCH SHOW EMPTY MATCHES",
        base.all_rows_per_match(
            with_unmatched_rows=True
        ): "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
        base.after_match_skip_past_last_row(): "AFTER MATCH SKIP PAST LAST ROW",
        base.after_match_skip_to_next_row(): "AFTER MATCH SKIP TO NEXT ROW",
        base.after_match_skip_to_last("A"): "AFTER MATCH SKIP TO LAST A",
        base.after_match_no_skip(): "AFTER MATCH NO SKIP",
    }
    for built, words in made.items():
        assert built.sql().splitlines()[2] == f"  {words}"
    # The builder that all were made from is unchanged.
    assert len(base.sql().splitlines()) == 4


a, b, c = variables("a b c")
PATTERNS = [
    (a + b | c, "a b | c"),
    (a + (b | c), "a (b | c)"),
    (a + (b + c), "a b c"),
    (a | (b | c), "a | b | c"),
    ((a + b).one_or_more(), "(a b)+"),
    (a.one_or_more().zero_or_more(), "(a+)*"),
    (a.optional().reluctant(), "a??"),
    (a.times(2), "a{2}"),
    (a.times(2, 3).reluctant(), "a{2,3}?"),
    (a.at_least(2), "a{2,}"),
    (a.at_most(3), "a{,3}"),
    (a.one_or_more().loose(), "a+??"),
    (a.one_or_more().loose().reluctant().until(b), "a+???{b}"),
    (a.zero_or_more().until(b) + c, "a*{b} c"),
    (mf.permute(a, b + c, b | c), "PERMUTE(a, b c, b | c)"),
    (mf.exclude(a | b) + c, "{- a | b -} c"),
    (mf.start() + a + mf.end(), "^ a $"),
    (mf.end().times(2), "($){2}"),
    (mf.empty() | a, "() | a"),
    (a.followed_by(b).followed_by_any(c), "a {- GAP_1*? -} b {- GAP_2* -} c"),
    (variable("gap_1").followed_by(b), "gap_1 {- GAP_2*? -} b"),
    (a.not_next(b) + c, "a [^b] c"),
    (a.not_followed_by(b).followed_by(c), "a {- GAP_1*? -} [^b] {- GAP_2*? -} c"),
    (a + mf.absent(b), "a [^b]"),
    (variable("my var") + variable("end"), "`my var` `END`"),
]


@pytest.mark.parametrize(("built", "text"), PATTERNS, ids=[text for _, text in PATTERNS])
def test_patterns(built: pattern.Pattern, text: str) -> None:
    assert pattern.render(built) == text


x, y = mf.col("x"), a.y
EXPRESSIONS = [
    ((x + 1) * y, "(x + 1) * a.y"),
    (x + 1 * y, "x + 1 * a.y"),
    (x - (y - 1), "x - (a.y - 1)"),
    (x - y - 1, "x - a.y - 1"),
    (1 - x, "1 - x"),
    (2 / (x % 3), "2 / (x % 3)"),
    (-(-x), "-(-x)"),  # noqa: B002
    (x - -1, "x - -1"),
    (-mf.lit(-1), "-(-1)"),
    ((x > 1) & ((y < 2) | (x == y)), "x > 1 AND (a.y < 2 OR x = a.y)"),
    ((x > 1) & (y < 2) | (x != y), "x > 1 AND a.y < 2 OR x <> a.y"),
    (~(x > 1) & ~mf.expr("y OR z"), "NOT x > 1 AND NOT (y OR z)"),
    ((x > 1) == (y > 1), "(x > 1) = (a.y > 1)"),
    (x > 3, "x > 3"),
    (x.is_null() | y.is_not_null(), "x IS NULL OR a.y IS NOT NULL"),
    ((x > 1).is_null(), "(x > 1) IS NULL"),
    (x.between(1, y + 1) & True, "x BETWEEN 1 AND a.y + 1 AND TRUE"),
    (x.isin("a", "b"), "x IN ('a', 'b')"),
    (x.isin([1]), "x IN (1)"),
    (x.isin([]), "FALSE"),
    (x.like("a%") | x.rlike("^b"), "x LIKE 'a%' OR x RLIKE '^b'"),
    (x.eq_null_safe(None), "x <=> NULL"),
    ((x + 1).cast("string"), "CAST(x + 1 AS string)"),
    (y["k"][0].field("f g"), "a.y['k'][0].`f g`"),
    (mf.prev(mf.last(a.y, 2), 3), "PREV(LAST(a.y, 2), 3)"),
    (mf.next_(y) - mf.first(y), "NEXT(a.y) - FIRST(a.y)"),
    (mf.count(), "COUNT(*)"),
    (mf.count(a).filter(a.y > 1), "COUNT(a.*) FILTER (WHERE a.y > 1)"),
    (mf.count(y, distinct=True), "COUNT(DISTINCT a.y)"),
    (mf.running(mf.sum_(y)), "RUNNING SUM(a.y)"),
    (mf.final(mf.last(y)), "FINAL LAST(a.y)"),
    (mf.classifier(a), "CLASSIFIER(a)"),
    (mf.classifier() == "A", "CLASSIFIER() = 'A'"),
    (mf.fn.if_(x > 1, x, None), "if(x > 1, x, NULL)"),
    (mf.call("cat.f", 1), "cat.f(1)"),
    (a["my column"] + a["order"], "a.`my column` + a.`order`"),
]


@pytest.mark.parametrize(("built", "text"), EXPRESSIONS, ids=[t for _, t in EXPRESSIONS])
def test_expressions(built: Any, text: str) -> None:
    assert show(built) == text


LITERALS = [
    (None, "NULL"),
    (True, "TRUE"),
    (-5, "-5"),
    (1.5, "1.5D"),
    (1e300, "1e+300D"),
    (math.nan, "DOUBLE('NaN')"),
    (-math.inf, "DOUBLE('-Infinity')"),
    (Decimal("1.50"), "1.50BD"),
    (Decimal("1E+3"), "1000BD"),
    ("it's \\ ${x}\n", "'it\\'s \\\\ \\u0024{x}\\n'"),
    (b"\x00\xff", "X'00FF'"),
    (datetime.date(2024, 2, 29), "DATE '2024-02-29'"),
    (datetime.datetime(2024, 2, 29, 1, 2, 3, 4), "TIMESTAMP_LTZ '2024-02-29 01:02:03.000004'"),
    (datetime.timedelta(days=-1, hours=2), "INTERVAL '-0 22:00:00' DAY TO SECOND"),
]


@pytest.mark.parametrize(("value", "text"), LITERALS, ids=[text for _, text in LITERALS])
def test_literals(value: Any, text: str) -> None:
    assert literal(value) == text


# Each mistake is made in a function; the message must name the line marked HERE.
def two_conditions() -> None:
    match(Frame()).pattern("A").define(
        A=(down.price > 1) and (down.price < 2)  # HERE
    )


def chained() -> None:
    match(Frame()).pattern("A").define(A=1 < down.price < 3)  # HERE


def no_parentheses() -> None:
    down.price > 1 & down.price  # type: ignore[operator]  # noqa: B015  # HERE


def unknown_in_define() -> None:
    built = match(Frame()).pattern("DOWN UP+")
    built = built.define(
        UP="price < 1",
        DWN="price > 1",  # HERE
    )
    built.sql()


def unknown_in_measures() -> None:
    measure = mf.last(up.day)  # HERE
    match(Frame()).pattern("TOP DOWN").measures(x=measure).sql()


def defined_twice() -> None:
    built = match(Frame()).pattern("A").define(A="x > 1")
    built.define(A="x > 2")  # HERE


def variables_twice() -> None:
    variables("a b A")  # HERE


def no_pattern() -> None:
    match(Frame()).sql()  # HERE


def a_method_without_parentheses() -> None:
    top + down.one_or_more  # HERE


def a_pattern_as_a_condition() -> None:
    match(Frame()).pattern("A").define(A=down)  # type: ignore[arg-type]  # HERE


def a_comparison_with_none() -> None:
    down.price == None  # noqa: E711, B015  # HERE


def a_text_as_a_column() -> None:
    mf.prev("price")  # HERE


def zero_times() -> None:
    down.times(0)  # HERE


def an_unknown_skip() -> None:
    match(Frame()).pattern("A B").after_match_skip_to_last("C").sql()  # HERE


def an_unknown_subset_member() -> None:
    match(Frame()).pattern("A B").subset(U="A C").sql()  # HERE


def a_set_as_a_value() -> None:
    down.price > {1}  # noqa: B015  # HERE


def final_of_a_column() -> None:
    mf.final(down.price)  # HERE


def not_a_frame() -> None:
    match([1, 2])  # HERE


def a_variable_as_a_value() -> None:
    match(Frame()).pattern("down").define(down=down == 3)  # HERE


def an_or_of_patterns() -> None:
    match(Frame()).pattern(top or down)  # HERE


MISTAKES = [
    (two_conditions, "Use & for and"),
    (chained, "write a < x < b as"),
    (no_parentheses, "& joins two conditions, and 1 is none"),
    (unknown_in_define, "for DWN, which is no variable of the pattern. Did you mean DOWN?"),
    (unknown_in_measures, "variable up, which is not in the pattern. There are: TOP, DOWN."),
    (defined_twice, "the variable A twice, first in"),
    (variables_twice, "The variable A is named twice"),
    (no_pattern, "The pattern is missing"),
    (a_method_without_parentheses, "Write one_or_more()"),
    (a_pattern_as_a_condition, "define() needs an expression for A"),
    (a_comparison_with_none, "Use .is_null()"),
    (a_text_as_a_column, 'Write col("price")'),
    (zero_times, "cannot occur 0 to 0 times"),
    (an_unknown_skip, "cannot go on at C"),
    (an_unknown_subset_member, "lists C, which is no variable"),
    (a_set_as_a_value, "type set is no expression"),
    (final_of_a_column, "FINAL is for first(...)"),
    (not_a_frame, "needs a DataFrame, not builtins.list"),
    (a_variable_as_a_value, "down has no value to compare"),
    (an_or_of_patterns, "a | b for a or b"),
]


@pytest.mark.parametrize(("mistake", "says"), MISTAKES, ids=[m.__name__ for m, _ in MISTAKES])
def test_mistakes_name_their_line(mistake: Any, says: str) -> None:
    lines, first = inspect.getsourcelines(mistake)
    (here,) = (first + i for i, line in enumerate(lines) if "# HERE" in line)
    if mistake is unknown_in_define and sys.version_info < (3, 11):
        here -= 2
    with pytest.raises(MatchRecognizeError) as raised:
        mistake()
    assert says in str(raised.value)
    assert str(raised.value).endswith(f'File "{__file__}", line {here}')


def test_a_column_that_the_input_lacks() -> None:
    here = line_here() + 1
    condition = down.colour == "red"
    built = match(Frame("day", "color")).pattern("down").define(down=condition)
    with pytest.raises(MatchRecognizeError, match=r"no column colour. Did you mean color\?") as e:
        checks.check_columns(built._clause, built._frame)
    assert f"line {here}" in str(e.value)


def test_an_error_of_spark_gets_the_python_line() -> None:
    here = line_here() + 1
    built = match(Frame()).pattern("A B").measures(x="MINN(B.price)", y="A.day")
    made = statement(built._clause, "t")
    assert made.lines[3] == "    MINN(B.price) AS x,"
    error = ValueError("no such function\n== SQL (line 4, position 5) ==")
    explain(error, made)
    assert str(error).endswith(
        f'The measure x was written here:\n  File "{__file__}", line {here}'
    )


def test_comments_in_text_hide_nothing() -> None:
    built = match(Frame()).pattern("A -- one").measures(x="A.day -- day", y="1")
    assert "A.day -- day\n AS x" in built.sql()
    assert "PATTERN (A -- one\n)" in built.sql()


def test_variables_of_text() -> None:
    text = "A{2} (`b c`|permute(D, E))+ {- X*? -} [^F] G+{H} ^ $ -- I\n /* J */ L{:m,:n} A"
    assert checks.variables_of(text) == ["A", "b c", "D", "E", "X", "F", "G", "H", "L"]


def test_notebooks_see_the_statement() -> None:
    shown = match(Frame()).pattern("A").define(A="price < 'x'")._repr_html_()
    plain = re.sub("<[^>]*>", "", shown)
    assert plain.endswith("  DEFINE\n    A AS price &lt; &#x27;x&#x27;\n)")
    assert '<span style="color: #3f7fbf">PATTERN</span>' in shown
    assert repr(match(Frame()).pattern("A B+")) == "Match<PATTERN (A B+)>"


def random_pattern(random_: random.Random, depth: int) -> tuple[pattern.Pattern, str]:
    """A pattern, and its text with parentheses around every part."""
    kind = random_.randrange(6) if depth else 0
    if kind == 0:
        name = random_.choice("abc")
        return variable(name), name
    left, left_text = random_pattern(random_, depth - 1)
    if kind == 1:
        return left.one_or_more(), f"({left_text})+"
    if kind == 2:
        return left.times(1, 2).reluctant(), f"({left_text}){{1,2}}?"
    right, right_text = random_pattern(random_, depth - 1)
    if kind == 3:
        return left | right, f"(({left_text})|({right_text}))"
    if kind == 4:
        return mf.permute(left, right), f"PERMUTE({left_text},{right_text})"
    return left + right, f"(({left_text})({right_text}))"


def tree(text: str) -> Any:
    """The tree of a pattern: parses SQL text, with sequences and alternatives flattened."""
    tokens = re.findall(r"PERMUTE|\w+|\{1,2\}\?|[()|,+]", text)

    def alternatives() -> Any:
        parts = [sequence()]
        while tokens and tokens[0] == "|":
            tokens.pop(0)
            parts.append(sequence())
        return flat("|", parts)

    def sequence() -> Any:
        parts = []
        while tokens and tokens[0] not in {"|", ")", ","}:
            parts.append(element())
        return flat(" ", parts)

    def element() -> Any:
        token = tokens.pop(0)
        if token in {"(", "PERMUTE"}:
            if token == "PERMUTE":
                tokens.pop(0)
            parts = [alternatives()]
            while tokens[0] == ",":
                tokens.pop(0)
                parts.append(alternatives())
            tokens.pop(0)
            body = ("PERMUTE", *parts) if token == "PERMUTE" else parts[0]
        else:
            body = token
        if tokens and tokens[0] in {"+", "{1,2}?"}:
            return (tokens.pop(0), body)
        return body

    def flat(sign: str, parts: list[Any]) -> Any:
        if len(parts) == 1:
            return parts[0]
        inner = [q for p in parts for q in (p[1:] if p[0] == sign else [p])]
        return (sign, *inner)

    answer = alternatives()
    assert not tokens
    return answer


def test_random_patterns_mean_the_same_built_and_as_text() -> None:
    random_ = random.Random(20260)
    for _ in range(500):
        built, text = random_pattern(random_, random_.randrange(5))
        rendered = pattern.render(built)
        assert tree(rendered) == tree(text), text
        assert rendered.count("(") <= text.count("(")


def random_expression(random_: random.Random, depth: int) -> tuple[Any, str]:
    """An expression over x = 3, and the same in Python's own syntax with all parentheses."""
    if depth == 0:
        number = random_.randrange(-4, 5)
        return (mf.col("x"), "x") if random_.random() < 0.5 else (mf.lit(number), f"({number})")
    left, left_text = random_expression(random_, depth - 1)
    right, right_text = random_expression(random_, depth - 1)
    sign = random_.choice(["+", "-", "*", "neg"])
    if sign == "neg":
        return -left, f"(-{left_text})"
    built = {"+": left + right, "-": left - right, "*": left * right}[sign]
    return built, f"({left_text} {sign} {right_text})"


def test_random_expressions_have_the_same_value_built_and_as_text() -> None:
    # The rendered arithmetic is also Python's, with the same precedence.
    random_ = random.Random(20261)
    for _ in range(500):
        built, text = random_expression(random_, random_.randrange(5))
        rendered = show(built)
        assert eval(rendered, {"x": 3}) == eval(text, {"x": 3}), rendered
        assert "--" not in rendered

"""Mistakes in a built clause are reported at their Python line, before Spark and by Spark."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from typing import Any

import pytest
from frames_without_spark import Frame
from match_recognize import MatchRecognizeError, match, patterns, variable, variables
from match_recognize import functions as mf
from match_recognize.builder import checks
from match_recognize.builder.statement import explain, statement

a, b, down = variables("a b down")

#: What is written, and what the error says. The columns are symbol, day, price and `my column`.
MISTAKES = [
    # Python's operators
    ("m.define(a=(a.price > 1) and (a.price < 2))", "Use & for and"),
    ("m.define(a=a.price > 1 or a.price < 2)", "| for or"),
    ("m.define(a=not a.price > 1)", "~ for not"),
    ("m.define(a=1 < a.price < 3)", "write a < x < b as"),
    ("a.price > 1 & a.price", "& joins two conditions, and 1 is none"),
    ("a.price == None", "Use .is_null()"),
    ("a.price != None", "Use .is_not_null()"),
    ("a.price in (1, 2)", "write x.isin(list)"),
    ("1 in a.price", "Use expression.isin(...)"),
    ("a.price > {1}", "type set is no expression"),
    ("sum(a.price)", "use sum_, min_ and max_"),
    ("max(a.price, b.price)", "Use & for and"),
    ("[x for x in a.price]", "cannot be iterated"),
    ("if a.price > 1: pass", "Use & for and"),
    # Variables and their columns
    (
        "a.one_or_mroe()",
        "a.one_or_mroe is a column, and no method of variables. Did you mean one_o",
    ),
    ("a.then(b)", "Write a + b for a, then b."),
    ("a.repeat(3)", "Write a.times(3), or a.one_or_more()."),
    ("a.until(b)", "Write a.one_or_more().until(b): it follows a quantifier."),
    ("a + b.oneormore", "b.oneormore is a column, and no method of variables. Did you mean one"),
    ("a * 3", "write a.times(3)"),
    ("a >> b", "write a + b"),
    ("+a", "write a.one_or_more()"),
    ("a.price.lag()", "Write prev(a.x), of match_recognize.functions"),
    ("a.price.sum()", "Write sum_(a.x), of match_recognize.functions"),
    ("a.price.alias('p')", "as in measures(name=...)"),
    ("a.price()", "a.price is a column, and no method of variables. There are: zero_or_more"),
    ("a.times > 1", 'times is a method of variables. Write a["times"] for the column.'),
    ("1 + a.optional", 'Write a["optional"] for the column.'),
    ("a == 3", "a has no value to compare"),
    ("a < 3", "a has no value to compare"),
    ("a[3]", "a[...] needs the name of a column, not 3."),
    ("m.define(a=b)", "define() needs an expression for a"),
    ("m.define(a=a.one_or_more)", "define() needs an expression for a"),
    ("a.price + b", "b is a pattern, not a value."),
    ("a.price + a.at_least", "Call the method."),
    # Patterns
    ("a + b.one_or_more", "Write one_or_more()"),
    ("a + 'b'", "+ needs a pattern, not 'b'."),
    ("m.pattern(a or b)", "a | b for a or b"),
    ("a.times(0)", "cannot occur 0 to 0 times"),
    ("a.times(4, 2)", "cannot occur 4 to 2 times"),
    ("a.times('2')", "must be an int"),
    ("a.followed_by(b).until(a)", "until(b): it follows a quantifier"),
    ("(a + b).price", "The pattern has no price: only variables have columns."),
    ("a.times(3).until(b)", "without an upper bound"),
    ("a.not_next(a + b)", "needs one variable"),
    ("m.pattern('')", "The pattern is empty"),
    ("m.pattern('A B+ (C')", "The pattern has a ( without its ): A B+ (C"),
    ("m.pattern('A B+)')", "The pattern has a ) without its (: A B+)"),
    ("variables('a b A')", "The variable A is named twice"),
    ("variables(a)", 'variables() needs names, as in a, b = variables("a", "b").'),
    # Entries
    (
        "m.define(a='price < PREV(price')",
        "The text of a has a ( without its ): price < PREV(price",
    ),
    ("m.define(a='price > 3, b AS price > 100')", "The text of a has a comma"),
    ('m.define(a="symbol = \'x")', "has a ' without its other half"),
    ("m.define(a='')", "An expression is empty"),
    ("m.define({'a': 'price > 1'}, a='price > 2')", "the variable a twice"),
    ("m.measures('COUNT(*)')", "measures() needs names, as in measures(name=...)"),
    ("m.define(dwn='price > 1').sql()", "no variable of the pattern. Did you mean down?"),
    ("m.measures(x=variable('c').day).sql()", "variable c, which is not in the pattern. There"),
    ("m.subset(u='a c').sql()", "lists c, which is no variable"),
    ("m.subset(u=[])", "has no variables"),
    ("m.within([1])", "needs a timedelta, a number or SQL text"),
    # Keys and functions
    ("m.order_by()", 'order_by() needs at least one column, as in order_by("day").'),
    ("m.order_by(a.day)", "Write the column's name."),
    ("m.partition_by(a)", "a is a variable: the keys are those of the input"),
    ("mf.prev('price')", 'Write col("price")'),
    ("mf.prev(a.price, -1)", "must be an int from 0 on"),
    ("mf.count('a')", 'Write col("a"), or variable("a") for the rows of a variable.'),
    ("mf.final(a.price)", "FINAL is for first(...)"),
    # Options
    ("m.rows('al')", '\'al\') is none of "one", "all". Did you mean all?'),
    ("m.rows('one', unmatched=True)", 'write rows("all", ...)'),
    ("m.rows('all', empty='omit', unmatched=True)", 'Leave out empty="omit"'),
    ("m.after_match('next')", "Did you mean next row?"),
    ("m.after_match('last')", 'takes a variable, as in after_match("last", "B")'),
    ("m.after_match('no skip', a)", 'after_match("no skip") takes none'),
    ("m.after_match('last', 'c').sql()", "cannot go on at c"),
    ("m.dialect('trino')", 'is none of "standard", "flink"'),
    # The whole
    ("match(Frame()).sql()", "The pattern is missing"),
    ("match([1, 2])", "needs a DataFrame, not builtins.list"),
    ("m.to_df()", "Call .measures(name=...)"),
    ("m.mesures(x='1')", "match(df) has no mesures. Did you mean measures?"),
    ("m.x = 1", "A match does not change"),
    ("m.show()", "Write .to_df().show"),
    ("a.price.cast(int)", 'cast() needs the name of a type, such as "int"'),
    ("a.price.field(1)", "field() needs the name of a field, not 1."),
    ("mf.asc('day', nulls=None)", 'nulls must be "first" or "last", not None.'),
    ("m.subset('u')", "subset() needs names, as in subset(name=...)"),
    ("m.subset({'u': 'a'}, u='b')", "The subset u is given twice."),
    ("patterns.funnel(m, {1: 'day = 1', 'b': 'day = 2'})", "names of steps are texts, not 1"),
    ("a.price.is_nul()", "Did you mean is_null?"),
    ("a.price.lower()", "write fn.lower(...)"),
]


@pytest.mark.parametrize(("code", "says"), MISTAKES, ids=[code for code, _ in MISTAKES])
def test_mistakes_name_their_line(code: str, says: str) -> None:
    m = match(Frame()).order_by("day").pattern("a b* down?")
    names: dict[str, Any] = {"m": m, "a": a, "b": b, "Frame": Frame, "mf": mf, "match": match}
    names |= {"variable": variable, "variables": variables, "patterns": patterns}
    with pytest.raises((MatchRecognizeError, AttributeError)) as raised:
        exec(compile(f"\n{code}", "users.py", "exec"), names)
    assert says in str(raised.value)
    # Python names the line of a name that is not there.
    if not isinstance(raised.value, AttributeError):
        assert str(raised.value).endswith('File "users.py", line 2')


def test_an_entry_of_many_lines_names_its_own() -> None:
    code = "m = match(Frame()).pattern('DOWN UP+')\nm.define(\n  UP='x',\n  DWN='y',\n).sql()"
    linecache.cache["many.py"] = (len(code), None, code.splitlines(keepends=True), "many.py")
    with pytest.raises(MatchRecognizeError) as raised:
        exec(compile(code, "many.py", "exec"), {"match": match, "Frame": Frame})
    line = 4 if sys.version_info >= (3, 11) else 2
    assert str(raised.value).endswith(f'File "many.py", line {line}')


def line_of(function: Callable[..., object]) -> int:
    return function.__code__.co_firstlineno


def test_a_column_that_the_input_lacks() -> None:
    condition = down.colour == "red"
    here = line_of(test_a_column_that_the_input_lacks) + 1
    built = match(Frame("day", "color")).pattern("down").define(down=condition)
    with pytest.raises(MatchRecognizeError, match=r"no column colour. Did you mean color\?") as e:
        checks.check_columns(built._clause, built._source.frame)
    assert f"line {here}" in str(e.value)


def test_tools_do_not_find_their_names() -> None:
    for value in (match(Frame()), a.price, a):
        assert not hasattr(value, "_repr_png_")


def test_an_error_of_spark_gets_the_python_line() -> None:
    built = match(Frame()).pattern("A B").measures(x="MINN(B.price)", y="A.day")
    here = line_of(test_an_error_of_spark_gets_the_python_line) + 1
    made = statement(built._clause, "t")
    assert made.lines[3] == "    MINN(B.price) AS x,"
    written = f'\n\nThe measure x was written here:\n  File "{__file__}", line {here}'
    error = ValueError("no such function\n== SQL (line 4, position 5) ==")
    explain(error, made)
    assert str(error).endswith(f"position 5) =={written}")
    # Without the text, the message names a place that the user cannot see.
    error = ValueError("no such function; line 4 pos 4")
    explain(error, made)
    assert str(error).endswith(
        f"\n== SQL (line 4) ==\n    MINN(B.price) AS x,\n    ^^^^{written}"
    )

"""Random clauses, each as SQL text and as calls of the builder. The text has all parentheses."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from typing import Any

from match_recognize import functions as mf
from match_recognize import match, variable
from match_recognize.builder import Match

#: The input; two names must be in backquotes.
INPUT = """SELECT * FROM VALUES
  (1, 'k', 1, TIMESTAMP '2024-01-01 00:00:00', 2, 2.5D, 'a', 7)
  AS t(id, k, o, ts, x, y, s, `a b`)"""

#: Variables as SQL and as the builder's names. A reserved word is in capitals, as CLASSIFIER()
#: returns the names of variables without backquotes.
NAMES = {"A": "A", "b_1": "b_1", "`né`": "né", "`ORDER`": "order"}


@dataclass(frozen=True)
class Both:
    """A piece of a clause as text and as the builder has it."""

    text: str
    built: Any


@dataclass
class Clause:
    """The body of a clause, and the calls that build it."""

    parts: list[str] = field(default_factory=list)
    calls: list[Callable[[Match], Match]] = field(default_factory=list)

    @property
    def body(self) -> str:
        return "\n".join(self.parts)

    def build(self, frame: Any) -> Match:
        made = match(frame)
        for call in self.calls:
            made = call(made)
        return made

    def add(self, text: str, call: Callable[[Match], Match]) -> None:
        self.parts.append(text)
        self.calls.append(call)


class Draw:
    """Draws clauses; equal seeds give equal clauses."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        #: The variables to choose from: those of the pattern, once it is drawn.
        self.names = list(NAMES)
        #: Those that must not come, which need a condition.
        self.absent: list[str] = []

    def one(self, *choices: Callable[[], Both]) -> Both:
        return self.random.choice(choices)()

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def name(self) -> str:
        return self.random.choice(self.names)

    # Patterns

    def element(self, depth: int, excluded: bool = False) -> Both:
        if depth == 0 or self.chance(0.25):
            name = self.name()
            return self.quantified(Both(name, variable(NAMES[name])))
        kind = self.random.choice(["then", "then", "or", "permute", "exclude", "empty", "gap"])
        if kind == "empty":
            return Both("()", mf.empty())
        if kind == "exclude" and not excluded:
            inner = self.element(depth - 1, excluded=True)
            return Both(f"{{- {inner.text} -}}", mf.exclude(inner.built))
        pieces = [
            self.element(depth - 1, excluded or kind == "gap")
            for _ in range(self.random.choice([2, 2, 3]))
        ]
        texts, built = [piece.text for piece in pieces], [piece.built for piece in pieces]
        if kind == "gap" and not excluded:
            return self.gap(pieces[0], pieces[1])
        if kind == "or":
            joined = Both(" | ".join(texts), built[0] | built[1])
            for piece in built[2:]:
                joined = Both(joined.text, joined.built | piece)
        elif kind == "permute":
            return self.quantified(Both(f"PERMUTE({', '.join(texts)})", mf.permute(*built)))
        else:
            joined = Both(" ".join(f"({text})" for text in texts), built[0] + built[1])
            for piece in built[2:]:
                joined = Both(joined.text, joined.built + piece)
        return self.quantified(Both(f"({joined.text})", joined.built))

    def gap(self, first: Both, second: Both) -> Both:
        name = self.name()
        absent = variable(NAMES[name])
        made = {
            "followed_by": (f"{{- GAP_#*? -}} ({second.text})", lambda: second.built),
            "followed_by_any": (f"{{- GAP_#* -}} ({second.text})", lambda: second.built),
            "not_next": (f"[^{name}] ({second.text})", lambda: absent),
        }
        method = self.random.choice(list(made))
        text, argument = made[method]
        built = getattr(first.built, method)(argument())
        if method == "not_next":
            self.absent.append(name)
            built = built + second.built
        return Both(f"(({first.text}) {text})", built)

    def quantified(self, piece: Both) -> Both:
        low, more = self.random.randrange(3), self.random.randrange(1, 3)
        quantifiers = [
            ("*", "zero_or_more", ()),
            ("+", "one_or_more", ()),
            ("?", "optional", ()),
            (f"{{{low + 1}}}", "times", (low + 1,)),
            (f"{{{low},{low + more}}}", "times", (low, low + more)),
            (f"{{{low},}}", "at_least", (low,)),
            (f"{{,{more}}}", "at_most", (more,)),
        ]
        if self.chance(0.4):
            return piece
        sign, method, numbers = self.random.choice(quantifiers)
        loop = getattr(piece.built, method)(*numbers)
        if self.chance(0.3):
            return Both(f"({piece.text}){sign}?", loop.reluctant())
        return Both(f"({piece.text}){sign}", loop)

    def pattern(self) -> Both:
        inner = self.element(self.random.randrange(4))
        if self.chance(0.15):
            inner = Both(f"^ ({inner.text})", mf.start() + inner.built)
        if self.chance(0.15):
            inner = Both(f"({inner.text}) $", inner.built + mf.end())
        return inner

    # Expressions

    def column(self, *columns: str) -> Both:
        column = self.random.choice(columns)
        quoted = f"`{column}`" if " " in column else column
        if self.chance(0.4):
            return Both(quoted, mf.col(column))
        name = self.name()
        return Both(f"{name}.{quoted}", variable(NAMES[name])[column])

    def navigation(self, *columns: str) -> Both:
        at, by = self.random.randrange(3), self.random.randrange(4)
        value = self.column(*columns)
        logical = self.random.choice([("FIRST", mf.first), ("LAST", mf.last)])
        physical = self.random.choice([("PREV", mf.prev), ("NEXT", mf.next_)])
        inner = Both(f"{logical[0]}({value.text}, {at})", logical[1](value.built, at))
        if self.chance(0.3):
            return inner
        value = self.random.choice([value, inner])
        return Both(f"{physical[0]}({value.text}, {by})", physical[1](value.built, by))

    def aggregate(self) -> Both:
        value = self.column("x", "y", "a b")
        name = self.name()
        made = [
            Both("COUNT(*)", mf.count()),
            Both(f"COUNT({name}.*)", mf.count(variable(NAMES[name]))),
            Both(f"COUNT(DISTINCT {value.text})", mf.count(value.built, distinct=True)),
            Both(f"SUM({value.text})", mf.sum_(value.built)),
            Both(f"MIN({value.text})", mf.min_(value.built)),
            Both(f"MAX({value.text})", mf.max_(value.built)),
            Both(f"AVG({value.text})", mf.avg(value.built)),
        ]
        return self.random.choice(made)

    def number(self, depth: int) -> Both:
        if depth == 0 or self.chance(0.2):
            literal = self.random.choice(
                [
                    Both("3", 3),
                    Both("(-2)", -2),
                    Both("1.50BD", Decimal("1.50")),
                    Both("0.5D", 0.5),
                ]
            )
            return self.one(
                lambda: self.column("x", "y", "a b"),
                lambda: self.navigation("x", "y"),
                self.aggregate,
                lambda: Both(literal.text, mf.lit(literal.built)),
            )
        one, other = self.number(depth - 1), self.number(depth - 1)
        # The builder writes a literal with its sign, which Spark reads as one literal.
        signed = self.column("x", "y") if one.text[0].isdigit() else one
        made = [
            Both(f"({one.text} + {other.text})", one.built + other.built),
            Both(f"({one.text} - {other.text})", one.built - other.built),
            Both(f"({one.text} * {other.text})", one.built * other.built),
            Both(f"({one.text} / {other.text})", one.built / other.built),
            Both(f"({one.text} % {other.text})", one.built % other.built),
            Both(f"(-({signed.text}))", -signed.built),
            Both(f"abs({one.text})", abs(one.built)),
            Both(f"greatest({one.text}, {other.text})", mf.fn.greatest(one.built, other.built)),
            Both(f"CAST({one.text} AS bigint)", one.built.cast("bigint")),
        ]
        return self.random.choice(made)

    def text(self) -> Both:
        if self.chance(0.2):
            return Both("CLASSIFIER()", mf.classifier())
        return self.one(lambda: self.column("s", "k"), lambda: self.navigation("s"))

    def condition(self, depth: int) -> Both:
        if depth == 0 or self.chance(0.3):
            return self.comparison()
        one, other = self.condition(depth - 1), self.condition(depth - 1)
        made = [
            Both(f"({one.text} AND {other.text})", one.built & other.built),
            Both(f"({one.text} OR {other.text})", one.built | other.built),
            Both(f"(NOT {one.text})", ~one.built),
            Both(f"({one.text} = {other.text})", one.built == other.built),
            Both(f"({one.text} IS NULL)", one.built.is_null()),
        ]
        return self.random.choice(made)

    def comparison(self) -> Both:
        a, b, c = (self.number(self.random.randrange(3)) for _ in range(3))
        s = self.text()
        made = [
            Both(f"({a.text} < {b.text})", a.built < b.built),
            Both(f"({a.text} <= {b.text})", a.built <= b.built),
            Both(f"({a.text} > {b.text})", a.built > b.built),
            Both(f"({a.text} >= {b.text})", a.built >= b.built),
            Both(f"({a.text} <> {b.text})", a.built != b.built),
            Both(f"({a.text} <=> {b.text})", a.built.eq_null_safe(b.built)),
            Both(f"({a.text} BETWEEN {b.text} AND {c.text})", a.built.between(b.built, c.built)),
            Both(f"({a.text} IN ({b.text}, {c.text}))", a.built.isin(b.built, c.built)),
            Both(f"({s.text} = 'it''s')".replace("''", "\\'"), s.built == "it's"),
            Both(f"({s.text} LIKE 'a%')", s.built.like("a%")),
            Both(f"({s.text} IS NOT NULL)", s.built.is_not_null()),
        ]
        return self.random.choice(made)

    # Clauses

    def clause(self) -> Clause:
        made = Clause()
        pattern = self.pattern()
        used = [name for name in NAMES if re.search(rf"(?<![\w`]){name}(?![\w`])", pattern.text)]
        if used and self.chance(0.9):
            self.names = used
        if self.chance(0.6):
            keys = self.random.sample(["k", "`a b`", "o % 2 AS p"], self.random.randrange(1, 3))
            # A name with a blank needs no backquotes in Python.
            names = [key.strip("`") for key in keys]
            made.add(f"PARTITION BY {', '.join(keys)}", lambda m: m.partition_by(*names))
        self.order(made)
        self.measures(made)
        self.rows(made)
        self.skip(made)
        # The builder numbers gaps as they follow each other in the text.
        numbers = count(1)
        text = re.sub("GAP_#", lambda _: f"GAP_{next(numbers)}", pattern.text)
        made.add(f"PATTERN ({text})", lambda m: m.pattern(pattern.built))
        if self.chance(0.2):
            made.add("WITHIN 3", lambda m: m.within(3))
        if self.chance(0.3):
            members = self.names[:2]
            made.add(
                f"SUBSET u = ({', '.join(members)})",
                lambda m: m.subset(u=[variable(NAMES[name]) for name in members]),
            )
        most = min(3, len(self.names))
        chosen = self.random.sample(self.names, self.random.randrange(most + 1))
        defined = dict.fromkeys([*chosen, *self.absent])
        if defined:
            conditions = {name: self.condition(self.random.randrange(3)) for name in defined}
            text = ",\n".join(f"{name} AS {c.text}" for name, c in conditions.items())
            built = {variable(NAMES[name]): c.built for name, c in conditions.items()}
            made.add(f"DEFINE {text}", lambda m: m.define(built))
        return made

    def order(self, made: Clause) -> None:
        keys = self.random.choice(
            [
                Both("o", ["o"]),
                Both("o DESC NULLS LAST, id", [mf.desc("o", nulls="last"), "id"]),
                Both("o ASC NULLS FIRST", [mf.asc("o", nulls="first")]),
                Both("o, `a b` DESC", ["o", mf.desc("a b")]),
                Both("(o + 1) DESC", [mf.desc(mf.col("o") + 1)]),
            ]
        )
        made.add(f"ORDER BY {keys.text}", lambda m: m.order_by(*keys.built))

    def measures(self, made: Clause) -> None:
        measures = {"m number": Both("MATCH_NUMBER()", mf.match_number())}
        for i in range(self.random.randrange(4)):
            value = self.one(
                lambda: self.number(2), self.text, self.comparison, self.aggregate, self.semantics
            )
            measures[f"m{i}"] = value
        text = ", ".join(f"{value.text} AS `{name}`" for name, value in measures.items())
        built = {name: value.built for name, value in measures.items()}
        made.add(f"MEASURES {text}", lambda m: m.measures(built))

    def semantics(self) -> Both:
        value = self.aggregate()
        word, function = self.random.choice([("RUNNING", mf.running), ("FINAL", mf.final)])
        return Both(f"{word} {value.text}", function(value.built))

    def rows(self, made: Clause) -> None:
        if self.chance(0.3):
            made.add("ONE ROW PER MATCH", lambda m: m.rows("one"))
        elif self.chance(0.6):
            words, call = self.random.choice(ALL_ROWS)
            made.add(f"ALL ROWS PER MATCH{words}", call)

    def skip(self, made: Clause) -> None:
        name = self.name()
        target = variable(NAMES[name])
        kinds: list[tuple[str, Callable[[Match], Match]]] = [
            ("SKIP PAST LAST ROW", lambda m: m.after_match("past last row")),
            ("SKIP TO NEXT ROW", lambda m: m.after_match("next row")),
            (f"SKIP TO FIRST {name}", lambda m: m.after_match("first", target)),
            (f"SKIP TO LAST {name}", lambda m: m.after_match("last", target)),
            ("NO SKIP", lambda m: m.after_match("no skip")),
        ]
        if self.chance(0.7):
            words, call = self.random.choice(kinds)
            made.add(f"AFTER MATCH {words}", call)


ALL_ROWS: list[tuple[str, Callable[[Match], Match]]] = [
    ("", lambda m: m.rows("all")),
    ("", lambda m: m.rows("all", empty="show")),
    (" OMIT EMPTY MATCHES", lambda m: m.rows("all", empty="omit")),
    (" WITH UNMATCHED ROWS", lambda m: m.rows("all", unmatched=True)),
]

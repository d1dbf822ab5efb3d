"""Writes sqlglot's tree of a statement with clauses as Spark SQL."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.generators.spark import SparkGenerator

from match_recognize.editors.sqlglot_nodes import RowPatternMatch, RunningOrFinal, VerbatimSql

_LISTS = (
    ("PARTITION BY", "partition_by"),
    ("ORDER BY", "order"),
    ("MEASURES", "measures"),
)


class ClauseGenerator(SparkGenerator):
    """Spark's generator, which also knows the nodes of `sqlglot_nodes`."""

    def rowpatternmatch_sql(self, node: RowPatternMatch) -> str:
        """Writes a table with its clause, its alias and what is joined to it."""
        sample = self.sql(node, "sample")
        alias = self.sql(node, "alias")
        return "".join(
            (
                self.sql(node, "this"),
                f"{self.sep()}MATCH_RECOGNIZE {self.wrap(self.clause_body(node))}",
                sample,
                f" AS {alias}" if alias else "",
                self.expressions(node, key="pivots", sep="", flat=True),
                *(self.sql(join) for join in node.args.get("joins") or ()),
                *(self.sql(lateral) for lateral in node.args.get("laterals") or ()),
            )
        )

    def clause_body(self, node: RowPatternMatch) -> str:
        """Writes what is between the parentheses of MATCH_RECOGNIZE."""
        parts = [self._list(words, node, key) for words, key in _LISTS]
        parts += [self.sql(node, key) for key in ("rows", "after")]
        parts.append(f"PATTERN ({self.sql(node, 'pattern')})")
        within = self.sql(node, "within")
        parts.append(f"WITHIN {within}" if within else "")
        parts += [self._list(words, node, words.lower()) for words in ("SUBSET", "DEFINE")]
        return self.sep().join(part for part in parts if part)

    def _list(self, words: str, node: RowPatternMatch, key: str) -> str:
        entries: list[Any] = node.args.get(key) or []
        if not entries:
            return ""
        texts = [self._entry(key, entry) for entry in entries]
        return f"{words}{self.sep()}{self.expressions(sqls=texts)}"

    def _entry(self, key: str, entry: exp.Expr) -> str:
        if key == "define" and isinstance(entry, exp.Alias):
            # The variable, then its condition: the other way round than an alias.
            return f"{self.sql(entry, 'alias')} AS {self.sql(entry, 'this')}"
        return self.sql(entry)

    def verbatimsql_sql(self, node: VerbatimSql) -> str:
        """Writes the text as it is, also its line breaks, which could be in a string."""
        text = str(node.this)
        return text.replace("\n", self.SENTINEL_LINE_BREAK) if self.pretty else text

    def runningorfinal_sql(self, node: RunningOrFinal) -> str:
        """Writes ``RUNNING`` or ``FINAL`` and its function."""
        return f"{node.args['kind']} {self.sql(node, 'this')}"

    # By class, since sqlglot finds methods by name for its own nodes only.
    TRANSFORMS: ClassVar[dict[Any, Any]] = {
        **SparkGenerator.TRANSFORMS,
        RowPatternMatch: rowpatternmatch_sql,
        RunningOrFinal: runningorfinal_sql,
        VerbatimSql: verbatimsql_sql,
    }

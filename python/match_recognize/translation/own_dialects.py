"""Dialects of sqlglot: Flink SQL, which it does not know, and Databricks with its own names."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from sqlglot import TokenType, exp, parser, tokens
from sqlglot.dialects.databricks import Databricks
from sqlglot.dialects.dialect import Dialect

#: They are the same in Spark. sqlglot would take them for those of other engines.
_KEPT = ("CONCAT_WS", "TIMESTAMPADD", "TIMESTAMPDIFF")


def _from_epoch(args: list[Any]) -> exp.Expr:
    names = {"0": "TIMESTAMP_SECONDS", "3": "TIMESTAMP_MILLIS"}
    name = names.get(args[1].name if len(args) > 1 else "3")
    if name is None:
        return exp.Anonymous(this="TO_TIMESTAMP_LTZ", expressions=args)
    return exp.Anonymous(this=name, expressions=args[:1])


def _arrival(args: list[Any]) -> exp.Expr:
    return exp.Anonymous(this="MATCH_PROCTIME", expressions=args)


class DatabricksSql(Databricks):
    """SQL of Databricks, whose functions Spark has by the same names."""

    class Parser(Databricks.Parser):  # type: ignore[misc, valid-type]
        """Keeps calls as they are. sqlglot would write DATEDIFF(a, b) with another meaning."""

        FUNCTIONS: ClassVar[dict[str, Any]] = {}


class FlinkSql(Dialect):
    """SQL of Flink, as far as queries over a clause go."""

    NULL_ORDERING = "nulls_are_small"
    INDEX_OFFSET = 1

    class Tokenizer(tokens.Tokenizer):
        """Names in back quotes; a quote in a string is doubled. TIMESTAMP has no zone."""

        IDENTIFIERS = ["`"]  # noqa: RUF012
        KEYWORDS: ClassVar[dict[str, Any]] = {
            **tokens.Tokenizer.KEYWORDS,
            "TIMESTAMP": TokenType.TIMESTAMPNTZ,
        }

    class Parser(parser.Parser):
        """Functions that other engines write differently."""

        FUNCTIONS: ClassVar[dict[str, Any]] = {
            name: function
            for name, function in cast("dict[str, Any]", parser.Parser.FUNCTIONS).items()
            if name not in _KEPT
        } | {
            "CURRENT_ROW_TIMESTAMP": _arrival,
            "LISTAGG": exp.GroupConcat.from_arg_list,
            "TO_TIMESTAMP_LTZ": _from_epoch,
        }

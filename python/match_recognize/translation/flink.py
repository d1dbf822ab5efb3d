"""Flink SQL for sqlglot, which does not know it: quotes, NULLs, and functions of Flink."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from sqlglot import exp, parser, tokens
from sqlglot.dialects.dialect import Dialect


def _unit(node: exp.Expr) -> exp.Expr:
    return exp.var(node.name.upper())


def _difference(args: list[Any]) -> exp.Expr:
    if len(args) != 3:
        return exp.Anonymous(this="TIMESTAMPDIFF", expressions=args)
    return exp.TimestampDiff(this=args[2], expression=args[1], unit=_unit(args[0]))


def _sum(args: list[Any]) -> exp.Expr:
    if len(args) != 3:
        return exp.Anonymous(this="TIMESTAMPADD", expressions=args)
    return exp.TimestampAdd(this=args[2], expression=args[1], unit=_unit(args[0]))


def _from_epoch(args: list[Any]) -> exp.Expr:
    names = {"0": "TIMESTAMP_SECONDS", "3": "TIMESTAMP_MILLIS"}
    name = names.get(args[1].name if len(args) > 1 else "3")
    if name is None:
        return exp.Anonymous(this="TO_TIMESTAMP_LTZ", expressions=args)
    return exp.Anonymous(this=name, expressions=args[:1])


def _arrival(args: list[Any]) -> exp.Expr:
    return exp.Anonymous(this="MATCH_PROCTIME", expressions=args)


class FlinkSql(Dialect):
    """SQL of Flink, as far as queries over a clause go."""

    NULL_ORDERING = "nulls_are_small"
    INDEX_OFFSET = 1

    class Tokenizer(tokens.Tokenizer):
        """Names in back quotes; a quote in a string is doubled."""

        IDENTIFIERS = ["`"]  # noqa: RUF012

    class Parser(parser.Parser):
        """Functions that other engines write differently."""

        FUNCTIONS: ClassVar[dict[str, Any]] = {
            **cast("dict[str, Any]", parser.Parser.FUNCTIONS),
            "CURRENT_ROW_TIMESTAMP": _arrival,
            "LISTAGG": exp.GroupConcat.from_arg_list,
            "TIMESTAMPADD": _sum,
            "TIMESTAMPDIFF": _difference,
            "TO_TIMESTAMP_LTZ": _from_epoch,
        }
        FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
            name: parse
            for name, parse in cast("dict[str, Any]", parser.Parser.FUNCTION_PARSERS).items()
            if name != "JSON_VALUE"
        }

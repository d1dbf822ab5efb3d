package org.matchrecognize.spark.parser.clause

import org.antlr.v4.runtime.{ParserRuleContext, Token}

import org.apache.spark.sql.catalyst.parser.SqlBaseParser.{
  ExpressionContext,
  IdentifierListContext,
  IdentifierSeqContext
}

import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern, RowsPerMatch}
import org.matchrecognize.spark.text.Span

/**
 * A clause as read: its own grammar is settled, its expressions are Spark's parse trees.
 *
 * @param keyword
 *   the word MATCH_RECOGNIZE
 * @param close
 *   the parenthesis that ends it
 * @param text
 *   the statement, in which all positions count
 * @param calls
 *   first tokens of the calls that follow RUNNING or FINAL
 */
final private[parser] case class MatchRecognizeClause(
    keyword: Token,
    close: Token,
    text: String,
    partition: Seq[KeySyntax],
    order: Seq[OrderSyntax],
    measures: Seq[MeasureSyntax],
    rows: RowsPerMatch,
    afterMatch: Option[AfterMatch],
    pattern: RowPattern,
    bounds: Seq[ExpressionContext],
    within: Option[ExpressionContext],
    scope: ClauseScope,
    definitions: Seq[DefinitionSyntax],
    spans: Map[String, Span],
    calls: Seq[CallToken],
    alias: Option[AliasSyntax]) {

  /** The expressions, in the order of the text. */
  def expressions: Seq[ExpressionContext] =
    partition.map(_.expression) ++ order.map(_.key.expression) ++ measures.map(_.expression) ++
      bounds ++ within ++ definitions.map(_.condition)

  /** Every parse tree of Spark's inside. */
  def trees: Seq[ParserRuleContext] =
    expressions ++ partition.flatMap(_.name) ++ order.flatMap(_.key.name) ++
      measures.map(_.name) ++ alias.toSeq.flatMap(a => a.name +: a.columns.toSeq)
}

/** `expression [[AS] name]` */
final private[parser] case class KeySyntax(
    expression: ExpressionContext,
    name: Option[IdentifierSeqContext])

/** `expression [[AS] name] [ASC|DESC] [NULLS FIRST|LAST]` */
final private[parser] case class OrderSyntax(
    key: KeySyntax,
    descending: Boolean,
    nullsFirst: Option[Boolean])

/** `expression [AS] name` */
final private[parser] case class MeasureSyntax(
    expression: ExpressionContext,
    name: IdentifierSeqContext)

/** `variable AS condition` */
final private[parser] case class DefinitionSyntax(variable: Int, condition: ExpressionContext)

/** `[AS] alias [(column, ...)]` */
final private[parser] case class AliasSyntax(
    name: IdentifierSeqContext,
    columns: Option[IdentifierListContext])

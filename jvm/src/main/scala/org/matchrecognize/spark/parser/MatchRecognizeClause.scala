package org.matchrecognize.spark.parser

import org.antlr.v4.runtime.{ParserRuleContext, Token}

import org.apache.spark.sql.catalyst.parser.SqlBaseParser.{
  ExpressionContext,
  IdentifierListContext,
  IdentifierSeqContext
}

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  NameIndex,
  PrimaryVariable,
  RowPattern,
  RowVariable,
  RowsPerMatch,
  UnionVariable
}
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
 *   first tokens of the calls that stand behind RUNNING or FINAL
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

/**
 * The variables of one clause. The tokens of its functions refer to it from before PATTERN is read,
 * hence filled later.
 */
final private[parser] class ClauseScope(val caseSensitive: Boolean) {

  private var primaries: IndexedSeq[PrimaryVariable] = Vector.empty
  private var subsets: IndexedSeq[UnionVariable]     = Vector.empty
  private var primaryNames                           = new NameIndex(same)
  private var subsetNames                            = new NameIndex(same)

  /** Primary variables; the index is the id. */
  def variables: Seq[PrimaryVariable] = primaries

  def variables_=(all: Seq[PrimaryVariable]): Unit = {
    primaries = all.toVector
    primaryNames = NameIndex.of(primaries.map(_.name), same)
  }

  /** SUBSET. */
  def unions: Seq[UnionVariable] = subsets

  def unions_=(all: Seq[UnionVariable]): Unit = {
    subsets = all.toVector
    subsetNames = NameIndex.of(subsets.map(_.name), same)
  }

  /** Ids that stand in PATTERN as elements, not only in [^B] or as a stop. */
  var mapped: Set[Int] = Set.empty

  /** Ids that stand in [^B] or as a stop, with the place. */
  var lookedAt: Seq[(Int, Span)] = Nil

  def same(a: String, b: String): Boolean = if (caseSensitive) a == b else a.equalsIgnoreCase(b)

  def primary(name: String): Option[Int] = primaryNames.find(name)

  def union(name: String): Option[UnionVariable] = subsetNames.find(name).map(subsets(_))

  /** The primary or union variable of that name. */
  def find(name: String): Option[RowVariable] =
    primary(name)
      .map(id => RowVariable(primaries(id).name, Seq(id)))
      .orElse(union(name).map(u => RowVariable(u.name, u.members)))

  /** For errors: what there is. */
  def known: String = {
    val names = variables.map(_.name) ++ unions.map(_.name)
    s"Variables here: ${names.mkString(", ")}."
  }

  /** For errors: the primary variables only. */
  def knownPrimary: String = s"Variables here: ${variables.map(_.name).mkString(", ")}."
}

package org.matchrecognize.spark.parser.clause

import java.util.Locale

import org.antlr.v4.runtime.{CommonToken, ParserRuleContext, Token}

import org.apache.spark.sql.catalyst.parser.{ParseException, SqlBaseParser}
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.{
  ExpressionContext,
  IdentifierListContext,
  IdentifierSeqContext
}

import org.matchrecognize.spark.expressions.Semantics
import org.matchrecognize.spark.parser.tokens.{Name, OwnToken}
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

  /** Ids that occur in PATTERN as elements, not only in [^B] or as a stop. */
  var mapped: Set[Int] = Set.empty

  /** Ids that occur in [^B] or as a stop, with the place. */
  var lookedAt: Seq[(Int, Span)] = Nil

  def same(a: String, b: String): Boolean = if (caseSensitive) a == b else a.equalsIgnoreCase(b)

  def primary(name: String): Option[Int] = primaryNames.find(name)

  def union(name: String): Option[UnionVariable] = subsetNames.find(name).map(subsets(_))

  /** The primary or union variable of that name. */
  def find(name: String): Option[RowVariable] =
    primary(name)
      .map(id => RowVariable(primaries(id).name, Seq(id)))
      .orElse(union(name).map(u => RowVariable(u.name, u.members)))

  /** What CLASSIFIER() returns: upper case for an unquoted name, as written for a quoted one. */
  def shown(name: Name): String =
    if (name.quoted || caseSensitive) name.value else name.value.toUpperCase(Locale.ROOT)

  /** For errors: the variables of PATTERN and SUBSET. */
  def known: String = (variables.map(_.name) ++ unions.map(_.name)).mkString(", ")

  /** For errors: the variables of PATTERN. */
  def knownPrimary: String = variables.map(_.name).mkString(", ")
}

/** The functions that mean something else within DEFINE and MEASURES than outside. */
sealed abstract private[parser] class MatchFunctionWord(val word: String)

private[parser] object MatchFunctionWord {
  case object First               extends MatchFunctionWord("FIRST")
  case object Last                extends MatchFunctionWord("LAST")
  case object Prev                extends MatchFunctionWord("PREV")
  case object Next                extends MatchFunctionWord("NEXT")
  case object Lag                 extends MatchFunctionWord("LAG")
  case object Lead                extends MatchFunctionWord("LEAD")
  case object Classifier          extends MatchFunctionWord("CLASSIFIER")
  case object MatchNumber         extends MatchFunctionWord("MATCH_NUMBER")
  case object MatchSequenceNumber extends MatchFunctionWord("MATCH_SEQUENCE_NUMBER")
  case object MatchTimedOut       extends MatchFunctionWord("MATCH_TIMED_OUT")
  case object MatchRowtime        extends MatchFunctionWord("MATCH_ROWTIME")
  case object MatchProctime       extends MatchFunctionWord("MATCH_PROCTIME")

  private val all: Map[String, MatchFunctionWord] = Seq(
    First,
    Last,
    Prev,
    Next,
    Lag,
    Lead,
    Classifier,
    MatchNumber,
    MatchSequenceNumber,
    MatchTimedOut,
    MatchRowtime,
    MatchProctime).map(f => f.word -> f).toMap

  def of(upperCaseWord: String): Option[MatchFunctionWord] = all.get(upperCaseWord)
}

/** RUNNING or FINAL as the user wrote it before a call. */
final private[parser] case class WrittenSemantics(semantics: Semantics, token: Token)

/** A call's first token, where the call is one that this clause gives a meaning to. */
sealed private[parser] trait CallToken extends OwnToken {
  def written: Option[WrittenSemantics]

  /** Set when the plan is built from it: RUNNING or FINAL before something else than a call shows. */
  var used: Boolean = false
}

/**
 * The name of a function of ours. For Spark's grammar an ordinary identifier, so that neither its
 * special forms of FIRST and LAST nor its keyword NEXT apply.
 */
final private[parser] class FunctionToken(
    token: Token,
    val function: MatchFunctionWord,
    val scope: ClauseScope,
    override val written: Option[WrittenSemantics])
    extends CommonToken(token)
    with CallToken {
  setText(token.getText)
  setType(SqlBaseParser.IDENTIFIER)
}

/** The first token of another call after RUNNING or FINAL, an aggregate's. */
final private[parser] class AggregateToken(token: Token, semantics: WrittenSemantics)
    extends CommonToken(token)
    with CallToken {
  override def written: Option[WrittenSemantics] = Some(semantics)
}

/**
 * The last visible token before a clause that is hidden from Spark's grammar. It carries the clause
 * to whoever builds the plan, so that the parser itself keeps nothing and serves many threads.
 *
 * @param content
 *   the clause, or what is wrong with it: Spark's own errors elsewhere in the statement come first
 * @param span
 *   of the word MATCH_RECOGNIZE
 * @param lastIndex
 *   of the last character of clause and alias
 * @param afterPipe
 *   the clause follows `|>`, not a table
 */
final private[parser] class ClauseToken(
    token: Token,
    val content: Either[ParseException, MatchRecognizeClause],
    val span: Span,
    lastIndex: Int,
    val afterPipe: Boolean)
    extends CommonToken(token)
    with OwnToken {

  private val ownStop = token.getStopIndex

  /**
   * Lets the statement's parts end after the clause, so that a view's or function's stored text
   * holds it. Only once Spark's grammar is done: until then it reads identifiers off the input by
   * start and stop of their token.
   */
  def extendOverClause(): Unit = {
    setText(getText)
    setStopIndex(lastIndex)
  }

  /** Runs `body` with the token as it stood in the text: errors of the table underline the table. */
  def withOwnExtent[T](body: => T): T = {
    val extended = getStopIndex
    setStopIndex(ownStop)
    try body
    finally setStopIndex(extended)
  }
}

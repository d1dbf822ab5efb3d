package org.matchrecognize.spark.parser.clause

import org.antlr.v4.runtime.{CommonToken, Token}

import org.apache.spark.sql.catalyst.parser.SqlBaseParser

import org.matchrecognize.spark.expressions.Semantics
import org.matchrecognize.spark.parser.tokens.OwnToken

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

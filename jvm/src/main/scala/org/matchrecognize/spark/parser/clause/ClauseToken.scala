package org.matchrecognize.spark.parser.clause

import org.antlr.v4.runtime.{CommonToken, Token}

import org.apache.spark.sql.catalyst.parser.ParseException

import org.matchrecognize.spark.parser.tokens.OwnToken
import org.matchrecognize.spark.text.Span

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

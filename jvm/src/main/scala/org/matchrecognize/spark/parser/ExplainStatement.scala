package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

import org.matchrecognize.spark.logical.ExplanationForm
import org.matchrecognize.spark.parser.hiding.ClauseFinder
import org.matchrecognize.spark.parser.tokens.StatementTokens

/**
 * `EXPLAIN MATCH_RECOGNIZE [TRACE | AS JSON] statement`.
 *
 * @param statement
 *   the statement that is to be explained. Blanks are in the place of the words before it, so that
 *   errors point at the right line and column
 * @param form
 *   what is written of `[TRACE | AS JSON]`
 * @param origin
 *   the place of these words
 */
final private[parser] case class ExplainStatement(
    statement: String,
    form: ExplanationForm,
    origin: Origin)

private[parser] object ExplainStatement {

  /** The parts of the statement; None for any other text. */
  def in(text: String): Option[ExplainStatement] =
    if (!ClauseFinder.mayBeIn(text)) None
    else {
      val tokens = StatementTokens.of(text)
      if (tokens.size > 2 && StatementTokens.word(tokens, 0) == "EXPLAIN" &&
        ClauseFinder.isKeyword(tokens, 1) && StatementTokens.text(tokens, 2) != "(") {
        // No statement begins with a name, or with AS.
        val (form, last) = StatementTokens.word(tokens, 2) match {
          case "TRACE"                                           => (ExplanationForm.Threads, 2)
          case "AS" if StatementTokens.word(tokens, 3) == "JSON" => (ExplanationForm.Json, 3)
          case _                                                 => (ExplanationForm.Words, 1)
        }
        // ANTLR counts code points.
        val start = text.offsetByCodePoints(0, tokens(0).getStartIndex)
        val stop  = text.offsetByCodePoints(0, tokens(last).getStopIndex)
        val blank = text.take(stop + 1).map(c => if (c == '\n' || c == '\r') c else ' ')
        val place = CurrentOrigin.get.copy(
          line = Some(tokens(0).getLine),
          startPosition = Some(tokens(0).getCharPositionInLine),
          startIndex = Some(start),
          stopIndex = Some(stop),
          sqlText = Some(text))
        Some(ExplainStatement(blank + text.drop(stop + 1), form, place))
      } else None
    }
}

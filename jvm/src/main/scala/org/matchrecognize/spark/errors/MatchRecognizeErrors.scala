package org.matchrecognize.spark.errors

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.Origin

import org.matchrecognize.spark.text.Span

/**
 * Makes the errors of each stage from the catalogue's conditions. Each shows its condition,
 * text and SQLSTATE, and underlines the user's text with line and position, as Spark does.
 */
object MatchRecognizeErrors {

  /** An error of the parser. `text` is the statement, `span` the offending fragment. */
  def parse(
      condition: ErrorCondition,
      text: String,
      span: Span,
      parameters: (String, String)*): ParseException = {
    val origin = TextPosition.origin(text, span)
    new MatchRecognizeParseException(
      ErrorDetails(condition, parameters.toMap, origin.getQueryContext),
      text,
      origin)
  }

  /** An error of analysis, at an expression or a plan of the user's. */
  def analysis(
      condition: ErrorCondition,
      origin: Origin,
      parameters: (String, String)*): AnalysisException =
    new MatchRecognizeAnalysisException(
      ErrorDetails(condition, parameters.toMap, origin.getQueryContext),
      origin)

  /** An error of analysis, at a fragment of a clause. `clause` is the origin of that clause. */
  def analysisAt(
      condition: ErrorCondition,
      clause: Origin,
      span: Span,
      parameters: (String, String)*): AnalysisException =
    analysis(condition, TextPosition.within(clause, span), parameters: _*)

  /**
   * An error while rows are matched, at the clause or a fragment of it. Serializable, so that a
   * task can raise it.
   */
  def runtime(
      condition: ErrorCondition,
      clause: Origin,
      span: Option[Span],
      parameters: (String, String)*): RuntimeException with SparkThrowable = {
    val context = span.fold(clause)(TextPosition.within(clause, _)).getQueryContext
    new MatchRecognizeRuntimeException(ErrorDetails(condition, parameters.toMap, context))
  }

  /** True for an error of Spark's own grammar. */
  def isOfSpark(error: ParseException): Boolean =
    !error.isInstanceOf[MatchRecognizeParseException]

  /** True for an error of that condition. */
  def is(error: ParseException, condition: ErrorCondition): Boolean =
    NamedCondition.of(error) == condition.condition

  /** True for a syntax error that Spark's own grammar finds. */
  def isSyntaxError(error: ParseException): Boolean =
    isOfSpark(error) && NamedCondition.of(error) == "PARSE_SYNTAX_ERROR"
}

package org.matchrecognize.spark.errors

import scala.collection.JavaConverters._

import org.antlr.v4.runtime.{CharStreams, CommonToken, ParserRuleContext, Token}

import org.apache.spark.QueryContext
import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.trees.{Origin, SQLQueryContext}
import org.apache.spark.sql.matchrecognize.ErrorsRuntimeException

/** What every error of ours contains. */
final private[errors] case class ErrorDetails(
    condition: ErrorCondition,
    parameters: Map[String, String],
    contexts: Array[QueryContext]) {

  /** The user's text, underlined; empty where there is none (a plan that was not made from SQL). */
  val summary: String = contexts.collect { case c: SQLQueryContext => c.summary }.mkString

  val text: String = condition.format(parameters)

  /** The text and the underlined fragment. */
  val message: String = if (summary.isEmpty) text else s"$text\n$summary".stripSuffix("\n")

  /**
   * A condition with its parameters for the constructors of Spark's exceptions, which look the
   * condition up in Spark's reader: ours if the reader knows it, otherwise one that shows any text.
   */
  def knownToSpark: (String, Map[String, String]) =
    if (ErrorCatalogue.registered) (condition.condition, parameters)
    else ("_LEGACY_ERROR_TEMP_0035", Map("message" -> text))
}

/**
 * Spark's ParseException with a condition of ours. A class of its own since the constructor that
 * takes a finished message is private since 4.0.
 */
final private[errors] class MatchRecognizeParseException(
    error: ErrorDetails,
    statement: String,
    origin: Origin)
    extends ParseException(
      error.knownToSpark._1,
      error.knownToSpark._2,
      MatchRecognizeParseException.context(statement, origin))
    with NamedCondition {

  override protected def conditionName: String                     = error.condition.condition
  override def getSqlState: String                                 = error.condition.sqlState
  override def getMessageParameters: java.util.Map[String, String] = error.parameters.asJava
  override def getQueryContext: Array[QueryContext]                = error.contexts

  // Spark's message begins with a line break, too.
  override def getMessage: String       = "\n" + error.message + "\n"
  override def getSimpleMessage: String = error.text

  /** Keeps the class: Spark's method would return a plain ParseException with the same text. */
  override def withCommand(cmd: String): ParseException = this
}

private object MatchRecognizeParseException {

  /** A parse tree with the text and the place, for the constructor that all versions have. */
  def context(statement: String, origin: Origin): ParserRuleContext = {
    val token = new CommonToken(
      new org.antlr.v4.runtime.misc.Pair(null, CharStreams.fromString(statement)),
      Token.INVALID_TYPE,
      Token.DEFAULT_CHANNEL,
      origin.startIndex.getOrElse(0),
      origin.stopIndex.getOrElse(0)
    )
    token.setLine(origin.line.getOrElse(1))
    token.setCharPositionInLine(origin.startPosition.getOrElse(0))
    val context = new ParserRuleContext
    context.start = token
    context.stop = token
    context
  }
}

/** Spark's AnalysisException with a condition of ours and the user's text underlined. */
final private[errors] class MatchRecognizeAnalysisException(error: ErrorDetails, place: Origin)
    extends AnalysisException(
      // It includes the underlined text: Spark copies message, not getMessage, when it adds a plan.
      message = error.message,
      line = place.line,
      startPosition = place.startPosition,
      cause = None,
      errorClass = Some(error.condition.condition),
      messageParameters = error.parameters,
      context = error.contexts
    )
    with NamedCondition {

  override protected def conditionName: String = error.condition.condition
  override def getSqlState: String             = error.condition.sqlState

  // Spark adds line and position, which the underlined text already shows.
  override def getMessage: String = if (error.summary.isEmpty) super.getMessage else error.message

  /** Keeps a known place, which is more exact than that of the operator around it. */
  override def withPosition(origin: Origin): AnalysisException =
    if (place.line.isDefined) this else new MatchRecognizeAnalysisException(error, origin)
}

/** Raised in tasks while rows are matched. */
final private[errors] class MatchRecognizeRuntimeException(error: ErrorDetails)
    extends ErrorsRuntimeException(
      error.knownToSpark._1,
      error.knownToSpark._2,
      error.contexts,
      error.summary,
      error.message)
    with NamedCondition {

  override protected def conditionName: String                     = error.condition.condition
  override def getSqlState: String                                 = error.condition.sqlState
  override def getMessageParameters: java.util.Map[String, String] = error.parameters.asJava
}

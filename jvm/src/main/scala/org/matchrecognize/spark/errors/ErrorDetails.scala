package org.matchrecognize.spark.errors

import org.apache.spark.QueryContext
import org.apache.spark.sql.catalyst.trees.SQLQueryContext

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

  def javaParameters: java.util.Map[String, String] = {
    val map = new java.util.HashMap[String, String]
    parameters.foreach { case (name, value) => map.put(name, value) }
    map
  }
}

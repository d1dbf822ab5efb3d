package org.matchrecognize.spark.errors

/**
 * One statement that raises a condition, over the table `t` of [[ErrorExamples.table]].
 *
 * @param underlined
 *   the text that the error points at
 * @param settings
 *   of the session
 * @param arguments
 *   values of named parameters
 * @param since
 *   the first Spark on which it can be raised, 402 for 4.2
 * @param shown
 *   how the page shows the statement, where it is too long
 */
final case class ErrorExample(
    condition: ErrorCondition,
    sql: String,
    underlined: String,
    settings: Map[String, String] = Map.empty,
    arguments: Map[String, Any] = Map.empty,
    since: Int = 305,
    shown: Option[String] = None)

/** Examples by the part of the clause that they are about. */
trait ErrorExampleParts {
  protected def select(parts: String): String = s"SELECT * FROM t MATCH_RECOGNIZE ($parts)"

  protected def clause(
      condition: ErrorCondition,
      parts: String,
      underlined: String,
      settings: Map[String, String] = Map.empty): ErrorExample =
    ErrorExample(condition, select(parts), underlined, settings)

  protected def over(
      table: String,
      condition: ErrorCondition,
      parts: String,
      underlined: String): ErrorExample =
    ErrorExample(condition, s"SELECT * FROM $table MATCH_RECOGNIZE ($parts)", underlined)

  protected def pattern(
      condition: ErrorCondition,
      pattern: String,
      underlined: String,
      rest: String = ""): ErrorExample =
    clause(condition, s"ORDER BY id MEASURES id AS id PATTERN ($pattern)$rest", underlined)

  protected def measure(condition: ErrorCondition, measure: String, underlined: String) =
    clause(condition, s"ORDER BY id MEASURES $measure AS m PATTERN (A B)", underlined)

  protected def define(condition: ErrorCondition, definition: String, underlined: String) =
    clause(condition, s"ORDER BY id MEASURES id AS id PATTERN (A) DEFINE $definition", underlined)

  protected val keyword: String = "MATCH_RECOGNIZE"
}

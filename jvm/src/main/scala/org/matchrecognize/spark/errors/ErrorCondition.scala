package org.matchrecognize.spark.errors

/**
 * One error condition of ours: `MATCH_RECOGNIZE.<name>`. Its entry in error-conditions.json says
 * what is wrong and what to write instead, and has the SQLSTATE.
 *
 * @param name
 *   the part after the dot, upper case
 */
final case class ErrorCondition(name: String) {

  def condition: String = s"${ErrorResource.Main}.$name"

  def sqlState: String = ErrorResource(name).sqlState

  /** What is wrong; `<parameter>` is replaced by a value. */
  def problem: String = ErrorResource(name).problem

  /** What to write instead. */
  def fix: String = ErrorResource(name).fix

  /** Both. */
  def message: String = ErrorResource(name).message

  /** The names of the message's parameters. */
  def parameters: Set[String] =
    ErrorCondition.placeholder.findAllMatchIn(message).map(_.group(1)).toSet

  /** The message with its values, as Spark shows messages: condition, text, SQLSTATE. */
  def format(values: Map[String, String]): String = {
    val text = ErrorCondition.placeholder.replaceAllIn(
      message,
      found =>
        java.util.regex.Matcher
          .quoteReplacement(values.getOrElse(found.group(1), found.matched)))
    s"[$condition] $text SQLSTATE: $sqlState"
  }
}

object ErrorCondition {

  /** The same shape that Spark's reader looks for, so that both read a message alike. */
  private val placeholder = "<([a-zA-Z0-9_-]+)>".r
}

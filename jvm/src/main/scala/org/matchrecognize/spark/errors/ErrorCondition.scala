package org.matchrecognize.spark.errors

/**
 * One error condition of ours: `MATCH_RECOGNIZE.<name>`.
 *
 * @param name
 *   the part after the dot, upper case
 * @param sqlState
 *   five characters
 * @param message
 *   what is wrong and what to write instead; `<parameter>` stands for a value
 */
final case class ErrorCondition(name: String, sqlState: String, message: String) {

  def condition: String = s"${ErrorCondition.Main}.$name"

  /** The message with its values, as Spark shows messages: condition, text, SQLSTATE. */
  def format(parameters: Map[String, String]): String = {
    val text = ErrorCondition.placeholder.replaceAllIn(
      message,
      found =>
        java.util.regex.Matcher
          .quoteReplacement(parameters.getOrElse(found.group(1), found.matched)))
    s"[$condition] $text SQLSTATE: $sqlState"
  }
}

object ErrorCondition {

  /** The part before the dot. */
  val Main = "MATCH_RECOGNIZE"

  /** The same shape that Spark's reader looks for, so that both read a message alike. */
  private val placeholder = "<([a-zA-Z0-9_-]+)>".r
}

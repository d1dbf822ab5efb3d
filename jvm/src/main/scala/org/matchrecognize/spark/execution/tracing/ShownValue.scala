package org.matchrecognize.spark.execution.tracing

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Cast, Expression}
import org.apache.spark.sql.types.StringType

/**
 * A value as a literal of SQL. A text is in quotes: blanks at its ends are seen, and a number that is
 * a text differs from a number.
 *
 * @param bind
 *   binds the value to the rows that it is taken from
 */
final private[spark] class ShownValue(
    value: Expression,
    zone: String,
    bind: Expression => Expression) {
  private val isText = value.dataType.isInstanceOf[StringType]
  private val text   = bind(Cast(value, StringType, Some(zone)))

  /** None for NULL. */
  def at(row: InternalRow): Option[String] = Option(text.eval(row)).map { found =>
    if (isText) ShownValue.quoted(found.toString) else found.toString
  }
}

private[spark] object ShownValue {
  def isPossible(value: Expression): Boolean = Cast.canCast(value.dataType, StringType)

  /** Blanks that are no spaces look like spaces. */
  private def quoted(text: String): String = text
    .flatMap {
      case '\''                                                                     => "\\'"
      case '\\'                                                                     => "\\\\"
      case '\n'                                                                     => "\\n"
      case '\r'                                                                     => "\\r"
      case '\t'                                                                     => "\\t"
      case c if c != ' ' && (Character.isISOControl(c) || Character.isSpaceChar(c)) =>
        f"\\u${c.toInt}%04X"
      case c => c.toString
    }
    .mkString("'", "", "'")
}

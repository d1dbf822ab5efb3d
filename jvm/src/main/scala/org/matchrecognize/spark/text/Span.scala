package org.matchrecognize.spark.text

/**
 * The place of a fragment in the text of a statement.
 *
 * @param start
 *   index of its first character, from 0
 * @param stop
 *   index of its last character, inclusive
 */
final case class Span(start: Int, stop: Int)

object Span {

  /** For patterns without a text (tests). */
  val none: Span = Span(-1, -1)
}

package org.matchrecognize.spark.errors

import org.apache.spark.sql.catalyst.trees.{Origin, SQLQueryContext}

import org.matchrecognize.spark.text.Span

/**
 * Turns spans into the origins that Spark underlines.
 *
 * A span counts characters as Spark's lexer does, by code point; a text is underlined by index of
 * its Java string. The two differ after the first character beyond the basic plane.
 */
private[errors] object TextPosition {

  /** The origin of a fragment of a statement. */
  def origin(text: String, span: Span): Origin =
    place(CurrentStatement.origin.copy(sqlText = Some(text)), text, span)

  /** The origin of a fragment of a clause, in the view or function that contains the clause. */
  def within(clause: Origin, span: Span): Origin =
    clause.sqlText match {
      case Some(text) if span.start >= 0 => place(clause, text, span)
      case _                             => clause
    }

  private def place(origin: Origin, text: String, span: Span): Origin =
    if (text.isEmpty) origin
    else {
      val start = inLine(text, math.min(index(text, span.start), text.length - 1))
      val stop  = math.min(math.max(start, index(text, span.stop + 1) - 1), text.length - 1)
      withLine(origin.copy(startIndex = Some(start), stopIndex = Some(stop)))
    }

  /**
   * An index, or that of the last character before it in its line or one before. An error at the
   * end of a statement is at the line break that follows, and Spark cannot underline that.
   */
  private def inLine(text: String, index: Int): Int =
    math.max(0, text.lastIndexWhere(_ != '\n', index))

  /**
   * Line and position of the origin's start in the text that is underlined: that of the user, where
   * Spark wrote parameters into it.
   */
  private def withLine(origin: Origin): Origin = origin.context match {
    case SQLQueryContext(_, _, Some(start), _, Some(text), _, _) if start <= text.length =>
      val before = text.substring(0, start)
      origin.copy(
        line = Some(before.count(_ == '\n') + 1),
        startPosition = Some(start - (before.lastIndexOf('\n') + 1)))
    case _ => origin
  }

  /** The index of the n-th code point, at most the text's length. */
  private def index(text: String, codePoint: Int): Int = {
    val n = math.max(0, math.min(codePoint, text.codePointCount(0, text.length)))
    text.offsetByCodePoints(0, n)
  }
}

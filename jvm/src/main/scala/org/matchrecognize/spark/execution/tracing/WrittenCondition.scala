package org.matchrecognize.spark.execution.tracing

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.expressions.WrittenText

/**
 * A condition as the user wrote it, before it was rewritten for the search.
 *
 * @param parts
 *   what AND joins, with its text; empty if the condition has one part
 */
final private[spark] case class WrittenCondition(
    whole: Expression,
    parts: Seq[(String, Expression)])

private[spark] object WrittenCondition {

  /** Only the driver knows the places of expressions in the text. */
  def of(condition: Expression): WrittenCondition = {
    val parts = WrittenText.conjuncts(condition)
    WrittenCondition(
      condition,
      if (parts.size > 1) parts.map(part => WrittenText.of(part) -> part) else Nil)
  }
}

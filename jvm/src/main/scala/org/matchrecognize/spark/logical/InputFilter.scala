package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, UnaryNode}

/**
 * A filter of the optimizer's between a streaming table and a clause. Spark pushes its own filters
 * below the watermark, which the rows that they drop then no longer move. It does not push this
 * one.
 *
 * @param time
 *   the watermark's column
 */
final case class InputFilter(condition: Expression, time: Attribute, child: LogicalPlan)
    extends UnaryNode {
  override def output: Seq[Attribute] = child.output

  /** The time is read when the filter is planned. */
  @transient override lazy val references: AttributeSet =
    condition.references ++ AttributeSet(time)

  override protected def withNewChildInternal(newChild: LogicalPlan): InputFilter =
    copy(child = newChild)
}

object InputFilter {

  /** The input of a clause without the rows that fail a condition. */
  def below(m: MatchRecognize, condition: Expression): LogicalPlan =
    m.order.headOption.map(_.child) match {
      case Some(time: Attribute) if m.child.isStreaming => InputFilter(condition, time, m.child)
      case _                                            => Filter(condition, m.child)
    }
}

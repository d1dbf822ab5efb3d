package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  SortOrder,
  UnsafeProjection
}
import org.apache.spark.sql.matchrecognize.DistinctValues

/** What DISTINCT compares. */
private[execution] object DistinctKey {

  /** The arguments that can differ. */
  def compared(arguments: Seq[Expression]): Seq[Expression] =
    arguments
      .map {
        // Of WITHIN GROUP.
        case order: SortOrder => order.child
        case argument         => argument
      }
      .filterNot(_.foldable)

  /** The values of a row that it compares. */
  def of(arguments: Seq[Expression], schema: Seq[Attribute]): UnsafeProjection =
    UnsafeProjection.create(compared(arguments).map(DistinctValues.normalize), schema)
}

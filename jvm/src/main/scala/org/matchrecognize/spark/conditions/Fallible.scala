package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Average, Count, Max, Min, Sum}
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions.{
  BufferColumn,
  ContextAggregate,
  ContextExpression,
  MatchNumber,
  RowAggregate,
  RowValue
}

/**
 * Whether an expression can fail with an error. What is not known to succeed counts as fallible:
 * then a failure is remembered with the row, and raised if the search tests it (semantics.md:
 * Conditions).
 */
private[spark] object Fallible {
  def apply(e: Expression): Boolean = !succeeds(e) || e.children.exists(apply)

  private def succeeds(e: Expression): Boolean = e match {
    case _: Attribute | _: Literal | _: RowValue | _: MatchNumber | _: RowAggregate => true
    // What has failed while a row was added is raised where it is read.
    case _: BufferColumn | _: ContextAggregate => false
    case _: ContextExpression                  => true
    case _: Count | _: Min | _: Max            => true
    case sum: Sum                              => sum.dataType == DoubleType
    case average: Average                      => isFloating(average.child.dataType)
    case _: BinaryComparison | _: And | _: Or | _: Not | _: IsNull | _: IsNotNull => true
    case _: In | _: InSet | _: Coalesce | _: If | _: CaseWhen | _: GetStructField => true
    case _: Contains | _: StartsWith | _: EndsWith                                => true
    case _: Add | _: Subtract | _: Multiply | _: UnaryMinus | _: Abs              =>
      isFloating(e.dataType)
    case cast: Cast =>
      hasRoom(cast.dataType) && Cast.canUpCast(cast.child.dataType, cast.dataType)
    case _ => false
  }

  /** Not so a timestamp: most dates have none. Nor what it may be a part of. */
  private def hasRoom(dataType: DataType): Boolean = dataType match {
    case TimestampType | TimestampNTZType | _: StructType | _: ArrayType | _: MapType => false
    case _                                                                            => true
  }

  private def isFloating(dataType: DataType): Boolean =
    dataType == DoubleType || dataType == FloatType
}

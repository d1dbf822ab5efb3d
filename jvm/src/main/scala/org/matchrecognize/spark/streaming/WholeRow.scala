package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{DataType, ObjectType}

/**
 * Some columns as one UnsafeRow, in the place of an object: Spark's stateful operators hand objects
 * to functions, and a row need not become one. The row is valid until the next, unless it is copied.
 */
final private[streaming] case class WholeRow(columns: Seq[Expression], isCopied: Boolean = false)
    extends Expression
    with CodegenFallback {
  override def children: Seq[Expression] = columns
  override def dataType: DataType        = ObjectType(classOf[UnsafeRow])
  override def nullable: Boolean         = false

  @transient private lazy val projection = UnsafeProjection.create(columns)

  override def eval(input: InternalRow): Any = {
    val row = projection(input)
    if (isCopied) row.copy() else row
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): WholeRow =
    copy(columns = newChildren)
}

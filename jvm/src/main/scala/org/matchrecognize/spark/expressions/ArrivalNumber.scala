package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{LeafExpression, Nondeterministic}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{DataType, LongType}

/**
 * The number of a row among those of a micro-batch, in the order in which its partition has them.
 * Spark's `monotonically_increasing_id()`, which it refuses over streams, because it begins again
 * in each micro-batch.
 */
case class ArrivalNumber() extends LeafExpression with Nondeterministic with CodegenFallback {
  @transient private var next: Long = 0L

  override def nullable: Boolean  = false
  override def dataType: DataType = LongType
  override def stateful: Boolean  = true

  override protected def initializeInternal(partitionIndex: Int): Unit =
    next = partitionIndex.toLong << 33

  override protected def evalInternal(input: InternalRow): Any = {
    val number = next
    next += 1
    number
  }
}

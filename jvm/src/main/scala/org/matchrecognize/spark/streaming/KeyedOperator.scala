package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types.{DataType, ObjectType}

import org.matchrecognize.spark.logical.HandedOnWatermark

/** One of Spark's stateful operators, which runs a clause for each key. */
private[streaming] trait KeyedOperator {

  /** The operator; its output is the column `found`. */
  def run(clause: KeyedClause): LogicalPlan

  /**
   * Has the operators after a clause see the watermark that it hands on.
   *
   * @param clause
   *   the plan of the clause
   */
  def handOn(clause: SparkPlan, number: Int, watermark: HandedOnWatermark): SparkPlan

  /** What may change of the columns that a state has. */
  def columns: StoredColumns
}

/** What may change, when a query is restarted, of the columns of the rows in its state. */
sealed private[streaming] trait StoredColumns

private[streaming] object StoredColumns {

  /** They may be more, fewer, or of wider types: states say what they have. */
  case object Free extends StoredColumns

  /** The same, but Spark has some types as bytes, which it does not widen. */
  case object InAvro extends StoredColumns

  /** Nothing: Spark reads a row by the ordinals of its columns. */
  case object Fixed extends StoredColumns
}

/**
 * A clause over a streaming table, as a stateful operator runs it.
 *
 * @param grouping
 *   the columns of `child` that distinguish keys
 * @param found
 *   the output of the clause, as one column
 * @param handsOn
 *   the watermark after the clause, if an operator with state follows
 */
final private[streaming] case class KeyedClause(
    task: KeyedTask,
    grouping: Seq[Attribute],
    found: Attribute,
    handsOn: Option[HandedOnWatermark],
    child: LogicalPlan)

/**
 * Some columns as one UnsafeRow, in the place of an object: Spark's stateful operators hand objects
 * to functions, and a row need not become one. The row is valid until the next, unless it is copied.
 */
final private[streaming] case class RowObject(columns: Seq[Expression], isCopied: Boolean = false)
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

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): RowObject =
    copy(columns = newChildren)
}

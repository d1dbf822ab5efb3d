package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BoundReference,
  Cast,
  Expression,
  Literal,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.pattern.matching.StateInput

/**
 * What a state holds of the input, as it was when the state was written: columns in another order,
 * of narrower types, more or fewer. A column that did not exist is NULL in the rows of before.
 *
 * @param columns
 *   those that the input still has are the same attributes, of the type that they had
 * @param kept
 *   by aggregate, the types of what is kept for it
 * @param input
 *   the columns as they are
 */
final private[spark] class StoredInput(
    val columns: Seq[Attribute],
    val kept: Seq[Seq[DataType]],
    input: Seq[Attribute])
    extends Serializable {

  /** None if a row is as it was. */
  @transient private lazy val toInput: Option[UnsafeProjection] = {
    val values = input.map { a =>
      columns.find(_.exprId == a.exprId).fold[Expression](Literal(null, a.dataType)) { column =>
        StoredInput.as(column, a.dataType)
      }
    }
    if (values == columns) None else Some(UnsafeProjection.create(values, columns))
  }

  /** Reads a row; a copy. */
  def read(in: StateInput): UnsafeRow = {
    val row = StoredValues.readRow(columns.size, in)
    toInput.fold(row)(_(row).copy())
  }
}

private[execution] object StoredInput {

  private def as(value: Expression, dataType: DataType): Expression =
    if (value.dataType == dataType) value else Cast(value, dataType)

  /** Reads rows of values of some types as rows of values of wider types. */
  def reader(from: Seq[DataType], to: Seq[DataType], in: StateInput): () => UnsafeRow =
    if (from == to) () => StoredValues.readRow(to.size, in)
    else {
      val widened = UnsafeProjection.create(from.zip(to).zipWithIndex.map {
        case ((before, now), i) => as(BoundReference(i, before, nullable = true), now)
      })
      () => widened(StoredValues.readRow(from.size, in)).copy()
    }
}

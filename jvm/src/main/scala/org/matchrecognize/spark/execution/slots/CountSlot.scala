package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.expressions.{Attribute, GenericInternalRow}
import org.apache.spark.sql.catalyst.expressions.aggregate.Count
import org.apache.spark.sql.types.{DataType, LongType}

import org.matchrecognize.spark.expressions.{AddedRow, RowAggregate}
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * COUNT of rows, or of those in which some columns are not NULL: it evaluates no expression.
 *
 * @param columns
 *   ordinals in the input
 */
final private[execution] class CountSlot private (
    aggregate: RowAggregate,
    columns: Array[Int],
    schema: Seq[Attribute])
    extends AggregateSlot(aggregate, schema) {

  override val initial: NumberBuffer = NumberBuffer.of(Array[Any](0L))

  override def own(): NumberBuffer = initial.cloned

  override def reset(buffer: GenericInternalRow): GenericInternalRow = buffer match {
    case number: NumberBuffer =>
      number.setLong(0, 0L)
      number
    case _ => own()
  }

  override protected def added(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow =
    if (counts(row)) NumberBuffer.of(Array[Any](buffer.getLong(0) + 1)) else buffer

  override protected def addedInPlace(
      buffer: GenericInternalRow,
      row: AddedRow): GenericInternalRow = {
    if (counts(row)) buffer.setLong(0, buffer.getLong(0) + 1)
    buffer
  }

  private def counts(row: AddedRow): Boolean = {
    var i = 0
    while (i < columns.length && !row.input.isNullAt(columns(i))) i += 1
    i == columns.length
  }

  override def storedTypes: Seq[DataType] = Seq(LongType)
  private val values                      = new StoredValues(storedTypes)

  override protected def bufferWriter(out: StateOutput): GenericInternalRow => Unit =
    values.write(_, out)

  override protected def bufferReader(
      in: StateInput,
      types: Seq[DataType]): () => GenericInternalRow =
    () => NumberBuffer.of(values.read(in))
}

private[execution] object CountSlot {

  /** For COUNT of columns of the input, or of what is never NULL. */
  def of(
      aggregate: RowAggregate,
      count: Count,
      input: Seq[Attribute],
      schema: Seq[Attribute]): Option[AggregateSlot] = {
    val columns = count.children.filter(_.nullable).map {
      case a: Attribute => input.indexWhere(_.exprId == a.exprId)
      case _            => -1
    }
    if (columns.contains(-1)) None
    else Some(new CountSlot(aggregate, columns.toArray, schema))
  }
}

package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  GenericInternalRow,
  MutableProjection
}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.expressions.{AddedRow, RowAggregate}
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * An aggregate that Spark updates by expressions: a row is added in the time that these take.
 *
 * @param input
 *   the input's columns
 * @param known
 *   what is known of the added row's match
 */
final private[execution] class DeclarativeSlot(
    aggregate: RowAggregate,
    function: DeclarativeAggregate,
    input: Seq[Attribute],
    known: Seq[Attribute])
    extends AggregateSlot(aggregate, input ++ known) {

  /** Compiled when the first row is added: of a thousand aggregates a search may use few. */
  private lazy val update: MutableProjection = MutableProjection.create(
    function.updateExpressions.map(AddedRow.bind(_, function.aggBufferAttributes, input, known)))

  private val isOfNumbers = NumberBuffer.holds(function.aggBufferAttributes.map(_.dataType))

  override val initial: GenericInternalRow = bufferOf(
    function.initialValues.map(_.eval()).toArray[Any])

  /** A buffer with these values. */
  private def bufferOf(values: Array[Any]): GenericInternalRow =
    if (isOfNumbers) NumberBuffer.of(values) else new ValueBuffer(values)

  private def copyOf(buffer: GenericInternalRow): GenericInternalRow = buffer match {
    case numbers: NumberBuffer => numbers.cloned
    case other                 => new ValueBuffer(other.values.clone())
  }

  override protected def added(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow =
    addedInPlace(copyOf(buffer), row)

  override protected def addedInPlace(
      buffer: GenericInternalRow,
      row: AddedRow): GenericInternalRow = {
    row.buffer = buffer
    update.target(buffer)(row)
    buffer
  }

  override def own(): GenericInternalRow = copyOf(initial)

  override def reset(buffer: GenericInternalRow): GenericInternalRow = (buffer, initial) match {
    case (numbers: NumberBuffer, first: NumberBuffer) =>
      numbers.set(first)
      numbers
    case _ => own()
  }

  override val storedTypes: Seq[DataType] = function.aggBufferAttributes.map(_.dataType)
  private lazy val values                 = new StoredValues(storedTypes)

  override protected def bufferWriter(out: StateOutput): GenericInternalRow => Unit =
    values.write(_, out)

  override protected def bufferReader(
      in: StateInput,
      types: Seq[DataType]): () => GenericInternalRow = {
    val read = StoredInput.reader(types, storedTypes, in)
    () => bufferOf(values.values(read()))
  }
}

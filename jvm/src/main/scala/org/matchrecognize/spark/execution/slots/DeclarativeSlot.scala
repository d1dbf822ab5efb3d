package org.matchrecognize.spark.execution.slots

import scala.collection.immutable.HashSet

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Expression,
  GenericInternalRow,
  JoinedRow,
  MutableProjection,
  SortOrder,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.matchrecognize.DistinctValues
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.conditions.UnsharedCode
import org.matchrecognize.spark.expressions.{AddedRow, RowAggregate}
import org.matchrecognize.spark.pattern.matching.{
  SharedReader,
  SharedWriter,
  StateInput,
  StateOutput
}

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
  private lazy val update: MutableProjection = UnsharedCode.update(
    function.updateExpressions.map(AddedRow.bind(_, function.aggBufferAttributes, input, known)),
    function.children)

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

/** An aggregate that Spark updates by expressions, over distinct values: the buffer keeps those seen. */
final private[execution] class DistinctSlot(
    aggregate: RowAggregate,
    function: DeclarativeAggregate,
    schema: Seq[Attribute])
    extends AggregateSlot(aggregate, schema) {
  private lazy val update: MutableProjection =
    UnsharedCode.update(
      BindReferences
        .bindReferences(function.updateExpressions, function.aggBufferAttributes ++ schema),
      function.children)
  private lazy val key = DistinctKey.of(function.children, schema)
  private val joined   = new JoinedRow

  override val initial: GenericInternalRow =
    new DistinctBuffer(function.initialValues.map(_.eval()).toArray[Any], HashSet.empty)

  override protected def added(
      buffer: GenericInternalRow,
      addedRow: AddedRow): GenericInternalRow = {
    val old   = buffer.asInstanceOf[DistinctBuffer]
    val row   = addedRow.columns
    val value = key(row)
    if (old.seen.contains(value)) old
    else {
      val next = new DistinctBuffer(old.values.clone(), old.seen + value.copy())
      update.target(next)(joined(old, row))
      next
    }
  }

  private val bufferTypes = function.aggBufferAttributes.map(_.dataType)
  private val seenTypes   = DistinctKey.compared(function.children).map(_.dataType)
  private lazy val values = new StoredValues(bufferTypes)

  override def storedTypes: Seq[DataType] = bufferTypes ++ seenTypes

  override protected def bufferWriter(out: StateOutput): GenericInternalRow => Unit = {
    // Buffers of threads that went the same way for a while have the same values.
    val seen = new SharedWriter[UnsafeRow](out)(StoredValues.writeRow(_, out))
    buffer => {
      values.write(buffer, out)
      val distinct = buffer.asInstanceOf[DistinctBuffer].seen
      out.writeNumber(distinct.size.toLong)
      distinct.foreach(seen.write)
    }
  }

  override protected def bufferReader(
      in: StateInput,
      types: Seq[DataType]): () => GenericInternalRow = {
    val (before, seenBefore) = types.splitAt(bufferTypes.size)
    val readBuffer           = StoredInput.reader(before, bufferTypes, in)
    val readSeen             = StoredInput.reader(seenBefore, seenTypes, in)
    val seen                 = new SharedReader[UnsafeRow](in)(readSeen())
    () => {
      val fieldValues = values.values(readBuffer())
      new DistinctBuffer(fieldValues, HashSet.empty ++ Seq.fill(in.readInt())(seen.read()))
    }
  }
}

/** A buffer and the values that are in it. */
final private[execution] class DistinctBuffer(values: Array[Any], val seen: HashSet[UnsafeRow])
    extends ValueBuffer(values) {
  override def equals(other: Any): Boolean = other match {
    case that: DistinctBuffer => super.equals(that) && seen == that.seen
    case _                    => false
  }
  override def hashCode: Int = super.hashCode * 31 + seen.hashCode
}

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
    UnsharedCode.projection(compared(arguments).map(DistinctValues.normalize), schema)
}

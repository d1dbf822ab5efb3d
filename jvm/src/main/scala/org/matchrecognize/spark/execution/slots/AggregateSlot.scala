package org.matchrecognize.spark.execution.slots

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  BasePredicate,
  Expression,
  GenericInternalRow,
  Predicate
}
import org.apache.spark.sql.catalyst.expressions.aggregate.{
  DeclarativeAggregate,
  ImperativeAggregate
}
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.expressions.{
  AddedRow,
  AddedRowLabel,
  AddedRowSequenceNumber,
  MatchNumber,
  RowAggregate
}
import org.matchrecognize.spark.pattern.matching.{
  SharedReader,
  SharedWriter,
  StateInput,
  StateOutput
}

/**
 * An aggregate over the rows mapped to a variable. A buffer is a value: adding a row makes
 * another, so that threads can share them.
 *
 * An error while a row is added (an overflow, say) must not surface before the aggregate is
 * read: the row may be mapped by a thread that fails. So it becomes the buffer.
 */
abstract private[execution] class AggregateSlot(aggregate: RowAggregate, schema: Seq[Attribute]) {
  private val filter: Option[BasePredicate] =
    aggregate.filter.headOption.map(f => Predicate.create(f, schema))

  /** The buffer of no rows. */
  def initial: GenericInternalRow

  /** The buffer with a row that passes the filter. */
  protected def added(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow

  /** The same; may change the buffer, which is one of [[own]]. */
  protected def addedInPlace(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow =
    added(buffer, row)

  /** A buffer of no rows that only one thread has. */
  def own(): GenericInternalRow = initial

  /** The buffer of no rows in the place of one of [[own]]. */
  def reset(buffer: GenericInternalRow): GenericInternalRow = {
    val _ = buffer
    initial
  }

  /** The aggregate's value, where it cannot be computed from the buffer's fields. */
  def evaluate(buffer: GenericInternalRow): Any

  /** The primary variables whose rows are added; None if those of all are. */
  def variables: Option[Seq[Int]] = aggregate.variable.map(_.members)

  /** The buffer with a row added. */
  def add(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow = buffer match {
    case failed: FailedBuffer => failed
    case _                    =>
      try if (passes(row)) added(buffer, row) else buffer
      catch { case NonFatal(error) => new FailedBuffer(error) }
  }

  /** The same, for a buffer of [[own]], which may be changed. */
  def addInPlace(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow = buffer match {
    case failed: FailedBuffer => failed
    case _                    =>
      try if (passes(row)) addedInPlace(buffer, row) else buffer
      catch { case NonFatal(error) => new FailedBuffer(error) }
  }

  /** What the layout of a stored buffer depends on. */
  def stored: String = s"${aggregate.function.prettyName} ${aggregate.distinct}"

  /** Writes a buffer that has not failed. */
  protected def bufferWriter(out: StateOutput): GenericInternalRow => Unit

  /** Reads what [[bufferWriter]] wrote. */
  protected def bufferReader(in: StateInput): () => GenericInternalRow

  /** Writes buffers to a state, each once. */
  final def writer(out: StateOutput): GenericInternalRow => Unit = {
    val write  = bufferWriter(out)
    val shared = new SharedWriter[GenericInternalRow](out)({
      case failed: FailedBuffer =>
        out.writeNumber(1)
        StoredError.write(failed.error, out)
      case buffer =>
        out.writeNumber(0)
        write(buffer)
    })
    shared.write(_)
  }

  /** Reads what [[writer]] wrote. */
  final def reader(in: StateInput): () => GenericInternalRow = {
    val read   = bufferReader(in)
    val shared = new SharedReader[GenericInternalRow](in)(
      if (in.readInt() == 1) new FailedBuffer(StoredError.read(in)) else read())
    () => shared.read()
  }

  private def passes(row: AddedRow): Boolean = filter.isEmpty || filter.get.eval(row.columns)
}

private[execution] object AggregateSlot {
  def create(
      aggregate: RowAggregate,
      input: Seq[Attribute],
      attributes: AddedRowAttributes): AggregateSlot = {
    val schema   = input ++ attributes.attributes
    val resolved = attributes.resolve(aggregate).asInstanceOf[RowAggregate]
    resolved.function match {
      case function: DeclarativeAggregate if resolved.distinct =>
        new DistinctSlot(resolved, function, schema)
      case function: DeclarativeAggregate =>
        new DeclarativeSlot(resolved, function, input, attributes.attributes)
      case function: ImperativeAggregate => new CollectingSlot(resolved, function, schema)
      case other => throw new IllegalStateException(s"analysis lets no $other pass")
    }
  }
}

/** The buffer of an aggregate that could not be computed; raised when it is read. */
final private[execution] class FailedBuffer(val error: Throwable)
    extends GenericInternalRow(new Array[Any](0)) {

  // As rows without fields, this and an empty list of collected rows would be equal.
  override def equals(other: Any): Boolean = other match {
    case that: FailedBuffer => error.getMessage == that.error.getMessage
    case _                  => false
  }
  override def hashCode: Int = String.valueOf(error.getMessage).hashCode
}

/** The columns that replace CLASSIFIER() and the like in an aggregate's arguments. */
final private[execution] class AddedRowAttributes {
  private val label    = AttributeReference("classifier", StringType, nullable = false)()
  private val number   = AttributeReference("match_number", LongType, nullable = false)()
  private val sequence = AttributeReference("match_sequence_number", LongType, nullable = false)()

  val attributes: Seq[Attribute] = Seq(label, number, sequence)

  def resolve(e: Expression): Expression = e.transform {
    case AddedRowLabel()          => label
    case MatchNumber()            => number
    case AddedRowSequenceNumber() => sequence
  }
}

private[execution] object AddedRowAttributes {

  /** The values of the attributes. */
  def row(label: UTF8String, matchNumber: Long, sequenceNumber: Long): InternalRow =
    new GenericInternalRow(Array[Any](label, matchNumber, sequenceNumber))
}

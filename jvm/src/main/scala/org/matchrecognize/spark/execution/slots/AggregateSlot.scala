package org.matchrecognize.spark.execution.slots

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{Attribute, BasePredicate, GenericInternalRow}
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
 * An aggregate over the rows mapped to a variable. A buffer is a value: adding a row makes
 * another, so that threads can share them.
 *
 * An error while a row is added (an overflow, say) must not surface before the aggregate is
 * read: the row may be mapped by a thread that fails. So it becomes the buffer.
 */
abstract private[execution] class AggregateSlot(aggregate: RowAggregate, schema: Seq[Attribute]) {
  private val isFiltered = aggregate.filter.nonEmpty

  /** Made in a task: on the driver, the values of subqueries may be missing. */
  private lazy val filter: BasePredicate =
    UnsharedCode.predicate(aggregate.filter.head, schema)

  /** The buffer of no rows. */
  def initial: GenericInternalRow

  /** The buffer with a row that passes the filter. */
  protected def added(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow

  /** The same; may change the buffer, which is one of [[own]]. */
  protected def addedInPlace(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow =
    added(buffer, row)

  /** A buffer of no rows that only one thread has. */
  def own(): GenericInternalRow = initial

  /** The buffer of no rows in the place of one of [[own]], to which adding a row may have failed. */
  def reset(buffer: GenericInternalRow): GenericInternalRow = {
    val _ = buffer
    initial
  }

  /** The primary variables whose rows are added; None if those of all are. */
  def variables: Option[Seq[Int]] = aggregate.variable.map(_.members)

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

  /** What the layout of a stored buffer depends on, besides the types of its values. */
  def stored: String = s"${storedTypes.size} ${aggregate.distinct}"

  /** Writes a buffer that has not failed. */
  protected def bufferWriter(out: StateOutput): GenericInternalRow => Unit

  /** The types of the values in a stored buffer. */
  def storedTypes: Seq[DataType]

  /** Reads what [[bufferWriter]] wrote when the values had these types. */
  protected def bufferReader(in: StateInput, types: Seq[DataType]): () => GenericInternalRow

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
  final def reader(in: StateInput, types: Seq[DataType]): () => GenericInternalRow = {
    val read   = bufferReader(in, types)
    val shared = new SharedReader[GenericInternalRow](in)(
      if (in.readInt() == 1) new FailedBuffer(StoredError.read(in)) else read())
    () => shared.read()
  }

  private def passes(row: AddedRow): Boolean = !isFiltered || filter.eval(row.columns)
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

package org.matchrecognize.spark.execution

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  BasePredicate,
  Expression,
  GenericInternalRow,
  JoinedRow,
  MutableProjection,
  Predicate
}
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.expressions.{
  AddedRowLabel,
  AddedRowSequenceNumber,
  MatchNumber,
  RowAggregate
}

/** The row that aggregates are given: the input's columns, then what is known of its match. */
private[execution] abstract class AddedRow {

  /** Points at a row that is mapped to `variable`. */
  def designate(variable: Int, row: Long): Unit

  /** Columns as [[AggregateSlot]] expects them. */
  def columns: InternalRow
}

/**
 * An aggregate over the rows mapped to a variable. A buffer is a value: adding a row makes
 * another, in time that depends on the buffer's size only.
 *
 * An error while a row is added (an overflow, say) must not surface before the aggregate is asked
 * for: the row may be mapped by a thread that comes to nothing. So it becomes the buffer.
 */
private[execution] final class AggregateSlot(
    aggregate: RowAggregate,
    input: Seq[Attribute],
    added: AddedRowAttributes) {
  private val function = aggregate.function.asInstanceOf[DeclarativeAggregate]
  private val schema = input ++ added.attributes
  private val update: MutableProjection = MutableProjection.create(
    function.updateExpressions.map(added.resolve),
    function.aggBufferAttributes ++ schema)
  private val filter: Option[BasePredicate] =
    aggregate.filter.headOption.map(f => Predicate.create(added.resolve(f), schema))
  private val joined = new JoinedRow

  val initial: GenericInternalRow =
    new GenericInternalRow(function.initialValues.map(_.eval()).toArray[Any])

  def covers(variable: Int): Boolean = aggregate.variable.forall(_.contains(variable))

  /** The buffer with a row added. */
  def add(buffer: GenericInternalRow, row: AddedRow): GenericInternalRow = buffer match {
    case failed: FailedBuffer => failed
    case values =>
      try {
        if (filter.forall(_.eval(row.columns))) {
          val next = new GenericInternalRow(values.values.clone())
          update.target(next)(joined(values, row.columns))
          next
        } else {
          values
        }
      } catch {
        case NonFatal(error) => new FailedBuffer(error)
      }
  }
}

/** The buffer of an aggregate that could not be computed; raised when it is asked for. */
private[execution] final class FailedBuffer(val error: Throwable)
    extends GenericInternalRow(new Array[Any](0))

/** The columns that stand for CLASSIFIER() and the like in an aggregate's arguments. */
private[execution] final class AddedRowAttributes {
  private val label = AttributeReference("classifier", StringType, nullable = false)()
  private val number = AttributeReference("match_number", LongType, nullable = false)()
  private val sequence = AttributeReference("match_sequence_number", LongType, nullable = false)()

  val attributes: Seq[Attribute] = Seq(label, number, sequence)

  def resolve(e: Expression): Expression = e.transform {
    case AddedRowLabel() => label
    case MatchNumber() => number
    case AddedRowSequenceNumber() => sequence
  }
}

private[execution] object AddedRowAttributes {

  /** The values of the attributes. */
  def row(label: UTF8String, matchNumber: Long, sequenceNumber: Long): InternalRow =
    new GenericInternalRow(Array[Any](label, matchNumber, sequenceNumber))
}

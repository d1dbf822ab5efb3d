package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  Expression,
  GenericInternalRow
}
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.expressions.{AddedRowLabel, AddedRowSequenceNumber, MatchNumber}

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

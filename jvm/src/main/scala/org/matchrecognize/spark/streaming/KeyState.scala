package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.{MatchPlan, PartitionMatcher, StateSeal}
import org.matchrecognize.spark.execution.slots.StoredValues
import org.matchrecognize.spark.pattern.matching.StateOutput

/**
 * The state of one key as bytes: the rows after the watermark, which wait for their turn, and the
 * state of the matcher.
 *
 * {{{
 *   header of StateSeal | rows that wait | state of the matcher
 * }}}
 */
final private[streaming] class KeyState(plan: MatchPlan, input: Seq[Attribute]) {

  /** The rows that wait depend on nothing but their columns. */
  private val shape =
    StateSeal.shape(
      "rows",
      input.map(c => s"${c.name} ${c.dataType.catalogString}").mkString(","))

  def write(waiting: Iterable[UnsafeRow], matcher: PartitionMatcher): Array[Byte] = {
    val out = new StateOutput
    out.writeNumber(waiting.size.toLong)
    waiting.foreach(StoredValues.writeRow(_, out))
    out.writeBlock(matcher.saveState())
    StateSeal.close(shape, out)
  }

  /** Adds the rows that wait to `waiting`, and restores the matcher. */
  def read(
      bytes: Array[Byte],
      waiting: ArrayBuffer[UnsafeRow],
      matcher: PartitionMatcher): Unit = {
    val in   = StateSeal.open(shape, bytes, plan.clauseOrigin)
    var left = in.readNumber()
    while (left > 0) {
      waiting += StoredValues.readRow(input.size, in)
      left -= 1
    }
    matcher.restoreState(in.readBlock())
  }
}

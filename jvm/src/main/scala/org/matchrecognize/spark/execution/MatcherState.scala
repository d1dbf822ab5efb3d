package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Attribute

import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.{
  SlotLayout,
  Slots,
  StoredInput,
  StoredSlotsReader,
  StoredSlotsWriter,
  StoredValues
}
import org.matchrecognize.spark.pattern.matching.StateOutput
import org.matchrecognize.spark.pattern.search.PartitionSearch

/**
 * The state of a [[PartitionMatcher]] in the middle of a partition, as bytes: what another matcher
 * of the same clause needs to go on, in another JVM too.
 *
 * {{{
 *   version | checksum | shape | rows retained | position of the search, its threads
 * }}}
 *
 * It is as large as what is retained, not as what was seen; without the rows where these are kept
 * elsewhere ([[PartitionRows.keep]]). Nothing in it is a serialized object:
 * numbers, UnsafeRows, and of an error its text.
 *
 * @param keepLabels
 *   whether threads know their labels
 */
final private[execution] class MatcherState(
    plan: MatchPlan,
    input: Seq[Attribute],
    store: PartitionRows,
    search: PartitionSearch[Slots],
    layout: SlotLayout,
    keepLabels: Boolean) {

  /**
   * Identifies the layout of a state, so that only a matcher of the same layout reads it. No text
   * of Spark's is in it but the names of types.
   *
   * @param columns
   *   of the rows in the state
   */
  private def shape(columns: Seq[Attribute]): Int = {
    val slots =
      layout.rowSlots.map(s => s"(${s.members.mkString(" ")})${s.firstDepth},${s.lastDepth}")
    val within = plan.clause.within.map(_.meaning).mkString
    StateSeal.shape(
      plan.clause.patternMeaning,
      s"${plan.clause.skipMeaning} $within ${plan.clause.flinkDialect}",
      columns.map(_.dataType.catalogString).mkString(","),
      s"${slots.mkString} ${layout.listCount} ${layout.keepHistory} ${layout.numbersRows}",
      layout.aggregates.map(_.stored).mkString(","),
      keepLabels.toString
    )
  }

  /** Requires that the search is between two rows: [[PartitionSearch.write]]. */
  def write(limit: Int): Array[Byte] = {
    val out   = new StateOutput(limit)
    val row   = store.newRow()
    val first = store.firstIndex
    var index = store.keep()
    out.writeNumber(first)
    out.writeNumber(index - first)
    out.writeNumber(store.size - index)
    while (index < store.size) {
      store.get(index, row)
      StoredValues.writeRow(row, out)
      index += 1
    }
    search.write(out, new StoredSlotsWriter(layout, search.start, out))
    StateSeal.close(shape(input), out)
  }

  /**
   * Fills the store and the search.
   *
   * @param stored
   *   the columns of the rows in the state
   */
  def read(bytes: Array[Byte], stored: StoredInput): Unit = {
    val in    = StateSeal.open(shape(stored.columns), bytes, plan.clauseOrigin)
    val first = in.readNumber()
    store.resume(first, first + in.readNumber())
    var left = in.readNumber()
    while (left > 0) {
      store.append(stored.read(in))
      left -= 1
    }
    search.read(in, start => new StoredSlotsReader(layout, start, in, stored.kept))
    if (search.oldestNeeded < first)
      StateSeal.unreadable("the clause reads rows that it does not have", plan.clauseOrigin)
  }
}

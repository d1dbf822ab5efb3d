package org.matchrecognize.spark.execution.tracing

import org.matchrecognize.spark.execution.slots.Slots

/** A search from one start row. */
final private[tracing] class TracedStart(val row: Long) {

  /** Whether a match was found. */
  var hasMatched = false
}

/**
 * The slots of a thread, and the rows that it has mapped so far.
 *
 * @param start
 *   the search that it belongs to
 * @param length
 *   how many rows are mapped
 * @param variable
 *   the variable of the last of them
 * @param row
 *   the last of them
 * @param before
 *   the same before that row was mapped; null if no row is mapped
 */
final private[tracing] class TracedSlots(
    val start: TracedStart,
    val slots: Slots,
    val length: Int,
    val variable: Int,
    val row: Long,
    val before: TracedSlots) {

  /** The rows from the first one to the last one that is mapped: those of gaps between them count. */
  def reach: Long = if (length == 0) 0L else row - start.row + 1

  /** The rows mapped, in order, with their variables. */
  def mapped: Seq[(Long, Int)] =
    Iterator
      .iterate(this)(_.before)
      .takeWhile(_.before != null)
      .map(t => t.row -> t.variable)
      .toVector
      .reverse
}

private[tracing] object TracedSlots {

  /** Rows with their variables, as runs. */
  def runs(mapped: Seq[(Long, Int)]): Seq[MappedRun] =
    mapped.foldLeft(Vector.empty[MappedRun]) { case (runs, (row, variable)) =>
      runs.lastOption match {
        case Some(run) if run.variable == variable && run.last == row =>
          runs.init :+ run.copy(last = row + 1)
        case _ => runs :+ MappedRun(variable, row + 1, row + 1)
      }
    }
}

/** What became of the test of a row. */
private[tracing] object Verdict {
  val False = 0
  val Null  = 1
  val True  = 2
}

package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.execution.PartitionMatcher

/**
 * What the state of a key holds, or of all keys of a query; or by how much that changes.
 *
 * @param waitingRows
 *   rows after the watermark
 * @param retainedRows
 *   rows that a partial match can still read
 * @param partialMatches
 *   a key has one at most: its start rows are searched one after the other
 */
final private[streaming] case class Levels(
    waitingRows: Long,
    retainedRows: Long,
    partialMatches: Long) {

  def +(other: Levels): Levels = Levels(
    waitingRows + other.waitingRows,
    retainedRows + other.retainedRows,
    partialMatches + other.partialMatches)

  def -(other: Levels): Levels = Levels(
    waitingRows - other.waitingRows,
    retainedRows - other.retainedRows,
    partialMatches - other.partialMatches)
}

private[streaming] object Levels {
  val none: Levels = Levels(0, 0, 0)

  /** Of one key. */
  def of(matcher: PartitionMatcher, state: KeyState): Levels =
    Levels(state.size, matcher.retainedRows, if (matcher.hasPartialMatch) 1L else 0L)
}

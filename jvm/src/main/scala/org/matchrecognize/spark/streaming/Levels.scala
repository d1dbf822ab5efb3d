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
 * @param waitingForNext
 *   keys whose search waits for a row that NEXT reads
 */
final private[streaming] case class Levels(
    waitingRows: Long,
    retainedRows: Long,
    partialMatches: Long,
    waitingForNext: Long) {

  def +(other: Levels): Levels = Levels(
    waitingRows + other.waitingRows,
    retainedRows + other.retainedRows,
    partialMatches + other.partialMatches,
    waitingForNext + other.waitingForNext)

  def -(other: Levels): Levels = Levels(
    waitingRows - other.waitingRows,
    retainedRows - other.retainedRows,
    partialMatches - other.partialMatches,
    waitingForNext - other.waitingForNext)
}

private[streaming] object Levels {
  val none: Levels = Levels(0, 0, 0, 0)

  /** Of one key. */
  def of(matcher: PartitionMatcher, state: KeyState): Levels =
    Levels(
      state.size,
      matcher.retainedRows,
      if (matcher.hasPartialMatch) 1L else 0L,
      if (matcher.waitsForNext) 1L else 0L)
}

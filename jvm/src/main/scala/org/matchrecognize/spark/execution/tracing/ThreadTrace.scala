package org.matchrecognize.spark.execution.tracing

/**
 * How much is traced.
 *
 * @param read
 *   rows of the partition that are read
 * @param rows
 *   rows that are offered to threads; one counts again for each start row
 * @param threads
 *   threads at a row
 */
final case class ThreadTraceLimits(read: Long = 1000, rows: Int = 100, threads: Int = 10)

/**
 * What the threads of a search did in one partition.
 *
 * @param partition
 *   the keys of PARTITION BY; empty if there are none
 * @param rows
 *   how many rows were read
 * @param isWhole
 *   whether these are all of the partition
 * @param isCut
 *   whether the search has more rows than are in the trace
 * @param failure
 *   why the search gave up
 */
final case class ThreadTrace(
    partition: String,
    rows: Long,
    isWhole: Boolean,
    searches: Seq[SearchTrace],
    isCut: Boolean,
    failure: Option[String])

/**
 * The search from one start row.
 *
 * @param begin
 *   what the first thread does before it is offered a row
 * @param rows
 *   the rows that were offered to the threads, in this order
 */
final case class SearchTrace(
    start: RowDescription,
    begin: ThreadStep,
    rows: Seq[RowTrace],
    found: Seq[TracedMatch],
    ending: SearchEnding)

/** Why no thread of a search is offered another row. */
sealed trait SearchEnding

object SearchEnding {

  /** No thread waits for a row. */
  case object NoThread extends SearchEnding

  /** The partition has no more rows. */
  case object EndOfPartition extends SearchEnding

  /** The next row is beyond the bound of WITHIN. */
  case object Beyond extends SearchEnding

  /** The trace ends before it is known. */
  case object Unknown extends SearchEnding
}

/** A match, or a partial match that timed out. */
final case class TracedMatch(runs: Seq[MappedRun], timedOut: Boolean)

/**
 * A row, and the threads that it was offered to, the preferred first.
 *
 * @param more
 *   how many others there were
 */
final case class RowTrace(row: RowDescription, threads: Seq[ThreadStep], more: Int)

/**
 * What a thread did with a row.
 *
 * @param mapped
 *   the rows that it had mapped before
 */
final case class ThreadStep(
    mapped: Seq[MappedRun],
    tests: Seq[ThreadTest],
    actions: Seq[ThreadAction])

/**
 * A test of a condition.
 *
 * @param row
 *   the number of the row that was tested, from 1
 * @param value
 *   None if it is NULL
 * @param maps
 *   whether the thread maps the row if the condition is true; otherwise it may not go on
 */
final case class ThreadTest(
    variable: Int,
    row: Long,
    value: Option[Boolean],
    maps: Boolean,
    values: Seq[ReadValue])

sealed trait ThreadAction

object ThreadAction {
  case object Maps      extends ThreadAction
  case object Passes    extends ThreadAction
  case object Completes extends ThreadAction

  /** It waits for a row of the variable; with None it watches the rows that follow. */
  final case class Waits(variable: Option[Int]) extends ThreadAction

  /**
   * It does not wait for a row of the variable.
   *
   * @param fails
   *   whether an earlier start row has failed from there; if not, a thread that is preferred has the
   *   same continuations
   */
  final case class Dropped(variable: Option[Int], fails: Boolean) extends ThreadAction
}

package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{
  Arrival,
  IncomingRows,
  IncrementalSearch,
  RowConditions,
  SearchResult,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.Program

/**
 * Finds the preferred match of one start row by threads, or its preferred partial match if that
 * times out.
 *
 * @param threads
 *   the threads, which search by the rules of the dialect
 * @param showTimeouts
 *   whether partial matches are shown
 */
final private[pattern] class PreferredMatch[S <: AnyRef](
    threads: ThreadMatcher[S],
    program: Program,
    conditions: RowConditions[S],
    showTimeouts: Boolean)
    extends IncrementalSearch[S] {
  private var start       = 0L
  private var number      = 0L
  private var mostThreads = 0

  /** The next row to offer to the threads. */
  private var nextRow = 0L

  override def beginPartition(): Unit = threads.beginPartition()

  override def begin(row: Long, matchNumber: Long): Unit = {
    start = row
    number = matchNumber
    nextRow = row
    mostThreads = 0
    threads.begin(row, matchNumber)
  }

  override def next(rows: IncomingRows): SearchResult = {
    var result: SearchResult = null
    while (result == null)
      if (threads.exceeded) result = SearchResult.Failed(threads.overBudget)
      else if (!threads.isRunning) result = outcome()
      else
        rows.arrival(nextRow) match {
          case Arrival.Undecided if !threads.isDecided(nextRow) =>
            rows.waitAhead()
            result = SearchResult.NeedsRows
          case Arrival.Here | Arrival.Undecided
              if !rows.isNextKnown(nextRow) && threads.asksAfter(nextRow) =>
            result = SearchResult.NeedsRows
          case Arrival.Here | Arrival.Undecided =>
            val row = threads.skipRows(rows)
            if (row > nextRow) nextRow = row
            else {
              nextRow = threads.step(nextRow, rows.isLast(nextRow), rows.isOver(nextRow))
              if (threads.threadCount > mostThreads) mostThreads = threads.threadCount
            }
          case Arrival.Missing => result = SearchResult.NeedsRows
          case Arrival.NoMore  => if (!goBack()) result = outcome()
        }
    result
  }

  override def isAtStart: Boolean = nextRow == start

  /**
   * Goes back to less preferred threads that wait at an earlier row; false if there are none. If a
   * match has more rows than there are up to here, they can only become a partial match. Otherwise a
   * search would try all sets of elements of a PERMUTE in vain.
   */
  private def goBack(): Boolean = {
    val mayMatch = nextRow - start >= program.leastRows
    val row      = if (mayMatch || showTimeouts && !threads.hasPartial) threads.goBack() else -1L
    if (row >= 0) nextRow = row
    row >= 0
  }

  private def outcome(): SearchResult =
    if (threads.hasMatch) SearchResult.Match
    else if (showTimeouts && threads.hasPartial) {
      threads.timeOut()
      SearchResult.TimedOut
    } else SearchResult.Done

  override def matchEnd: Long                  = threads.matchEnd
  override def matchSlots: S                   = threads.matchSlots
  override def labels(length: Int): Int => Int = threads.labels(length)
  override def steps: Long                     = threads.steps
  override def peakThreads: Int                = mostThreads

  override def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    out.writeNumber(number)
    out.writeNumber(nextRow - start)
    threads.write(out, slotsWriter)
  }

  override def read(in: StateInput, start: Long, slotsReader: SlotsReader[S]): Long = {
    this.start = start
    number = in.readNumber()
    nextRow = start + in.readNumber()
    mostThreads = 0
    conditions.begin(start, number)
    threads.read(in, start, nextRow, slotsReader)
    nextRow
  }
}

package org.matchrecognize.spark.pattern.flink

import org.matchrecognize.spark.pattern.matching.{
  Arrival,
  Failure,
  IncomingRows,
  IncrementalSearch,
  Limits,
  RowConditions,
  SearchObserver,
  SearchResult,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{FirstCompletion, Program}
import org.matchrecognize.spark.pattern.threads.ThreadMatcher

/**
 * The flink dialect with AFTER MATCH NO SKIP or SHOW TIMEOUT MATCHES: finds all matches of one
 * start row in the order in which they are complete, those on one row in preference order; and the
 * partial matches that the end of the rows leaves, in preference order.
 *
 * Its threads take one row after the other, as matches are complete on one row after the other.
 * They merge only where they map the same rows to the same variables ([[MappedConditions]]), so
 * each set of mappings is returned once: of two threads that have mapped the same, one may be
 * complete earlier than the other, which then adds nothing new.
 *
 * @param showTimeouts
 *   whether partial matches are requested
 */
final private[pattern] class FlinkMatches[S <: AnyRef](
    program: Program,
    completion: FirstCompletion,
    conditions: RowConditions[S],
    labels: SettledLabels,
    showTimeouts: Boolean,
    limits: Limits,
    observer: SearchObserver[S])
    extends IncrementalSearch[S] {

  private val mapped  = new MappedConditions(conditions)
  private val told    = new MappedObserver(observer)
  private val dialect = new FlinkDialect(program, completion, mapped, collects = true, told)

  private val threads =
    new ThreadMatcher(
      program,
      mapped,
      labels,
      limits,
      // What is less preferred than a match is a match, too.
      remembersFailures = false,
      dialect,
      observer = told
    )

  private var start  = 0L
  private var number = 0L

  /** The next row to offer to the threads. */
  private var nextRow = 0L

  private var matchCount = 0L

  /** The next of the partial matches. */
  private var partial = 0

  private var mostThreads = 0

  override def steps: Long                     = threads.steps
  override def peakThreads: Int                = mostThreads
  override def matchEnd: Long                  = threads.matchEnd
  override def matchSlots: S                   = threads.matchSlots.slots
  override def labels(length: Int): Int => Int = threads.labels(length)

  private def exceeded: Boolean   = threads.exceeded || hasTooMany
  private def overBudget: Failure =
    if (hasTooMany) Failure.TooManyMatches(start, limits.maxMatches) else threads.overBudget
  private def hasTooMany: Boolean = matchCount > limits.maxMatches

  override def begin(row: Long, matchNumber: Long): Unit = {
    start = row
    number = matchNumber
    nextRow = row
    matchCount = 0
    partial = 0
    mostThreads = 0
    threads.begin(row, matchNumber)
  }

  override def next(rows: IncomingRows): SearchResult = {
    // Output has evaluated another match meanwhile.
    conditions.begin(start, number)
    var result: SearchResult = null
    while (result == null)
      result =
        if (exceeded) SearchResult.Failed(overBudget)
        else if (dialect.nextFound(threads)) returnMatch()
        else if (!threads.isRunning) SearchResult.Done
        else
          rows.arrival(nextRow) match {
            case Arrival.Missing                                  => SearchResult.NeedsRows
            case Arrival.NoMore                                   => timeOut()
            case Arrival.Undecided if !threads.isDecided(nextRow) =>
              rows.waitAhead()
              SearchResult.NeedsRows
            case Arrival.Here | Arrival.Undecided
                if !rows.isNextKnown(nextRow) && threads.asksAfter(nextRow) =>
              SearchResult.NeedsRows
            case Arrival.Here | Arrival.Undecided =>
              threads.step(nextRow, rows.isLast(nextRow), rows.isOver(nextRow))
              if (threads.threadCount > mostThreads) mostThreads = threads.threadCount
              nextRow += 1
              null
          }
    result
  }

  override def isAtStart: Boolean = nextRow == start

  /** Returns the match that was found; null if one of the same mappings was complete before. */
  private def returnMatch(): SearchResult = {
    val mapped = threads.matchSlots
    if (mapped.isFound) null
    else {
      mapped.isFound = true
      matchCount += 1
      if (exceeded) SearchResult.Failed(overBudget) else SearchResult.Match
    }
  }

  /** No row follows: the threads left are partial matches. Takes the next whose mappings are new. */
  private def timeOut(): SearchResult = {
    while (partial < threads.threadCount && threads.partialSlots(partial).isTimedOut) partial += 1
    if (showTimeouts && partial < threads.threadCount) {
      threads.partialSlots(partial).isTimedOut = true
      threads.timeOut(partial)
      SearchResult.TimedOut
    } else SearchResult.Done
  }

  override def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    out.writeNumber(number)
    out.writeNumber(nextRow - start)
    out.writeNumber(matchCount)
    threads.write(out, new MappedWriter(out, slotsWriter))
  }

  override def read(in: StateInput, start: Long, slotsReader: SlotsReader[S]): Long = {
    this.start = start
    number = in.readNumber()
    nextRow = start + in.readNumber()
    matchCount = in.readNumber()
    partial = 0
    mostThreads = 0
    threads.read(in, start, nextRow, new MappedReader(in, slotsReader))
    start
  }
}

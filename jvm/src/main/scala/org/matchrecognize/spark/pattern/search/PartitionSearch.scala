package org.matchrecognize.spark.pattern.search

import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.automaton.{AutomatonMatcher, RowAutomaton}
import org.matchrecognize.spark.pattern.flink.FlinkMatches
import org.matchrecognize.spark.pattern.matching.{
  Failure,
  Found,
  Limits,
  Matcher,
  RowConditions,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  SmallNumbers,
  StartMatches,
  StartSearch,
  StateInput,
  StateOutput,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.Program
import org.matchrecognize.spark.pattern.threads.{AllMatches, IdleRows, ThreadMatcher}

/**
 * How a partition is searched.
 *
 * @param afterMatch
 *   where the search continues after a match
 * @param relaxedSkip
 *   an invalid skip target means the next row instead of a failure
 * @param unmatchedRows
 *   whether rows that no match covers are wanted
 * @param conditionLookAhead
 *   how many rows after the one tested a condition can look at
 * @param outputLookAhead
 *   how many rows after a match its measures can look at
 * @param lookBack
 *   how many rows before a match's first conditions and measures can look at
 * @param showTimeouts
 *   whether partial matches that the bound of WITHIN ended are wanted
 * @param lastMatch
 *   the MATCH_NUMBER after which nothing is wanted
 */
final case class SearchOptions(
    afterMatch: AfterMatch,
    relaxedSkip: Boolean,
    unmatchedRows: Boolean,
    conditionLookAhead: Long,
    outputLookAhead: Long,
    lookBack: Long,
    showTimeouts: Boolean = false,
    lastMatch: Long = Long.MaxValue)

/**
 * The search for all matches of a partition, in order of their start rows. Rows are announced as
 * they arrive ([[advance]]'s `available`); the search stops where it needs more, and after
 * everything that it finds, so that a caller can stop at any time.
 *
 * '''What is final.''' Whatever [[advance]] finds is final: no row that is still to come can change
 * it. It finds things in order, so each as soon as both it and all before it are:
 *   - a match once no thread is left that it would give way to, and the rows after it have come
 *     that its measures look at; the rows that follow cannot reach it, since a thread maps rows
 *     one after the other, and one that fails is gone;
 *   - that a start row has no match, once no thread is left; and that no match covers it, at the
 *     same moment: matches that are found later start later;
 *   - that a partial match has timed out, once a row beyond the bound has come;
 *   - with AFTER MATCH NO SKIP each match as soon as it and all before it are found; in the flink
 *     dialect those on one row as soon as the row, and the one that a condition looks at, has come;
 *   - a failure at the row at which the search meets it.
 * A row is offered to the threads once the rows have come that its conditions look at, and, where
 * the pattern reads the partition's end, the row after it; where it looks at the next row (`[^B]`),
 * those that the next row's conditions look at. Rows before [[oldestNeeded]] are never looked at
 * again.
 *
 * '''In the middle of a partition''' [[write]] writes the place of the search, and another
 * search of the same pattern continues from there ([[read]]), as if there had been no break: it
 * finds the same, at the same rows.
 *
 * @param labels
 *   where the labels of a match are kept; None if labels are not needed
 * @param automaton
 *   where given, the search waits for the partition to be complete, so it is not incremental:
 *   streams give none
 * @param within
 *   WITHIN's bound; the automaton's is the same
 */
final class PartitionSearch[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    labels: Option[SmallNumbers],
    options: SearchOptions,
    limits: Limits,
    automaton: Option[RowAutomaton],
    within: Option[WithinBound] = None) {

  /**
   * Given if threads search a classified partition, and the rows that they mapped are not needed.
   */
  private val idle: Option[IdleRows] = automaton
    .filter(_ => labels.isEmpty && !options.showTimeouts && IdleRows.areKnown(program))
    .map(a => new IdleRows(program, a.verdicts, conditions.leavesNoTrace(_), limits.poll))

  private val threads =
    new ThreadMatcher[S](
      program,
      conditions,
      labels.map(new SettledLabels(_)),
      limits,
      endsAlike = within.isEmpty,
      idle)

  private val noSkip = options.afterMatch == AfterMatch.NoSkip

  /** In place of them if a start row can have several results; otherwise null. */
  private val all: StartMatches[S] =
    if (program.flink.nonEmpty && (noSkip || options.showTimeouts)) {
      new FlinkMatches[S](
        program,
        conditions,
        labels.map(new SettledLabels(_)),
        options.showTimeouts,
        limits)
    } else if (noSkip) {
      new AllMatches[S](program, conditions, labels.nonEmpty, options.showTimeouts, limits)
    } else {
      null
    }

  private val bound: WithinBound = within.orNull

  /** Knows where matches can start once the partition is complete; null if nothing does. */
  private val whole: AutomatonMatcher[S] = automaton
    .map(a => new AutomatonMatcher[S](a, conditions, labels, limits.poll))
    .orNull

  private var matcher: Matcher[S] = threads

  private def search: StartSearch[S] = if (all == null) matcher else all

  /** Whether [[whole]] has been given the partition, and has taken it. */
  private var prepared = false
  private var filters  = false

  /** Whether the search has begun at [[startRow]]. */
  private var begun = false

  /** Whether nothing is found before the partition is complete. */
  val waitsForEnd: Boolean = whole != null

  /** The row at which matches are searched for. */
  private var startRow = 0L

  /** The next row to offer to the matcher. */
  private var nextRow = 0L

  /** The row after the last that any match covered. */
  private var coveredEnd = 0L

  /** Where to continue once the caller has used what was found; -1 if nothing is pending. */
  private var pendingStart = -1L

  /** Whether [[all]] is at a match that was not returned yet: its measures read rows to come. */
  private var held = false

  private var numberOfMatches = 0L
  private var totalSteps      = 0L
  private var mostThreads     = 0L

  /** First row of what was found. */
  def start: Long = startRow

  /** The row after the last of the match found. */
  def end: Long = search.matchEnd
  def slots: S  = search.matchSlots

  /** The labels of the match found, by its rows, if they are kept; until the search continues. */
  def matchLabels: Int => Int = search.labels((end - start).toInt)

  /** MATCH_NUMBER of the match found, or of the partial one. */
  def matchNumber: Long = numberOfMatches

  /** The oldest row that the search or what it found can still read. */
  def oldestNeeded: Long = math.max(0, startRow - options.lookBack)

  /** Thread steps and the largest number of threads, in all partitions so far. */
  def steps: Long       = totalSteps + (if (begun) search.steps else 0)
  def peakThreads: Long = mostThreads

  /** Begins another partition. */
  def reset(): Unit = {
    endStart()
    startRow = 0
    coveredEnd = 0
    pendingStart = -1
    numberOfMatches = 0
    prepared = false
    filters = false
    idle.foreach(_.endPartition())
    conditions.beginPartition()
    limits.budget.begin(0)
    threads.beginPartition()
  }

  /**
   * Continues until something is found or rows are missing.
   *
   * @param available
   *   number of rows of the partition that have arrived
   * @param complete
   *   whether these are all
   */
  def advance(available: Long, complete: Boolean): Found =
    if (numberOfMatches >= options.lastMatch) passOver(available, complete)
    else find(available, complete)

  /** Nothing more is wanted of the partition. */
  private def passOver(available: Long, complete: Boolean): Found = {
    endStart()
    pendingStart = -1
    startRow = available
    if (complete) Found.Done else Found.NeedsRows
  }

  private def find(available: Long, complete: Boolean): Found = {
    if (pendingStart >= 0) restart(pendingStart)
    if (whole != null && complete && !prepared) prepare(available)
    var found: Found = null
    while (found == null)
      found =
        if (startRow >= available) {
          if (complete) Found.Done else Found.NeedsRows
        } else if (!begun && !reaches(startRow, available, complete)) {
          Found.NeedsRows
        } else if (!begun && bound != null && !bound.begin(startRow)) {
          noMatch()
        } else {
          if (!begun) begin()
          if (all == null) run(available, complete) else enumerate(available, complete)
        }
    found
  }

  /** Where a condition failed, what is tested when matters: the threads test nothing ahead. */
  private def prepare(rows: Long): Unit = {
    filters = whole.prepare(rows)
    matcher = if (filters && automaton.exists(_.decides)) whole else threads
    prepared = true
    if (filters) idle.foreach(_.beginPartition(rows))
    moveTo(startRow)
  }

  /** Start rows without a match are passed over, unless they are to be returned. */
  private def moveTo(row: Long): Unit =
    startRow = if (filters && !options.unmatchedRows) whole.nextStart(row) else row

  /** Whether all rows are there that testing `row` can read. */
  private def reaches(row: Long, available: Long, complete: Boolean): Boolean =
    complete || whole == null && available - row > lookAhead

  private val lookAhead: Long =
    if (program.looksAtNext) options.conditionLookAhead + 1
    else if (program.usesEnd) math.max(1, options.conditionLookAhead)
    else options.conditionLookAhead

  private def begin(): Unit = {
    search.begin(startRow, numberOfMatches + 1)
    nextRow = startRow
    begun = true
  }

  private def restart(row: Long): Unit = {
    endStart()
    pendingStart = -1
    moveTo(row)
  }

  private def endStart(): Unit = {
    if (begun) totalSteps += search.steps
    begun = false
    held = false
  }

  /**
   * Writes the place of the search, once [[advance]] has said that rows are missing. Row numbers
   * are written as distances, so that a state is as small late in a partition as early.
   */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    if (whole != null || pendingStart >= 0) {
      throw new IllegalStateException("the search does not stand between two rows")
    }
    out.writeNumber(startRow)
    out.writeSigned(startRow - coveredEnd)
    out.writeNumber(numberOfMatches)
    out.writeNumber(if (begun) nextRow - startRow + 1 else 0L)
    if (begun && all == null) threads.write(out, slotsWriter)
    if (begun && all != null) {
      out.writeNumber(if (held) 1L else 0L)
      all.write(out, slotsWriter)
    }
  }

  /** Begins a partition where [[write]] left off. */
  def read(in: StateInput, slotsReader: Long => SlotsReader[S]): Unit = {
    reset()
    startRow = in.readNumber()
    coveredEnd = startRow - in.readSigned()
    numberOfMatches = in.readNumber()
    val rows = in.readNumber()
    if (rows > 0) {
      nextRow = startRow + rows - 1
      limits.budget.begin(nextRow)
      within.foreach(_.begin(startRow))
      if (all == null) {
        conditions.begin(startRow, numberOfMatches + 1)
        threads.read(in, startRow, nextRow, slotsReader(startRow))
      } else {
        held = in.readInt() == 1
        all.read(in, startRow, slotsReader(startRow))
      }
      begun = true
    }
  }

  /** Whether a row that has come is within the bound of a match that starts at [[startRow]]. */
  private def isWithin(row: Long): Boolean = bound == null || bound.contains(row)

  /** Runs the matcher from the start row; null if there is no result and the search moved. */
  private def run(available: Long, complete: Boolean): Found = {
    runOn(available, complete)
    while (!matcher.exceeded && isOver(nextRow, available, complete) && goBack())
      runOn(available, complete)
    outcome(available, complete)
  }

  /**
   * Goes back to less preferred threads that wait at an earlier row; false if there are none. If a
   * match has more rows than there are up to here, they are of use for a partial one alone: else a
   * search would try all sets of elements of a PERMUTE in vain.
   */
  private def goBack(): Boolean = {
    val mayMatch = nextRow - startRow >= program.leastRows
    val row      =
      if (mayMatch || options.showTimeouts && !matcher.hasPartial) matcher.goBack() else -1L
    if (row >= 0) nextRow = row
    row >= 0
  }

  /** Offers rows while there are any and threads take them. */
  private def runOn(available: Long, complete: Boolean): Unit =
    while (matcher.isRunning && !matcher.exceeded && nextRow < available && isWithin(nextRow) &&
      reaches(nextRow, available, complete)) {
      nextRow = matcher.step(
        nextRow,
        complete && nextRow + 1 == available,
        program.usesEnd && isOver(nextRow + 1, available, complete))
      if (matcher.threadCount > mostThreads) mostThreads = matcher.threadCount
    }

  private def outcome(available: Long, complete: Boolean): Found =
    if (matcher.exceeded) {
      Found.Failed(matcher.overBudget)
    } else if (matcher.isRunning && !isOver(nextRow, available, complete)) {
      Found.NeedsRows
    } else if (!matcher.hasMatch) {
      if (matcher.hasPartial && options.showTimeouts)
        timedOut(matcher.partialEnd, available, complete)
      else noMatch()
    } else if (!canShow(matcher.matchEnd, available, complete)) {
      Found.NeedsRows
    } else {
      matched()
    }

  /** Whether no row from `row` on can be mapped by a match that starts at [[startRow]]. */
  private def isOver(row: Long, available: Long, complete: Boolean): Boolean =
    if (row < available) !isWithin(row) else complete

  /** Whether the rows have come that measures look at after what ends before a row. */
  private def canShow(end: Long, available: Long, complete: Boolean): Boolean =
    complete || available >= end + options.outputLookAhead

  /** Goes to the next match of the start row; null if there is none and the search moved. */
  private def enumerate(available: Long, complete: Boolean): Found = {
    rowsToCome.available = available
    rowsToCome.complete = complete
    val progress = if (held) StartMatches.Progress.Match else all.next(rowsToCome)
    if (all.threadCount > mostThreads) mostThreads = all.threadCount
    progress match {
      case StartMatches.Progress.Match =>
        held = !canShow(all.matchEnd, available, complete)
        if (held) Found.NeedsRows else matched()
      case StartMatches.Progress.NeedsRow => Found.NeedsRows
      case StartMatches.Progress.Exceeded => Found.Failed(all.overBudget)
      case _ if all.hasTimedOut           => timedOut(all.partialEnd, available, complete)
      case _ if all.found == 0            => noMatch()
      case _                              =>
        restart(startRow + 1)
        null
    }
  }

  private object rowsToCome extends StartMatches.RowsToCome {
    var available = 0L
    var complete  = false

    override def isMissing(row: Long): Boolean =
      if (row >= available) !complete else isWithin(row) && !reaches(row, available, complete)
    override def isThere(row: Long): Boolean = row < available && isWithin(row)
    override def isLast(row: Long): Boolean  = complete && row + 1 == available
    override def isOver(row: Long): Boolean  =
      program.usesEnd && PartitionSearch.this.isOver(row + 1, available, complete)
  }

  private def timedOut(end: Long, available: Long, complete: Boolean): Found =
    if (!canShow(end, available, complete)) Found.NeedsRows
    else {
      numberOfMatches += 1
      coveredEnd = math.max(coveredEnd, end)
      if (all == null) {
        matcher.timeOut()
        pendingStart = startRow + 1
      } else {
        all.timeOut()
      }
      Found.TimedOut
    }

  private def noMatch(): Found =
    if (options.unmatchedRows && startRow >= coveredEnd) {
      pendingStart = startRow + 1
      Found.Unmatched
    } else {
      restart(startRow + 1)
      null
    }

  private def matched(): Found = {
    numberOfMatches += 1
    coveredEnd = math.max(coveredEnd, end)
    val skip = if (end == startRow) startRow + 1 else skipTo()
    if (skip < 0) {
      Found.Failed(
        if (skip == PartitionSearch.notInMatch) Failure.SkipTargetNotInMatch(startRow)
        else Failure.SkipToFirstRow(startRow))
    } else {
      // With AFTER MATCH NO SKIP the start row stays, and `all` continues.
      if (!noSkip) pendingStart = skip
      Found.Match
    }
  }

  /** Where the search continues after a match of at least one row, or why it cannot. */
  private def skipTo(): Long = options.afterMatch match {
    case AfterMatch.PastLastRow                             => end
    case AfterMatch.ToNextRow | AfterMatch.NoSkip           => startRow + 1
    case AfterMatch.ToFirst(_, _) | AfterMatch.ToLast(_, _) =>
      val target = conditions.skipTarget(slots)
      if (target > startRow) target
      else if (options.relaxedSkip) startRow + 1
      else if (target < 0) PartitionSearch.notInMatch
      else PartitionSearch.firstRow
  }
}

private object PartitionSearch {

  /** The two invalid skips, as negative rows. */
  val notInMatch: Long = -1L
  val firstRow: Long   = -2L
}

package org.matchrecognize.spark.pattern.search

import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.automaton.{AutomatonMatcher, RowAutomaton}
import org.matchrecognize.spark.pattern.flink.{FlinkDialect, FlinkMatches}
import org.matchrecognize.spark.pattern.matching.{
  IncomingRows,
  IncrementalSearch,
  Limits,
  PackedNumbers,
  RowConditions,
  SearchObserver,
  SearchResult,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StartSearch,
  StateInput,
  StateOutput,
  VerdictChanges,
  WithinBound
}
import org.matchrecognize.spark.pattern.program.Program
import org.matchrecognize.spark.pattern.threads.{
  AllMatches,
  PreferredMatch,
  ThreadDialect,
  ThreadMatcher
}

/**
 * The search for all matches of a partition, in order of their start rows. Rows are announced as
 * they arrive ([[advance]]'s `available`); the search stops where it needs more, and after
 * everything that it finds, so that a caller can stop at any time.
 *
 * '''What is final.''' Whatever [[advance]] finds is final: no row that is still to come can change
 * it. It finds things in order, so each as soon as both it and all before it are:
 *   - a match once no thread is left that is preferred to it, and the rows have come that its
 *     measures read after it. Later rows cannot change it: a thread maps rows one after the other,
 *     and one that fails is gone;
 *   - that a start row has no match, once no thread is left; and that no match covers it, at the
 *     same moment: matches that are found later start later;
 *   - that a partial match has timed out, once a row beyond its bound has come, the watermark has
 *     passed it, or the partition is complete;
 *   - with AFTER MATCH NO SKIP each match as soon as it and all before it are found; in the flink
 *     dialect those on one row as soon as the row, and the one that a condition looks at, has come;
 *   - a failure at the row at which the search meets it.
 * It may be known later that a start row has no match, if start rows are searched together. A match
 * is found no later for it ([[HopelessStarts]]).
 *
 * A row is offered to the threads once the rows that have come decide the conditions for which it
 * would be tested. If a thread would ask about the row after it (`$`, `[^B]`), that row must have
 * come, too, with those that its conditions read. Rows before [[oldestNeeded]] are never read
 * again.
 *
 * '''In the middle of a partition''' [[write]] writes the state of the search. Another search of
 * the same pattern continues from it ([[read]]), and finds the same at the same rows.
 *
 * @param labels
 *   where the labels of a match are kept; None if labels are not needed
 * @param automaton
 *   where given, the search waits for the partition to be complete, so it is not incremental:
 *   streams give none
 * @param within
 *   WITHIN's bound; the automaton's is the same
 * @param changes
 *   finds the rows at which conditions that compare with mapped rows change; not in streams
 * @param observer
 *   is told what becomes of threads
 */
final class PartitionSearch[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    labels: Option[PackedNumbers],
    options: SearchOptions,
    limits: Limits,
    automaton: Option[RowAutomaton],
    within: Option[WithinBound] = None,
    changes: Option[VerdictChanges[S]] = None,
    observer: SearchObserver[S] = SearchObserver.none) {

  private val noSkip = options.afterMatch == AfterMatch.NoSkip

  private val settled = new SettledLabels(labels)

  /** The search that can be saved between two rows. */
  private val incremental: IncrementalSearch[S] = program.flink match {
    case Some(completion) if noSkip || options.showTimeouts =>
      new FlinkMatches[S](
        program,
        completion,
        conditions,
        settled,
        options.showTimeouts,
        limits,
        observer)
    case Some(completion) =>
      val dialect = new FlinkDialect(program, completion, conditions, collects = false, observer)
      preferred(dialect, None)
    case None if noSkip =>
      new AllMatches[S](
        program,
        conditions,
        labels.nonEmpty,
        options.showTimeouts,
        limits,
        observer)
    case None => preferred(new ThreadDialect[S], changes)
  }

  /** Without WITHIN, all searches may continue to the end of the partition. */
  private def remembersFailures: Boolean = within.isEmpty

  private def preferred(dialect: ThreadDialect[S], changes: Option[VerdictChanges[S]]) = {
    val threads = new ThreadMatcher[S](
      program,
      conditions,
      settled,
      limits,
      remembersFailures,
      dialect,
      changes,
      observer)
    new PreferredMatch[S](threads, program, conditions, options.showTimeouts)
  }

  /** Null where each start row is searched alone. */
  private val hopeless: HopelessStarts[S] = options.jointSearch
    .filter(_ => within.isEmpty && !noSkip && !options.showTimeouts)
    .flatMap(HopelessStarts.of(program, conditions, limits, _))
    .orNull

  /** Whether a start row can have more than one result. */
  private val severalPerStart = noSkip || program.flink.nonEmpty && options.showTimeouts

  /** Knows where matches can start once the partition is complete. */
  private val automatonMatcher: Option[AutomatonMatcher[S]] =
    automaton.map(new AutomatonMatcher[S](_, conditions, labels, limits.poll))

  /** Whether nothing is found before the partition is complete. */
  val waitsForEnd: Boolean = automatonMatcher.nonEmpty

  private val incoming =
    new IncomingRows(program, within, waitsForEnd, options.conditionLookAhead)

  private var search: StartSearch[S] = incremental

  /** Whether [[automatonMatcher]] has been given the partition. */
  private var prepared = false

  /** Whether it has taken the partition: it then knows at which rows no match starts. */
  private var filters = false

  /** Whether the search has begun at [[startRow]]. */
  private var hasBegun = false

  /** The row at which matches are searched for. */
  private var startRow = 0L

  /** The row after the last that any match covered. */
  private var coveredEnd = 0L

  /** Where to continue once the caller has used what was found; -1 if nothing is pending. */
  private var pendingStart = -1L

  /** A match or time-out that cannot be shown yet, because its measures read rows to come. */
  private var held: Option[SearchResult] = None

  /** Whether a match of the start row was found. */
  private var hasMatched = false

  private var numberOfMatches = 0L
  private var totalSteps      = 0L
  private var mostThreads     = 0L

  /** First row of what was found. */
  def start: Long = startRow

  /** Begins a partition at a row that is not its first one; rows before `covered` are in matches. */
  def startAt(row: Long, covered: Long): Unit = {
    startRow = row
    coveredEnd = covered
  }

  /** How many rows from the start row on matches cover that start before it. */
  def coveredRows: Long = math.max(0L, coveredEnd - startRow)

  /**
   * Once something is found: where another search that comes to this row as a start row finds the
   * same from there on.
   */
  def sameFrom: Long = {
    val next = if (pendingStart >= 0) pendingStart else startRow + 1
    if (options.unmatchedRows) math.max(next, coveredEnd) else next
  }

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
  def steps: Long = totalSteps + (if (hasBegun) search.steps else 0) +
    (if (hopeless == null) 0 else hopeless.steps)
  def peakThreads: Long = mostThreads

  /** Start rows that joint searches ruled out, in all partitions so far. */
  private[pattern] def ruledOutRows: Long = if (hopeless == null) 0 else hopeless.ruledOutRows

  /**
   * Whether the search is at the end of the rows: no match is under way, and nothing is kept but
   * numbers.
   */
  def isAtEnd(available: Long): Boolean = !hasBegun && pendingStart < 0 && startRow >= available

  /** Whether a match can be under way that starts at [[start]]. */
  def hasPartialMatch: Boolean = hasBegun && held.isEmpty

  /** Whether the end of the rows of the match would let the search continue. */
  def waitsForEndOfBound: Boolean = hasPartialMatch && !incoming.waitsAhead

  /** Begins another partition. */
  def reset(): Unit = {
    endStart()
    incoming.waitsAhead = false
    startRow = 0
    coveredEnd = 0
    pendingStart = -1
    numberOfMatches = 0
    prepared = false
    filters = false
    conditions.beginPartition()
    limits.budget.begin(0)
    if (hopeless != null) hopeless.beginPartition()
    incremental.beginPartition()
  }

  /**
   * Continues until something is found or rows are missing.
   *
   * @param available
   *   number of rows of the partition that have arrived
   * @param complete
   *   whether these are all
   */
  def advance(available: Long, complete: Boolean): SearchResult =
    if (numberOfMatches >= options.lastMatch) skipRest(available, complete)
    else find(available, complete)

  /** Nothing more is wanted of the partition. */
  private def skipRest(available: Long, complete: Boolean): SearchResult = {
    endStart()
    pendingStart = -1
    startRow = available
    if (complete) SearchResult.Done else SearchResult.NeedsRows
  }

  private def find(available: Long, complete: Boolean): SearchResult = {
    incoming.waitsAhead = false
    incoming.available = available
    incoming.complete = complete
    if (pendingStart >= 0) restart(pendingStart)
    if (waitsForEnd && complete && !prepared) prepare(available)
    var result: SearchResult = null
    while (result == null)
      result =
        if (startRow >= available) {
          if (complete) SearchResult.Done else SearchResult.NeedsRows
        } else if (hasBegun) {
          proceed()
        } else if (!incoming.mayBegin(startRow)) {
          incoming.waitAhead()
          SearchResult.NeedsRows
        } else if (!takesBound(startRow) || isRuledOut) {
          noMatch()
        } else if (hopeless != null && hopeless.beginsWindow && incoming.isTestable(startRow)) {
          hopeless.search(startRow, numberOfMatches + 1, incoming)
        } else {
          begin()
          val begun = proceed()
          // A search that waits for the rows of NEXT begins again once they have come. One that
          // waits for its bound stays: streams set a timer for it.
          if (begun == SearchResult.NeedsRows && search.eq(incremental) &&
            incremental.isAtStart && incoming.waitsAhead) endStart()
          begun
        }
    result
  }

  /** Whether the search waits for rows that conditions or measures look at with NEXT. */
  def waitsForNext: Boolean = incoming.waitsAhead || held.nonEmpty

  /** Takes the bound of a match from a start row on; false if its first ORDER BY key is NULL. */
  private def takesBound(row: Long): Boolean = within.forall(_.begin(row))

  /** Whether the start row is known to have no match. */
  private def isRuledOut: Boolean = hopeless != null && hopeless.rulesOut(startRow)

  /** If a condition fails ahead, nothing is prepared: threads test in the order that matters. */
  private def prepare(rows: Long): Unit = {
    filters = automatonMatcher.exists(_.prepare(rows))
    search =
      if (filters && automaton.exists(_.decides)) automatonMatcher.get else incremental
    prepared = true
    moveTo(startRow)
  }

  /** Start rows without a match are skipped, unless they are to be returned. */
  private def moveTo(row: Long): Unit =
    startRow = if (filters && !options.unmatchedRows) automatonMatcher.get.nextStart(row) else row

  private def begin(): Unit = {
    search.begin(startRow, numberOfMatches + 1)
    hasBegun = true
    hasMatched = false
  }

  private def restart(row: Long): Unit = {
    endStart()
    pendingStart = -1
    moveTo(row)
  }

  private def endStart(): Unit = {
    if (hasBegun) {
      totalSteps += search.steps
      settled.begin()
    }
    hasBegun = false
    held = None
  }

  /**
   * Writes the state of the search, once [[advance]] has said that rows are missing. Row numbers
   * are written as distances, so that a state is as small late in a partition as early.
   */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit = {
    if (waitsForEnd || pendingStart >= 0) {
      throw new IllegalStateException("the search is not between two rows")
    }
    out.writeNumber(startRow)
    out.writeSigned(startRow - coveredEnd)
    out.writeNumber(numberOfMatches)
    out.writeNumber(if (incoming.waitsAhead) 1L else 0L)
    out.writeNumber(if (hasBegun) 1L else 0L)
    if (hasBegun) {
      out.writeNumber(if (hasMatched) 1L else 0L)
      out.writeNumber(held match {
        case None                     => 0L
        case Some(SearchResult.Match) => 1L
        case Some(_)                  => 2L
      })
      incremental.write(out, slotsWriter)
    }
  }

  /** Begins a partition where [[write]] left off. */
  def read(in: StateInput, slotsReader: Long => SlotsReader[S]): Unit = {
    reset()
    startRow = in.readNumber()
    coveredEnd = startRow - in.readSigned()
    numberOfMatches = in.readNumber()
    incoming.waitsAhead = in.readInt() == 1
    hasBegun = in.readInt() == 1
    if (hasBegun) {
      hasMatched = in.readInt() == 1
      held = in.readInt() match {
        case 0 => None
        case 1 => Some(SearchResult.Match)
        case _ => Some(SearchResult.TimedOut)
      }
      within.foreach(_.begin(startRow))
      limits.budget.begin(incremental.read(in, startRow, slotsReader(startRow)))
    }
  }

  /** Searches on from the start row; null if nothing is shown of it and the search moved. */
  private def proceed(): SearchResult = {
    val result = if (held.isEmpty) search.next(incoming) else held.get
    if (search.peakThreads > mostThreads) mostThreads = search.peakThreads
    result match {
      case SearchResult.Match | SearchResult.TimedOut =>
        if (isShowable) show(result)
        else {
          held = Some(result)
          SearchResult.NeedsRows
        }
      case SearchResult.Done =>
        if (hasMatched) {
          restart(startRow + 1)
          null
        } else {
          if (hopeless != null && (search eq incremental)) {
            hopeless.failed(search.steps, limits.budget.reached - startRow)
          }
          noMatch()
        }
      case other => other
    }
  }

  /** Whether the rows have come that the measures of the match look at. */
  private def isShowable: Boolean =
    incoming.complete || incoming.available >= search.matchEnd + options.outputLookAhead

  private def show(result: SearchResult): SearchResult = {
    held = None
    numberOfMatches += 1
    coveredEnd = math.max(coveredEnd, end)
    if (result == SearchResult.Match) matched()
    else {
      if (!severalPerStart) pendingStart = startRow + 1
      result
    }
  }

  private def noMatch(): SearchResult =
    if (options.unmatchedRows && startRow >= coveredEnd) {
      pendingStart = startRow + 1
      SearchResult.Unmatched
    } else {
      restart(startRow + 1)
      null
    }

  private def matched(): SearchResult = {
    hasMatched = true
    if (hopeless != null) hopeless.matched()
    options.next(startRow, end, conditions.skipTarget(slots)) match {
      case Left(failure) => SearchResult.Failed(failure)
      case Right(skip)   =>
        // With AFTER MATCH NO SKIP the start row stays, and the search continues there.
        if (!noSkip) pendingStart = skip
        SearchResult.Match
    }
  }
}

package org.matchrecognize.spark.pattern.automaton

import org.matchrecognize.spark.pattern.matching.{
  BoundedVariables,
  IncomingRows,
  PackedNumbers,
  RowConditions,
  RowVerdicts,
  SearchResult,
  StartSearch
}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * A pattern, and the part of its conditions that depends on the row alone.
 *
 * @param bound
 *   what they say besides: how far from the first row of a match the rows of some variables can be
 * @param decides
 *   whether that is all of them: then an [[AutomatonMatcher]] finds the matches. Otherwise it finds
 *   the rows at which no match can start, and threads search at the others
 */
final case class RowAutomaton(
    positions: Positions,
    verdicts: RowVerdicts,
    bound: Option[BoundedVariables],
    decides: Boolean)

/**
 * Finds preferred matches if each condition depends on the row, its neighbours and one bound alone,
 * in time linear in the rows, whatever the pattern.
 *
 * A pass from the last row to the first computes, for each row, the positions of the pattern from
 * which a match can be completed ([[Completions]]). Each match is then one walk forward. Before
 * each row, the walk takes the first position, in preference order, from which the match can be
 * completed; it ends where *accepted* comes first. This is the preferred match, since a position
 * is passed over only if no match can be completed from it. If no position can be taken at a start
 * row, it has no match.
 *
 * The matcher reads the whole partition twice. It keeps a class for each row, and the live sets of
 * some blocks of rows.
 */
final private[pattern] class AutomatonMatcher[S <: AnyRef](
    automaton: RowAutomaton,
    conditions: RowConditions[S],
    labels: Option[PackedNumbers],
    poll: () => Unit)
    extends StartSearch[S] {

  import automaton.{positions, verdicts}

  /** No candidate can be completed. */
  final private val none = -2

  /** No row is too far. */
  final private val anywhere = Long.MaxValue

  /** Null if labels are not needed. */
  private val labelList = labels.orNull

  private val completions = automaton.bound match {
    case Some(b) => new EarliestCompletions(positions, verdicts, b.bounded, poll)
    case None    => new LiveSets(positions, verdicts, poll)
  }
  private val horizons = automaton.bound.map(_.horizons).orNull

  /** Rows of the partition. */
  private var rows = 0L

  /** The horizon of the match under way. */
  private var horizon = anywhere

  private var end       = -1L
  private var isTaken   = false
  private var slots: S  = _
  private var stepCount = 0L

  /**
   * Takes up a partition that has arrived as a whole; false if its conditions failed, or it is too
   * long.
   */
  def prepare(rows: Long): Boolean = {
    this.rows = rows
    verdicts.classify(rows) &&
    (horizons == null || horizons.prepare(rows, asksForBound)) &&
    completions.prepare(rows)
  }

  /** Whether a search that starts at a row can read the bound of its matches. */
  private val asksForBound: Long => Boolean = row => {
    val rowClass   = verdicts.classOf(row)
    val candidates = entry(row)
    var i          = 0
    while (i < candidates.length && !asksForBound(candidates(i), rowClass)) i += 1
    i < candidates.length
  }

  private def asksForBound(position: Int, rowClass: Int): Boolean =
    position != Positions.accepted && {
      val variable = positions.variables(position)
      automaton.bound.get.testsBoundFirst(variable) || verdicts.satisfies(rowClass, variable)
    }

  /**
   * The first row from `from` on at which a match can start, by what the automaton knows; or the
   * number of rows.
   */
  def nextStart(from: Long): Long = {
    var row = from
    while (row < rows && chooseFirst(row) == none) row += 1
    row
  }

  /** The first position of a match that starts at a row, whose horizon becomes the current one. */
  private def chooseFirst(row: Long): Int = {
    horizon = anywhere
    val position = choose(entry(row), row)
    if (horizons == null || position == none) position
    else {
      horizon = horizons.of(row)
      choose(entry(row), row)
    }
  }

  override def begin(row: Long, matchNumber: Long): Unit = {
    end = -1
    isTaken = false
    stepCount = 0
    val first = chooseFirst(row)
    if (first != none) walk(row, first, conditions.beginAlone(row, matchNumber))
  }

  private def entry(row: Long): Array[Int] =
    if (row == 0) positions.entryAtStart else positions.entry

  private def walk(start: Long, first: Int, begun: S): Unit = {
    var at  = first
    var row = start
    slots = begun
    if (labelList != null) labelList.clear()
    while (at != Positions.accepted) {
      if (labelList != null) labelList.append(positions.labels(at))
      slots = conditions.extend(positions.variables(at), row, slots)
      row += 1
      stepCount += 1
      if ((stepCount & 0xfff) == 0) poll()
      val candidates = if (row == rows) positions.afterLast(at) else positions.after(at)
      at = choose(candidates, row)
    }
    end = row
  }

  /** The first candidate from which a match can be completed. */
  private def choose(candidates: Array[Int], row: Long): Int = {
    var i      = 0
    var chosen = none
    while (i < candidates.length && chosen == none) {
      val position = candidates(i)
      if (position == Positions.accepted || completions.contain(row, position, horizon))
        chosen = position
      i += 1
    }
    chosen
  }

  override def next(rows: IncomingRows): SearchResult =
    if (!hasMatch || isTaken) SearchResult.Done
    else {
      isTaken = true
      SearchResult.Match
    }

  /** Whether a match begins at the start row. */
  private[pattern] def hasMatch: Boolean = end >= 0

  override def matchEnd: Long                  = end
  override def matchSlots: S                   = slots
  override def labels(length: Int): Int => Int = i => labelList(i.toLong)
  override def steps: Long                     = stepCount
  override def peakThreads: Int                = 1
}

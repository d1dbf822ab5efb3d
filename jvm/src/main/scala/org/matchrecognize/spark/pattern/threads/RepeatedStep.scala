package org.matchrecognize.spark.pattern.threads

import java.util.Arrays

import org.matchrecognize.spark.pattern.matching.{
  Budget,
  IncomingRows,
  Limits,
  RowConditions,
  VerdictChanges
}
import org.matchrecognize.spark.pattern.program.{Path, Program}
import org.matchrecognize.spark.pattern.program.Instruction.Consume

/**
 * Says whether a search may skip rows, and to which row: those that do to its threads what the last
 * one did. The last step then left the threads as they were, but for their paths, and for what they
 * count ([[CountedSteps]]).
 *
 * '''Why it repeats itself.''' The threads after a row follow from the threads before it and from
 * which of them take the row, if those that take it keep their slots. So as long as each thread's
 * condition has the same verdict, the threads stay the same, and if the last of them accepted, it
 * accepts again. [[VerdictChanges]] says how long that is. Where it cannot, the rows are tested for
 * one thread after the other ([[RowConditions.firstOther]]), which is still much less than a step.
 *
 * With paths, a thread must also follow from one that follows from itself. Then all rows but the
 * last extend the paths of these.
 *
 * '''The order of calls''' of a step: [[beginRow]]; for each thread that is offered the row
 * [[beginThread]], then [[offered]], then [[follows]] for each thread that comes of it; [[endRow]] and
 * [[endStep]]. Before the next step, [[repeatsUntil]], and [[skip]] if that is a later row. Threads
 * that change otherwise are announced by [[forget]].
 *
 * @param verdictChanges
 *   None if steps are not looked at
 * @param keepsPaths
 *   whether threads have paths
 */
final private[threads] class RepeatedStep[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    verdictChanges: Option[VerdictChanges[S]],
    limits: Limits,
    keepsPaths: Boolean) {

  /** How many rows are tested for a thread before they are tested for the next one. */
  final private val fewestTested = 4L
  final private val mostTested   = 512L

  /** Null if steps are not looked at to find out if they repeat themselves. */
  private val changes      = verdictChanges.filter(_ => program.canSkipRows).orNull
  private val looksAtSteps = changes != null

  /** The thread that the row is offered to. */
  private var offering = 0

  /** By thread before the row, whether it took the row. */
  private var taken = new Array[Boolean](16)

  /** By thread after the row, the thread that it follows from. */
  private var origins = new Array[Int](16)

  /** Whether threads that took the row kept their slots. */
  private var keptSlots = true

  /** The threads of which [[firstChange]] could not say when their verdicts change. */
  private var unknown      = new Array[Int](16)
  private var unknownCount = 0

  private val counted      = new CountedSteps(program)
  private var testCount    = 0L
  private var lastAccepted = false

  /** Whether the last row may be repeated, and whether its step repeats itself. */
  private var mayRepeat = false
  private var repeats   = false

  def beginPartition(): Unit = {
    if (looksAtSteps) changes.beginPartition()
    testCount = 0L
  }

  /** A search begins at a start row. */
  def begin(start: Long): Unit = {
    if (looksAtSteps) changes.begin(start)
    testCount = 0L
    forget()
  }

  /** The threads are others now. */
  def forget(): Unit = repeats = false

  /** A row is offered to so many threads. */
  def beginRow(threads: Int): Unit = if (looksAtSteps) {
    if (threads > taken.length) taken = Arrays.copyOf(taken, 2 * threads)
    keptSlots = true
    repeats = false
    counted.forget()
  }

  /** The row is offered to a thread. */
  def beginThread(thread: Int): Unit = offering = thread

  /** The thread has been offered the row; `slots` are those before, `mapped` null if it failed. */
  def offered(slots: S, mapped: S): Unit = if (looksAtSteps) {
    taken(offering) = mapped != null
    if (mapped != null && (mapped ne slots)) keptSlots = false
  }

  /** A thread after the row follows from the one that was offered it. */
  def follows(thread: Int): Unit = if (looksAtSteps) {
    if (thread >= origins.length) origins = Arrays.copyOf(origins, 2 * thread)
    origins(thread) = offering
  }

  /**
   * The row has been offered to the threads.
   *
   * @param before
   *   the threads before the row
   * @param after
   *   those after it
   * @param areAll
   *   whether it was offered to all threads, and all that came of it wait
   *   ([[ThreadCollector.hasDropped]])
   * @param accepted
   *   whether the last thread accepted
   */
  def endRow(
      before: ThreadList[S],
      after: ThreadList[S],
      areAll: Boolean,
      accepted: Boolean): Unit = {
    mayRepeat = looksAtSteps && areAll && before.hasSamePlacesAndSlots(after) &&
      (before.hasSameRegisters(after) || counted.onlyCounts(before, after))
    lastAccepted = accepted
  }

  /**
   * So many threads wait for the next row.
   *
   * @param isAlone
   *   whether no path is kept but those of the threads and of the match
   */
  def endStep(threads: Int, isAlone: Boolean): Unit =
    repeats = mayRepeat && isAlone && keptSlots && (!keepsPaths || haveOrigins(threads))

  /** Whether the last step, if it is repeated, accepts each time. */
  def accepts: Boolean = lastAccepted

  private def haveOrigins(threads: Int): Boolean = {
    var i = 0
    while (i < threads && origins(origins(i)) == origins(i)) i += 1
    i == threads
  }

  /** Tests since [[begin]]. */
  def tests: Long = testCount

  /**
   * The row up to which the last step repeats itself; `from`, or a row before it, if it does not.
   *
   * @param testedEnd
   *   the row up to which it may be found out by tests
   */
  def repeatsUntil(
      threads: ThreadList[S],
      from: Long,
      rows: IncomingRows,
      testedEnd: Long): Long =
    if (!repeats) from
    else {
      val most   = math.min(rows.testableEnd, from + counted.times)
      val within = rows.withinEnd(from, firstChange(threads, from, most))
      if (unknownCount > 0) tested(threads, from, math.min(within, testedEnd)) else within
    }

  /** The same up to `until`, but for the threads that are then to be [[tested]]. */
  private def firstChange(threads: ThreadList[S], from: Long, until: Long): Long = {
    var end = until
    var i   = 0
    unknownCount = 0
    while (i < threads.size && end > from) {
      val variable = consume(threads, i).variable
      val change   = changes.firstChange(variable, threads.slots(i), taken(i), from, end)
      if (change == VerdictChanges.unknown) addUnknown(i) else end = change
      i += 1
    }
    math.max(from, end)
  }

  private def addUnknown(thread: Int): Unit = {
    if (unknownCount == unknown.length) unknown = Arrays.copyOf(unknown, 2 * unknownCount)
    unknown(unknownCount) = thread
    unknownCount += 1
  }

  /**
   * The row up to which the last step repeats itself, by tests of the threads of which
   * [[firstChange]] could not say it. A few rows are tested for all of them, then twice as many: the
   * first thread shall not be tested with many rows that are beyond a change of the next one.
   */
  private def tested(threads: ThreadList[S], from: Long, until: Long): Long = {
    var row  = from
    var end  = until
    var rows = fewestTested
    while (row < end && !limits.budget.isSpent) {
      val wanted = math.min(row + rows, end)
      var same   = wanted
      var i      = 0
      while (i < unknownCount) {
        same = testedFor(unknown(i), threads, row, same)
        i += 1
      }
      limits.budget.visit(row, same)
      if (same < wanted) end = same
      row = same
      if (rows < mostTested) rows *= 2 else limits.poll()
    }
    row
  }

  private def testedFor(thread: Int, threads: ThreadList[S], from: Long, until: Long): Long = {
    val variable = consume(threads, thread).variable
    val other = conditions.firstOther(variable, threads.slots(thread), taken(thread), from, until)
    val count = math.min(other + 1, until) - from
    limits.budget.test(variable, Budget.ofStep(program) + conditions.mapCost(variable), count)
    testCount += count
    other
  }

  private def consume(threads: ThreadList[S], i: Int): Consume =
    program.instructions(threads.at(i)) match {
      case consume: Consume => consume
      case other            => throw new IllegalStateException(s"a thread rests at $other")
    }

  /**
   * The threads skip so many rows, up to `row`.
   *
   * @return
   *   the path of the match, if they accept
   */
  def skip(threads: ThreadList[S], rows: Int, row: Long): Path = {
    counted.repeat(rows)
    val registers = (i: Int) => counted.registersAfter(threads.at(i), threads.registers(i), rows)
    if (!keepsPaths) {
      threads.moveTo(row, _ => null, registers)
      null
    } else {
      val last   = threads.size - 1
      val before =
        if (rows == 1) threads.path(last) else extended(threads, origins(last), rows - 1)
      val accepted = new Path(before, label(threads, last))
      val paths    = new Array[Path](threads.size)
      var i        = 0
      while (i < threads.size) {
        val origin = origins(i)
        if (paths(origin) == null) paths(origin) = extended(threads, origin, rows)
        i += 1
      }
      threads.moveTo(row, i => paths(origins(i)), registers)
      accepted
    }
  }

  private def extended(threads: ThreadList[S], origin: Int, rows: Int): Path =
    new Path(threads.path(origin), label(threads, origin), rows)

  private def label(threads: ThreadList[S], i: Int): Int = {
    val taking = consume(threads, i)
    Path.label(taking.variable, taking.excluded)
  }
}

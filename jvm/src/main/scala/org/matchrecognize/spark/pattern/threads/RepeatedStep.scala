package org.matchrecognize.spark.pattern.threads

import java.util.Arrays

import org.matchrecognize.spark.pattern.matching.{RowConditions, VerdictChanges}
import org.matchrecognize.spark.pattern.program.{Path, Program}
import org.matchrecognize.spark.pattern.program.Instruction.Consume

/**
 * The last step of a search, if it would repeat itself: it left the threads as they were, but for
 * their paths.
 *
 * '''Why it repeats itself.''' The threads after a row follow from the threads before it and from
 * which of them take the row, if those that take it keep their slots. So as long as each thread's
 * condition has the same verdict, the threads stay the same, and if the last of them accepted, it
 * accepts again. [[VerdictChanges]] says how long that is. Where it cannot, rows are tested one by
 * one ([[takes]]), which is still much less than a step.
 *
 * With paths, a thread must also follow from one that follows from itself. Then all rows but the
 * last extend the paths of these.
 *
 * @param keepsPaths
 *   whether threads have paths
 */
final private[threads] class RepeatedStep[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    changes: VerdictChanges[S],
    keepsPaths: Boolean) {

  /** By thread before the row, whether it took the row. */
  private var taken = new Array[Boolean](16)

  /** By thread after the row, the thread that it follows from. */
  private var origins = new Array[Int](16)

  /** Whether threads that took the row kept their slots. */
  private var keptSlots = true

  /** The threads of which [[firstChange]] could not say when their verdicts change. */
  private var unknown      = new Array[Int](16)
  private var unknownCount = 0

  /** Their variables. */
  private var unknownVariables = new Array[Int](16)

  private var isSame       = false
  private var lastAccepted = false

  def beginPartition(): Unit = changes.beginPartition()

  /** A search begins at a start row. */
  def begin(start: Long): Unit = {
    changes.begin(start)
    forget()
  }

  /** The threads are others now. */
  def forget(): Unit = isSame = false

  /** A row is offered to so many threads. */
  def beginRow(threads: Int): Unit = {
    if (threads > taken.length) taken = Arrays.copyOf(taken, 2 * threads)
    keptSlots = true
    isSame = false
  }

  /** A thread has been offered the row; `slots` are those before, `mapped` null if it failed. */
  def offered(thread: Int, slots: S, mapped: S): Unit = {
    taken(thread) = mapped != null
    if (mapped != null && (mapped ne slots)) keptSlots = false
  }

  /** A thread after the row follows from one before it. */
  def follows(thread: Int, from: Int): Unit = {
    if (thread >= origins.length) origins = Arrays.copyOf(origins, 2 * thread)
    origins(thread) = from
  }

  /**
   * The row has left the threads as they were.
   *
   * @param accepted
   *   whether the last thread accepted
   */
  def left(threads: ThreadList[S], accepted: Boolean): Unit = {
    isSame = keptSlots && (!keepsPaths || haveOrigins(threads.size))
    lastAccepted = accepted
  }

  /** Whether the last step would repeat itself. */
  def isRepeated: Boolean = isSame

  /** Whether it would accept each time. */
  def accepts: Boolean = lastAccepted

  private def haveOrigins(threads: Int): Boolean = {
    var i = 0
    while (i < threads && origins(origins(i)) == origins(i)) i += 1
    i == threads
  }

  /**
   * The row up to which the last step repeats itself, from `from` to `until`, but for the verdicts of
   * [[untold]] threads.
   */
  def firstChange(threads: ThreadList[S], from: Long, until: Long): Long = {
    var end = until
    var i   = 0
    unknownCount = 0
    while (i < threads.size && end > from) {
      val variable = consume(threads, i).variable
      val change   = changes.firstChange(variable, threads.slots(i), taken(i), from, end)
      if (change == VerdictChanges.unknown) addUnknown(i, variable) else end = change
      i += 1
    }
    math.max(from, end)
  }

  private def addUnknown(thread: Int, variable: Int): Unit = {
    if (unknownCount == unknown.length) {
      unknown = Arrays.copyOf(unknown, 2 * unknownCount)
      unknownVariables = Arrays.copyOf(unknownVariables, 2 * unknownCount)
    }
    unknown(unknownCount) = thread
    unknownVariables(unknownCount) = variable
    unknownCount += 1
  }

  /** How many threads have to be tested with each row, after [[firstChange]]. */
  def untold: Int = unknownCount

  /** The variable of one of them. */
  def untoldVariable(i: Int): Int = unknownVariables(i)

  /** Whether one of them takes a row as it took the last one. */
  def takes(threads: ThreadList[S], i: Int, row: Long): Boolean = {
    val slots  = threads.slots(unknown(i))
    val mapped = conditions.map(unknownVariables(i), row, slots)
    if (taken(unknown(i))) mapped eq slots else mapped == null
  }

  private def consume(threads: ThreadList[S], i: Int): Consume =
    program.instructions(threads.at(i)) match {
      case consume: Consume => consume
      case other            => throw new IllegalStateException(s"a thread rests at $other")
    }

  /**
   * The threads pass over so many rows, up to `row`.
   *
   * @return
   *   the path of the match, if they accept
   */
  def passOver(threads: ThreadList[S], rows: Int, row: Long): Path =
    if (!keepsPaths) {
      threads.moveTo(row, _ => null)
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
      threads.moveTo(row, i => paths(origins(i)))
      accepted
    }

  private def extended(threads: ThreadList[S], origin: Int, rows: Int): Path =
    new Path(threads.path(origin), label(threads, origin), rows)

  private def label(threads: ThreadList[S], i: Int): Int = {
    val taking = consume(threads, i)
    Path.label(taking.variable, taking.excluded)
  }
}

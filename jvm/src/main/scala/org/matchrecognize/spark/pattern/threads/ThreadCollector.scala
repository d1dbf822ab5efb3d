package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{
  Limits,
  RowConditions,
  SearchObserver,
  SearchWork
}
import org.matchrecognize.spark.pattern.program.{
  Closure,
  FixedPathCache,
  FixedPaths,
  Path,
  Program,
  Resting
}
import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * Follows the paths that threads can take before the next row, and collects the threads that then
 * wait for that row, in preference order. It holds the match that was completed last.
 */
final private[threads] class ThreadCollector[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    limits: Limits,
    work: SearchWork[S],
    dialect: ThreadDialect[S],
    failed: FailedStates[S],
    parked: ParkedThreads[S],
    repeated: RepeatedStep[S],
    observer: SearchObserver[S]) {
  import work.satisfies

  /** The threads collected. */
  private var collected = new ThreadList[S]

  /** States left already before the row at which threads are being collected. */
  private val visited = new VisitedStates[S](program, conditions, limits.budget)

  /** The paths that are still to be followed. */
  private val closure    = new Closure(program)
  private val fixedPaths = new FixedPathCache(program)

  /** Whether there were more states before one row than there may be. */
  private var crowded = false

  /** The row that the paths being followed are offered next: as many rows precede it. */
  private var nextRow = 0L

  /** Whether the partition, or the bound of the match, ends before that row. */
  private var atEnd  = false
  private var isOver = false

  /** Whether a state before this row was dropped: it is known to fail, or parked threads had it. */
  private var dropsKnown = false

  private var acceptedEnd        = -1L
  private var acceptedSlots: S   = _
  private var acceptedPath: Path = _

  def threads: ThreadList[S] = collected
  def hasDropped: Boolean    = dropsKnown
  def isCrowded: Boolean     = crowded
  def exceeded: Boolean      = crowded || limits.budget.isSpent

  /** The row after the last of the match; -1 if there is none. */
  def matchEnd: Long  = acceptedEnd
  def matchSlots: S   = acceptedSlots
  def matchPath: Path = acceptedPath

  /** A search begins, or continues before a row. */
  def begin(row: Long): Unit = {
    moveTo(row, atEnd = false, isOver = false)
    crowded = false
    acceptedEnd = -1
  }

  /** Threads before a row are collected. */
  def moveTo(row: Long, atEnd: Boolean, isOver: Boolean): Unit = {
    nextRow = row
    this.atEnd = atEnd
    this.isOver = isOver
    dropsKnown = false
    visited.clear()
  }

  /** Collects threads into a list, after what it had is dropped. */
  def collectInto(list: ThreadList[S]): Unit = {
    list.clear()
    collected = list
  }

  /** The first thread of a search follows the paths of the program. */
  def start(slots: S): Unit = {
    closure.push(program.entry, closure.noRegisters)
    follow(slots, null, nextRow)
    ()
  }

  /** A thread has mapped the row before, and continues at `at`; true if it accepted. */
  def continue(at: Int, registers: Array[Int], slots: S, path: Path): Boolean = {
    val fixed = fixedPaths.from(at)
    if (fixed != null) follow(fixed, registers, slots, path, nextRow)
    else {
      closure.push(at, registers)
      follow(slots, path, nextRow)
    }
  }

  /** A thread stays where it is: it has mapped the row to nothing. */
  def stay(at: Int, registers: Array[Int], slots: S, path: Path, end: Long): Boolean = {
    observer.passes(slots)
    closure.push(at, registers)
    follow(slots, path, end)
  }

  /** Whether a thread can accept at once after it has mapped a row. */
  def acceptsFrom(at: Int): Boolean = {
    val paths = fixedPaths.from(at)
    paths != null && (0 until paths.size).exists(paths.isAccept)
  }

  /**
   * Follows the paths on the stack, the preferred first, until each is before a row.
   *
   * @param end
   *   the row after the last that is mapped
   * @return
   *   true if one accepted: what is less preferred is dropped
   */
  private def follow(slots: S, path: Path, end: Long): Boolean = {
    var accepted = false
    while (!closure.isEmpty && !accepted) {
      closure.pop()
      work.step()
      crowded = visited.size > limits.maxStates
      // A path without rows can be long too (`(A?){1000000}`): it ends with the budget.
      if (exceeded) {
        closure.clear()
      } else {
        program.instructions(closure.at) match {
          case watch: Watch if isOver && !dialect.isLeftBelow(closure.registers) =>
            closure.push(watch.next, dialect.looked(closure.registers))
          case Await(variable, next) if !isOver =>
            if (isNew(slots) && !satisfies(variable, nextRow, slots) &&
              !dialect.isOfLeftLoop(closure.registers, nextRow, slots)) {
              closure.push(next, dialect.looked(closure.registers))
            }
          case LeftBelow(next)  => closure.push(next, dialect.below(closure.registers))
          case leave: LeaveLoop =>
            if (isNew(slots)) {
              val left = dialect.left(leave, closure.registers, nextRow, isOver, slots)
              if (left != null) closure.push(leave.next, left)
            }
          case _: Resting =>
            rest(closure.at, closure.withoutFlags(closure.registers), slots, path, end)
          case look: Look =>
            if (isNew(slots) && (isOver || !satisfies(look.variable, nextRow, slots) ||
                look.unless.exists(satisfies(_, nextRow, slots)))) {
              closure.push(look.next, closure.registers)
            }
          case Accept =>
            accept(slots, path, end)
            closure.clear()
            accepted = true
          case _ => if (isNew(slots)) closure.leave(nextRow == 0, atEnd)
        }
      }
    }
    accepted
  }

  /** Whether the place reached is left for the first time. */
  private def isNew(slots: S): Boolean = visited.add(closure.at, closure.registers, slots)

  /** Does the same with fixed paths. The registers are those of a thread that maps a row. */
  private def follow(
      paths: FixedPaths,
      registers: Array[Int],
      slots: S,
      path: Path,
      end: Long): Boolean = {
    var accepted = false
    var i        = 0
    while (i < paths.size && !accepted) {
      work.step()
      crowded = visited.size > limits.maxStates
      if (exceeded) i = paths.size
      else if (paths.isConsume(i)) {
        rest(paths.places(i), registers, slots, path, end)
        i += 1
      } else if (paths.isAccept(i)) {
        accept(slots, path, end)
        accepted = true
      } else if (visited.add(paths.places(i), registers, slots)) i += 1
      else i = paths.after(i)
    }
    accepted
  }

  /** A thread comes to where it waits for the next row. */
  private def rest(at: Int, registers: Array[Int], slots: S, path: Path, end: Long): Unit =
    if (!visited.add(at, registers, slots)) {
      observer.dropped(at, slots, fails = false)
    } else if (failed.contains(at, registers, slots, end)) {
      dropsKnown = true
      observer.dropped(at, slots, fails = true)
    } else if (parked.isNew(nextRow, at, registers, slots)) {
      observer.waits(at, slots)
      collected.add(at, registers, slots, path, end)
      repeated.follows(collected.size - 1)
    } else {
      dropsKnown = true
    }

  /** A thread completes a match. */
  def accept(slots: S, path: Path, end: Long): Unit = {
    found(slots, path, end)
    observer.completes(slots)
    failed.accepted()
  }

  /** This is the match, or the partial match that times out. */
  def found(slots: S, path: Path, end: Long): Unit = {
    acceptedEnd = end
    acceptedSlots = slots
    acceptedPath = path
  }

  /** Forgets the match. */
  def forgetMatch(): Unit = acceptedEnd = -1
}

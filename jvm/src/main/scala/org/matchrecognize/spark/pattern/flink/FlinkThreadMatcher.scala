package org.matchrecognize.spark.pattern.flink

import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  Limits,
  RowConditions,
  SearchObserver,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{FirstCompletion, Instruction, Path, Program}
import org.matchrecognize.spark.pattern.program.Instruction.{
  Await,
  EndOfMatch,
  LeaveLoop,
  LeftBelow
}
import org.matchrecognize.spark.pattern.threads.{ThreadList, ThreadMatcher}

/**
 * Threads in the flink dialect: registers say which greedy loops a thread left and at which rows it
 * looked, and the match is the one that is complete first ([[afterRow]]).
 *
 * @param completion
 *   what registers say
 * @param collects
 *   whether all matches are wanted ([[nextFound]]), not only the first that is complete
 */
final private[pattern] class FlinkThreadMatcher[S <: AnyRef](
    program: Program,
    completion: FirstCompletion,
    conditions: RowConditions[S],
    labels: Option[SettledLabels],
    limits: Limits,
    remembersFailures: Boolean,
    collects: Boolean,
    observer: SearchObserver[S])
    extends ThreadMatcher[S](
      program,
      conditions,
      labels,
      limits,
      remembersFailures,
      observer = observer) {
  import FlinkThreadMatcher._

  private val rules = new FlinkRegisters[S](completion, conditions)

  /** Room to arrange threads; matches that were found, and how many of them were returned. */
  private var arranged = new ThreadList[S]
  private val found    = new ThreadList[S]
  private var returned = 0

  // The first thread that is complete can be any.
  override protected def mayPark: Boolean = false

  override def begin(row: Long, matchNumber: Long): Unit = {
    found.clear()
    returned = 0
    super.begin(row, matchNumber)
  }

  override protected val testedBeside: Seq[Int] =
    (completion.bars.map(_.variable) ++
      completion.continuations.flatMap(open => open.stops ++ open.barred)).distinct

  override protected def afterMapping(registers: Array[Int]): Array[Int] = rules.mapped(registers)

  override protected def afterWatching(registers: Array[Int]): Array[Int] =
    rules.watched(registers)

  // Where it needs a next row, it waits for that.
  override protected def mayBeAbsent(registers: Array[Int]): Boolean =
    !rules.isLeftBelow(registers)

  override protected def whereAbsent(registers: Array[Int]): Array[Int] = rules.looked(registers)

  override protected def isBarredByLoop(registers: Array[Int], row: Long, slots: S): Boolean =
    rules.isOfLeftLoop(registers, row, slots)

  override protected def offerOther(thread: Int, at: Instruction, row: Long): Boolean =
    at match {
      case EndOfMatch =>
        val registers = rules.passed(threads.registers(thread), row, threads.slots(thread))
        registers != null && stay(thread, registers)
      // It rests only where no row follows.
      case _ => false
    }

  override protected def leavesOther(at: Instruction, slots: S): Boolean = at match {
    case LeftBelow(next) =>
      closure.push(next, rules.below(closure.registers))
      true
    case await: Await if !isOver =>
      if (visited.add(closure.at, closure.registers, slots) &&
        !satisfies(await.variable, nextRow, slots) &&
        !rules.isOfLeftLoop(closure.registers, nextRow, slots)) {
        closure.push(await.next, rules.looked(closure.registers))
      }
      true
    case leave: LeaveLoop =>
      if (visited.add(closure.at, closure.registers, slots)) {
        val left = rules.left(leave, closure.registers, nextRow, isOver, slots)
        if (left != null) closure.push(leave.next, left)
      }
      true
    case _ => false
  }

  /**
   * Threads that are complete come before the others from now on, in the order in which they are:
   * the others will be complete on later rows. The first of them is the match, once no loop that it
   * left can continue. Until that is known one after it may have to take its place, but none after
   * one of which it is known; unless all are wanted.
   */
  override protected def afterRow(): Unit = {
    val complete = arrange()
    var i        = 0
    if (collects) {
      while (i < complete && isFinal(i)) {
        observer.completes(nextThreads.slots(i))
        found.add(nextThreads, i)
        i += 1
      }
      nextThreads.retain(i, nextThreads.size)
    } else {
      while (i < complete && !isFinal(i)) i += 1
      if (i < complete) {
        returnThread(nextThreads, i)
        observer.completes(nextThreads.slots(i))
        if (failed != null) failed.accepted()
        nextThreads.retain(0, i)
      }
    }
  }

  /** Moves threads that are complete to the front; returns their number. */
  private def arrange(): Int = {
    var complete = 0
    var i        = 0
    while (i < nextThreads.size) {
      if (completed(i) < never) complete += 1
      i += 1
    }
    if (complete > 0) {
      var when = byNow
      while (when <= never) {
        i = 0
        while (i < nextThreads.size) {
          if (completed(i) == when) arranged.add(nextThreads, i)
          i += 1
        }
        when += 1
      }
      val old = nextThreads
      nextThreads = arranged
      arranged = old
      arranged.clear()
    }
    complete
  }

  /** When a thread collected is complete: by the rows so far, by their end, or not yet. */
  private def completed(i: Int): Int =
    if (program.instructions(nextThreads.at(i)) != EndOfMatch) never
    else if (!rules.isLookedAt(nextThreads.registers(i))) byNow
    else if (isOver) byEnd
    else never

  private def isFinal(i: Int): Boolean = isOver || !rules.isOpen(nextThreads.registers(i))

  /**
   * Goes to the next match that was found; false if there is none. The one before it is forgotten.
   */
  def nextFound(): Boolean = {
    acceptedEnd = -1
    if (returned < found.size) {
      returnThread(found, returned)
      returned += 1
    }
    if (returned == found.size) {
      found.clear()
      returned = 0
    }
    hasMatch
  }

  override protected def settleOthers(consider: (Path, Long) => Unit): Unit =
    (returned until found.size).foreach(i => consider(found.path(i), found.end(i)))

  override protected def writeOthers(
      out: StateOutput,
      slotsWriter: SlotsWriter[S],
      paths: ChainWriter[Path]): Unit =
    found.write(out, returned, nextRow, slotsWriter, paths)

  override protected def readOthers(
      in: StateInput,
      slotsReader: SlotsReader[S],
      paths: ChainReader[Path]): Unit = {
    found.read(in, program.registers, nextRow, slotsReader, paths)
    returned = 0
  }
}

private object FlinkThreadMatcher {

  /** When a thread is complete: by now, by the end of the rows, not yet. */
  private val byNow = 0
  private val byEnd = 1
  private val never = 2
}

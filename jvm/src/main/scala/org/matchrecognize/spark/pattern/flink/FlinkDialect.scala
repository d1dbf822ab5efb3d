package org.matchrecognize.spark.pattern.flink

import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  RowConditions,
  SearchObserver,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{FirstCompletion, Path, Program}
import org.matchrecognize.spark.pattern.program.Closure.set
import org.matchrecognize.spark.pattern.program.Instruction.{EndOfMatch, LeaveLoop}
import org.matchrecognize.spark.pattern.threads.{ThreadDialect, ThreadList, ThreadMatcher}

/**
 * The rules of the flink dialect for threads. Registers say which greedy loops a thread left since
 * the last row that it has mapped, and whether it looked at a row. A thread maps no row while they
 * say so, so its slots stay as they were. The match is the one that is complete first
 * ([[arrange]]).
 *
 * @param completion
 *   what registers say
 * @param collects
 *   whether all matches are wanted ([[nextFound]]), not only the first that is complete
 */
final private[pattern] class FlinkDialect[S <: AnyRef](
    program: Program,
    completion: FirstCompletion,
    conditions: RowConditions[S],
    collects: Boolean,
    observer: SearchObserver[S])
    extends ThreadDialect[S] {
  import completion.{bars, continuations, leftBelow, lookedAt}

  /** When a thread is complete: by now, by the end of the rows, not yet. */
  final private val byNow = 0
  final private val byEnd = 1
  final private val never = 2

  /** Room to arrange threads; matches that were found, and how many of them were returned. */
  private val arranged = new ThreadList[S]
  private val found    = new ThreadList[S]
  private var returned = 0

  // The first thread that is complete can be any.
  override def mayPark: Boolean = false

  override val tested: Seq[Int] =
    (bars.map(_.variable) ++
      continuations.flatMap(open => open.stops ++ open.barred)).distinct

  override def begin(): Unit = {
    found.clear()
    returned = 0
  }

  override def mapped(registers: Array[Int]): Array[Int] = {
    val looked = set(watched(registers), lookedAt, 0)
    bars.foldLeft(looked)((result, bar) => set(result, bar.register, 0))
  }

  override def below(registers: Array[Int]): Array[Int] = set(registers, leftBelow, 1)

  override def isLeftBelow(registers: Array[Int]): Boolean =
    leftBelow >= 0 && registers(leftBelow) == 1

  /**
   * After a row that `{- X*? -} [^B]` at the end has looked at: there was a next row, and the loop
   * before it is not the last element of the pattern ([[looked]]).
   */
  override def watched(registers: Array[Int]): Array[Int] =
    closed(if (leftBelow < 0) registers else set(registers, leftBelow, 0))

  /**
   * Where a row is looked at. A loop that was left before it is not the last element of the
   * pattern, so the match need not wait for what the loop could still take.
   */
  override def looked(registers: Array[Int]): Array[Int] =
    closed(set(registers, lookedAt, 1))

  private def closed(registers: Array[Int]): Array[Int] =
    continuations.foldLeft(registers)((result, open) => set(result, open.register, 0))

  private def isLookedAt(registers: Array[Int]): Boolean = registers(lookedAt) == 1

  /** Whether a loop that was left might continue after rows to come. */
  private def isOpen(registers: Array[Int]): Boolean =
    continuations.exists(open => registers(open.register) == 1)

  override def isOfLeftLoop(registers: Array[Int], row: Long, slots: S): Boolean =
    bars.nonEmpty && isOfLoopLeftBefore(registers, Int.MaxValue, row, slots)

  /** The same for the loops that were left earlier than the one with the number `before`. */
  private def isOfLoopLeftBefore(
      registers: Array[Int],
      before: Int,
      row: Long,
      slots: S): Boolean =
    bars.exists { bar =>
      val left = registers(bar.register)
      left > 0 && left < before && conditions.satisfies(bar.variable, row, slots)
    }

  override def left(
      loop: LeaveLoop,
      registers: Array[Int],
      row: Long,
      isOver: Boolean,
      slots: S): Array[Int] = {
    def is(variable: Int) = conditions.satisfies(variable, row, slots)
    if (isOver || loop.stop.exists(is)) registers
    else if (loop.canGoOn && is(loop.bar.variable) && !loop.barred.exists(is) &&
      !isOfLeftLoop(registers, row, slots)) null
    // Left once more, in an iteration without a row: it is barred from that row already.
    else if (registers(loop.bar.register) > 0) registers
    else {
      val number = bars.map(bar => registers(bar.register)).max + 1
      val barred = set(registers, loop.bar.register, number)
      loop.continuation.fold(barred)(open => set(barred, open.register, 1))
    }
  }

  override def passed(registers: Array[Int], row: Long, slots: S): Array[Int] = {
    def is(variable: Int) = conditions.satisfies(variable, row, slots)
    var result            = set(registers, lookedAt, 0)
    val open              = continuations.iterator
    while (open.hasNext && result != null) {
      val loop = open.next()
      if (registers(loop.register) == 1) {
        val isNext      = is(loop.bar.variable)
        val isOfEarlier = isOfLoopLeftBefore(registers, registers(loop.bar.register), row, slots)
        if (isNext && !isOfEarlier && !loop.stops.exists(is)) result = null
        else if (isNext && !loop.anywhere || isOfEarlier || loop.barred.exists(is))
          result = set(result, loop.register, 0)
      }
    }
    result
  }

  /**
   * Threads that are complete come before the others from now on, in the order in which they are:
   * the others will be complete on later rows. The first of them is the match, once no loop that it
   * left can continue. Until that is known one after it may have to take its place, but none after
   * one of which it is known; unless all are wanted.
   */
  override def arrange(threads: ThreadList[S], isOver: Boolean): Int = {
    val complete                       = completeFirst(threads, isOver)
    def isFinal(registers: Array[Int]) = isOver || !isOpen(registers)
    var i                              = 0
    if (collects) {
      while (i < complete && isFinal(threads.registers(i))) {
        observer.completes(threads.slots(i))
        found.add(threads, i)
        i += 1
      }
      threads.retain(i, threads.size)
      -1
    } else {
      while (i < complete && !isFinal(threads.registers(i))) i += 1
      if (i < complete) i else -1
    }
  }

  /** Moves threads that are complete to the front; returns their number. */
  private def completeFirst(threads: ThreadList[S], isOver: Boolean): Int = {
    var complete = 0
    var i        = 0
    while (i < threads.size) {
      if (completed(threads, i, isOver) < never) complete += 1
      i += 1
    }
    if (complete > 0) {
      var when = byNow
      while (when <= never) {
        i = 0
        while (i < threads.size) {
          if (completed(threads, i, isOver) == when) arranged.add(threads, i)
          i += 1
        }
        when += 1
      }
      threads.clear()
      threads.addAll(arranged, 0, arranged.size)
      arranged.clear()
    }
    complete
  }

  /** When a thread is complete: by the rows so far, by their end, or not yet. */
  private def completed(threads: ThreadList[S], i: Int, isOver: Boolean): Int =
    if (program.instructions(threads.at(i)) != EndOfMatch) never
    else if (!isLookedAt(threads.registers(i))) byNow
    else if (isOver) byEnd
    else never

  /**
   * The matcher returns the next match that was found, and forgets the one before it; false if there
   * is none.
   */
  def nextFound(matcher: ThreadMatcher[S]): Boolean = {
    matcher.forgetMatch()
    if (returned < found.size) {
      matcher.returnThread(found, returned)
      returned += 1
    }
    if (returned == found.size) begin()
    matcher.hasMatch
  }

  override def settle(labels: SettledLabels, start: Long): Unit =
    (returned until found.size).foreach(i => labels.consider(found.path(i), found.end(i) - start))

  override def write(
      out: StateOutput,
      row: Long,
      slotsWriter: SlotsWriter[S],
      paths: ChainWriter[Path]): Unit =
    found.write(out, returned, row, slotsWriter, paths)

  override def read(
      in: StateInput,
      registers: Int,
      row: Long,
      slotsReader: SlotsReader[S],
      paths: ChainReader[Path]): Unit = {
    found.read(in, registers, row, slotsReader, paths)
    returned = 0
  }
}

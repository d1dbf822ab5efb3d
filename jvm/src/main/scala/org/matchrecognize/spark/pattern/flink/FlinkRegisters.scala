package org.matchrecognize.spark.pattern.flink

import org.matchrecognize.spark.pattern.matching.RowConditions
import org.matchrecognize.spark.pattern.program.Closure.set
import org.matchrecognize.spark.pattern.program.FirstCompletion
import org.matchrecognize.spark.pattern.program.Instruction.LeaveLoop

/**
 * What the registers of a thread say in the flink dialect of the rows since the last that it has
 * mapped: greedy loops that it left, and whether it looked at a row. A thread maps no row while
 * they say so, so its slots stay as they were.
 */
final private[pattern] class FlinkRegisters[S <: AnyRef](
    program: FirstCompletion,
    conditions: RowConditions[S]) {
  import program.{bars, continuations, leftBelow, lookedAt}

  /** After a row that is mapped. */
  def mapped(registers: Array[Int]): Array[Int] = {
    val looked = set(watched(registers), lookedAt, 0)
    bars.foldLeft(looked)((result, bar) => set(result, bar.register, 0))
  }

  /** After a loop that is left below its upper bound. */
  def below(registers: Array[Int]): Array[Int] = set(registers, leftBelow, 1)

  def isLeftBelow(registers: Array[Int]): Boolean = leftBelow >= 0 && registers(leftBelow) == 1

  /**
   * After a row that `{- X*? -} [^B]` at the end has looked at: there was a next row, and the loop
   * before it is not the last element of the pattern ([[looked]]).
   */
  def watched(registers: Array[Int]): Array[Int] =
    closed(if (leftBelow < 0) registers else set(registers, leftBelow, 0))

  /**
   * Where a row is looked at. A loop that was left before it is not the last element of the
   * pattern, so the match need not wait for what the loop could still take.
   */
  def looked(registers: Array[Int]): Array[Int] =
    closed(set(registers, lookedAt, 1))

  private def closed(registers: Array[Int]): Array[Int] =
    continuations.foldLeft(registers)((result, open) => set(result, open.register, 0))

  def isLookedAt(registers: Array[Int]): Boolean = registers(lookedAt) == 1

  /** Whether a loop that was left might continue after rows to come. */
  def isOpen(registers: Array[Int]): Boolean =
    continuations.exists(open => registers(open.register) == 1)

  /** Whether a row is an instance of the variable of a loop that was left. */
  def isOfLeftLoop(registers: Array[Int], row: Long, slots: S): Boolean =
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

  /**
   * After a greedy loop that is left before a row; null where it is not left since it can take
   * that row.
   *
   * @param isOver
   *   there is no such row within the bound
   */
  def left(
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

  /**
   * Where a match has ended, after a row that is not of it; null where a loop continues with that
   * row, so that it is no match.
   */
  def passed(registers: Array[Int], row: Long, slots: S): Array[Int] = {
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
}

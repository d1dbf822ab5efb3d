package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.program.{Loop, PathStack, Program}
import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * The paths through a program that are open before one row, as `Closure` follows them, for ranges
 * of counts: each path takes the part of a range whose counts allow it. The order of paths does not
 * matter here.
 *
 * A register has one range in a box ([[CountRanges]]): its lowest value at its index, its highest
 * after all lowest.
 */
final private[threads] class RangedClosure(program: Program) extends PathStack {
  private val registers = program.registers
  private val zeros     = new Array[Int](2 * registers)

  /** The box at the place that was popped last. */
  def box: Array[Int] = values

  /** Pushes the place where matches start. */
  def pushEntry(): Unit = push(program.entry, zeros)

  /** Pushes the paths open from the place popped last, for the states of a box. */
  def leave(box: Array[Int]): Unit = program.instructions(at) match {
    case Branch(targets) =>
      var i = 0
      while (i < targets.length) {
        push(targets(i), box)
        i += 1
      }
    case AssertStart(_)   => // a row precedes
    case LoopEnter(loop)  => push(loop.body, entered(loop, box))
    case LoopDecide(loop) => decide(loop, box)
    case LoopBack(loop)   => finishIteration(loop, box)
    case other            => throw new IllegalStateException(s"no path for ranges leaves $other")
  }

  /** The states of threads that rest before a row: they will have consumed one. */
  def withoutFlags(box: Array[Int]): Array[Int] = {
    var result = box
    var i      = 0
    while (i < program.emptyFlags.length) {
      result = restricted(result, program.emptyFlags(i), 0, 0)
      i += 1
    }
    result
  }

  private def low(box: Array[Int], register: Int): Int  = box(register)
  private def high(box: Array[Int], register: Int): Int = box(registers + register)

  private def restricted(box: Array[Int], register: Int, low: Int, high: Int): Array[Int] =
    if (this.low(box, register) == low && this.high(box, register) == high) box
    else {
      val changed = box.clone()
      changed(register) = low
      changed(registers + register) = high
      changed
    }

  private def decide(loop: Loop, box: Array[Int]): Unit = {
    // Without a counter the lower bound is reached whenever there is something to decide.
    val least = if (loop.counter < 0) loop.lower else low(box, loop.counter)
    val most  = if (loop.counter < 0) loop.lower else high(box, loop.counter)
    // Those with fewer iterations than the upper bound.
    val entering = if (loop.upper == Int.MaxValue) most else math.min(most, loop.upper - 1)
    if (most >= loop.lower) push(loop.exit, left(loop, box))
    if (least <= entering) {
      val part =
        if (loop.counter < 0) box else restricted(box, loop.counter, least, entering)
      push(loop.again, entered(loop, part))
    }
  }

  private def finishIteration(loop: Loop, box: Array[Int]): Unit = {
    val counted = if (loop.counter < 0) box else counting(loop, box)
    if (loop.emptyFlag < 0) push(loop.decide, counted)
    else {
      if (low(counted, loop.emptyFlag) == 0) {
        push(loop.decide, restricted(counted, loop.emptyFlag, 0, 0))
      }
      if (high(counted, loop.emptyFlag) == 1) {
        finishEmpty(loop, restricted(counted, loop.emptyFlag, 1, 1))
      }
    }
  }

  /** Without an upper bound counts beyond the lower one are all alike. */
  private def counting(loop: Loop, box: Array[Int]): Array[Int] = {
    val most =
      if (loop.upper == Int.MaxValue) loop.lower.toLong else Int.MaxValue.toLong
    restricted(
      box,
      loop.counter,
      math.min(low(box, loop.counter) + 1L, most).toInt,
      math.min(high(box, loop.counter) + 1L, most).toInt)
  }

  /** An iteration without a row ends the loop once the lower bound is reached. */
  private def finishEmpty(loop: Loop, counted: Array[Int]): Unit =
    if (loop.counter < 0 || loop.endsWhenEmpty) push(loop.exit, left(loop, counted))
    else {
      val least = low(counted, loop.counter)
      val most  = high(counted, loop.counter)
      if (most >= loop.lower) push(loop.exit, left(loop, counted))
      if (least < loop.lower) {
        val below = restricted(counted, loop.counter, least, math.min(most, loop.lower - 1))
        push(loop.decide, below)
      }
    }

  private def entered(loop: Loop, box: Array[Int]): Array[Int] =
    if (loop.emptyFlag < 0) box else restricted(box, loop.emptyFlag, 1, 1)

  /** Outside a loop its registers are 0. */
  private def left(loop: Loop, box: Array[Int]): Array[Int] = {
    val counted = if (loop.counter < 0) box else restricted(box, loop.counter, 0, 0)
    if (loop.emptyFlag < 0) counted else restricted(counted, loop.emptyFlag, 0, 0)
  }
}

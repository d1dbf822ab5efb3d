package org.matchrecognize.spark.pattern.threads

import java.util.Arrays

import scala.collection.immutable.BitSet

import org.matchrecognize.spark.pattern.program.{Loop, Program}

/**
 * Steps that leave the threads as they were, but for the counters of loops: `B{1,29}` counts each
 * row. Such a step repeats itself as long as each count stays on the same side of the loop's bounds.
 *
 * '''Why.''' All threads in the body of a loop have counted one iteration more. Outside the body,
 * the counter is 0. The next row therefore adds one to all counters in the body, and leaves those
 * outside at 0. States that were equal are equal again, others still differ, and the same
 * iterations are open. No thread enters the loop meanwhile: its count would be 0, and all threads
 * in the body have counted at least one iteration.
 */
final private[threads] class CountedSteps(program: Program) {

  /** By register, the loop that counts in it; null if it is something else. */
  private val loops: Array[Loop] = {
    val found = new Array[Loop](program.registers)
    program.loops.filter(loop => loop.counter >= 0 && loop.emptyFlag < 0).foreach { loop =>
      found(loop.counter) = loop
    }
    found
  }

  /** By register, the places in the body of its loop. */
  private lazy val bodies: Array[BitSet] =
    loops.map(loop => if (loop == null) BitSet.empty else program.body(loop))

  private val isPossible = loops.exists(_ != null)

  /** By register, whether the step adds to it. */
  private val counting = new Array[Boolean](program.registers)
  private var counts   = false
  private var most     = 0

  /** Another row is offered. */
  def forget(): Unit = counts = false

  /**
   * Looks at a step: whether it only added to counters, and the next row can do the same. Until
   * [[forget]], all else is said of this step.
   *
   * @param before
   *   the threads before the row, at the places of those after it
   */
  def onlyCounts(before: ThreadList[_], after: ThreadList[_]): Boolean = {
    if (isPossible) {
      Arrays.fill(counting, false)
      most = Int.MaxValue
      counts = addsOne(before, after) && countsInBodies(before, after) && most > 0
    }
    counts
  }

  /** How many times the step can be repeated, as far as counts matter. */
  def times: Int = if (counts) most else Int.MaxValue

  private def added(i: Int, register: Int, before: ThreadList[_], after: ThreadList[_]): Int =
    after.registers(i)(register) - before.registers(i)(register)

  /** Whether registers changed are counters, larger by one. */
  private def addsOne(before: ThreadList[_], after: ThreadList[_]): Boolean = {
    var i     = 0
    var holds = true
    while (i < after.size && holds) {
      var register = if (after.registers(i) eq before.registers(i)) loops.length else 0
      while (register < loops.length && holds) {
        val more = added(i, register, before, after)
        if (more != 0) {
          holds = more == 1 && loops(register) != null
          counting(register) = true
        }
        register += 1
      }
      i += 1
    }
    holds
  }

  /** Whether the threads that count are those in the body; finds how often they can. */
  private def countsInBodies(before: ThreadList[_], after: ThreadList[_]): Boolean = {
    var register = 0
    var holds    = true
    while (register < loops.length && holds) {
      var i = if (counting(register)) 0 else after.size
      while (i < after.size && holds) {
        val isInside = bodies(register).contains(after.at(i))
        holds = isInside == (added(i, register, before, after) == 1)
        if (isInside) most = math.min(most, room(loops(register), after.registers(i)(register)))
        i += 1
      }
      register += 1
    }
    holds
  }

  /** After so many iterations, how many more are followed by the same decision as the last. */
  private def room(loop: Loop, iterations: Int): Int =
    if (iterations < loop.lower) loop.lower - 1 - iterations
    // Beyond the lower bound nothing is counted.
    else if (loop.upper == Int.MaxValue) 0
    else loop.upper - 1 - iterations

  /** The step is repeated so many times. */
  def repeat(times: Int): Unit = if (counts) most -= times

  /** The registers of a thread after so many of these steps more. */
  def registersAfter(at: Int, registers: Array[Int], times: Int): Array[Int] =
    if (!counts) registers
    else {
      val after    = registers.clone()
      var register = 0
      while (register < after.length) {
        if (counting(register) && bodies(register).contains(at)) after(register) += times
        register += 1
      }
      after
    }
}

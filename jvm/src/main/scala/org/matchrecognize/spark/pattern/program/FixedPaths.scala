package org.matchrecognize.spark.pattern.program

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * The paths from one place to the next row, where they depend on neither registers nor
 * rows: what a [[Closure]] pops one after the other, in preference order.
 *
 * @param places
 *   the program counters; an [[Accept]] or a [[Consume]] ends a path
 * @param after
 *   for each of them the index of the first that is not reached through it: where to
 *   continue if a thread has left the place already
 */
final private[pattern] class FixedPaths private (
    val places: Array[Int],
    val after: Array[Int],
    instructions: Array[Instruction]) {

  val size: Int = places.length

  private val consumes: Array[Boolean] = places.map(instructions(_).isInstanceOf[Consume])
  private val accepts: Array[Boolean]  = places.map(instructions(_) == Accept)

  /** Whether a thread waits for a row at the i-th place. */
  def isConsume(i: Int): Boolean = consumes(i)

  /** Whether a match ends at the i-th place. */
  def isAccept(i: Int): Boolean = accepts(i)
}

private[pattern] object FixedPaths {

  /** More places are left one by one: the lists of a long pattern would take memory. */
  val most = 16

  /** The paths from a place; null if they are not fixed, or too many. */
  def from(program: Program, start: Int): FixedPaths = {
    val closure = new Closure(program)
    val places  = ArrayBuffer[Int]()
    // By place, how many paths were still open besides those through it.
    val open    = ArrayBuffer[Int]()
    var isFixed = true
    closure.push(start, closure.noRegisters)
    while (isFixed && !closure.isEmpty) {
      closure.pop()
      val instruction = program.instructions(closure.at)
      isFixed = places.size < most && leadsOnAlike(instruction)
      if (isFixed) {
        places += closure.at
        open += closure.size
        closure.leave(atStart = false, atEnd = false)
      }
    }
    if (!isFixed) null
    else {
      val after = places.indices.map { i =>
        val next = open.indexWhere(_ < open(i), i + 1)
        if (next < 0) places.size else next
      }
      new FixedPaths(places.toArray, after.toArray, program.instructions)
    }
  }

  /** Whether an instruction ends a path, or neither reads nor changes registers. */
  private def leadsOnAlike(instruction: Instruction): Boolean = instruction match {
    case _: Consume | _: Branch | Accept => true
    case LoopEnter(loop)                 => isUncounted(loop)
    case LoopDecide(loop)                => isUncounted(loop)
    case LoopBack(loop)                  => isUncounted(loop)
    case _                               => false
  }

  private def isUncounted(loop: Loop): Boolean = loop.counter < 0 && loop.emptyFlag < 0
}

package org.matchrecognize.spark.pattern.program

import java.util.Arrays

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.program.Instruction._

/**
 * The paths through a program that are open before one row: a stack of places, the preferred on
 * top. The caller pops a place. It either takes the place, if that is before a row or accepts, or
 * leaves it, which pushes the places that follow.
 */
final private[pattern] class Closure(program: Program) extends PathStack {
  import Closure.set

  val noRegisters: Array[Int] = new Array[Int](program.registers)

  /** The registers at the place that was popped last. */
  def registers: Array[Int] = values

  /**
   * Pushes the paths open after what was popped, the preferred last so that it is on top.
   *
   * @param atStart
   *   no row of the partition precedes
   * @param atEnd
   *   no row of the partition follows
   */
  def leave(atStart: Boolean, atEnd: Boolean): Unit = program.instructions(at) match {
    case Branch(targets) =>
      var i = targets.length - 1
      while (i >= 0) {
        push(targets(i), registers)
        i -= 1
      }
    case AssertStart(next)     => if (atStart) push(next, registers)
    case AssertEnd(next)       => if (atEnd) push(next, registers)
    case LoopEnter(loop)       => push(loop.body, entered(loop, registers))
    case LoopDecide(loop)      => decide(loop, registers)
    case LoopBack(loop)        => finishIteration(loop, registers)
    case PermuteEnter(permute) => enter(permute, registers)
    case PermuteNext(permute)  => nextElement(permute, registers)
    case _: Resting | _: Look | _: LeaveLoop | _: LeftBelow | Accept => // taken, not left
  }

  /** The registers of a thread that rests before a row: it will have consumed one. */
  def withoutFlags(registers: Array[Int]): Array[Int] = {
    var result = registers
    var i      = 0
    while (i < program.emptyFlags.length) {
      result = set(result, program.emptyFlags(i), 0)
      i += 1
    }
    result
  }

  private def decide(loop: Loop, registers: Array[Int]): Unit = {
    // Without a counter the lower bound is reached whenever there is something to decide.
    val iterations = if (loop.counter < 0) loop.lower else registers(loop.counter)
    val mayLeave   = iterations >= loop.lower
    val mayEnter   = iterations < loop.upper || loop.upper == Int.MaxValue
    val again      = if (mayLeave && loop.beyond >= 0) loop.beyond else loop.again
    val exit       = if (!mayEnter && loop.fullExit >= 0) loop.fullExit else loop.exit
    if (mayLeave && loop.greedy) push(exit, left(loop, registers))
    if (mayEnter) push(again, entered(loop, registers))
    if (mayLeave && !loop.greedy) push(exit, left(loop, registers))
  }

  private def finishIteration(loop: Loop, registers: Array[Int]): Unit = {
    val counted =
      if (loop.counter < 0) registers
      else {
        // Without an upper bound counts beyond the lower one are all alike.
        val count = registers(loop.counter) + 1
        set(
          registers,
          loop.counter,
          if (loop.upper == Int.MaxValue) math.min(count, loop.lower) else count
        )
      }
    val wasEmpty = loop.emptyFlag >= 0 && registers(loop.emptyFlag) == 1
    val reached  =
      loop.counter < 0 || loop.endsWhenEmpty || counted(loop.counter) >= loop.lower
    if (wasEmpty && reached) {
      val full = loop.fullExit >= 0 && loop.counter >= 0 && counted(loop.counter) >= loop.upper
      push(if (full) loop.fullExit else loop.exit, left(loop, counted))
    } else push(loop.decide, counted)
  }

  private def entered(loop: Loop, registers: Array[Int]): Array[Int] =
    if (loop.emptyFlag < 0) registers else set(registers, loop.emptyFlag, 1)

  /** Outside a loop its registers are 0, so that threads that differ only in them merge. */
  private def left(loop: Loop, registers: Array[Int]): Array[Int] = {
    val counted = if (loop.counter < 0) registers else set(registers, loop.counter, 0)
    if (loop.emptyFlag < 0) counted else set(counted, loop.emptyFlag, 0)
  }

  private def enter(permute: Permute, registers: Array[Int]): Unit =
    if (permute.ordered) {
      val orders = Permutations.encoded(permute.size)
      var i      = orders.length - 1
      while (i >= 0) {
        push(permute.next, set(registers, permute.register, orders(i)))
        i -= 1
      }
    } else {
      push(permute.next, set(registers, permute.register, (1 << permute.size) - 1))
    }

  private def nextElement(permute: Permute, registers: Array[Int]): Unit = {
    val remaining = registers(permute.register)
    if (remaining == 0) {
      push(permute.exit, registers)
    } else if (permute.ordered) {
      val base = permute.size + 1
      push(
        permute.elements(remaining % base - 1),
        set(registers, permute.register, remaining / base)
      )
    } else {
      var i = permute.size - 1
      while (i >= 0) {
        if ((remaining & 1 << i) != 0) {
          push(permute.elements(i), set(registers, permute.register, remaining & ~(1 << i)))
        }
        i -= 1
      }
    }
  }
}

/** Paths that are still to be followed: a place each, and values of its own. */
abstract private[pattern] class PathStack {
  private var places   = new Array[Int](32)
  private var valuesOf = new Array[Array[Int]](32)
  private var count    = 0

  /** What was popped last. */
  final var at: Int            = 0
  final var values: Array[Int] = _

  /** How many paths are open. */
  final def size: Int = count

  final def isEmpty: Boolean = count == 0

  final def clear(): Unit = count = 0

  final def pop(): Unit = {
    count -= 1
    at = places(count)
    values = valuesOf(count)
  }

  final def push(at: Int, values: Array[Int]): Unit = {
    if (count == places.length) {
      places = Arrays.copyOf(places, count * 2)
      valuesOf = Arrays.copyOf(valuesOf, count * 2)
    }
    places(count) = at
    valuesOf(count) = values
    count += 1
  }
}

private[pattern] object Closure {

  /** Registers are never changed in place: threads share them. */
  def set(registers: Array[Int], register: Int, value: Int): Array[Int] =
    if (registers(register) == value) registers
    else {
      val changed = registers.clone()
      changed(register) = value
      changed
    }
}

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

/** The fixed paths of a program, by the place where they begin. */
final private[pattern] class FixedPathCache(program: Program) {
  private val paths = new Array[FixedPaths](program.instructions.length)

  /** By place, whether its paths are known. */
  private val areKnown = new Array[Boolean](paths.length)

  /** The paths from a place; null if they are not fixed, or too many. */
  def from(at: Int): FixedPaths = {
    if (!areKnown(at)) {
      paths(at) = FixedPaths.from(program, at)
      areKnown(at) = true
    }
    paths(at)
  }
}

/** The orders of the elements of a PERMUTE, as a [[Permute]]'s register holds them. */
private[pattern] object Permutations {

  /** Elements of a PERMUTE that commits to an order: up to 8! threads. */
  val limit = 8

  /**
   * All orders of `size` elements, lexicographically, each as digits of base `size + 1`: element i
   * is digit i + 1, the first to match is the lowest digit, no digit left is 0.
   */
  def encoded(size: Int): Array[Int] = cached(size)

  private lazy val cached: Array[Array[Int]] =
    Array.tabulate(limit + 1) { size =>
      (0 until size).permutations
        .map(_.foldRight(0)((element, rest) => rest * (size + 1) + element + 1))
        .toArray
    }
}

package org.matchrecognize.spark.pattern.threads

import java.util.{Arrays, HashSet}

import org.matchrecognize.spark.pattern.matching.{Budget, RowConditions}
import org.matchrecognize.spark.pattern.program.{Mixing, Program}

/**
 * The states that were left already before one row: place, registers, and what the conditions
 * reachable from the place see of the slots.
 */
final private[pattern] class VisitedStates[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    budget: Budget) {
  final private val maxReusedSize = 256

  /** Places whose state is the place alone, since nothing is counted and no slot is read. */
  private val placeAlone: Array[Boolean] =
    program.reachable.map(reachable => program.registers == 0 && !conditions.hasFuture(reachable))

  private val lookUpCost = new LookUpCosts(program, conditions)

  /** By place, the generation in which it was last left, and the state that left it first. */
  private val leftIn    = new Array[Int](program.instructions.length)
  private val registers = new Array[Array[Int]](program.instructions.length)
  private val slots     = new Array[AnyRef](program.instructions.length)

  private var generation = 1

  /** All further states. */
  private var states = new HashSet[State[S]]

  /** How many states take memory. */
  def size: Int = states.size

  /** Forgets all: the threads are before another row. */
  def clear(): Unit = {
    generation += 1
    if (generation == Int.MaxValue) {
      Arrays.fill(leftIn, 0)
      generation = 1
    }
    // clear() takes as long as the table is large: a table that grew is thrown away.
    if (states.size > maxReusedSize) states = new HashSet[State[S]]
    else if (!states.isEmpty) states.clear()
  }

  /** Whether the state is left for the first time. */
  def add(at: Int, registers: Array[Int], slots: S): Boolean =
    if (leftIn(at) != generation) {
      leftIn(at) = generation
      this.registers(at) = registers
      this.slots(at) = slots
      true
    } else {
      !placeAlone(at) && isNew(at, registers, slots)
    }

  private def isNew(at: Int, registers: Array[Int], slots: S): Boolean = {
    budget.spend(lookUpCost(at))
    !isFirst(at, registers, slots) &&
    states.add(new State(at, program.reachable(at), registers, slots, conditions))
  }

  /** Whether it is the state that left the place first: mostly there is no other. */
  private def isFirst(at: Int, registers: Array[Int], slots: S): Boolean =
    Arrays.equals(this.registers(at), registers) && (slots.eq(this.slots(at)) ||
      conditions.sameFuture(program.reachable(at), slots, this.slots(at).asInstanceOf[S]))
}

/** Equal to another if no condition that a thread can still test distinguishes them. */
final private class State[S <: AnyRef](
    val at: Int,
    reachable: Int,
    val registers: Array[Int],
    val slots: S,
    conditions: RowConditions[S]) {

  override val hashCode: Int =
    Mixing.mix(Mixing.mix(at, registers), conditions.futureHash(reachable, slots))

  override def equals(other: Any): Boolean = {
    // They live in one set of one matcher.
    val that = other.asInstanceOf[State[S]]
    at == that.at && Arrays.equals(registers, that.registers) &&
    (slots.eq(that.slots) || conditions.sameFuture(reachable, slots, that.slots))
  }
}

/** What it costs to look up the state of a thread, by place. */
final private[pattern] class LookUpCosts(program: Program, conditions: RowConditions[_]) {

  /** Filled when a thread is there, since what conditions see is found out then. */
  private val known = new Array[Int](program.instructions.length)

  def apply(at: Int): Int = {
    if (known(at) == 0) {
      val reachable = program.reachable(at)
      val seen      = if (conditions.hasFuture(reachable)) conditions.futureCost(reachable) else 0
      known(at) = Budget.ofLookUp(program) + seen
    }
    known(at)
  }
}

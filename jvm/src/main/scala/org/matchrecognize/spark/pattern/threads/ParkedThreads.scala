package org.matchrecognize.spark.pattern.threads

import java.util.{ArrayList, HashMap, HashSet}

import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  Limits,
  RowConditions,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.{Instruction, Path, Program}

/**
 * Threads of a search that wait until all threads preferred to them have failed, in groups that
 * each wait before one row.
 *
 * A PERMUTE of n elements has 2^n^ sets of remaining elements. A search that takes all threads
 * from row to row together reaches most of them, though its first order may match. With parking,
 * only the most preferred threads continue. The others are visited once those have failed.
 *
 * '''Why it is exact.''' A group that is parked later comes from threads that are preferred to all
 * groups before it, so groups are taken up in preference order. A thread that accepts is preferred
 * to all groups then parked. A state that a search has reached once need not be reached again: its
 * matches belong to the more preferred thread. The search remembers as many states as there may be
 * at one row. Forgetting them costs time, not matches.
 *
 * @param mayPark
 *   false if the dialect lets no thread wait
 */
final private[pattern] class ParkedThreads[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    limits: Limits,
    mayPark: Boolean) {

  /** Whether there may be so many threads that few of them should continue. */
  private val parksMany = limits.together.nonEmpty || ParkedThreads.areNeeded(program)

  /** Whether threads may have to wait. */
  val isActive: Boolean = mayPark && (parksMany || conditions.canLookAhead)

  /** How many threads continue together. */
  private val together =
    if (isActive && parksMany) limits.together.getOrElse(ParkedThreads.together) else Int.MaxValue

  final private class Group(val nextRow: Long, val threads: ThreadList[S])

  /** The most preferred last. */
  private val groups = new ArrayList[Group]

  /** By row, the states reached before it since the first group was parked. */
  private val reached      = new HashMap[java.lang.Long, HashSet[State[S]]]
  private var reachedCount = 0

  /** The most preferred partial match for which no row was left, and that row. */
  val timedOut           = new ThreadList[S]
  private var timedOutAt = 0L

  private val lookUpCost = new LookUpCosts(program, conditions)

  def isEmpty: Boolean = groups.isEmpty

  /** Whether no path is kept but those of the threads that run, and of the match. */
  def isAlone: Boolean = groups.isEmpty && timedOut.isEmpty

  /** Another search begins. */
  def begin(): Unit = {
    clear()
    timedOut.clear()
  }

  def clear(): Unit = {
    groups.clear()
    if (reachedCount > 0) {
      reached.clear()
      reachedCount = 0
    }
  }

  /** Parks the less preferred of many threads. */
  def limit(nextRow: Long, threads: ThreadList[S]): Unit =
    if (threads.size > together) park(nextRow, threads, together)

  /** Parks the threads from one on. They wait for a row. */
  def park(nextRow: Long, threads: ThreadList[S], from: Int): Unit = {
    val group = new ThreadList[S]
    group.addAll(threads, from, threads.size)
    threads.retain(0, from)
    groups.add(new Group(nextRow, group))
    ()
  }

  /** Moves the most preferred of the last group to an empty list; returns their next row. */
  def resume(threads: ThreadList[S]): Long = {
    val group = groups.get(groups.size - 1)
    val count = math.min(together, group.threads.size)
    threads.addAll(group.threads, 0, count)
    if (count < group.threads.size) group.threads.retain(count, group.threads.size)
    else groups.remove(groups.size - 1)
    group.nextRow
  }

  /** No row is left for the threads: the first of them is a partial match, unless there is one. */
  def timeOut(nextRow: Long, threads: ThreadList[S]): Unit =
    if (timedOut.isEmpty && !threads.isEmpty) {
      timedOut.add(threads, 0)
      timedOutAt = nextRow
    }

  /** Whether a state is reached for the first time, as far as it matters. */
  def isNew(nextRow: Long, at: Int, registers: Array[Int], slots: S): Boolean =
    if (groups.isEmpty && reachedCount == 0) true
    else {
      limits.budget.spend(lookUpCost(at) + ParkedThreads.keeping)
      var states = reached.get(nextRow)
      val state  = new State(at, program.reachable(at), registers, slots, conditions)
      if (groups.isEmpty || reachedCount >= limits.maxStates)
        states == null || !states.contains(state)
      else {
        if (states == null) {
          states = new HashSet[State[S]]
          reached.put(nextRow, states)
        }
        val isAdded = states.add(state)
        if (isAdded) reachedCount += 1
        isAdded
      }
    }

  /** Writes the groups of a search from `start`; the states reached only save time. */
  def write(
      out: StateOutput,
      start: Long,
      slotsWriter: SlotsWriter[S],
      pathsWriter: ChainWriter[Path]): Unit = if (isActive) {
    out.writeNumber(timedOutAt)
    timedOut.write(out, 0, timedOutAt, slotsWriter, pathsWriter)
    out.writeNumber(groups.size.toLong)
    groups.forEach { group =>
      out.writeNumber(group.nextRow - start)
      group.threads.write(out, 0, group.nextRow, slotsWriter, pathsWriter)
    }
  }

  /** Holds what [[write]] wrote, and nothing else. */
  def read(
      in: StateInput,
      start: Long,
      slotsReader: SlotsReader[S],
      pathsReader: ChainReader[Path]): Unit = if (isActive) {
    clear()
    timedOutAt = in.readNumber()
    timedOut.read(in, program.registers, timedOutAt, slotsReader, pathsReader)
    var left = in.readInt()
    while (left > 0) {
      val nextRow = start + in.readNumber()
      val threads = new ThreadList[S]
      threads.read(in, program.registers, nextRow, slotsReader, pathsReader)
      groups.add(new Group(nextRow, threads))
      left -= 1
    }
  }
}

private[pattern] object ParkedThreads {

  /** Threads that continue together: with more, a search whose first order matches takes longer. */
  val together = 8

  /** What it costs, in steps, to keep a state in a table so large that it lies far in memory. */
  private val keeping = 30

  /** A PERMUTE of fewer elements has too few sets to park any. */
  private val elements = 8

  /** Whether there may be so many sets of elements that few of them should be followed at once. */
  def areNeeded(program: Program): Boolean = program.instructions.exists {
    case Instruction.PermuteEnter(permute) => !permute.ordered && permute.size >= elements
    case _                                 => false
  }
}

package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  SettledLabels,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.Instruction.LeaveLoop
import org.matchrecognize.spark.pattern.program.Path

/**
 * What the rules of a dialect add to a search by threads: what registers say of the rows since the
 * last that a thread has mapped, and which match is returned. Here they add nothing: the standard's
 * threads carry nothing but preference.
 */
private[pattern] class ThreadDialect[S <: AnyRef] {

  /** Whether less preferred threads may wait: the preferred match does not depend on them. */
  def mayPark: Boolean = true

  /** The variables for which each row may be tested beside those of the program. */
  def tested: Seq[Int] = Nil

  /** The registers of a thread after a row that it maps. */
  def mapped(registers: Array[Int]): Array[Int] = registers

  /** The registers of a thread after a row at which a `Watch` looked. */
  def watched(registers: Array[Int]): Array[Int] = registers

  /** The registers of a thread where a row is looked at, or is looked for and absent. */
  def looked(registers: Array[Int]): Array[Int] = registers

  /** The registers of a thread after a loop that is left below its upper bound. */
  def below(registers: Array[Int]): Array[Int] = registers

  /** Whether there was such a loop, so that a `Watch` needs a next row. */
  def isLeftBelow(registers: Array[Int]): Boolean = false

  /** Whether a row is an instance of the variable of a loop that was left, which bars it. */
  def isOfLeftLoop(registers: Array[Int], row: Long, slots: S): Boolean = false

  /**
   * The registers after a greedy loop that is left before a row; null where it is not left since it
   * can take that row. Programs of the standard have no such loop.
   *
   * @param isOver
   *   there is no such row within the bound
   */
  def left(
      loop: LeaveLoop,
      registers: Array[Int],
      row: Long,
      isOver: Boolean,
      slots: S): Array[Int] = null

  /**
   * The registers where a match has ended, after a row that is not of it; null where a loop
   * continues with that row, so that it is no match. Programs of the standard do not wait there.
   */
  def passed(registers: Array[Int], row: Long, slots: S): Array[Int] = null

  /** A search begins. */
  def begin(): Unit = ()

  /**
   * All threads have been offered a row. Arranges those that continue.
   *
   * @return
   *   the thread that is the match; those from it on are then dropped. -1 if none is
   */
  def arrange(threads: ThreadList[S], isOver: Boolean): Int = -1

  /** Names the paths that are kept beside those of threads. */
  def settle(labels: SettledLabels, start: Long): Unit = ()

  /** Writes what is kept beside the threads, before a row. */
  def write(
      out: StateOutput,
      row: Long,
      slotsWriter: SlotsWriter[S],
      paths: ChainWriter[Path]): Unit = ()

  /** Reads what [[write]] wrote. */
  def read(
      in: StateInput,
      registers: Int,
      row: Long,
      slotsReader: SlotsReader[S],
      paths: ChainReader[Path]): Unit = ()
}

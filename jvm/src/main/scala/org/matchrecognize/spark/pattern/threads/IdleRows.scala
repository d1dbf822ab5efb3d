package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{RowConditions, RowVerdicts}
import org.matchrecognize.spark.pattern.program.Instruction.Consume
import org.matchrecognize.spark.pattern.program.Program

/**
 * Rows that leave the threads of a search as they are: it continues after them without a step.
 *
 * Threads that wait for a row far away map those before it to a loop that keeps nothing of them.
 * Once a row has left all threads as they were, so does each row of its class that follows, if the
 * class says how every thread takes it: a variable is not satisfied, or it is by the row alone, and
 * mapping leaves the slots as they are.
 *
 * Of each block of rows it is known which classes they have, so that a long wait costs a small part
 * of its rows.
 *
 * @param classes
 *   the classes of the rows; None if rows are not to be skipped by class
 * @param poll
 *   called now and then: throws to cancel
 */
final private[threads] class IdleRows(
    program: Program,
    classes: Option[RowVerdicts],
    conditions: RowConditions[_],
    poll: () => Unit) {
  import IdleRows._

  /** Read only while rows can be skipped. */
  private val verdicts = classes.filter(_ => program.canSkipRows).orNull

  /** Rows of the partition; 0 where they are not classified. */
  private var rows = 0L

  /** By block, a bit for each class in it; 0 if not computed yet. */
  private var blocks = new Array[Long](0)

  /** Classes of rows that leave the threads as they are, a bit each. */
  private var idle = 0L

  /** The rows of the partition are classified. */
  def classified(rows: Long): Unit = {
    this.rows = if (verdicts == null) 0 else rows
    blocks = new Array[Long](0)
  }

  /** Another partition begins. */
  def beginPartition(): Unit = rows = 0

  /** Whether rows can be skipped. */
  def isActive: Boolean = rows > 0

  /** The threads are others now. */
  def forget(): Unit = idle = 0L

  /** Returns the first row after `row` that may change the threads; `row` has not changed them. */
  def firstAfter(row: Long, threads: ThreadList[_]): Long = {
    val rowClass = verdicts.classOf(row)
    if (!isIdle(rowClass) && rowClass < otherClasses && leavesAsTheyAre(rowClass, threads)) {
      idle |= 1L << rowClass
    }
    if (idle == 0) row + 1 else next(row + 1)
  }

  private def isIdle(rowClass: Int): Boolean =
    rowClass < otherClasses && (idle >> rowClass & 1L) != 0

  private def leavesAsTheyAre(rowClass: Int, threads: ThreadList[_]): Boolean = {
    var i = 0
    while (i < threads.size && isTakenByClass(threads.at(i), rowClass)) i += 1
    i == threads.size
  }

  private def isTakenByClass(at: Int, rowClass: Int): Boolean = program.instructions(at) match {
    case consume: Consume =>
      conditions
        .leavesNoTrace(consume.variable) || !verdicts.satisfies(rowClass, consume.variable)
    case _ => false
  }

  private def next(from: Long): Long = {
    var row   = from
    var isMet = false
    while (row < rows && !isMet)
      if ((row & blockRows - 1) == 0 && (classesOf((row / blockRows).toInt) & ~idle) == 0) {
        row += blockRows
      } else if (isIdle(verdicts.classOf(row))) {
        row += 1
      } else {
        isMet = true
      }
    math.min(row, rows)
  }

  private def classesOf(block: Int): Long = {
    if (blocks.isEmpty) blocks = new Array[Long](((rows + blockRows - 1) / blockRows).toInt)
    if (blocks(block) == 0) {
      poll()
      var row = block.toLong * blockRows
      val end = math.min(row + blockRows, rows)
      while (row < end) {
        blocks(block) |= 1L << math.min(verdicts.classOf(row), otherClasses)
        row += 1
      }
    }
    blocks(block)
  }
}

private object IdleRows {

  /** Rows of a block, a power of two. */
  private val blockRows = 256

  /** The bit of all classes that have none of their own. */
  private val otherClasses = 63
}

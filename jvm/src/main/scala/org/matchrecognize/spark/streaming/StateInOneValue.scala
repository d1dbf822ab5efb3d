package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.streaming.GroupState

import org.matchrecognize.spark.execution.{PartitionMatcher, StateSeal}
import org.matchrecognize.spark.execution.slots.StoredValues
import org.matchrecognize.spark.pattern.matching.StateOutput

/**
 * The state of a key as the one value that FlatMapGroupsWithState has for it, read and written as a
 * whole.
 *
 * {{{
 *   header of StateSeal | rows that wait | state of the matcher
 * }}}
 */
final private[streaming] class StateInOneValue(task: KeyedTask, group: GroupState[Array[Byte]])
    extends KeyState {
  private var waiting = Seq.empty[UnsafeRow]
  private val added   = new ArrayBuffer[UnsafeRow]

  override def restore(matcher: PartitionMatcher): Unit = group.getOption.foreach { bytes =>
    val (stored, in) = StateSeal.open(task.states, bytes, task.plan.clauseOrigin)
    waiting = Seq.fill(in.readInt())(stored.read(in))
    matcher.restoreState(in.readBlock(), stored)
  }

  override def takeDue(watermark: Long): Iterable[UnsafeRow] = {
    val (due, later) = waiting.partition(task.time.due(_) <= watermark)
    waiting = later
    due
  }

  override def add(row: UnsafeRow, due: Long): Unit = added += row.copy()

  private def rows: Seq[UnsafeRow] = waiting ++ added

  override def size: Long = (waiting.size + added.size).toLong

  override def earliest: Option[Long] = rows.map(task.time.due).reduceOption(_ min _)

  override def save(matcher: PartitionMatcher, due: Option[Long]): Unit = {
    val out = new StateOutput
    out.writeNumber(rows.size.toLong)
    rows.foreach(StoredValues.writeRow(_, out))
    out.writeBlock(matcher.saveState())
    group.update(StateSeal.close(task.shape, out))
    // Spark calls for a key once the clock is greater. It takes positive times only.
    due.foreach { millis =>
      task.clock match {
        case Clock.BatchTime =>
          val now = group.getCurrentProcessingTimeMs()
          group.setTimeoutDuration(math.max(millis - 1 - now, 1))
        case _ => group.setTimeoutTimestamp(math.max(millis - 1, 1))
      }
    }
  }

  override def remove(): Unit = group.remove()
}

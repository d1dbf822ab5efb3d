package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoders, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.{Literal, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.{
  EventTimeTimeout,
  FlatMapGroupsWithState,
  LocalRelation,
  LogicalGroupState,
  LogicalPlan,
  NoTimeout,
  ProcessingTimeTimeout
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.streaming.{GroupState, GroupStateTimeout, OutputMode}

import org.matchrecognize.spark.execution.{PartitionMatcher, StateSeal}
import org.matchrecognize.spark.execution.rows.MatcherStorage
import org.matchrecognize.spark.execution.slots.StoredValues
import org.matchrecognize.spark.logical.HandedOnWatermark
import org.matchrecognize.spark.pattern.matching.StateOutput

/**
 * Spark's FlatMapGroupsWithState, which works with every state store. The state of a key is one
 * value ([[StateInOneValue]]).
 */
private[streaming] object GroupsWithState extends KeyedOperator {
  override def columns: StoredColumns = StoredColumns.Free

  override def run(clause: KeyedClause): LogicalPlan = {
    val KeyedClause(task, grouping, found, handsOn, child) = clause
    val input                                              = task.input
    val row                                                = RowObject(input)
    val groups                                             = FlatMapGroupsWithState(
      new KeyedMatching(task),
      Literal(0),
      row,
      grouping,
      input,
      found,
      ExpressionEncoder(AgnosticEncoders.BinaryEncoder).asInstanceOf[ExpressionEncoder[Any]],
      OutputMode.Append,
      isMapGroupsWithState = false,
      timeout(task.clock),
      hasInitialState = false,
      grouping,
      input,
      row,
      LocalRelation(grouping),
      child
    )
    handsOn.fold[LogicalPlan](groups)(WatermarkedGroups(groups, _))
  }

  private def timeout(clock: Clock): GroupStateTimeout = clock match {
    case Clock.Watermark => EventTimeTimeout
    case Clock.BatchTime => ProcessingTimeTimeout
    case Clock.Stopped   => NoTimeout
  }

  /** The operator that [[run]] makes hands on the watermark itself. */
  override def handOn(clause: SparkPlan, number: Int, watermark: HandedOnWatermark): SparkPlan =
    clause
}

/** What FlatMapGroupsWithState calls for each key that has rows, or whose time has come. */
final private[streaming] class KeyedMatching(task: KeyedTask)
    extends ((Any, Iterator[Any], LogicalGroupState[Any]) => Iterator[Any])
    with Serializable {

  // Each task has its own copy of this function.
  @transient private lazy val matcher = task.matcher(MatcherStorage.InTask)

  override def apply(
      key: Any,
      rows: Iterator[Any],
      state: LogicalGroupState[Any]): Iterator[Any] = {
    val group = state.asInstanceOf[GroupState[Array[Byte]]]
    val clock = task.clock match {
      case Clock.Watermark => group.getCurrentWatermarkMs()
      case Clock.BatchTime => group.getCurrentProcessingTimeMs()
      case Clock.Stopped   => Clock.Stopped.time
    }
    matcher.process(
      rows.asInstanceOf[Iterator[UnsafeRow]],
      clock,
      new StateInOneValue(task, group))
  }
}

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

  override def takeDue(clock: Long): Iterable[UnsafeRow] = {
    val (due, later) = waiting.partition(task.time.due(_) <= clock)
    waiting = later
    due
  }

  override def add(row: UnsafeRow, due: Long): Unit = added += row.copy()

  private def rows: Seq[UnsafeRow] = waiting ++ added

  override def size: Long = (waiting.size + added.size).toLong

  override def earliest: Option[Long] = rows.map(task.time.due).reduceOption(_ min _)

  override def save(matcher: PartitionMatcher, wakeAt: Option[Long]): Unit = {
    val out = new StateOutput
    out.writeNumber(rows.size.toLong)
    rows.foreach(StoredValues.writeRow(_, out))
    out.writeBlock(matcher.saveState())
    group.update(StateSeal.close(task.shape, out))
    // Spark calls for a key once the clock is greater. It takes positive times only.
    wakeAt.foreach { millis =>
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

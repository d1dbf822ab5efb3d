package org.matchrecognize.spark.execution.fused

import java.util.{HashMap, Iterator => JavaIterator}

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, MemoryMode, TaskMemoryManager}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.{SortExec, UnsafeExternalRowSorter}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.matchrecognize.RowStoreDisk

/**
 * The one-pass search of many partitions at once, over rows that are sorted by ORDER BY alone:
 * one [[OnePassState]] a partition, found by its keys.
 *
 * Where memory for more states is not given, rows of partitions that have none yet go to a sorter,
 * by partition and order; they are taken up, one partition after the other, once the input has
 * ended. Partitions that have a state continue.
 *
 * @param sort
 *   the sort by partition and order that makes the sorter
 * @param makeState
 *   a new state
 * @param stateBytes
 *   memory of one state, about
 * @param maxStates
 *   how many states are made at most, whatever memory there is
 * @param metrics
 *   counted for Spark's UI when the task ends
 */
final class OnePassStates private[execution] (
    task: TaskContext,
    memory: TaskMemoryManager,
    partition: Seq[Attribute],
    input: Seq[Attribute],
    sort: SortExec,
    makeState: () => OnePassState,
    stateBytes: Long,
    maxStates: Int,
    metrics: StatesMetrics)
    extends MemoryConsumer(memory, MemoryMode.ON_HEAP) {

  private val keys   = UnsafeProjection.create(partition, input)
  private val states = new HashMap[UnsafeRow, OnePassState]

  /** States for which memory is taken and that are not made yet. */
  private var paidFor = 0

  /** No more states are made. */
  private var full                            = false
  private var sorter: UnsafeExternalRowSorter = _

  /** Bytes of memory that the sorter has given back by writing to disk. */
  private var spilledBytes = 0L

  task.addTaskCompletionListener[Unit](_ => close())

  /**
   * The state of a row's partition, new (`begun` is false) at its first row; null where there is
   * no memory for one: then the row waits in the sorter.
   */
  def of(row: UnsafeRow): OnePassState = {
    val key   = keys(row)
    val known = states.get(key)
    if (known != null) known
    else if (pay()) {
      val state = makeState()
      states.put(key.copy(), state)
      state
    } else {
      if (sorter == null) sorter = sort.createSorter()
      counted(sorter.insertRow(row))
      null
    }
  }

  /** Takes memory for a state. */
  private def pay(): Boolean = {
    if (states.size >= maxStates) full = true
    if (paidFor == 0 && !full) {
      val wanted = OnePassStates.chunk * stateBytes
      val got    = acquireMemory(wanted)
      if (got < wanted) {
        freeMemory(got)
        full = true
      } else {
        paidFor = OnePassStates.chunk
      }
    }
    paidFor -= (if (full) 0 else 1)
    !full
  }

  /** All states: the partitions that end with the input. */
  def all(): JavaIterator[OnePassState] = states.values.iterator

  /** The rows that waited, sorted. Call it once all states have ended: it frees their memory. */
  def waiting(): JavaIterator[InternalRow] = {
    states.clear()
    val rows = if (sorter == null) Iterator.empty else counted(sorter.sort())
    new JavaIterator[InternalRow] {
      override def hasNext: Boolean    = rows.hasNext
      override def next(): InternalRow = rows.next()
    }
  }

  /** Spark's sorter reports only to the task what it writes to disk. */
  private def counted[T](sorting: => T): T = {
    val before = task.taskMetrics().memoryBytesSpilled
    val result = sorting
    spilledBytes += task.taskMetrics().memoryBytesSpilled - before
    result
  }

  /** States cannot be spilled, so a request of Spark for memory frees nothing. */
  override def spill(size: Long, trigger: MemoryConsumer): Long = 0L

  private def close(): Unit = {
    val sorterMemory = if (sorter == null) 0L else sorter.getPeakMemoryUsage
    metrics.spillSize.add(spilledBytes)
    metrics.peakMemory.set(math.max(metrics.peakMemory.value, getUsed + sorterMemory))
    if (sorter != null) sorter.cleanupResources()
    freeMemory(getUsed)
  }
}

/** What [[OnePassStates]] count in Spark's UI. */
final private[execution] case class StatesMetrics(spillSize: SQLMetric, peakMemory: SQLMetric)

/**
 * What a task needs to make its [[OnePassState]]s.
 *
 * @param sort
 *   where rows come by ORDER BY alone: see [[OnePassStates]]
 * @param metrics
 *   given with it
 */
final private[execution] case class OnePassStatesSpec(
    partition: Seq[Attribute],
    input: Seq[Attribute],
    sort: Option[SortExec],
    sizes: Seq[Int],
    stateBytes: Long,
    maxStates: Int,
    metrics: Option[StatesMetrics]) {

  /** Called by generated code, too. */
  def open(): OnePassStates = {
    val task = TaskContext.get()
    new OnePassStates(
      task,
      RowStoreDisk.memoryOf(task),
      partition,
      input,
      sort.get,
      () => newState(),
      stateBytes,
      maxStates,
      metrics.get)
  }

  /** One state of these sizes; called by generated code, too. */
  def newState(): OnePassState =
    new OnePassState(
      sizes(0),
      sizes(1),
      sizes(2),
      sizes(3),
      sizes(4),
      sizes(5),
      sizes(6),
      sizes(7))
}

private object OnePassStates {

  /** States whose memory is taken at once. */
  val chunk = 1024
}

package org.matchrecognize.spark.execution.rows

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, MemoryMode}
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.matchrecognize.RowStoreDisk

import org.matchrecognize.spark.pattern.matching.{NumberChunks, PackedNumbers}

/**
 * The stores that one matcher opens in a task: of rows, and of numbers that it keeps a row. What
 * Spark's UI says of memory and disk is of all of them.
 *
 * @param rowsInMemory
 *   how many rows of a partition are held in memory
 */
final private[execution] class MatcherStores(
    task: TaskContext,
    rowsInMemory: Int,
    storage: MatcherStorage) {
  private val opened = ArrayBuffer.empty[RowStore]
  private var memory = Option.empty[TaskMemory]

  /** Acquires so many bytes of memory until [[close]]; false if there are not so many. */
  def acquireMemory(bytes: Long): Boolean = {
    if (memory.isEmpty) memory = Some(new TaskMemory(task))
    memory.get.acquire(bytes)
  }

  /** Rows of so many columns. */
  def rows(columns: Int): PartitionRows = storage.rows(open(columns, rowsInMemory))

  /** A number for each row of a partition. */
  def numbers(): PackedNumbers = new PackedNumbers(new StoredChunks(openChunks()))

  /** A number for each row of the match under way. */
  def labels(): PackedNumbers = new PackedNumbers(new StoredChunks(storage.labels(openChunks())))

  /** A row of the store is a chunk of numbers. */
  private def openChunks(): RowStore =
    open(1, math.max(1, rowsInMemory >> PackedNumbers.chunkBits))

  private def open(columns: Int, rows: Int): RowStore = {
    val store = RowStore.of(task, columns, rows)
    opened += store
    store
  }

  /** Bytes of memory that were given back by writing to disk. */
  def spilledBytes: Long = opened.map(_.spilledBytes).sum

  /** The most bytes that each held, together: all hold most at the end of a partition. */
  def peakMemory: Long = opened.map(_.peakMemory).sum

  /** Gives all memory and disk back. */
  def close(): Unit = {
    opened.foreach(_.close())
    memory.foreach(_.free())
  }
}

/** Where a matcher keeps the rows of a partition, and the labels of the match under way. */
private[spark] trait MatcherStorage {

  /**
   * @param inTask
   *   for what need not outlast the task
   */
  def rows(inTask: RowStore): PartitionRows

  /** As [[rows]]; a row is a chunk of labels. */
  def labels(inTask: RowStore): PartitionRows
}

private[spark] object MatcherStorage {

  /** Nothing outlasts the task. */
  object InTask extends MatcherStorage {
    override def rows(inTask: RowStore): PartitionRows   = inTask
    override def labels(inTask: RowStore): PartitionRows = inTask
  }
}

/**
 * Chunks of numbers in a store of their own, a row each: accounted to the task, and written to disk
 * where memory is short, as rows are.
 *
 * @param open
 *   makes the store: most partitions have less than a chunk, and need none
 */
final private[execution] class StoredChunks(open: => PartitionRows) extends NumberChunks {
  private lazy val store  = open
  private lazy val into   = store.newRow()
  private lazy val writer = new UnsafeRowWriter(1)

  override def add(chunk: Array[Byte]): Unit = {
    writer.reset()
    writer.write(0, chunk)
    store.append(writer.getRow)
  }

  override def read(index: Int): Array[Byte] = {
    store.get(index.toLong, into)
    into.getBinary(0)
  }

  override def clear(): Unit = {
    store.trimBefore(store.size)
    store.clear()
  }

  override def save(): Int              = store.save().toInt
  override def resume(count: Int): Unit = store.resume(0, count.toLong)
}

/** Accounts to a task what lies on the heap until the task ends. */
final private[execution] class TaskMemory(task: TaskContext)
    extends MemoryConsumer(RowStoreDisk.memoryOf(task), MemoryMode.ON_HEAP) {

  task.addTaskCompletionListener[Unit](_ => free())

  def free(): Unit = freeMemory(getUsed)

  /** Acquires so many bytes; false if there are not so many. */
  def acquire(bytes: Long): Boolean = {
    val got    = acquireMemory(bytes)
    val enough = got >= bytes
    if (!enough) freeMemory(got)
    enough
  }

  /** Nothing can be written to disk. */
  override def spill(size: Long, trigger: MemoryConsumer): Long = 0L
}

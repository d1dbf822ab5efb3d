package org.matchrecognize.spark.execution.partitions

import java.util.concurrent.locks.ReentrantLock

import org.apache.spark.TaskContext
import org.apache.spark.memory.{MemoryConsumer, SparkOutOfMemoryError, TaskMemoryManager}
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  SortOrder,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.matchrecognize.{DistinctValues, RowStoreDisk, TaskCancellation}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.map.BytesToBytesMap

/**
 * Groups the rows of a task by partition: [[insert]] takes them in any order, [[read]] returns one
 * partition after the other, each in order.
 *
 * A row is copied to the end of its partition, which Spark's map of bytes finds by the keys. A
 * partition whose rows come in order, as those of a log do, is never sorted. Any other one is sorted
 * alone, when it is read. Rows that are equal in the order stay in the order of arrival. Partitions
 * are returned in the order in which they came into the map or, if rows were on disk, of their keys.
 *
 * From some thousands of partitions on, rows wait to come in with others of nearby partitions
 * ([[DividedRows]]), if there is memory for it.
 *
 * '''Memory''' is Spark's. If it is short, or `spillThreshold` rows are held, all rows are written to
 * disk as a run, sorted by partition and order. [[read]] then merges the runs and the rows in memory.
 * Rows that are not read yet can still go to disk.
 *
 * '''Threads.''' One at a time; another one may take over, as Spark's runners of scripts do. A spill
 * that another thread requests is refused, and so is one that the table's own allocations request:
 * [[insert]] then spills.
 *
 * @param poll
 *   throws if the task has been killed; called now and then
 * @param disk
 *   evaluated when rows first go to disk ([[SpilledRuns]])
 */
final class PartitionTable private[execution] (
    memory: TaskMemoryManager,
    disk: => RowStoreDisk,
    poll: () => Unit,
    spec: PartitionTableSpec)
    extends MemoryConsumer(memory, 1L, memory.getTungstenMemoryMode) {
  import PartitionTable._
  import spec._

  private val fields    = input.size
  private val ascending = partition.map(SortOrder(_, Ascending))
  private val keys      = UnsafeProjection.create(partition.map(DistinctValues.normalize), input)
  private val rowOrder  = new RowOrder(order, input)
  private val keyOrder  = new RowOrder(ascending, input)

  private val chunks  = new RowChunks(memory, allocatePage(_), freePage(_), memory.pageSizeBytes)
  private val sorting =
    new AddressSort(rowOrder, fields, chunks.point, allocateArray(_), freeArray(_))

  /** Sorts records by the first rows of their partitions. */
  private val sortingKeys =
    new AddressSort(keyOrder, fields, pointFirst, allocateArray(_), freeArray(_))

  /** The [[PartitionRecord]]s by keys; null while there are none. */
  private var map: BytesToBytesMap = _

  /** The partition of the row that came last. */
  private val partitionAt = new PartitionRecord

  /** A record, and a row, for what is looked at. */
  private val record = new PartitionRecord
  private val seen   = new UnsafeRow(fields)

  /** The rows that do not come into the map at once; null if all do. */
  private var divided: DividedRows = _
  private var mayDivide            = partition.nonEmpty

  private var rowsInMemory = 0L
  private val runs         = new SpilledRuns(disk, poll, partition, order, input)

  /** The reader of the rows in memory; null before [[read]]. */
  private var reading: RemainingRows = _

  /** The thread that inserts or reads, and what it holds to become that and to spill. */
  @volatile private var owner: Thread = _
  private val ownership               = new ReentrantLock

  /** The table allocates, so a spill must not change it. */
  private var isAllocating = false

  private var peak         = 0L
  private var spilledBytes = 0L

  /** Takes a row. */
  def insert(row: UnsafeRow): Unit =
    if (divided == null) {
      put(row)
      if (mayDivide && map != null && map.numKeys >= division.fromPartitions) divide()
    } else {
      if (rowsInMemory + divided.rows >= spillThreshold) divided.emptyAll()
      divided.add(row, keys(row).hashCode)
    }

  /** From now on rows are divided, if there is memory for it. */
  private def divide(): Unit = {
    mayDivide = false
    isAllocating = true
    try divided = new DividedRows(division, allocatePage(division.bytes), fields, put)
    catch { case _: SparkOutOfMemoryError => }
    finally isAllocating = false
  }

  /** Takes a row into the map. */
  private def put(row: UnsafeRow): Unit = {
    if (rowsInMemory >= spillThreshold) moveToDisk()
    if (tryInsert(row) != null) {
      moveToDisk()
      val failure = tryInsert(row)
      if (failure != null) throw failure
    }
  }

  /** Returns null, or the error if there is no memory for the row. */
  private def tryInsert(row: UnsafeRow): SparkOutOfMemoryError = {
    if (owner ne Thread.currentThread) takeOver()
    isAllocating = true
    try {
      find(row)
      append(row)
      null
    } catch { case failure: SparkOutOfMemoryError => failure }
    finally isAllocating = false
  }

  /** Waits for a spill that the owner is at. */
  private def takeOver(): Unit = {
    ownership.lock()
    try owner = Thread.currentThread
    finally ownership.unlock()
  }

  /** Points `partitionAt` at the partition of a row. */
  private def find(row: UnsafeRow): Unit =
    if (map == null || partition.nonEmpty) {
      if (map == null) map = new BytesToBytesMap(memory, firstCapacity, mapPageBytes)
      val key      = keys(row)
      val location = map.lookup(key.getBaseObject, key.getBaseOffset, key.getSizeInBytes)
      if (!location.isDefined) {
        if (map.getNumDataPages >= mostMapPages) throw RowStoreDisk.outOfMemory(mapPageBytes)
        sortingKeys.reserve(map.numKeys + 1L)
        val added = location.append(
          key.getBaseObject,
          key.getBaseOffset,
          key.getSizeInBytes,
          PartitionRecord.empty,
          Platform.BYTE_ARRAY_OFFSET.toLong,
          PartitionRecord.empty.length)
        if (!added) throw RowStoreDisk.outOfMemory(mapPageBytes)
      }
      partitionAt.point(location.getValueBase, location.getValueOffset)
    }

  private def append(row: UnsafeRow): Unit = {
    val prefix = rowOrder.prefix(row)
    val rows   = partitionAt.rows
    if (partitionAt.isOutOfOrder) sorting.reserve(rows + 1)
    else if (rows > 0 && isBeforeLast(row, prefix)) {
      sorting.reserve(rows + 1)
      partitionAt.setOutOfOrder()
    }
    val size   = row.getSizeInBytes
    val needed = RowChunks.sizeBytes + size
    if (partitionAt.limit - partitionAt.position < needed) addChunk(needed)
    val base   = memory.getPage(partitionAt.chunk)
    val offset = partitionAt.position
    Platform.putLong(base, offset, size.toLong)
    Platform.copyMemory(
      row.getBaseObject,
      row.getBaseOffset,
      base,
      offset + RowChunks.sizeBytes,
      size.toLong)
    partitionAt.position = offset + needed
    partitionAt.rows = rows + 1
    partitionAt.lastPrefix = prefix
    partitionAt.lastRow = partitionAt.chunk + (offset - memory.getOffsetInPage(partitionAt.chunk))
    rowsInMemory += 1
  }

  private def isBeforeLast(row: UnsafeRow, prefix: Long): Boolean = {
    val last     = partitionAt.lastPrefix
    val byPrefix = rowOrder.prefixes.compare(prefix, last)
    byPrefix < 0 || byPrefix == 0 && !rowOrder.decides(prefix) && {
      chunks.point(partitionAt.lastRow, seen)
      rowOrder.compare(row, seen) < 0
    }
  }

  /** Adds a chunk with room for a row of so many bytes, 1.5 times as large as the one before. */
  private def addChunk(rowBytes: Long): Unit = {
    val isFirst = partitionAt.rows == 0
    val before  = if (isFirst) 0L else memory.getOffsetInPage(partitionAt.chunk)
    val wanted  =
      if (isFirst) math.min(rowBytes * firstRows, math.max(rowBytes, smallChunk))
      else (partitionAt.limit - before) / 2 * 3 + 7L & -8L
    val address = chunks.acquire(
      RowChunks.headerBytes + rowBytes,
      RowChunks.headerBytes + math.min(wanted, RowChunks.largestChunk))
    if (isFirst) partitionAt.firstChunk = address
    else {
      val base = memory.getPage(partitionAt.chunk)
      Platform.putLong(base, before, address)
      Platform.putLong(base, before + RowChunks.endOffset, partitionAt.position)
    }
    val offset = memory.getOffsetInPage(address)
    partitionAt.chunk = address
    partitionAt.position = offset + RowChunks.headerBytes
    partitionAt.limit = offset + chunks.chunkSize
  }

  /** Inserts all rows and reads them. */
  def of(rows: Iterator[UnsafeRow]): PartitionedRows = {
    rows.foreach(insert)
    read()
  }

  /** Returns all rows. None may be inserted any more. */
  def read(): PartitionedRows = {
    if (divided != null) divided.emptyAll()
    countPeak()
    freeDivided()
    if (runs.isEmpty) sortingKeys.release()
    reading = new RemainingRows(rowsOf(if (runs.isEmpty) asTheyCame else byKeys))
    new AllRows(if (runs.isEmpty) reading else runs.mergedWith(reading))
  }

  private def rowsOf(partitions: Iterator[PartitionRecord]): MemoryRows =
    new MemoryRows(memory, partitions, rowOrder, sorting, chunks, fields)

  private def asTheyCame: Iterator[PartitionRecord] =
    if (map == null) Iterator.empty
    else {
      val locations = map.iterator()
      new Iterator[PartitionRecord] {
        override def hasNext: Boolean        = locations.hasNext
        override def next(): PartitionRecord = {
          val location = locations.next()
          record.point(location.getValueBase, location.getValueOffset)
          record
        }
      }
    }

  private def byKeys: Iterator[PartitionRecord] =
    if (map == null) Iterator.empty
    else {
      val locations = map.iterator()
      sortingKeys.begin()
      while (locations.hasNext) {
        val location = locations.next()
        val address  =
          memory.encodePageNumberAndOffset(location.getMemoryPage, location.getValueOffset)
        pointRecord(address)
        // A new partition has no rows if there was no memory for its first one.
        if (record.rows > 0) {
          pointFirst(address, seen)
          sortingKeys.add(address, keyOrder.prefix(seen))
        }
      }
      sortingKeys.sort()
      Iterator.range(0, sortingKeys.size).map { i =>
        pointRecord(sortingKeys(i))
        record
      }
    }

  private def pointRecord(address: Long): Unit =
    record.point(memory.getPage(address), memory.getOffsetInPage(address))

  /** Points a row at the first one of the partition of a record. */
  private def pointFirst(address: Long, row: UnsafeRow): Unit = {
    pointRecord(address)
    chunks.point(record.firstChunk + RowChunks.headerBytes, row)
  }

  /** Writes all rows to disk, as a run, while rows go in. */
  private def moveToDisk(): Long = spilling {
    if (rowsInMemory > 0) runs.add(rowsOf(byKeys))
    chunks.freeAll()
  }

  /** Runs `body`, frees the index, and counts the bytes that both free as spilled. */
  private def spilling(body: => Unit): Long = {
    countPeak()
    val before  = held
    val hadRows = rowsInMemory > 0
    body
    freeIndex()
    val freed = before - held
    if (hadRows) {
      spilledBytes += freed
      RowStoreDisk.countSpilledMemory(freed)
    }
    freed
  }

  private def freeIndex(): Unit = {
    rowsInMemory = 0
    sorting.release()
    sortingKeys.release()
    if (map != null) map.free()
    map = null
  }

  /** Bytes of this table and its map. */
  private def held: Long = getUsed + (if (map == null) 0L else map.getTotalMemoryConsumption)

  private def countPeak(): Unit = peak = math.max(peak, held)

  override def spill(size: Long, trigger: MemoryConsumer): Long =
    // Never waits: Spark holds a lock of its own here.
    if ((Thread.currentThread ne owner) || !ownership.tryLock()) 0L
    else
      try
        if ((Thread.currentThread ne owner) || isAllocating) 0L
        else if (reading == null) moveToDisk()
        else reading.moveToDisk()
      finally ownership.unlock()

  /** Gives everything back. */
  private[execution] def close(): Unit = {
    countPeak()
    spec.metrics.spillSize.add(spilledBytes)
    spec.metrics.peakMemory.add(peak)
    RowStoreDisk.countPeakMemory(peak)
    freeAll()
    runs.delete()
  }

  private def freeAll(): Unit = {
    chunks.freeAll()
    freeIndex()
    freeDivided()
  }

  private def freeDivided(): Unit = if (divided != null) {
    freePage(divided.page)
    divided = null
  }

  /** Reads all rows, then gives everything back. */
  final private class AllRows(rows: PartitionedRows) extends PartitionedRows {
    private var count = 0L
    private var ended = false

    override def row: UnsafeRow           = rows.row
    override def beginsPartition: Boolean = rows.beginsPartition

    override def next(): Boolean = !ended && {
      if (owner ne Thread.currentThread) takeOver()
      count += 1
      if ((count & 0xfff) == 0) poll()
      ended = !rows.next()
      if (ended) {
        freeAll()
        runs.delete()
      }
      !ended
    }
  }

  /** Reads the rows in memory. Those that are not read yet can move to disk. */
  final private class RemainingRows(rows: MemoryRows) extends PartitionedRows {

    /** The rows after the row at hand, once they are on disk. */
    private var onDisk: PartitionedRows = _

    /** Whether the row at hand is in memory. */
    private var isInMemory = true

    /** Whether there is a row at hand. */
    private var hasRow = false
    private var begins = false

    private var ended = false

    /** Why rows could not move to disk: they can then not be read any more. */
    private var failure: Throwable = _

    override def row: UnsafeRow           = if (isInMemory) rows.row else onDisk.row
    override def beginsPartition: Boolean = if (isInMemory) begins else onDisk.beginsPartition

    override def next(): Boolean = !ended && {
      if (failure != null) throw failure
      if (onDisk == null) {
        hasRow = rows.next()
        begins = rows.beginsPartition
      } else {
        if (isInMemory) {
          isInMemory = false
          freeAll()
        }
        hasRow = onDisk.next()
      }
      ended = !hasRow
      if (ended) freeAll()
      hasRow
    }

    def moveToDisk(): Long =
      if (ended || onDisk != null || failure != null) 0L
      else
        spilling {
          // The row at hand stays where it is, in its page.
          val (base, offset) = (row.getBaseObject, row.getBaseOffset)
          val bytes          = row.getSizeInBytes
          val address        = if (hasRow) rows.address else 0L
          try onDisk = runs.moved(rows)
          catch {
            case e: Throwable =>
              failure = e
              throw e
          } finally if (hasRow) row.pointTo(base, offset, bytes)
          if (hasRow) chunks.freeAllBut(address) else chunks.freeAll()
        }
  }
}

private object PartitionTable {

  /** Rows for which the first chunk of a partition has room, if that is not much. */
  private val firstRows  = 4L
  private val smallChunk = 4096L

  /** The keys that the map has room for at first, and its pages. */
  private val firstCapacity = 64
  private val mapPageBytes  = 1024L * 1024
  private val mostMapPages  = 3000
}

/** What [[PartitionTable]]s count in Spark's UI. */
final case class TableMetrics(spillSize: SQLMetric, peakMemory: SQLMetric)

/**
 * What a task needs to make a [[PartitionTable]].
 *
 * @param spillThreshold
 *   how many rows a table holds in memory
 * @param division
 *   of rows that come to many partitions
 */
final private[execution] case class PartitionTableSpec(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    input: Seq[Attribute],
    spillThreshold: Int,
    metrics: TableMetrics,
    division: Division = Division.usual) {

  /** Called by generated code, too. */
  def open(): PartitionTable = {
    val task  = TaskContext.get()
    val table = new PartitionTable(
      RowStoreDisk.memoryOf(task),
      RowStoreDisk.ofExecutor,
      TaskCancellation.poll(task),
      this)
    task.addTaskCompletionListener[Unit](_ => table.close())
    table
  }
}

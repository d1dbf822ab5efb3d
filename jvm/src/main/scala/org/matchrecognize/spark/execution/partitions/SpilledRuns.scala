package org.matchrecognize.spark.execution.partitions

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder, UnsafeRow}
import org.apache.spark.sql.matchrecognize.{RowStoreDisk, RowStoreFile}
import org.apache.spark.unsafe.Platform

/**
 * The rows of a [[PartitionTable]] that are on disk: runs in one file, each sorted by partition and
 * order.
 *
 * @param disk
 *   evaluated when rows first go to disk
 * @param poll
 *   throws if the task has been killed; called now and then
 */
final private[partitions] class SpilledRuns(
    disk: => RowStoreDisk,
    poll: () => Unit,
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    input: Seq[Attribute]) {
  import SpilledRuns._

  private var file: RowStoreFile = _
  private val runs               = ArrayBuffer.empty[Run]

  /** How many of the last runs were not merged into larger ones. */
  private var smallRuns = 0

  def isEmpty: Boolean = runs.isEmpty

  /** Writes rows as one more run. */
  def add(rows: PartitionedRows): Unit = {
    if (smallRuns == mostRuns) mergeSmallRuns()
    runs += written(rows)
    smallRuns += 1
  }

  /** A merge holds a block of each run, so there must not be too many. */
  private def mergeSmallRuns(): Unit = {
    val one = written(merged(runs.takeRight(smallRuns).map(read).toSeq))
    runs.remove(runs.size - smallRuns, smallRuns)
    runs += one
    smallRuns = 0
  }

  /** Writes rows and returns them, to be read from disk. They are none of the runs. */
  def moved(rows: PartitionedRows): PartitionedRows = read(written(rows))

  /** The rows of all runs, and others, which came last. */
  def mergedWith(others: PartitionedRows): PartitionedRows =
    merged(runs.map(read).toSeq :+ others)

  private def merged(sources: Seq[PartitionedRows]) =
    new MergedRows(sources, partition, order, input)

  private def read(run: Run): PartitionedRows = run.rows(input.size)

  private def written(rows: PartitionedRows): Run = {
    if (file == null) file = disk.create()
    val writer = new RunWriter(file)
    var count  = 0L
    while (rows.next()) {
      writer.add(rows.row, rows.beginsPartition)
      count += 1
      if ((count & 0xfff) == 0) poll()
    }
    writer.finish()
  }

  def delete(): Unit = if (file != null) {
    file.delete()
    file = null
  }
}

private object SpilledRuns {

  /** Runs that are merged into one. */
  private val mostRuns = 256
}

/** Rows on disk, in blocks that are read one after the other. */
final private[partitions] class Run(file: RowStoreFile, blocks: Seq[RunBlock]) {
  def rows(fields: Int): PartitionedRows = new RunRows(file, blocks.iterator, fields)
}

/** Where a block lies on disk, and its bytes once it is read. */
final private[partitions] case class RunBlock(position: Long, length: Long, bytes: Int)

/** Writes a [[Run]] to the end of a file. */
final private[partitions] class RunWriter(file: RowStoreFile) {
  import RunWriter._

  private val blocks = ArrayBuffer.empty[RunBlock]
  private var buffer = new Array[Byte](blockBytes)
  private var used   = 0

  def add(row: UnsafeRow, beginsPartition: Boolean): Unit = {
    val size   = row.getSizeInBytes
    val needed = Math.addExact(size, headerBytes)
    if (needed > buffer.length - used) {
      flush()
      if (needed > buffer.length) buffer = new Array[Byte](needed)
    }
    val at = Platform.BYTE_ARRAY_OFFSET + used.toLong
    Platform.putLong(buffer, at, size.toLong << 1 | (if (beginsPartition) 1L else 0L))
    Platform.copyMemory(
      row.getBaseObject,
      row.getBaseOffset,
      buffer,
      at + headerBytes,
      size.toLong)
    used += needed
  }

  private def flush(): Unit = if (used > 0) {
    val position = file.length
    val length   = file.append(_.write(buffer, 0, used))
    blocks += RunBlock(position, length, used)
    used = 0
    // Where a large row was, small ones would make a large block.
    if (buffer.length > blockBytes) buffer = new Array[Byte](blockBytes)
  }

  def finish(): Run = {
    flush()
    new Run(file, blocks.toSeq)
  }
}

private[partitions] object RunWriter {

  /** What is read at once; a larger row has a block of its own. */
  val blockBytes: Int = 64 * 1024

  /** Before each row: its size, and whether it begins a partition. */
  val headerBytes: Int = 8
}

/** Reads a [[Run]]. */
final private class RunRows(file: RowStoreFile, blocks: Iterator[RunBlock], fields: Int)
    extends PartitionedRows {
  private var block = Array.emptyByteArray
  private var at    = 0

  override val row             = new UnsafeRow(fields)
  var beginsPartition: Boolean = false

  override def next(): Boolean =
    if (at < block.length || read()) {
      val head = Platform.getLong(block, Platform.BYTE_ARRAY_OFFSET + at.toLong)
      val size = (head >>> 1).toInt
      beginsPartition = (head & 1L) != 0L
      at += RunWriter.headerBytes
      row.pointTo(block, Platform.BYTE_ARRAY_OFFSET + at.toLong, size)
      at += size
      true
    } else false

  private def read(): Boolean = blocks.hasNext && {
    val from = blocks.next()
    block = new Array[Byte](from.bytes)
    file.read(from.position, from.length, block)
    at = 0
    true
  }
}

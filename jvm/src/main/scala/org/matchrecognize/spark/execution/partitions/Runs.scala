package org.matchrecognize.spark.execution.partitions

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.RowStoreFile
import org.apache.spark.unsafe.Platform

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

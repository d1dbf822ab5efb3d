package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.memory.MemoryBlock

/**
 * Rows that wait to go into a [[PartitionTable]], divided by the hash of their keys. A part that is
 * full goes there whole, so that the table meets few partitions at a time: what it knows of these is
 * then in the caches of the processor. The rows of a partition are in one part and keep their order.
 *
 * @param page
 *   of [[Division.bytes]]
 * @param put
 *   takes a row out of here
 */
final private[partitions] class DividedRows(
    division: Division,
    val page: MemoryBlock,
    fields: Int,
    put: UnsafeRow => Unit) {
  import RowChunks.sizeBytes

  private val base = page.getBaseObject
  private val row  = new UnsafeRow(fields)

  /** By part, the offset in the page at which its next row goes. */
  private val ends = Array.tabulate(division.parts)(begin)

  private def begin(part: Int): Long = page.getBaseOffset + part * division.partBytes

  private var waiting = 0L

  /** How many rows wait. */
  def rows: Long = waiting

  /**
   * Takes a row.
   *
   * @param hash
   *   the same for equal keys
   */
  def add(from: UnsafeRow, hash: Int): Unit = {
    val part   = division.part(hash)
    val size   = from.getSizeInBytes
    val needed = sizeBytes + size
    if (begin(part) + division.partBytes - ends(part) < needed) empty(part)
    if (needed > division.partBytes) put(from)
    else {
      val at = ends(part)
      Platform.putLong(base, at, size.toLong)
      Platform.copyMemory(
        from.getBaseObject,
        from.getBaseOffset,
        base,
        at + sizeBytes,
        size.toLong)
      ends(part) = at + needed
      waiting += 1
    }
  }

  private def empty(part: Int): Unit = {
    val end = ends(part)
    var at  = begin(part)
    ends(part) = at
    while (at < end) {
      val size = Platform.getLong(base, at)
      row.pointTo(base, at + sizeBytes, size.toInt)
      put(row)
      waiting -= 1
      at += sizeBytes + size
    }
  }

  /** All rows go into the table. */
  def emptyAll(): Unit = (0 until division.parts).foreach(empty)
}

/**
 * When and how rows are divided.
 *
 * @param fromPartitions
 *   how many partitions of a table fit into the caches of a processor
 * @param partBits
 *   how many bits of a hash number the parts
 * @param partBytes
 *   what a part holds
 */
final private[execution] case class Division(
    fromPartitions: Int,
    partBits: Int,
    partBytes: Long) {
  def parts: Int           = 1 << partBits
  def part(hash: Int): Int = hash >>> (32 - partBits)
  def bytes: Long          = parts * partBytes
}

private[execution] object Division {

  /** 32 MiB in 64 parts. */
  val usual: Division = Division(8192, 6, 512L * 1024)
}

package org.matchrecognize.spark.execution.rows

import java.io.OutputStream

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.matchrecognize.{RowStoreDisk, RowStoreFile}

/** Consecutive rows on disk that are read back as a whole. */
final private[execution] class RowStoreBlock(
    val file: RowStoreSpillFile,
    val position: Long,
    val length: Long,
    val first: Long,
    val rows: Int,
    val imageBytes: Int
) {

  def read(): RowStoreImage = {
    val bytes = new Array[Byte](imageBytes)
    file.data.read(position, length, bytes)
    RowStoreImage.of(bytes, first, rows)
  }
}

/** A file and how many of its blocks are still wanted. */
final private[execution] class RowStoreSpillFile(val data: RowStoreFile) {

  /** Blocks written and not yet released: with the last one the file goes. */
  var blocks: Int = 0
}

/**
 * Where the rows of a store go that memory has no room for: files of many blocks, since a file
 * for each block would be a hundred thousand files for a large partition, and one file for all
 * would not give disk space back before the partition ends.
 *
 * @param disk
 *   evaluated at the first spill: most stores never spill
 * @param blockBytes
 *   about how much is read to get at one row, before compression; a larger row is its own block
 */
final private[execution] class RowStoreSpill(disk: => RowStoreDisk, blockBytes: Int) {

  /** Blocks kept after reading: two readers at a block's edge each need two. */
  final private val RecentBlocks = 4

  /** A file that has grown to this many bytes is followed by another. */
  final private val FileBytes = 64L * 1024 * 1024

  /** The rows go to disk in pieces of this size. */
  final private val BufferBytes = 16 * 1024

  /** The file that grows; null before the first spill and once it is full. */
  private var growing: RowStoreSpillFile = _

  /** All files that exist. */
  private val files = ArrayBuffer.empty[RowStoreSpillFile]

  /** The blocks read last, the most recent first; see read. */
  private val recent = new Array[RowStoreImage](RecentBlocks)

  /** Blocks read from disk since the store was made. */
  private var readCount = 0L

  def reads: Long = readCount

  /** Writes the rows of the image from `from` on; the image stays as it is. */
  def write(image: RowStoreImage, from: Long): Array[RowStoreBlock] = {
    val blocks = ArrayBuffer.empty[RowStoreBlock]
    val buffer = new Array[Byte](BufferBytes)
    try {
      var first = from
      while (first < image.end) {
        val end = image.cut(first, blockBytes)
        blocks += writeBlock(image, first, end, buffer)
        first = end
      }
    } catch {
      case failure: Throwable =>
        release(blocks.toArray)
        throw failure
    }
    blocks.toArray
  }

  private def writeBlock(image: RowStoreImage, from: Long, until: Long, buffer: Array[Byte]) = {
    val imageBytes = Math.toIntExact(image.writtenBytes(from, until))
    if (growing == null) {
      growing = new RowStoreSpillFile(disk.create())
      files += growing
    }
    val file                    = growing
    val position                = file.data.length
    def body(out: OutputStream) = image.write(from, until, buffer)(out.write(buffer, 0, _))
    val length                  = file.data.append(body)
    file.blocks += 1
    if (file.data.length >= FileBytes) growing = null
    new RowStoreBlock(file, position, length, from, (until - from).toInt, imageBytes)
  }

  /**
   * The rows of a block. The few read last are kept, so that several readers, each going forward,
   * cost one read a block. They are never written again: a pointer to one keeps it alive.
   */
  def read(block: RowStoreBlock): RowStoreImage = {
    var at = 0
    while (at < RecentBlocks && (recent(at) == null || !recent(at).contains(block.first))) at += 1
    val image =
      if (at < RecentBlocks) recent(at)
      else {
        at = RecentBlocks - 1
        readCount += 1
        block.read()
      }
    System.arraycopy(recent, 0, recent, 1, at)
    recent(0) = image
    forgetBeyond(RecentBlocks.toLong * blockBytes)
    image
  }

  /**
   * Blocks of one huge row each must not be held by the handful: keeps the first, and what fits.
   */
  private def forgetBeyond(limit: Long): Unit = {
    var bytes = recent(0).capacityBytes
    var at    = 1
    while (at < RecentBlocks) {
      if (recent(at) != null) bytes += recent(at).capacityBytes
      if (bytes > limit) recent(at) = null
      at += 1
    }
  }

  /** These blocks are not wanted any more: deletes the files that hold no others. */
  def release(blocks: Array[RowStoreBlock]): Unit = blocks.foreach { block =>
    val file = block.file
    file.blocks -= 1
    if (file.blocks == 0) {
      if (file eq growing) growing = null
      files -= file
      file.data.delete()
    }
  }

  /** No rows any more; indexes start again. */
  def clear(): Unit = {
    growing = null
    files.foreach(_.data.delete())
    files.clear()
    java.util.Arrays.fill(recent.asInstanceOf[Array[AnyRef]], null)
  }
}

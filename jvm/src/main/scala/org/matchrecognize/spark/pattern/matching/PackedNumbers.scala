package org.matchrecognize.spark.pattern.matching

import java.util.Arrays

/**
 * A number for each row of a partition or of a match, which may have millions: appended in order,
 * read anywhere, best near the last one read. Numbers are not negative. They lie in chunks, with as
 * many bytes a number as the largest of its chunk needs; only one or two are at hand as numbers.
 */
final class PackedNumbers(chunks: NumberChunks) {
  import PackedNumbers._

  private var count = 0L

  /** The last chunk, which is not full: its numbers are added here. */
  private var tail = new Array[Int](64)

  /** The chunk that was read last, and its index; -1 if none was. */
  private var current: Array[Int] = _
  private var currentChunk        = -1

  def size: Long = count

  def clear(): Unit = {
    if (count >= chunkSize) chunks.clear()
    forget()
  }

  /** Begins anew; the chunks of before stay where they are saved ([[NumberChunks.save]]). */
  def forget(): Unit = {
    if (count >= chunkSize) chunks.resume(0)
    count = 0
    currentChunk = -1
  }

  /** Writes the numbers, without the saved chunks. */
  def write(out: StateOutput): Unit = {
    val saved = if (count >= chunkSize) chunks.save() else 0
    var index = saved.toLong << chunkBits
    out.writeNumber(saved.toLong)
    out.writeNumber(count - index)
    while (index < count) {
      out.writeNumber(apply(index).toLong)
      index += 1
    }
  }

  /** Has the numbers that [[write]] wrote, in the place of its own. */
  def read(in: StateInput): Unit = {
    forget()
    val saved = in.readInt()
    if (saved > 0) chunks.resume(saved)
    count = saved.toLong << chunkBits
    var left = in.readNumber()
    while (left > 0) {
      append(in.readInt())
      left -= 1
    }
  }

  def append(number: Int): Unit = {
    val at = (count & chunkSize - 1).toInt
    if (at == tail.length) tail = Arrays.copyOf(tail, at * 2)
    tail(at) = number
    count += 1
    if (at == chunkSize - 1) chunks.add(encode(tail))
  }

  def apply(index: Long): Int = {
    val chunk = (index >> chunkBits).toInt
    val at    = (index & chunkSize - 1).toInt
    if (chunk == currentChunk) current(at)
    else if (chunk == (count >> chunkBits)) tail(at)
    else {
      if (current == null) current = new Array[Int](chunkSize)
      decode(chunks.read(chunk), current)
      currentChunk = chunk
      current(at)
    }
  }
}

/** Chunks of bytes, all of one partition or match. */
trait NumberChunks {

  /** Adds a chunk; the array is the store's. */
  def add(chunk: Array[Byte]): Unit

  /** The chunk of an index, not to be changed. */
  def read(index: Int): Array[Byte]

  /** Drops the chunks, the saved ones, too. */
  def clear(): Unit

  /** Saves chunks for another task, if there is a place for them; returns how many of the first. */
  def save(): Int = 0

  /** Continues after so many saved chunks, in the place of those at hand. */
  def resume(count: Int): Unit
}

object PackedNumbers {
  val chunkBits      = 14
  val chunkSize: Int = 1 << chunkBits

  /** In memory that is not accounted for. */
  def onHeap(): PackedNumbers = new PackedNumbers(new NumberChunks {
    private val chunks                         = new java.util.ArrayList[Array[Byte]]
    override def add(chunk: Array[Byte]): Unit = { chunks.add(chunk); () }
    override def read(index: Int): Array[Byte] = chunks.get(index)
    override def clear(): Unit                 = chunks.clear()
    override def resume(count: Int): Unit      = chunks.clear()
  })

  /** One, two or four bytes a number, the lowest first. */
  private def encode(numbers: Array[Int]): Array[Byte] = {
    var all = 0
    numbers.foreach(all |= _)
    val width = if (all >>> 8 == 0) 1 else if (all >>> 16 == 0) 2 else 4
    val bytes = new Array[Byte](chunkSize * width)
    var i     = 0
    while (i < bytes.length) {
      bytes(i) = (numbers(i / width) >>> 8 * (i % width)).toByte
      i += 1
    }
    bytes
  }

  private def decode(bytes: Array[Byte], numbers: Array[Int]): Unit = {
    val width = bytes.length >> chunkBits
    var i     = 0
    while (i < chunkSize) {
      var number = 0
      var b      = width - 1
      while (b >= 0) {
        number = number << 8 | bytes(i * width + b) & 0xff
        b -= 1
      }
      numbers(i) = number
      i += 1
    }
  }
}

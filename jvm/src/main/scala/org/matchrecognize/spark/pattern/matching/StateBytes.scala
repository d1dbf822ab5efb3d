package org.matchrecognize.spark.pattern.matching

import java.util.Arrays

/**
 * Bytes of a matcher's state as they are written. Numbers take as many bytes as they need, seven
 * bits each, so that a state of few threads and near rows is small.
 *
 * @param limit
 *   raises [[StateTooLarge]] beyond so many bytes
 */
final class StateOutput(limit: Int = StateOutput.maxBytes) {
  private var bytes = new Array[Byte](256)
  private var used  = 0

  def toByteArray: Array[Byte] = Arrays.copyOf(bytes, used)

  /** A number that is mostly small and not negative. */
  def writeNumber(value: Long): Unit = {
    reserve(10)
    var rest = value
    while ((rest & ~0x7fL) != 0) {
      bytes(used) = (rest & 0x7f | 0x80).toByte
      used += 1
      rest >>>= 7
    }
    bytes(used) = rest.toByte
    used += 1
  }

  /** A number that is mostly near zero, on either side. */
  def writeSigned(value: Long): Unit = writeNumber(value << 1 ^ value >> 63)

  /** Writes a length and leaves room for as many bytes; gives where in [[buffer]] to put them. */
  def beginBlock(length: Int): Int = {
    writeNumber(length.toLong)
    reserve(length)
    used += length
    used - length
  }

  def writeBlock(block: Array[Byte]): Unit = {
    val at = beginBlock(block.length)
    System.arraycopy(block, 0, bytes, at, block.length)
  }

  /** The bytes so far; another array once more is written. */
  def buffer: Array[Byte] = bytes

  private def reserve(more: Int): Unit =
    if (bytes.length - used < more) {
      val wanted = used.toLong + more
      if (wanted > limit) throw new StateTooLarge
      bytes = Arrays.copyOf(bytes, math.min(wanted * 2, StateOutput.maxBytes.toLong).toInt)
    }
}

object StateOutput {

  /** An array of the JVM has no more. */
  val maxBytes: Int = Int.MaxValue - 16
}

/** A state has more bytes than it may have. */
final class StateTooLarge extends RuntimeException(null, null, false, false)

/** Reads what [[StateOutput]] wrote, all of it and in order. */
final class StateInput(bytes: Array[Byte]) {
  private var at = 0

  def readNumber(): Long = {
    var value = 0L
    var shift = 0
    while (bytes(at) < 0) {
      value |= (bytes(at) & 0x7fL) << shift
      shift += 7
      at += 1
    }
    at += 1
    value | bytes(at - 1).toLong << shift
  }

  def readInt(): Int = readNumber().toInt

  def readSigned(): Long = {
    val value = readNumber()
    value >>> 1 ^ -(value & 1)
  }

  def readBlock(): Array[Byte] = {
    val length = readInt()
    at += length
    Arrays.copyOfRange(bytes, at - length, at)
  }
}

/**
 * Writes objects that several places of a state share: each once, and its number where it comes
 * again, counted back from the last.
 */
final class SharedWriter[T <: AnyRef](out: StateOutput)(body: T => Unit) {
  private val numbers = new java.util.IdentityHashMap[T, Integer]

  def write(item: T): Unit = {
    val known = numbers.get(item)
    if (known != null) out.writeNumber(numbers.size.toLong - known)
    else {
      numbers.put(item, numbers.size)
      out.writeNumber(0)
      body(item)
    }
  }
}

/** Reads what [[SharedWriter]] wrote. */
final class SharedReader[T <: AnyRef](in: StateInput)(body: => T) {
  private val items = new java.util.ArrayList[T]

  def read(): T = {
    val back = in.readInt()
    if (back == 0) {
      val item = body
      items.add(item)
      item
    } else {
      items.get(items.size - back)
    }
  }
}

/**
 * Writes lists that share their beginnings, where each element knows the one before it: an element
 * once, however many lists it is in.
 */
final class ChainWriter[N <: AnyRef](out: StateOutput)(parent: N => N)(body: N => Unit) {
  private val numbers = new java.util.IdentityHashMap[N, Integer]

  /** Writes a list by its last element; null is the empty list. */
  def write(last: N): Unit = {
    val fresh = new java.util.ArrayList[N]
    var node  = last
    while (node != null && !numbers.containsKey(node)) {
      fresh.add(node)
      node = parent(node)
    }
    out.writeNumber(if (node == null) 0L else numbers.size.toLong - numbers.get(node))
    out.writeNumber(fresh.size.toLong)
    var i = fresh.size - 1
    while (i >= 0) {
      numbers.put(fresh.get(i), numbers.size)
      body(fresh.get(i))
      i -= 1
    }
  }
}

/** Reads what [[ChainWriter]] wrote; `body` makes an element after the one given. */
final class ChainReader[N <: AnyRef](in: StateInput)(body: N => N) {
  private val nodes = new java.util.ArrayList[N]

  def read(): N = {
    val back    = in.readInt()
    var node: N = if (back == 0) null.asInstanceOf[N] else nodes.get(nodes.size - back)
    var left    = in.readInt()
    while (left > 0) {
      node = body(node)
      nodes.add(node)
      left -= 1
    }
    node
  }
}

/** Writes the slots of one state, what threads share of them once. */
trait SlotsWriter[S] {
  def write(slots: S): Unit
}

/** Reads what a [[SlotsWriter]] wrote. */
trait SlotsReader[S] {
  def read(): S
}

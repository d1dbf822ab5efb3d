package org.matchrecognize.spark.execution

import java.nio.ByteBuffer
import java.util.Arrays
import java.util.zip.CRC32

import org.apache.spark.sql.catalyst.trees.Origin

import org.matchrecognize.spark.errors.{MatchRecognizeErrors, RuntimeErrors}
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** The header of a state: it says whether this version and this clause can read the rest. */
private[spark] object StateSeal {

  /** The first byte. Another number means another format. */
  val version: Byte = 11

  private val headerBytes = 1 + 4 + 4

  /** A number that is the same in every JVM. */
  def shape(parts: String*): Int = parts.mkString("\n").hashCode

  /** Whole bytes of a state. */
  def close(shape: Int, out: StateOutput): Array[Byte] = {
    val body  = out.toByteArray
    val bytes = ByteBuffer.allocate(Math.addExact(headerBytes, body.length))
    bytes.put(version).putInt(checksum(body)).putInt(shape).put(body)
    bytes.array
  }

  /**
   * What [[close]] closed.
   *
   * @param clause
   *   for the error
   */
  def open(shape: Int, bytes: Array[Byte], clause: Origin): StateInput =
    open(Map(shape -> (())), bytes, clause)._2

  /**
   * What [[close]] closed with one of some shapes, and what this shape stands for.
   *
   * @param clause
   *   for the error
   */
  def open[T](shapes: Map[Int, T], bytes: Array[Byte], clause: Origin): (T, StateInput) = {
    if (bytes.isEmpty || bytes(0) != version) {
      val found = if (bytes.isEmpty) "none" else (bytes(0) & 0xff).toString
      otherFormat(found, clause)
    }
    if (bytes.length < headerBytes) unreadable("it is damaged", clause)
    val header = ByteBuffer.wrap(bytes, 1, headerBytes - 1)
    val sum    = header.getInt
    val known  = shapes.getOrElse(
      header.getInt,
      unreadable("another clause wrote it, or this clause over other columns", clause))
    val body = Arrays.copyOfRange(bytes, headerBytes, bytes.length)
    if (checksum(body) != sum) unreadable("it is damaged", clause)
    (known, new StateInput(body))
  }

  /** Refuses a state of another version of the library. */
  def otherFormat(found: String, clause: Origin): Nothing =
    unreadable(
      s"its format is $found, and this version of the library reads format $version",
      clause)

  /** Refuses a state, for this reason. */
  def unreadable(reason: String, clause: Origin): Nothing =
    throw MatchRecognizeErrors.runtime(
      RuntimeErrors.StateUnreadable,
      clause,
      None,
      "reason" -> reason)

  private def checksum(body: Array[Byte]): Int = {
    val sum = new CRC32
    sum.update(body, 0, body.length)
    sum.getValue.toInt
  }
}

package org.matchrecognize.spark.pattern.program

import java.util.Arrays

/**
 * Hashes that distinguish small numbers in any order: counters and row numbers give states that
 * `31 * a + b` mostly does not.
 */
private[spark] object Mixing {

  def mix(hash: Int, value: Int): Int = {
    val mixed = (hash ^ value) * 0x9e3779b1
    mixed ^ mixed >>> 15
  }

  def mix(at: Int, registers: Array[Int]): Int = {
    var hash = at
    var i    = 0
    while (i < registers.length) {
      hash = mix(hash, registers(i))
      i += 1
    }
    hash
  }
}

/** An array as a key: equal to another one with the same words. */
final private[spark] class Words(val words: Array[Long]) {
  override val hashCode: Int               = Arrays.hashCode(words)
  override def equals(other: Any): Boolean = other match {
    case that: Words => Arrays.equals(words, that.words)
    case _           => false
  }
}

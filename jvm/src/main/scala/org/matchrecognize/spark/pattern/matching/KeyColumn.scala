package org.matchrecognize.spark.pattern.matching

import java.util.Arrays

/**
 * One key for each row, and for blocks of 16, 256, 4096, ... rows the smallest and the largest. The
 * first row with a key that is wanted is found in time logarithmic in the rows before it. (Where
 * keys on both sides of a range are in one block, its rows are looked at for nothing.)
 */
final private[matching] class KeyColumn {
  import KeyColumn._

  private var keys  = new Array[Long](16)
  private var nulls = new Array[Long](1)

  /** By level from 1 on; made when a block of the level is complete. */
  private val levels = new Array[Blocks](topLevel + 1)

  /** Sets the key of the i-th row: rows come in order, and may be set again from any on. */
  def set(i: Int, key: Long, isNull: Boolean): Unit = {
    if (i >= keys.length) keys = Arrays.copyOf(keys, 2 * keys.length)
    if ((i >> 6) >= nulls.length) nulls = Arrays.copyOf(nulls, 2 * nulls.length)
    keys(i) = key
    if (isNull) nulls(i >> 6) |= 1L << i else nulls(i >> 6) &= ~(1L << i)
    if ((i & mask) == mask) completeRows(i >> bits)
  }

  def key(i: Int): Long       = keys(i)
  def isNull(i: Int): Boolean = (nulls(i >> 6) >> i & 1L) != 0
  def capacity: Int           = keys.length

  /** The first row from `from` on, before `end`, with a wanted key; `end` if there is none. */
  def first(range: KeyRange, wanted: Int, from: Int, end: Int): Int = {
    var i     = from
    var found = false
    while (i < end && !found) {
      val stop = math.min(end, (i | mask) + 1)
      while (i < stop && !found)
        if (range.matches(wanted, keys(i), isNull(i))) found = true else i += 1
      if (!found && i < end) i = skip(range, wanted, i, end)
    }
    i
  }

  /** From the beginning of a block of 16 rows to that of the first that may have a wanted key. */
  private def skip(range: KeyRange, wanted: Int, from: Int, end: Int): Int = {
    var at    = from
    var level = 1
    while (level > 0) {
      val shift = level * bits
      if (at <= end - (1 << shift) && !levels(level).mayMatch(range, wanted, at >> shift)) {
        at += 1 << shift
        if (level < topLevel && (at & (1 << shift + bits) - 1) == 0) level += 1
      } else {
        level -= 1
      }
    }
    at
  }

  private def completeRows(block: Int): Unit = {
    var least   = Long.MaxValue
    var most    = Long.MinValue
    var hasNull = false
    var i       = block << bits
    val end     = i + size
    while (i < end) {
      if (isNull(i)) hasNull = true
      else {
        least = math.min(least, keys(i))
        most = math.max(most, keys(i))
      }
      i += 1
    }
    put(1, block, least, most, hasNull)
  }

  private def put(level: Int, block: Int, least: Long, most: Long, hasNull: Boolean): Unit = {
    if (levels(level) == null) levels(level) = new Blocks
    levels(level).set(block, least, most, hasNull)
    if ((block & mask) == mask && level < topLevel) {
      val above = block >> bits
      val of    = levels(level)
      put(level + 1, above, of.leastOf(above), of.mostOf(above), of.hasNullIn(above))
    }
  }
}

private object KeyColumn {

  /** A block has 16 rows, or 16 blocks. */
  private val bits = 4
  private val size = 1 << bits
  private val mask = size - 1

  /** Blocks of 2^28 rows. */
  private val topLevel = 7

  /** The bytes of a row, with its part of the blocks. */
  val bytesPerRow = 10

  /** The smallest and the largest key of each block of one level. */
  final private class Blocks {
    private var least   = new Array[Long](4)
    private var most    = new Array[Long](4)
    private var hasNull = new Array[Boolean](4)

    def set(block: Int, least: Long, most: Long, hasNull: Boolean): Unit = {
      if (block >= this.least.length) {
        val more = 2 * this.least.length
        this.least = Arrays.copyOf(this.least, more)
        this.most = Arrays.copyOf(this.most, more)
        this.hasNull = Arrays.copyOf(this.hasNull, more)
      }
      this.least(block) = least
      this.most(block) = most
      this.hasNull(block) = hasNull
    }

    def mayMatch(range: KeyRange, wanted: Int, block: Int): Boolean =
      range.mayMatch(wanted, least(block), most(block), hasNull(block))

    /** Of the blocks that a block of the next level has. */
    def leastOf(above: Int): Long = {
      var found = Long.MaxValue
      var i     = above << bits
      while (i < ((above + 1) << bits)) {
        found = math.min(found, least(i))
        i += 1
      }
      found
    }

    def mostOf(above: Int): Long = {
      var found = Long.MinValue
      var i     = above << bits
      while (i < ((above + 1) << bits)) {
        found = math.max(found, most(i))
        i += 1
      }
      found
    }

    def hasNullIn(above: Int): Boolean = {
      var i = above << bits
      while (i < ((above + 1) << bits) && !hasNull(i)) i += 1
      i < ((above + 1) << bits)
    }
  }
}

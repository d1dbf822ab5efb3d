package org.matchrecognize.spark.pattern.keys

import java.util.Arrays

/**
 * The keys for which a comparison holds: those from `low` to `high`, or all others. A row without a
 * key (NULL) satisfies no comparison. Of some keys it may be unknown whether it holds.
 */
final class KeyRange {
  final private val inside  = 1
  final private val outside = 2
  final private val none    = 4

  private var low        = 0L
  private var high       = 0L
  private var isInverted = false

  /** Keys before the first or after the last of these are unknown. */
  private var knownFrom = Long.MinValue
  private var knownTo   = Long.MaxValue

  /** Keys between these are unknown, too. */
  private var unknownFrom = Long.MaxValue
  private var unknownTo   = Long.MinValue

  /** Holds for no row. */
  def setEmpty(): Unit = set(Long.MaxValue, Long.MinValue)

  def set(low: Long, high: Long, inverted: Boolean = false): Unit = {
    this.low = low
    this.high = high
    isInverted = inverted
    knownFrom = Long.MinValue
    knownTo = Long.MaxValue
    unknownFrom = Long.MaxValue
    unknownTo = Long.MinValue
  }

  /** Says nothing of keys outside a range. */
  def restrict(from: Long, to: Long): Unit = {
    knownFrom = from
    knownTo = to
  }

  /** Says nothing of keys in a range. */
  def exclude(from: Long, to: Long): Unit = {
    unknownFrom = from
    unknownTo = to
  }

  /**
   * Holds for the keys that compare to a key in one of the ways given.
   *
   * @param less
   *   whether it holds for smaller keys
   */
  def compare(key: Long, less: Boolean, equal: Boolean, greater: Boolean): Unit =
    if (less && greater && !equal) set(key, key, inverted = true)
    else if (!equal && (less && key == Long.MinValue || greater && key == Long.MaxValue))
      setEmpty()
    else {
      val nearest = if (equal) 0 else 1
      set(
        if (less) Long.MinValue else key + nearest,
        if (greater) Long.MaxValue else key - nearest)
    }

  /** Which keys are wanted: a bit for those inside, for those outside, and for no key. */
  private[keys] def wanted(satisfied: Boolean): Int =
    if (satisfied) { if (isInverted) outside else inside }
    else (if (isInverted) inside else outside) | none

  /** Whether a row may have a key that is wanted. */
  private[keys] def matches(wanted: Int, key: Long, isNull: Boolean): Boolean =
    if (isNull) (wanted & none) != 0
    else {
      val place = if (key >= low && key <= high) inside else outside
      (wanted & place) != 0 || key < knownFrom || key > knownTo ||
      key >= unknownFrom && key <= unknownTo
    }

  /**
   * Whether one of several rows may have a key that is wanted.
   *
   * @param least
   *   the smallest key of the rows; larger than `most` if none has a key
   */
  private[keys] def mayMatch(wanted: Int, least: Long, most: Long, hasNull: Boolean): Boolean =
    (wanted & inside) != 0 && least <= high && most >= low ||
      (wanted & outside) != 0 && (least < low || most > high) ||
      (wanted & none) != 0 && hasNull ||
      least <= most &&
      (least < knownFrom || most > knownTo || least <= unknownTo && most >= unknownFrom)
}

/**
 * One key for each row, and for blocks of 16, 256, 4096, ... rows the smallest and the largest. The
 * first row with a key that is wanted is found in time logarithmic in the rows before it. (Where
 * keys on both sides of a range are in one block, its rows are looked at for nothing.)
 */
final private[keys] class KeyColumn {
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

  private def completeBlocks(level: Int, above: Int): Unit = {
    val blocks  = levels(level)
    var least   = Long.MaxValue
    var most    = Long.MinValue
    var hasNull = false
    var i       = above << bits
    val end     = i + size
    while (i < end) {
      least = math.min(least, blocks.least(i))
      most = math.max(most, blocks.most(i))
      hasNull |= blocks.hasNull(i)
      i += 1
    }
    put(level + 1, above, least, most, hasNull)
  }

  private def put(level: Int, block: Int, least: Long, most: Long, hasNull: Boolean): Unit = {
    if (levels(level) == null) levels(level) = new Blocks
    levels(level).set(block, least, most, hasNull)
    if ((block & mask) == mask && level < topLevel) completeBlocks(level, block >> bits)
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
    var least   = new Array[Long](4)
    var most    = new Array[Long](4)
    var hasNull = new Array[Boolean](4)

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
  }
}

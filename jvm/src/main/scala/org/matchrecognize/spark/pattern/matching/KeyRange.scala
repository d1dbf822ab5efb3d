package org.matchrecognize.spark.pattern.matching

/**
 * The keys for which a comparison holds: those from `low` to `high`, or all others. A row without a
 * key (NULL) satisfies no comparison. Of some keys it may be unknown whether it holds.
 */
final class KeyRange {
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
  private[matching] def wanted(satisfied: Boolean): Int =
    if (satisfied) { if (isInverted) KeyRange.outside else KeyRange.inside }
    else (if (isInverted) KeyRange.inside else KeyRange.outside) | KeyRange.none

  /** Whether a row may have a key that is wanted. */
  private[matching] def matches(wanted: Int, key: Long, isNull: Boolean): Boolean =
    if (isNull) (wanted & KeyRange.none) != 0
    else {
      val place = if (key >= low && key <= high) KeyRange.inside else KeyRange.outside
      (wanted & place) != 0 || key < knownFrom || key > knownTo ||
      key >= unknownFrom && key <= unknownTo
    }

  /**
   * Whether one of several rows may have a key that is wanted.
   *
   * @param least
   *   the smallest key of the rows; larger than `most` if none has a key
   */
  private[matching] def mayMatch(
      wanted: Int,
      least: Long,
      most: Long,
      hasNull: Boolean): Boolean =
    (wanted & KeyRange.inside) != 0 && least <= high && most >= low ||
      (wanted & KeyRange.outside) != 0 && (least < low || most > high) ||
      (wanted & KeyRange.none) != 0 && hasNull ||
      least <= most &&
      (least < knownFrom || most > knownTo || least <= unknownTo && most >= unknownFrom)
}

private object KeyRange {
  val inside  = 1
  val outside = 2
  val none    = 4
}

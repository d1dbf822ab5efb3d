package org.matchrecognize.spark.pattern.matching

/**
 * The keys for which a comparison holds: those from `low` to `high`, or all others. A row without a
 * key (NULL) satisfies no comparison.
 */
final class KeyRange {
  private var low        = 0L
  private var high       = 0L
  private var isInverted = false

  /** Holds for no row. */
  def setEmpty(): Unit = set(Long.MaxValue, Long.MinValue)

  def set(low: Long, high: Long, inverted: Boolean = false): Unit = {
    this.low = low
    this.high = high
    isInverted = inverted
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

  /** Whether a row has a key that is wanted. */
  private[matching] def matches(wanted: Int, key: Long, isNull: Boolean): Boolean = {
    val place =
      if (isNull) KeyRange.none
      else if (key >= low && key <= high) KeyRange.inside
      else KeyRange.outside
    (wanted & place) != 0
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
      (wanted & KeyRange.none) != 0 && hasNull
}

private object KeyRange {
  val inside  = 1
  val outside = 2
  val none    = 4
}

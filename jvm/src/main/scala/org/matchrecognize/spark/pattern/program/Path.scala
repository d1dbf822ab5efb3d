package org.matchrecognize.spark.pattern.program

/**
 * The rows of a match and their variables, from the last to the first: threads that took the same
 * path share it. It begins where [[SettledLabels]] end.
 *
 * @param label
 *   the variable, and whether the row is excluded, as [[Path.label]] packs them; or [[Path.passed]]
 * @param rows
 *   how many rows have this label, one after another: those that a search skipped together
 */
final class Path(var parent: Path, val label: Int, rows: Int = 1) {
  private var own = rows

  /** How many rows have this label. */
  def count: Int = own

  /** The path up to the last row but one; from then on this is the last row alone. */
  def beforeLast: Path = {
    if (own > 1) {
      parent = new Path(parent, label, own - 1)
      own = 1
    }
    parent
  }
}

object Path {

  /** The label of a row that is passed over: it is mapped to nothing. */
  val passed: Int = 0

  def label(variable: Int, excluded: Boolean): Int =
    (variable + 1) << 1 | (if (excluded) 1 else 0)
  def variable(label: Int): Int     = (label >> 1) - 1
  def excluded(label: Int): Boolean = (label & 1) == 1

  /** The path without the rows passed over after the last that is mapped. */
  def mapped(path: Path): Path = {
    var last = path
    while (last != null && last.label == passed) last = last.parent
    last
  }

  /**
   * The labels of the last rows of a path, by their order. They are read fastest in that order.
   *
   * @param length
   *   how many rows
   */
  def labels(path: Path, length: Int): Int => Int = {
    var size = 0
    var node = path
    var left = length
    while (left > 0) {
      size += 1
      left -= node.count
      node = node.parent
    }
    val labels = new Array[Int](size)
    val ends   = new Array[Int](size)
    node = path
    left = length
    while (left > 0) {
      size -= 1
      labels(size) = node.label
      ends(size) = left
      left -= node.count
      node = node.parent
    }
    // The run that was read last.
    var run = 0
    i => {
      while (i >= ends(run)) run += 1
      while (run > 0 && i < ends(run - 1)) run -= 1
      labels(run)
    }
  }
}

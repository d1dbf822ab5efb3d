package org.matchrecognize.spark.pattern.program

/**
 * The rows of a match and their variables, from the last to the first: threads that took the same
 * path share it. It begins where [[SettledLabels]] end.
 *
 * @param label
 *   the variable, and whether the row is excluded, as [[Path.label]] packs them; or [[Path.passed]]
 */
final class Path(var parent: Path, val label: Int)

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

  /** The labels in row order. */
  def labels(path: Path, length: Int): Array[Int] = {
    val labels = new Array[Int](length)
    var node   = path
    var i      = length - 1
    while (i >= 0) {
      labels(i) = node.label
      node = node.parent
      i -= 1
    }
    labels
  }
}

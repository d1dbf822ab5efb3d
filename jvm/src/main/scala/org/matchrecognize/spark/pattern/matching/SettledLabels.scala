package org.matchrecognize.spark.pattern.matching

import org.matchrecognize.spark.pattern.program.Path

/**
 * The labels that all threads of a search agree on. A thread's [[Path]] takes an object a row; now
 * and then, what all paths have in common is moved from them to `labels`, which has a byte a row
 * and can lie on disk.
 *
 * @param kept
 *   where the labels are kept; None if they are not needed, so that threads have no paths
 * @param every
 *   rows after which to look again at least; after a look that moved little, twice what is left, so
 *   that looking takes no longer than stepping
 */
final class SettledLabels(kept: Option[PackedNumbers], every: Int = PackedNumbers.chunkSize) {

  /** No path has been considered. */
  final private val nothing = -1L

  val isKept: Boolean = kept.nonEmpty

  /** Stays empty if labels are not needed. */
  private val labels = kept.getOrElse(PackedNumbers.onHeap())

  private var next = every.toLong

  /** What the paths considered have in common: the last row of it, and its rows. */
  private var common: Path = _
  private var commonRows   = nothing

  /** Begins another match, without labels. */
  def begin(): Unit = {
    labels.clear()
    next = every.toLong
  }

  /** Whether it is time to look, `rows` rows after the start of the match. */
  def isDue(rows: Long): Boolean = isKept && rows - labels.size >= next

  /** The path of a thread after one more row, which has a label. */
  def extended(path: Path, label: Int): Path = if (isKept) new Path(path, label) else null

  /** Takes a path of so many rows from the start of the match into account. */
  def consider(path: Path, rows: Long): Unit =
    if (commonRows == nothing) {
      common = path
      commonRows = rows
    } else {
      var other     = path
      var otherRows = rows
      while (common ne other)
        if (otherRows > commonRows) {
          otherRows -= other.count
          other = other.parent
        } else {
          commonRows -= common.count
          common = common.parent
        }
    }

  /**
   * Moves what all paths considered have in common, but for its last row, where paths begin then.
   */
  def settle(rows: Long): Unit = {
    val last = if (common == null) 0 else common.count
    if (commonRows - labels.size > last) {
      val moved = (commonRows - last - labels.size).toInt
      val label = Path.labels(common.parent, moved)
      var i     = 0
      while (i < moved) {
        labels.append(label(i))
        i += 1
      }
      common.parent = null
    }
    common = null
    commonRows = nothing
    next = math.max(every.toLong, 2 * (rows - labels.size))
  }

  /**
   * The labels of a match by its rows. Of one that ends before rows that its path has passed over,
   * `path` is what is not settled: nothing, if it ends before that.
   */
  def of(path: Path, length: Int): Int => Int = {
    val settled = math.min(labels.size, length.toLong).toInt
    // Rows passed over after the last that is mapped can be settled, and are not of the match.
    val rest = Path.labels(path, length - settled)
    i => if (i < settled) labels(i.toLong) else rest(i - settled)
  }

  def write(out: StateOutput): Unit = if (isKept) labels.write(out)

  def read(in: StateInput): Unit = if (isKept) {
    labels.read(in)
    next = every.toLong
  }
}

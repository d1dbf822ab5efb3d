package org.matchrecognize.spark.execution.slots

/**
 * The rows mapped to a variable, from the last to the first: where navigations go so far that a
 * copy with each row would be too much. A value: threads share it. Adding a row takes constant
 * time, finding one by its place logarithmic time (Myers' list: each node also knows one far
 * after it, so that the distances are those of skew binary numbers).
 *
 * @param parent
 *   the list without its last row, or null
 * @param entry
 *   the last row, as [[Slots.entry]] packs it
 */
final private[execution] class MappedRows(val parent: MappedRows, val entry: Long) {
  val size: Int = if (parent == null) 1 else parent.size + 1

  /** A list of fewer rows that this one starts with; of the first row, itself. */
  private val jump: MappedRows =
    if (parent == null) this
    else {
      val near = parent.jump
      if (parent.size - near.size == near.size - near.jump.size) near.jump else parent
    }

  /** The entry of the row with `offset` rows before it, or -1. */
  def first(offset: Int): Long = if (offset < size) prefix(offset + 1).entry else -1

  /** The entry of the row with `offset` rows after it, or -1. */
  def last(offset: Int): Long = if (offset < size) prefix(size - offset).entry else -1

  /** The list of the first `count` rows, or this one if there are no more. */
  def prefix(count: Int): MappedRows = {
    val wanted = math.max(count, 1)
    var node   = this
    while (node.size > wanted) node = if (node.jump.size >= wanted) node.jump else node.parent
    node
  }

  /** Whether the last `count` rows of both are the same, all of them if there are fewer. */
  def endsAs(that: MappedRows, count: Int): Boolean = {
    var a    = this
    var b    = that
    var left = count
    while (left > 0 && a != null && b != null && !a.eq(b) && a.entry == b.entry) {
      a = a.parent
      b = b.parent
      left -= 1
    }
    left == 0 || a.eq(b)
  }
}

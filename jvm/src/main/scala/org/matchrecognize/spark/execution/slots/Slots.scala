package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow

/**
 * What conditions and measures need of the rows mapped so far, for one thread. A value: threads
 * share it, mapping a row makes another. Only where there is one thread it is changed in place
 * ([[SlotLayout.own]]).
 *
 * @param rows
 *   entries of [[RowSlot]]s, each as [[Slots.entry]] packs it, or -1
 * @param lists
 *   lists of [[RowSlot]]s; null if empty
 * @param buffers
 *   buffers of aggregates
 * @param history
 *   the labels of all rows, where something reads that of a row found by PREV or NEXT, or for the
 *   ordinal of a row in a match that passes over rows
 */
final private[execution] class Slots(
    val rows: Array[Long],
    val lists: Array[MappedRows],
    val buffers: Array[GenericInternalRow],
    var history: LabelHistory)

private[execution] object Slots {
  private val variableBits = 16

  /** Variables that an entry can distinguish. */
  val maxVariables: Int = 1 << variableBits

  def entry(row: Long, variable: Int): Long = row << variableBits | variable
  def row(entry: Long): Long                = if (entry < 0) -1 else entry >> variableBits
  def variable(entry: Long): Int            = (entry & (maxVariables - 1)).toInt
}

/** The variables of the rows of a match, from the last to the first. */
final private[execution] class LabelHistory(
    val parent: LabelHistory,
    val row: Long,
    val variable: Int) {

  /** How many rows are mapped up to this one. */
  val size: Long = if (parent == null) 1 else parent.size + 1

  /** One far before this one, for [[find]]: as in [[MappedRows]]. */
  private val jump: LabelHistory =
    if (parent == null) this
    else {
      val near = parent.jump
      if (parent.size - near.size == near.size - near.jump.size) near.jump else parent
    }

  /** Of the whole history: equal histories have equal hashes. */
  override val hashCode: Int =
    (if (parent == null) 17 else parent.hashCode) * 31 + variable

  override def equals(other: Any): Boolean = other match {
    case that: LabelHistory =>
      var a = this
      var b = that
      while (a != null && b != null && !a.eq(b) && a.variable == b.variable && a.row == b.row) {
        a = a.parent
        b = b.parent
      }
      // Both at the same node, or both at the end.
      a eq b
    case _ => false
  }

  /** The variable that `row` is mapped to, or -1. */
  def variableOf(row: Long): Int = {
    val node = find(row)
    if (node == null) -1 else node.variable
  }

  /** The ordinal of `row` among the rows mapped, from 1, or -1. */
  def numberOf(row: Long): Long = {
    val node = find(row)
    if (node == null) -1 else node.size
  }

  private def find(wanted: Long): LabelHistory = {
    var node = this
    while (node != null && node.row > wanted)
      node = if (node.parent != null && node.jump.row >= wanted) node.jump else node.parent
    if (node != null && node.row == wanted) node else null
  }
}

/**
 * The rows mapped to a variable, from the last to the first: where navigations go so far that a
 * copy with each row would be too much. A value: threads share it. Adding a row takes constant
 * time, finding one by its ordinal logarithmic time (Myers' list: each node also knows one far
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

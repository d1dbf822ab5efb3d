package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  UnsafeProjection,
  UnsafeRow
}

import org.matchrecognize.spark.conditions.{Fallible, StartBound}
import org.matchrecognize.spark.execution.rows.PartitionRows

/**
 * The [[Horizons]] of a [[StartBound]] in a task.
 *
 * @param bound
 *   its expression, evaluated on the window at the row
 * @param input
 *   the columns of the store's rows
 * @param ahead
 *   evaluates bounds that can fail
 */
final private[execution] class StartHorizons(
    spec: StartBound,
    bound: Expression,
    input: Seq[Attribute],
    store: PartitionRows,
    window: RowWindow,
    ahead: TestingAhead)
    extends SearchedHorizons {

  private val column  = input.indexWhere(_.exprId == spec.key.exprId)
  private val project = UnsafeProjection.create(Seq(bound))
  private val size    = spec.key.dataType.defaultSize
  private val row     = store.newRow()
  private var atBound = 0L

  override protected def prepare(isAsked: Long => Boolean): Boolean =
    !Fallible(spec.bound) || ahead(rows)(start => if (isAsked(start)) boundAt(start))

  override protected def begin(start: Long): Boolean = {
    val found = boundAt(start)
    val hasIt = !found.isNullAt(0)
    if (hasIt) atBound = number(found, 0)
    hasIt
  }

  private def boundAt(start: Long): UnsafeRow = {
    window.at(start)
    project(window)
  }

  override protected def contains(index: Long): Boolean = {
    store.get(index, row)
    // Rows without a key satisfy no condition with the bound: they count with the end they lie at.
    if (row.isNullAt(column)) spec.nullsFirst
    else {
      val distance = java.lang.Long.compare(number(row, column), atBound)
      distance == 0 && spec.inclusive || distance != 0 && distance < 0 == spec.ascending
    }
  }

  private def number(from: UnsafeRow, ordinal: Int): Long = size match {
    case 1 => from.getByte(ordinal).toLong
    case 2 => from.getShort(ordinal).toLong
    case 4 => from.getInt(ordinal).toLong
    case _ => from.getLong(ordinal)
  }
}

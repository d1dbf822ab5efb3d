package org.matchrecognize.spark.execution.evaluation

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  GenericInternalRow,
  MutableProjection,
  UnsafeRow
}

import org.matchrecognize.spark.pattern.matching.SmallNumbers

/**
 * Reads the rows from their store once the partition is complete.
 *
 * @param bound
 *   by variable, its condition over the window
 * @param ahead
 *   tests them
 */
final private[execution] class ClassifiedAtEnd(
    conditions: DistinctConditions,
    bound: IndexedSeq[Option[Expression]],
    window: RowWindow,
    classes: SmallNumbers,
    ahead: TestingAhead)
    extends ClassifiedRows(conditions, classes) {

  /** What the row tested satisfies, a bit a condition. */
  private val mask = new Array[Long](math.max(1, (conditions.size + 63) >> 6))

  /** All conditions in one piece of code. */
  private val test: MutableProjection =
    MutableProjection.create(conditions.variables.map(bound(_).get)).target(new VerdictRow(mask))

  override def begin(): Unit = ()

  override def append(row: UnsafeRow): Unit = ()

  override def classify(rows: Long): Boolean = {
    classes.clear()
    ahead(rows) { row =>
      Arrays.fill(mask, 0L)
      window.at(row)
      test(window)
      classes.append(known.of(mask))
    }
  }
}

/** Takes verdicts as a row of booleans, and keeps which are true. */
final private class VerdictRow(mask: Array[Long]) extends GenericInternalRow(new Array[Any](0)) {
  override def setNullAt(i: Int): Unit                  = ()
  override def setBoolean(i: Int, value: Boolean): Unit = if (value) mask(i >> 6) |= 1L << i
  override def update(i: Int, value: Any): Unit         = if (value == true) setBoolean(i, true)
}

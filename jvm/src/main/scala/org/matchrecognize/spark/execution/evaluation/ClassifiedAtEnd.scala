package org.matchrecognize.spark.execution.evaluation

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.{BasePredicate, Expression, UnsafeRow}

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

  /** By condition. Each is tested alone, as a search tests it. */
  private val tests: Array[BasePredicate] =
    ManyConditions.predicates(conditions.variables.map(bound(_)))

  override def begin(): Unit = ()

  override def append(row: UnsafeRow): Unit = ()

  override def classify(rows: Long): Boolean = {
    classes.clear()
    ahead(rows) { row =>
      Arrays.fill(mask, 0L)
      window.at(row)
      var i = 0
      while (i < tests.length) {
        if (tests(i).eval(window)) mask(i >> 6) |= 1L << i
        i += 1
      }
      classes.append(known.of(mask))
    }
  }
}

package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.execution.registers.RowTests
import org.matchrecognize.spark.pattern.matching.SmallNumbers

/**
 * Tests rows when they arrive: they are not read again for it.
 *
 * @param remembersErrors
 *   whether an error of a condition stays with its row; otherwise no condition can fail
 * @param poll
 *   called now and then: throws if the task is to end
 */
final private[execution] class ClassifiedOnArrival(
    conditions: DistinctConditions,
    tests: RowTests,
    classes: SmallNumbers,
    remembersErrors: Boolean,
    poll: () => Unit)
    extends ClassifiedRows(conditions, classes) {

  private var arrived = 0L

  /** A condition failed at a row of the partition: no more rows of it are tested. */
  private var hasFailed = false

  override def begin(): Unit = {
    tests.begin()
    classes.clear()
    arrived = 0
    hasFailed = false
  }

  override def append(row: UnsafeRow): Unit = {
    if ((arrived & TestingAhead.pollMask) == 0) poll()
    arrived += 1
    if (!hasFailed) {
      if (tests.ahead == 0) {
        test(row)
        if (!hasFailed) tests.remember(row)
      } else {
        tests.remember(row)
        if (arrived > tests.ahead) test(row)
      }
    }
  }

  private def test(row: UnsafeRow): Unit =
    try classes.append(known.of(tests.test(row)))
    catch { case FailedEvaluation() if remembersErrors => hasFailed = true }

  override def classify(rows: Long): Boolean = {
    // A row is tested when as many rows have followed as conditions look ahead: NULLs, at the end.
    while (!hasFailed && arrived < tests.ahead) {
      tests.pass()
      arrived += 1
    }
    while (!hasFailed && classes.size < rows) {
      tests.pass()
      test(null)
    }
    !hasFailed
  }
}

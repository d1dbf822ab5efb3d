package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{
  Cast,
  Expression,
  GenericInternalRow,
  If,
  IsNull,
  Literal,
  MutableProjection,
  Predicate
}
import org.apache.spark.sql.types.{DataType, DoubleType, NumericType}

import org.matchrecognize.spark.conditions.MonotoneTest
import org.matchrecognize.spark.expressions.ValueKeys
import org.matchrecognize.spark.pattern.keys.KeyRange

/**
 * Finds for which keys a [[MonotoneTest]] holds, between two keys. The last key with the verdict of
 * the smaller one is found by halving, so it is exact however the function rounds.
 *
 * @param dataType
 *   of argument 0
 * @param fixed
 *   how many arguments stay the same
 */
final private[evaluation] class MonotoneKeyRange(
    function: MonotoneTest,
    dataType: DataType,
    fixed: Int) {
  import MonotoneKeyRange._

  private val arguments = new GenericInternalRow(fixed + 1)
  private val test      = Predicate.create(function.test)
  private val divisors  = function.divisors.size
  private val checks    = (function.divisors :+ function.value :+ function.test).map(number)
  private val atFrom    = new GenericInternalRow(checks.size)
  private val atTo      = new GenericInternalRow(checks.size)
  private val check     = MutableProjection.create(checks)

  /** How many ranges did not serve last, and how often one was looked for. */
  private var choice = 0
  private var served = 0

  /**
   * @param values
   *   those that stay the same
   * @param near
   *   the key of a row nearby
   * @return
   *   false if it is not known for any keys
   */
  def find(values: Seq[Any], near: Long, into: KeyRange): Boolean = {
    var i = 0
    while (i < fixed) {
      arguments.update(i + 1, values(i))
      i += 1
    }
    val ranges = ValueKeys.ranges(dataType, near)
    if ((served & mostServed) == 0 || choice >= ranges.size) choice = 0
    served += 1
    while (choice < ranges.size && !isMonotone(ranges(choice))) choice += 1
    val isFound = choice < ranges.size
    if (isFound) set(ranges(choice), into) else choice = 0
    isFound
  }

  /** See [[MonotoneTest]]. */
  private def isMonotone(range: (Long, Long)): Boolean =
    FailedEvaluation.isNone {
      checkAt(range._1, atFrom)
      checkAt(range._2, atTo)
    } && checks.indices.forall { i =>
      isFinite(atFrom, i) && isFinite(atTo, i) && (i >= divisors ||
        math.signum(atFrom.getDouble(i)) * math.signum(atTo.getDouble(i)) > 0)
    }

  private def checkAt(key: Long, into: GenericInternalRow): Unit = {
    arguments.update(0, ValueKeys.value(key, dataType))
    check.target(into)
    val _ = check(arguments)
  }

  private def isFinite(row: GenericInternalRow, i: Int): Boolean =
    !row.isNullAt(i) && !row.getDouble(i).isNaN && !row.getDouble(i).isInfinite

  private def holds(key: Long): Boolean = {
    arguments.update(0, ValueKeys.value(key, dataType))
    test.eval(arguments)
  }

  private def set(range: (Long, Long), into: KeyRange): Unit = {
    val (from, to) = range
    val atEnd      = holds(to)
    if (holds(from) == atEnd) {
      if (atEnd) into.set(from, to) else into.setEmpty()
    } else {
      var low    = from
      var high   = to
      var middle = between(low, high)
      while (middle != low) {
        if (holds(middle) == atEnd) high = middle else low = middle
        middle = between(low, high)
      }
      if (atEnd) into.set(high, to) else into.set(from, low)
      if (!ValueKeys.areExact(dataType)) into.exclude(low, high)
    }
    into.restrict(from, to)
  }
}

private object MonotoneKeyRange {

  /** After so many times, a power of two less one, the widest range is tried again. */
  private val mostServed = 255

  /** A number that is finite where the expression has a value, of a number a finite one. */
  private def number(e: Expression): Expression =
    if (e.dataType.isInstanceOf[NumericType]) Cast(e, DoubleType)
    else If(IsNull(e), Literal.create(null, DoubleType), Literal(0.0))

  /** Half the sum, without overflow. */
  private def between(low: Long, high: Long): Long = (low & high) + ((low ^ high) >> 1)
}

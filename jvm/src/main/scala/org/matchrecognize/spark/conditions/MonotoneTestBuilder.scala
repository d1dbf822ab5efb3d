package org.matchrecognize.spark.conditions

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions._

/**
 * Divides an expression into one part that the row alone decides, parts that stay the same, and
 * monotone operators above them.
 *
 * @param isRow
 *   whether an expression can be the first part
 * @param isFixed
 *   whether it stays the same
 */
final private[conditions] class MonotoneTestBuilder(
    isRow: Expression => Boolean,
    isFixed: Expression => Boolean) {
  import MonotoneTestBuilder._

  private var row: Option[Expression] = None
  private val fixed                   = ArrayBuffer[Expression]()
  private val divisors                = ArrayBuffer[Expression]()

  /** The condition that `subject` compares so to `other`; None if it is not monotone. */
  def build(
      subject: Expression,
      other: Expression,
      comparison: (Expression, Expression) => Expression): Option[FixedCondition] =
    for {
      value    <- argument(subject)
      bound    <- if (isFixed(other)) argument(other) else None
      rowValue <- row
    } yield FixedCondition.Threshold(
      rowValue,
      fixed.toVector,
      MonotoneTest(comparison(value, bound), value, divisors.toVector))

  /** The expression over the arguments. */
  private def argument(e: Expression): Option[Expression] =
    if (isFixed(e)) {
      fixed += e
      Some(BoundReference(fixed.size, e.dataType, nullable = true))
    } else if (row.isEmpty && isRow(e)) {
      row = Some(e)
      Some(BoundReference(0, e.dataType, nullable = true))
    } else
      differenceOf(e) match {
        case add: Add           => arithmetic(add)(Add(_, _))
        case minus: Subtract    => arithmetic(minus)(Subtract(_, _))
        case multiply: Multiply => numbers(multiply)(Multiply(_, _))
        case divide: Divide     => quotient(divide)
        case minus: UnaryMinus  =>
          argument(minus.child).map(child => exact(minus, Seq(child), UnaryMinus(child)))
        case cast: Cast if widens(cast.child.dataType, cast.dataType) =>
          argument(cast.child).map(child => cast.withNewChildren(Seq(child)))
        case _ => None
      }

  private def arithmetic(e: BinaryArithmetic)(
      make: (Expression, Expression) => Expression): Option[Expression] =
    for (a <- argument(e.left); b <- argument(e.right)) yield exact(e, Seq(a, b), make(a, b))

  private def numbers(e: BinaryArithmetic)(
      make: (Expression, Expression) => Expression): Option[Expression] =
    if (e.dataType.isInstanceOf[NumericType]) arithmetic(e)(make) else None

  private def quotient(e: Divide): Option[Expression] = {
    val isFixedDivisor = isFixed(e.right)
    numbers(e)(Divide(_, _)).map { made =>
      if (!isFixedDivisor) divisors += made.children(1)
      made
    }
  }
}

private object MonotoneTestBuilder {

  /**
   * An operator over arguments. Whole numbers that are too large for their type begin again with the
   * smallest, unless that is an error as under ANSI; others become NULL.
   */
  private def exact(
      operator: Expression,
      arguments: Seq[Expression],
      make: => Expression): Expression =
    if (isWhole(operator.dataType)) SQLConf.withExistingConf(ansi)(make)
    else operator.withNewChildren(arguments)

  private val ansi = {
    val conf = new SQLConf
    conf.setConf(SQLConf.ANSI_ENABLED, true)
    conf
  }

  /** Differences of times as those of numbers. */
  private def differenceOf(e: Expression): Expression = e match {
    case TimeDifference(minus) => differenceOf(minus)
    case minus: SubtractTimestamps
        if !minus.legacyInterval && minus.left.dataType == minus.right.dataType =>
      sinceEpoch(minus, Literal.create(0L, minus.left.dataType))
    case minus: SubtractDates if !minus.legacyInterval =>
      sinceEpoch(minus, Literal.create(0, DateType))
    case DateDiff(end, start) => Subtract(UnixDate(end), UnixDate(start))
    case other                => other
  }

  /** A time is not monotone in the session's time zone, but its distance from the epoch there is. */
  private def sinceEpoch(minus: BinaryExpression, epoch: Literal): Expression = {
    def of(time: Expression) = TimeArithmetic.in(minus.withNewChildren(Seq(time, epoch)))
    Subtract(of(minus.left), of(minus.right))
  }

  /** Whether a cast never makes the smaller of two values the larger one. */
  private def widens(from: DataType, to: DataType): Boolean = to match {
    case FloatType | DoubleType | _: DecimalType => from.isInstanceOf[NumericType]
    case ShortType | IntegerType | LongType => isWhole(from) && from.defaultSize <= to.defaultSize
    case _                                  => false
  }

  private def isWhole(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _                                             => false
  }
}

package org.matchrecognize.spark.conditions

import java.util.concurrent.TimeUnit.DAYS

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.logical.{MatchRecognize, Within}
import org.matchrecognize.spark.pattern.{QuantifierBound, RowPattern}

/**
 * The rows of the input that a match can reach, where the condition of the variable that every
 * match begins with limits the first ORDER BY key: `A AS ts >= DATE '2026-11-01'`.
 *
 *   - No match maps rows before the first row that satisfies it, since a match continues with rows
 *     after its first.
 *   - Under WITHIN, no match maps rows beyond the bound of the last row that satisfies it.
 *
 * These rows are not read either: rows without a match are not shown, the pattern has no `^` or `$`
 * at that end of the partition, and no PREV or NEXT reaches them. No error is missed: at such a row
 * the search would test the condition up to the part that is used here, and no part before it can
 * fail.
 */
private[spark] object ReachableRows {

  /** What they satisfy, on the columns of the input; None if that is all rows. */
  def condition(m: MatchRecognize): Option[Expression] =
    for {
      order <- m.order.headOption
      key   <- Some(order.child).collect { case a: Attribute => a }
      first <- beginsWith(m.clause.pattern)
      if KeyIdentity(key.dataType) && !m.clause.rows.showUnmatched
      range = new FirstKeyRange(m, order, key, first)
      found <- (range.from.toSeq ++ range.until).reduceOption(And(_, _))
    } yield found

  /** The variable of the first row of every match. */
  private def beginsWith(pattern: RowPattern): Option[Int] =
    RowPattern.flat(Seq(pattern)).headOption.collect {
      case RowPattern.Variable(id, _) => id
      case RowPattern.Quantified(RowPattern.Variable(id, _), q, _)
          if q.stop.isEmpty && q.lower != QuantifierBound.Count(0) =>
        id
    }

  final private class FirstKeyRange(
      m: MatchRecognize,
      order: SortOrder,
      key: Attribute,
      first: Int) {
    private val ascending = order.direction == Ascending

    /** Conditions, with what they take from the row tested as taken from there. */
    private val conditions = {
      val tested = new ConditionRewriter(m.clause.variables, None)
      m.conditions.zipWithIndex.map { case (c, v) => tested.rewrite(c, v) }
    }

    /** The leading parts of the first variable's condition, none of which can fail. */
    private val leading = ConditionFacts.conjuncts(conditions(first)).takeWhile(!Fallible(_))

    private def has(anchor: RowPattern => Boolean) = RowPattern.exists(m.clause.pattern)(anchor)

    /** From the first row on at which a match can start. */
    def from: Option[Expression] =
      if (has(_.isInstanceOf[RowPattern.PartitionStart]) || !staysAfterStart) None
      else
        leading.flatMap(limit(_, greater = ascending)).headOption.map { part =>
          val plain = part.transform { case RowColumn(_, column) => column }
          // Rows after the others can belong to a match; those before have no key to start one.
          if (order.nullOrdering == NullsLast) Or(plain, IsNull(key)) else plain
        }

    /** Up to the last row that is within the bound of a match. */
    def until: Option[Expression] =
      if (has(_.isInstanceOf[RowPattern.PartitionEnd]) || looksAhead) None
      else
        for {
          within <- m.clause.within
          part   <- leading.flatMap(limit(_, greater = false)).headOption
          last   <- part.collectFirst { case Literal(value, _) => value }
          bound  <- ReachableRows.bound(last, within, key.dataType)
          inTime = LessThanOrEqual(key, Literal(bound, key.dataType))
          // Rows without a key are in no match, but may be looked at where they lie in front.
        } yield if (order.nullOrdering == NullsFirst) Or(inTime, IsNull(key)) else inTime

    /** PREV occurs only in conditions after the first, and reads the row before the tested one. */
    private def staysAfterStart: Boolean =
      m.measures.forall(RowValue.targets(_).forall(_.physical >= 0)) &&
        conditions.indices.forall(v =>
          RowValue
            .targets(conditions(v))
            .forall(target =>
              target.physical >= (if (target.isRowLocal && v != first) -1 else 0)))

    private def looksAhead: Boolean =
      (m.measures ++ conditions).exists(RowValue.targets(_).exists(_.physical > 0))

    /** A part that says that the key is greater, or less, than a constant, maybe equal. */
    private def limit(part: Expression, greater: Boolean): Option[Expression] = {
      def isKey(e: Expression) = e match {
        case RowColumn(RowTarget.tested, a: Attribute) => a.exprId == key.exprId
        case _                                         => false
      }
      def isConstant(e: Expression) = e match {
        case Literal(value, _) => value != null
        case _                 => false
      }
      def says(a: Expression, b: Expression, isGreater: Boolean) =
        isKey(a) && isConstant(b) && isGreater == greater ||
          isConstant(a) && isKey(b) && isGreater != greater
      val holds = part match {
        case GreaterThanOrEqual(a, b) => says(a, b, isGreater = true)
        case GreaterThan(a, b)        => says(a, b, isGreater = true)
        case LessThanOrEqual(a, b)    => says(a, b, isGreater = false)
        case LessThan(a, b)           => says(a, b, isGreater = false)
        case _                        => false
      }
      if (holds) Some(part) else None
    }
  }

  /** A key that no row within the bound of a match from `last` exceeds; None if all are less. */
  private def bound(last: Any, within: Within, keyType: DataType): Option[Any] =
    (last, within, keyType) match {
      case (number: Long, Within.Whole(most, _), LongType)   => sum(number, most)
      case (number: Int, Within.Whole(most, _), IntegerType) =>
        sum(number.toLong, most).filter(_ <= Int.MaxValue).map(_.toInt)
      case (time: Long, Within.Time(micros, _, _), TimestampType | TimestampNTZType) =>
        sum(time, micros).flatMap(sum(_, slack(micros)))
      case (day: Int, Within.Time(micros, _, _), DateType) =>
        val days = micros / DAYS.toMicros(1) + slack(micros) / DAYS.toMicros(1) + 1
        sum(day.toLong, days).filter(_ <= Int.MaxValue).map(_.toInt)
      case _ => None
    }

  /** Whole days of a bound are days of the calendar, which can be longer: by two for certain. */
  private def slack(micros: Long): Long =
    if (micros < DAYS.toMicros(1)) 0L else DAYS.toMicros(2)

  private def sum(a: Long, b: Long): Option[Long] =
    if (a > 0 && b > Long.MaxValue - a) None else Some(a + b)
}

package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.expressions.MatchNumber
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Where a filter lets no match pass beyond a MATCH_NUMBER, the search of a partition ends with
 * that match: numbers rise, so the rest would be tested in vain. The filter stays.
 *
 * Rows that no match covers have no number, so such a filter drops them, too.
 */
object StopAfterMatch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case filter @ Filter(_, m: MatchRecognize) =>
      val numbers = AttributeSet(m.measures.zip(m.measureOutput).collect {
        case (MatchNumber(), output) => output
      })
      // Any deterministic part, wherever it occurs, lets pass no more than it says.
      val (lasts, _) = FilterAbove.divide(filter)(last(_, numbers).nonEmpty)
      lasts.flatMap(last(_, numbers)).reduceOption(_ min _) match {
        case Some(n) if m.pushed.lastMatch.forall(n < _) =>
          filter.copy(child = m.copy(pushed = m.pushed.upTo(n)))
        case _ => filter
      }
  }

  /** The greatest number that a part lets pass, if it says one. */
  private def last(part: Expression, numbers: AttributeSet): Option[Long] = {
    def isNumber(e: Expression) = e match {
      case a: Attribute => numbers.contains(a)
      case _            => false
    }
    part match {
      case EqualTo(a, Number(n)) if isNumber(a)            => Some(n)
      case EqualTo(Number(n), a) if isNumber(a)            => Some(n)
      case LessThanOrEqual(a, Number(n)) if isNumber(a)    => Some(n)
      case GreaterThanOrEqual(Number(n), a) if isNumber(a) => Some(n)
      case LessThan(a, Number(n)) if isNumber(a)           => Some(math.max(0L, n) - 1)
      case GreaterThan(Number(n), a) if isNumber(a)        => Some(math.max(0L, n) - 1)
      case In(a, list) if isNumber(a)                      => greatest(list.map(Number.unapply))
      case InSet(a, set) if isNumber(a) => greatest(set.toSeq.map(Number.ofValue))
      case _                            => None
    }
  }

  private def greatest(numbers: Seq[Option[Long]]): Option[Long] =
    if (numbers.nonEmpty && numbers.forall(_.nonEmpty)) Some(numbers.flatten.max) else None

  /** A constant of MATCH_NUMBER's type. */
  private object Number {
    def unapply(e: Expression): Option[Long] = e match {
      case Literal(value, _) => ofValue(value)
      case _                 => None
    }
    def ofValue(value: Any): Option[Long] = value match {
      case n: Long => Some(n)
      case _       => None
    }
  }
}

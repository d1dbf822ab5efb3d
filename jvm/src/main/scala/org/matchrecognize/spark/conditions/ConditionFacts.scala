package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.expressions.SameExpression

/**
 * What a condition says about one quantity, as far as it can be read off: the condition holds only
 * where `subject` compared to a constant, or to another quantity, lies in `region`.
 *
 * @param subject
 *   the quantity
 * @param against
 *   the quantity that it is compared to, or None for constants
 */
final private[spark] case class Fact(
    subject: Expression,
    against: Option[Expression],
    region: Region)

/** A set of values, as a union of intervals. */
final private[spark] case class Region(intervals: Seq[Interval]) {
  def isDisjoint(that: Region, order: Ordering[Any]): Boolean =
    intervals.forall(a =>
      that.intervals.forall(b => a.isBefore(b, order) || b.isBefore(a, order)))

  def isWithin(that: Region, order: Ordering[Any]): Boolean =
    intervals.forall(a => that.intervals.exists(a.isWithin(_, order)))
}

/** An end of an interval; `value` is None at infinity. */
final private[spark] case class End(value: Option[Any], inclusive: Boolean)

final private[spark] case class Interval(low: End, high: End) {
  def isBefore(that: Interval, order: Ordering[Any]): Boolean =
    (high.value, that.low.value) match {
      case (Some(a), Some(b)) =>
        val sign = order.compare(a, b)
        sign < 0 || sign == 0 && !(high.inclusive && that.low.inclusive)
      case _ => false
    }

  def isWithin(that: Interval, order: Ordering[Any]): Boolean = {
    def inside(own: End, other: End, sign: Int) = (own.value, other.value) match {
      case (_, None)          => true
      case (None, _)          => false
      case (Some(a), Some(b)) =>
        val found = order.compare(a, b) * sign
        found < 0 || found == 0 && (other.inclusive || !own.inclusive)
    }
    inside(low, that.low, -1) && inside(high, that.high, 1)
  }
}

/**
 * Which conditions exclude or imply each other, null-safe: a condition holds where it is true,
 * and a comparison is true only of two values. Used to know which verdicts can occur together.
 */
private[spark] object ConditionFacts extends PredicateHelper {

  /** By the difference of two quantities: one constant, 0, means "equal". */
  private val byDifference: Ordering[Any] = Ordering.by[Any, Int](_.asInstanceOf[Int])

  def areDisjoint(a: Expression, b: Expression): Boolean =
    facts(a).exists(x =>
      facts(b).exists(y => sameSubject(x, y) && x.region.isDisjoint(y.region, order(x))))

  /** Whether `b` is true wherever `a` is. */
  def implies(a: Expression, b: Expression): Boolean = {
    val known = facts(a)
    conjuncts(b).forall { part =>
      conjuncts(a).exists(SameExpression(_, part)) || factOf(part).exists(y =>
        known.exists(x => sameSubject(x, y) && x.region.isWithin(y.region, order(x))))
    }
  }

  def conjuncts(e: Expression): Seq[Expression] = splitConjunctivePredicates(e)

  private def sameSubject(x: Fact, y: Fact): Boolean =
    SameExpression(x.subject, y.subject) && ((x.against, y.against) match {
      case (None, None)       => true
      case (Some(a), Some(b)) => SameExpression(a, b)
      case _                  => false
    })

  private def order(fact: Fact): Ordering[Any] =
    if (fact.against.isEmpty) TypeUtils.getInterpretedOrdering(fact.subject.dataType)
    else byDifference

  private def facts(e: Expression): Seq[Fact] = conjuncts(e).flatMap(factOf(_))

  private def factOf(e: Expression): Option[Fact] = e match {
    case _ if !e.deterministic => None
    case Or(left, right)       =>
      for (x <- factOf(left); y <- factOf(right) if sameSubject(x, y))
        yield x.copy(region = Region(x.region.intervals ++ y.region.intervals))
    case In(value, list) if list.forall(isConstant) =>
      comparable(value.dataType)(
        Fact(value, None, Region(list.filter(_.eval() != null).map(c => point(c.eval())))))
    case c @ (_: EqualTo | _: LessThan | _: LessThanOrEqual | _: GreaterThan |
        _: GreaterThanOrEqual) =>
      comparison(c.asInstanceOf[BinaryComparison])
    case _ => None
  }

  private def comparison(c: BinaryComparison): Option[Fact] = {
    val flipped = isConstant(c.left) || !isConstant(c.right) && c.left.hashCode > c.right.hashCode
    val (subject, other) = if (flipped) (c.right, c.left) else (c.left, c.right)
    comparable(subject.dataType) {
      if (isConstant(other)) {
        val value = other.eval()
        // A comparison with NULL holds nowhere.
        Fact(subject, None, if (value == null) Region(Nil) else region(c, flipped, value))
      } else {
        Fact(subject, Some(other), region(c, flipped, 0))
      }
    }
  }

  private def comparable(dataType: DataType)(fact: => Fact): Option[Fact] =
    if (RowOrdering.isOrderable(dataType)) Some(fact) else None

  private def isConstant(e: Expression): Boolean = e.isInstanceOf[Literal]

  private def region(c: BinaryComparison, flipped: Boolean, value: Any): Region = {
    val infinite = End(None, inclusive = false)
    val interval = c match {
      case _: EqualTo => point(value)
      case _          =>
        val inclusive = c.isInstanceOf[LessThanOrEqual] || c.isInstanceOf[GreaterThanOrEqual]
        val less      = c.isInstanceOf[LessThanOrEqual] || c.isInstanceOf[LessThan]
        if (less != flipped) Interval(infinite, End(Some(value), inclusive))
        else Interval(End(Some(value), inclusive), infinite)
    }
    Region(Seq(interval))
  }

  private def point(value: Any): Interval = {
    val end = End(Some(value), inclusive = true)
    Interval(end, end)
  }
}

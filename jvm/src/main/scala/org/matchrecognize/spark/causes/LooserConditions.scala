package org.matchrecognize.spark.causes

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{Decimal, DoubleType, NumericType}

import org.matchrecognize.spark.causes.ChangedClause._
import org.matchrecognize.spark.expressions.WrittenText
import org.matchrecognize.spark.logical.{Cause, ClauseVariant, Finding}

/** Conditions that are true of more rows: equal values, another unit, one part of an AND less. */
final private[causes] class LooserConditions(change: ChangedClause) {
  import LooserConditions._

  def variants: Seq[ClauseVariant] = ties ++ units ++ parts

  private def comparisons: Seq[(Int, BinaryComparison)] =
    change.conditions.zipWithIndex
      .flatMap { case (condition, variable) =>
        condition.collect {
          case e: BinaryComparison if ConditionSlips.isInequality(e) => variable -> e
        }
      }
      .take(mostComparisons)

  private def replace(variable: Int, part: Expression, by: Expression): Seq[Expression] =
    change.conditions.updated(
      variable,
      change.conditions(variable).transformDown { case e if e.eq(part) => by })

  private def ties: Seq[ClauseVariant] = comparisons.flatMap { case (variable, e) =>
    val equal = e match {
      case LessThan(a, b)    => Some(LessThanOrEqual(a, b) -> "<=")
      case GreaterThan(a, b) => Some(GreaterThanOrEqual(a, b) -> ">=")
      case _                 => None
    }
    equal.map { case (by, sign) =>
      change
        .variant(
          Cause("ties", rank = 3, Some(s"With $sign")),
          Finding(s"${WrittenText.of(e)} is false if both are equal."))
        .copy(conditions = replace(variable, e, by))
    }
  }

  /** Of a number that no value comes near, what it is in other units. */
  private def units: Seq[ClauseVariant] =
    comparisons.zipWithIndex.flatMap { case ((variable, e), i) =>
      val numbers = Seq(e.left, e.right).map(constant)
      val isLeft  = numbers.head.nonEmpty
      numbers.flatten match {
        case Seq(number) if number > 0 =>
          val value   = if (isLeft) e.right else e.left
          val read    = cast(value, DoubleType)
          val example = overInput(variable, value).toSeq
          val such    = if (example.isEmpty) "" else s", such as ${Finding.Here}"
          val text    = s"${WrittenText.of(e)} may have another unit than the data$such."
          factors(needsMore(e) == isLeft).map { factor =>
            val other   = (number * factor).round(new java.math.MathContext(3))
            val literal = Literal(other.toDouble)
            val sides   = if (isLeft) Seq(literal, read) else Seq(read, literal)
            val instead =
              if (isNear(factor)) None
              else Some(s"With ${plain(other)} in place of ${plain(number)}")
            change
              .variant(
                Cause(s"unit $i", rank = 3, instead, widens = true),
                Finding(text, example))
              .copy(conditions = replace(variable, e, e.withNewChildren(sides)))
          }
        case _ => Nil
      }
    }

  private def constant(e: Expression): Option[BigDecimal] = e.dataType match {
    case _: NumericType if isConstant(e) =>
      scala.util.Try(e.eval()).toOption.flatMap {
        case d: Decimal          => Some(d.toBigDecimal)
        case d: Double           => scala.util.Try(BigDecimal(d)).toOption
        case f: Float            => scala.util.Try(BigDecimal(f.toString)).toOption
        case n: java.lang.Number => Some(BigDecimal(n.longValue))
        case _                   => None
      }
    case _ => None
  }

  /** Whether the left side must be the larger one. */
  private def needsMore(e: BinaryComparison): Boolean =
    e.isInstanceOf[GreaterThan] || e.isInstanceOf[GreaterThanOrEqual]

  /** One part of a condition less. */
  private def parts: Seq[ClauseVariant] =
    change.conditions.zipWithIndex.flatMap { case (condition, variable) =>
      val all  = WrittenText.conjuncts(condition)
      val name = change.clause.clause.variables(variable).name
      if (all.size < 2) Nil
      else
        all.indices.take(mostComparisons).map { i =>
          val rest = all.patch(i, Nil, 1)
          change
            .variant(
              Cause(
                "part",
                rank = 4,
                Some(s"With $name AS ${rest.map(WrittenText.of(_)).mkString(" AND ")}")),
              Finding(
                s"${WrittenText.of(all(i))}, a part of $name, keeps the pattern from matching.")
            )
            .copy(conditions = change.conditions.updated(variable, rest.reduce(And(_, _))))
        }
    }
}

private object LooserConditions {
  val mostComparisons = 6

  /** Seconds, minutes, hours and days, thousandths and hundredths. The first is no unit. */
  private val units = Seq(10, 60, 100, 1000, 3600, 86400, 1000000).map(BigDecimal(_))

  private def factors(larger: Boolean): Seq[BigDecimal] =
    if (larger) units else units.map(BigDecimal(1) / _)

  /** A number that is too large by so little is no mistake in the unit. */
  private def isNear(factor: BigDecimal): Boolean =
    factor == units.head || factor == BigDecimal(1) / units.head

  private def plain(n: BigDecimal): String = {
    val short = n.bigDecimal.stripTrailingZeros
    (if (short.scale < 0) short.setScale(0) else short).toPlainString
  }
}

package org.matchrecognize.spark.causes

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{
  DateType,
  DoubleType,
  StringType,
  TimestampNTZType,
  TimestampType
}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.causes.ChangedClause._
import org.matchrecognize.spark.expressions.{RowAnchor, RowColumn, RowTarget, WrittenText}
import org.matchrecognize.spark.logical.{Cause, ClauseVariant, Finding}

/**
 * Conditions that hardly anybody means as they are written: comparisons with NULL, of a text with
 * blanks at its end, of a row with itself.
 */
final private[causes] class ConditionSlips(change: ChangedClause, columns: Seq[Attribute]) {
  import ConditionSlips._

  def variants: Seq[ClauseVariant] =
    Seq(nulls, ends, choices, powers, instants, wildcards, noWildcards).flatten ++
      columnsInQuotes ++ textsWithoutQuotes ++ numbers ++ itself ++
      texts("spaces at the ends count", "TRIM")(new StringTrim(_)) ++
      texts("upper and lower case differ", "LOWER")(Lower(_)) ++
      texts("case and spaces at the ends count", "LOWER(TRIM())")(e => Lower(new StringTrim(e)))

  /** Conditions, each part replaced for which the rule has a replacement. */
  private def variant(kind: String)(
      rule: Expression => Option[Replacement]): Option[ClauseVariant] =
    variantOf(kind)((_, e) => rule(e))

  private def variantOf(kind: String)(
      rule: (Int, Expression) => Option[Replacement]): Option[ClauseVariant] = {
    val found   = Vector.newBuilder[Replacement]
    val changed = change.conditions.zipWithIndex.map { case (condition, variable) =>
      condition.transformDown {
        case e if rule(variable, e).nonEmpty =>
          val replacement = rule(variable, e).get
          found += replacement
          replacement.by
      }
    }
    val all = found.result()
    all.headOption.map(first =>
      change
        .variant(Cause(kind, rank = 1, Some(s"With ${first.change}")), all.map(_.finding): _*)
        .copy(conditions = changed))
  }

  private def nulls: Option[ClauseVariant] = variant("NULL") {
    case e @ Not(EqualTo(x, y)) if isNull(x) || isNull(y) =>
      Some(Replacement(IsNotNull(if (isNull(y)) x else y), neverTrue(e), "IS NOT NULL"))
    case e @ EqualTo(x, y) if isNull(x) || isNull(y) =>
      Some(Replacement(IsNull(if (isNull(y)) x else y), neverTrue(e), "IS NULL"))
    case _ => None
  }

  private def neverTrue(e: Expression): Finding =
    Finding(s"${WrittenText.of(e)} is never true: nothing equals NULL.")

  private def ends: Option[ClauseVariant] = variant("BETWEEN") {
    case e @ And(GreaterThanOrEqual(x, low), LessThanOrEqual(y, high))
        if x.semanticEquals(y) && isConstant(low) && isConstant(high) =>
      val finding = Finding(s"${WrittenText.of(e)} is never true: the smaller end comes first.")
      val swapped = And(GreaterThanOrEqual(x, high), LessThanOrEqual(y, low))
      Some(Replacement(swapped, finding, "the ends swapped"))
    case _ => None
  }

  private def choices: Option[ClauseVariant] = variant("AND") {
    case e @ And(one @ EqualTo(x, a), other @ EqualTo(y, b))
        if x.semanticEquals(y) && isConstant(a) && isConstant(b) =>
      val finding =
        Finding(s"${WrittenText.of(e)} is never true: ${WrittenText.of(x)} has one value.")
      Some(Replacement(Or(one, other), finding, "OR"))
    case _ => None
  }

  private def powers: Option[ClauseVariant] = variant("power") {
    case e @ BitwiseXor(base, exponent) =>
      val finding = Finding(s"${WrittenText.of(e)} is not a power: ^ compares bits.")
      val power   = Pow(cast(base, DoubleType), cast(exponent, DoubleType))
      Some(
        Replacement(
          cast(power, e.dataType),
          finding,
          s"POWER(${WrittenText.of(base)}, ${WrittenText.of(exponent)})"))
    case _ => None
  }

  private def instants: Option[ClauseVariant] = variant("date") {
    case e @ EqualTo(x, y) if isTime(x) && isTime(y) && isConstant(x) != isConstant(y) =>
      Some(
        Replacement(
          EqualTo(cast(x, DateType), cast(y, DateType)),
          Finding(s"${WrittenText.of(e)} is true at one instant only."),
          "CAST(... AS DATE) on both sides"))
    case _ => None
  }

  private def isTime(e: Expression): Boolean =
    e.dataType == TimestampType || e.dataType == TimestampNTZType

  private def wildcards: Option[ClauseVariant] = variant("wildcard") {
    case e @ EqualTo(x, Text(pattern)) if pattern.contains("%") || pattern.endsWith("*") =>
      val like    = pattern.replace('*', '%')
      val finding =
        s"= supports no wildcards: ${WrittenText.of(e)} is true only for exactly this text."
      Some(Replacement(Like(x, Literal(like), '\\'), Finding(finding), s"LIKE '$like'"))
    case _ => None
  }

  private def noWildcards: Option[ClauseVariant] = variant("LIKE") {
    case e @ Like(x, Text(pattern), escape) if !pattern.exists("%_".contains(_)) =>
      val finding =
        s"${WrittenText.of(e)} has no wildcard, and is true only for exactly this text."
      val like = s"%$pattern%"
      Some(Replacement(Like(x, Literal(like), escape), Finding(finding), s"LIKE '$like'"))
    case _ => None
  }

  /** `"page" = 'buy'`: in Spark, double quotes are around a text. */
  private def columnsInQuotes: Option[ClauseVariant] = variant("column in quotes") {
    case e: BinaryComparison =>
      for {
        name   <- Text.unapply(e.left)
        column <- columns.find(_.name.equalsIgnoreCase(name))
        written = WrittenText.of(e.left)
      } yield Replacement(
        e.withNewChildren(Seq(cast(current(column), StringType), e.right)),
        Finding(s"In ${WrittenText.of(e)}, the quotes make $written a text."),
        s"the name ${column.name} without quotes"
      )
    case _ => None
  }

  /** `page = view` where `view` is a column, too. */
  private def textsWithoutQuotes: Option[ClauseVariant] = variant("text without quotes") {
    case e @ EqualTo(x: RowColumn, y @ RowColumn(target, column: Attribute))
        if isText(y) && target.isRowLocal && target.physical == 0 && isText(x) =>
      val (word, quoted) = (column.name, s"'${column.name}'")
      Some(
        Replacement(
          EqualTo(x, Literal(word)),
          Finding(
            s"${WrittenText.of(e)} compares two columns: $word without quotes is a column, " +
              s"here ${Finding.Here}.",
            Seq(column)),
          s"${WrittenText.of(x)} = $quoted"
        ))
    case _ => None
  }

  private def numbers: Option[ClauseVariant] = variant("numbers") {
    case e: BinaryComparison if isInequality(e) && isText(e.left) && isText(e.right) =>
      Some(
        Replacement(
          e.withNewChildren(e.children.map(number)),
          Finding(s"${WrittenText.of(e)} compares texts: '10' is less than '9'."),
          "CAST(... AS DOUBLE) on both sides"
        ))
    case _ => None
  }

  /** `price < LAST(DOWN.price)` in the condition of DOWN. */
  private def itself: Seq[ClauseVariant] = Seq(true, false).flatMap { isRight =>
    variantOf("itself") {
      case (variable, e: BinaryComparison) =>
        (e.left, e.right) match {
          case (a: RowColumn, b: RowColumn)
              if a.child.semanticEquals(b.child) && isLastOf(a.target, variable) &&
                isLastOf(b.target, variable) =>
            val before = a.of(RowTarget(RowAnchor.current, -1))
            val name   = change.clause.clause.variables(variable).name
            Some(
              Replacement(
                e.withNewChildren(if (isRight) Seq(a, before) else Seq(before, b)),
                Finding(
                  s"${WrittenText.of(e)} compares the row with itself: it is the last row of $name " +
                    "when it is tested."),
                s"PREV(${WrittenText.of(a.child)})"
              ))
          case _ => None
        }
      case _ => None
    }
  }

  /** Compares texts after a function that makes some of them equal. */
  private def texts(why: String, function: String)(
      same: Expression => Expression): Option[ClauseVariant] = variantOf("text") {
    (variable, e) =>
      val replaced = e match {
        case EqualTo(x, y) if isText(x) && isText(y)            => Some(EqualTo(same(x), same(y)))
        case In(x, list) if isText(x) && list.forall(isText(_)) =>
          Some(In(same(x), list.map(same)))
        case Like(x, y, escape) if isText(x) && isText(y) => Some(Like(same(x), same(y), escape))
        case _                                            => None
      }
      replaced.map { by =>
        val value   = e.children.head
        val example = for {
          before <- overInput(variable, e)
          after  <- overInput(variable, by)
          read   <- overInput(variable, value)
        } yield If(And(after, Not(before)), read, Literal(null, read.dataType))
        Replacement(
          by,
          example.fold(Finding(s"In ${WrittenText.of(e)}, $why."))(value =>
            Finding(s"${WrittenText.of(e)} is false for ${Finding.Here}: $why.", Seq(value))),
          s"$function on both sides"
        )
      }
  }
}

private object ConditionSlips {

  /** What takes the place of a part of a condition, and why. */
  final private case class Replacement(by: Expression, finding: Finding, change: String)

  private object Text {
    def unapply(e: Expression): Option[String] = e match {
      case Literal(value: UTF8String, _: StringType) => Some(value.toString)
      case _                                         => None
    }
  }

  private def isText(e: Expression): Boolean = e.dataType.isInstanceOf[StringType]

  private def isNull(e: Expression): Boolean = e match {
    case Literal(value, _) => value == null
    case c: Cast           => isNull(c.child)
    case _                 => false
  }

  private[causes] def isInequality(e: BinaryComparison): Boolean = e match {
    case _: LessThan | _: LessThanOrEqual | _: GreaterThan | _: GreaterThanOrEqual => true
    case _                                                                         => false
  }
}

package org.matchrecognize.spark.causes

import org.apache.spark.sql.catalyst.expressions.Literal

import org.matchrecognize.spark.logical.{Cause, ClauseVariant, Finding}
import org.matchrecognize.spark.pattern.{PrimaryVariable, Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._

/** The clause without the anchors of its pattern, or with rows between those that it names. */
final private[causes] class OtherPattern(change: ChangedClause) {
  import OtherPattern._

  private val pattern = change.resolved.pattern
  private val names   = change.clause.clause.variables.map(_.name)

  /** The flink dialect refuses loops over several elements. */
  private val inLoops = !change.clause.clause.flinkDialect

  def variants: Seq[ClauseVariant] = anchors ++ rowsBetween

  private def anchors: Seq[ClauseVariant] =
    Seq(
      ("^", "first", (p: RowPattern) => p.isInstanceOf[PartitionStart]),
      ("$", "last", (p: RowPattern) => p.isInstanceOf[PartitionEnd])).flatMap {
      case (sign, row, isAnchor) if RowPattern.exists(pattern)(isAnchor) =>
        val free = without(pattern, isAnchor)
        Some(
          change
            .variant(
              Cause("anchor", rank = 2, Some(s"With PATTERN (${RowPattern.sql(free, names)})")),
              Finding(s"$sign allows a match only at the $row row of a partition."))
            .copy(clause = change.resolved.copy(pattern = free)))
      case _ => None
    }

  /** Rows between two elements at one place, and then at all places. */
  private def rowsBetween: Seq[ClauseVariant] = {
    val places = new Gaps(names.size, inLoops, _ => true)
    places.in(pattern)
    val one =
      if (places.found > 1) (0 until math.min(places.found, mostPlaces)).map(Set(_)) else Nil
    val all = if (places.found > 0) Seq((0 until places.found).toSet) else Nil
    (one ++ all).map(between)
  }

  private def between(places: Set[Int]): ClauseVariant = {
    val gap  = names.size
    val name = gapNames.find(n => !names.exists(_.equalsIgnoreCase(n))).get
    val wide = new Gaps(gap, inLoops, places).in(pattern)
    val all  = names :+ name
    val sql  = RowPattern.sql(wide, all(_))
    val as   = change.resolved
    change
      .variant(
        Cause(
          "rows between",
          rank = 2,
          Some(s"With PATTERN ($sql), where $name is not in DEFINE"),
          widens = true,
          gap = Some(gap)),
        Finding(
          "Other rows may be between those that the pattern names, but " +
            s"PATTERN (${RowPattern.sql(pattern, names)}) allows none.")
      )
      .copy(
        conditions = change.conditions :+ Literal.TrueLiteral,
        clause = as.copy(
          pattern = wide,
          variables = as.variables :+ PrimaryVariable(name),
          conditionTexts = as.conditionTexts :+ None)
      )
  }
}

private object OtherPattern {

  /** Places that are tried alone. */
  val mostPlaces = 8

  private def gapNames: Iterator[String] =
    Iterator("X", "Y", "Z", "OTHER") ++ Iterator.from(1).map(i => s"X$i")

  private def without(pattern: RowPattern, isAnchor: RowPattern => Boolean): RowPattern =
    pattern match {
      case p if isAnchor(p)           => Empty(p.span)
      case Concatenation(elements, s) =>
        elements.filterNot(isAnchor).map(without(_, isAnchor)) match {
          case Seq()    => Empty(s)
          case Seq(one) => one
          case several  => Concatenation(several, s)
        }
      case _ => mapChildren(pattern)(without(_, isAnchor))
    }

  /** Adds `X*?` at some of the places at which a row must follow the one before directly. */
  final private class Gaps(variable: Int, inLoops: Boolean, chosen: Int => Boolean) {

    /** How many places there are. */
    var found = 0

    private def gap: Seq[RowPattern] = {
      val isHere = chosen(found)
      found += 1
      if (isHere) Seq(Quantified(Variable(variable), Quantifier.star.copy(greedy = false)))
      else Nil
    }

    def in(pattern: RowPattern): RowPattern = pattern match {
      case Concatenation(elements, s) =>
        val between = elements.zip(elements.drop(1)).map { case (a, b) =>
          in(a) +: (if (mapsRow(a) && mapsRow(b)) gap else Nil)
        }
        Concatenation(between.flatten :+ in(elements.last), s)
      case Quantified(
            element,
            q @ Quantifier(QuantifierBound.Count(least), most, _, false, None),
            s) if inLoops && least > 1 =>
        val inner = in(element)
        gap match {
          case Seq()  => Quantified(inner, q, s)
          case passed =>
            val more = q.copy(
              lower = QuantifierBound.Count(least - 1),
              upper = most match {
                case QuantifierBound.Count(n) => QuantifierBound.Count(n - 1)
                case other                    => other
              })
            Concatenation(Seq(inner, Quantified(Concatenation(passed :+ inner), more)), s)
        }
      case _: Permutation => pattern
      case _              => mapChildren(pattern)(in)
    }

    private def mapsRow(p: RowPattern): Boolean = RowPattern.maxRows(p) > 0 &&
      !RowPattern.exists(p)(_.isInstanceOf[Gap])
  }
}

package org.matchrecognize.spark.explain

import org.apache.spark.sql.catalyst.expressions.Descending

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{MappedRun, ReadValue, RowDescription}
import org.matchrecognize.spark.pattern.{EmptyMatches, QuantifierBound, RowPattern, RowsPerMatch}

/**
 * What an explanation says of a clause. Tasks have it without the plan, which would become a field
 * if a closure used it.
 */
final private[explain] class ShownClause(plan: MatchPlan) extends Serializable {
  val head: String                         = ShownClause.head(plan)
  val variables: IndexedSeq[ShownVariable] = ShownVariable.of(plan)
  val ordered: Boolean                     = plan.order.nonEmpty
  val omitsEmpty: Boolean                  = plan.clause.rows match {
    case RowsPerMatch.AllRows(empty, _) => empty == EmptyMatches.Omit
    case _: RowsPerMatch.OneRow         => false
  }
  val excludesAll: Boolean = plan.clause.rows.isInstanceOf[RowsPerMatch.AllRows] &&
    plan.clause.pattern.isInstanceOf[RowPattern.Exclusion]
  val showsTimeouts: Boolean = plan.clause.rows.showTimeouts
  val within: Option[String] = plan.clause.within.map(_.sql)

  /** Rows of a variable, by their numbers. */
  def run(run: MappedRun): String =
    s"${variables(run.variable).name}: " +
      (if (run.first == run.last) s"row ${run.first}" else s"rows ${run.first} to ${run.last}")
}

private object ShownClause {
  private def head(plan: MatchPlan): String = {
    val keys = plan.partition.map(_.name)
    val by   = if (keys.isEmpty) "" else keys.mkString("PARTITION BY ", ", ", " ")
    val sort =
      if (plan.order.isEmpty) ""
      else
        plan.order
          .map(o => MatchPlan.nameOf(o.child) + (if (o.direction == Descending) " DESC" else ""))
          .mkString("ORDER BY ", ", ", " ")
    s"$by${sort}PATTERN (${plan.clause.patternSql})"
  }
}

/**
 * @param condition
 *   DEFINE's condition, as written; None for a variable without one
 * @param isGap
 *   whether it stands for rows between those of a match: none is tested for it
 * @param isGreedy
 *   whether it is alone in a greedy loop without an upper bound
 */
final private[explain] case class ShownVariable(
    name: String,
    condition: Option[String],
    isGap: Boolean,
    isGreedy: Boolean) {

  def definition: String = s"$name AS ${condition.getOrElse("TRUE (not in DEFINE)")}"
}

private object ShownVariable {
  def of(plan: MatchPlan): IndexedSeq[ShownVariable] =
    plan.clause.variables.indices.map { variable =>
      ShownVariable(
        plan.clause.variables(variable).name,
        plan.clause.conditionTexts(variable),
        RowPattern.exists(plan.clause.pattern)(isGap(_, variable)),
        RowPattern.exists(plan.clause.pattern)(isGreedy(_, variable))
      )
    }

  private def isGap(part: RowPattern, variable: Int): Boolean = part match {
    case RowPattern.GapAbsence(gap, _, _) => gap == variable
    case RowPattern.Gap(gap, _, _)        => gap == variable
    case _                                => false
  }
  private def isGreedy(part: RowPattern, variable: Int): Boolean = part match {
    case RowPattern.Quantified(RowPattern.Variable(looped, _), q, _) =>
      looped == variable && q.greedy && q.upper == QuantifierBound.Unbounded
    case _ => false
  }
}

/** Words that all parts of an explanation use. */
private[explain] object Wording {
  def count(n: Long, one: String): String = count(n, one, one + "s")

  def count(n: Long, one: String, many: String): String = s"$n ${if (n == 1) one else many}"

  def value(v: ReadValue): String = s"${v.name} = ${v.value.getOrElse("NULL")}"

  def row(described: RowDescription): String =
    s"row ${described.number}" + (if (described.order.isEmpty) "" else s" (${described.order})")

  def of(partition: String): String = if (partition.isEmpty) "" else s" of $partition"
}

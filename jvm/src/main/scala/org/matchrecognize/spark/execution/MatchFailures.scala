package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Cast,
  Expression,
  UnsafeRow
}
import org.apache.spark.sql.types.StringType

import org.matchrecognize.spark.errors.{ErrorCondition, MatchRecognizeErrors, RuntimeErrors}
import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.pattern.matching.Failure

/** Turns what a search failed with into an error of the catalogue. */
private[execution] object MatchFailures {

  def error(
      plan: MatchPlan,
      input: Seq[Attribute],
      store: PartitionRows,
      failure: Failure): Throwable = {
    val row = store.newRow()
    store.get(failure.start, row)
    val partition  = describe(plan.partition, plan, input, row, "(no PARTITION BY)")
    val parameters = Seq(
      "start" -> describe(plan.order.map(_.child), plan, input, row, s"row ${failure.start + 1}"),
      "partition" -> partition)
    val afterMatch = plan.clause.afterMatch
    val place      = failure match {
      case _: Failure.SkipTargetNotInMatch | _: Failure.SkipToFirstRow =>
        afterMatch.target.map(_._2)
      case _ => Some(plan.clause.pattern.span)
    }
    def runtime(condition: ErrorCondition, more: (String, String)*) =
      MatchRecognizeErrors.runtime(condition, plan.clauseOrigin, place, parameters ++ more: _*)
    def overBudget(budget: String, variable: Option[Int]) =
      runtime(
        RuntimeErrors.TooManySteps,
        "budget" -> budget,
        "tested" -> variable.fold("no variable")(plan.clause.variables(_).name))
    failure match {
      case _: Failure.SkipTargetNotInMatch =>
        runtime(
          RuntimeErrors.SkipTargetNotInMatch,
          "skip"     -> afterMatch.sql,
          "variable" -> afterMatch.target.fold("")(_._1.name))
      case _: Failure.SkipToFirstRow =>
        runtime(RuntimeErrors.SkipToFirstRow, "skip" -> afterMatch.sql)
      case Failure.StateTooLarge(_, bytes) =>
        MatchRecognizeErrors.runtime(
          RuntimeErrors.StateTooLarge,
          plan.clauseOrigin,
          place,
          parameters.head,
          "key"   -> partition,
          "bytes" -> bytes.toString
        )
      case Failure.TooManyMatches(_, maxMatches) =>
        runtime(RuntimeErrors.TooManyMatches, "limit" -> maxMatches.toString)
      case Failure.TooManySteps(_, maxSteps, variable) =>
        overBudget(
          s"$maxSteps steps (of about 10 nanoseconds), plus a share for each row",
          variable)
      case Failure.TooManyStates(_, maxStates, variable) =>
        overBudget(
          s"$maxStates partial matches at one row (a thousandth of maxSteps, but at least 10000)",
          variable)
    }
  }

  /** The values of key expressions on a row, as `(name = value, ...)`. */
  private def describe(
      keys: Seq[Expression],
      plan: MatchPlan,
      input: Seq[Attribute],
      row: UnsafeRow,
      otherwise: String): String =
    if (keys.isEmpty) otherwise
    else
      keys
        .map { key =>
          val text  = Cast(key, StringType, Some(plan.zone))
          val value = BindReferences.bindReference[Expression](text, input).eval(row)
          s"${MatchPlan.nameOf(key)} = $value"
        }
        .mkString("(", ", ", ")")
}

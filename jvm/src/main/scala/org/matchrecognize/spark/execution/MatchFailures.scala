package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Cast,
  Expression,
  UnsafeRow
}
import org.apache.spark.sql.types.StringType

import org.matchrecognize.spark.errors.{MatchRecognizeErrors, RuntimeErrors}
import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.pattern.AfterMatch
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
    val afterMatch       = plan.clause.afterMatch
    val (variable, span) = afterMatch match {
      case AfterMatch.ToFirst(variable, span) => (variable.name, Some(span))
      case AfterMatch.ToLast(variable, span)  => (variable.name, Some(span))
      case AfterMatch.PastLastRow | AfterMatch.ToNextRow | AfterMatch.NoSkip => ("", None)
    }
    def overBudget(budget: String, variable: Option[Int]) = MatchRecognizeErrors.runtime(
      RuntimeErrors.TooManySteps,
      plan.clauseOrigin,
      Some(plan.clause.pattern.span),
      parameters ++ Seq(
        "budget" -> budget,
        "tested" -> variable.fold("no variable")(plan.clause.variables(_).name)
      ): _*
    )
    failure match {
      case _: Failure.SkipTargetNotInMatch =>
        MatchRecognizeErrors.runtime(
          RuntimeErrors.SkipTargetNotInMatch,
          plan.clauseOrigin,
          span,
          parameters ++ Seq("skip" -> afterMatch.sql, "variable" -> variable): _*)
      case _: Failure.SkipToFirstRow =>
        MatchRecognizeErrors.runtime(
          RuntimeErrors.SkipToFirstRow,
          plan.clauseOrigin,
          span,
          parameters :+ ("skip" -> afterMatch.sql): _*)
      case Failure.StateTooLarge(_, bytes) =>
        MatchRecognizeErrors.runtime(
          RuntimeErrors.StateTooLarge,
          plan.clauseOrigin,
          Some(plan.clause.pattern.span),
          parameters.head,
          "key"   -> partition,
          "bytes" -> bytes.toString
        )
      case Failure.TooManyMatches(_, maxMatches) =>
        MatchRecognizeErrors.runtime(
          RuntimeErrors.TooManyMatches,
          plan.clauseOrigin,
          Some(plan.clause.pattern.span),
          parameters :+ ("limit" -> maxMatches.toString): _*
        )
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
          val text = Cast(key, StringType, Some(plan.zone))
          val name = key match {
            case column: Attribute => column.name
            case other             => other.sql
          }
          s"$name = ${BindReferences.bindReference[Expression](text, input).eval(row)}"
        }
        .mkString("(", ", ", ")")
}

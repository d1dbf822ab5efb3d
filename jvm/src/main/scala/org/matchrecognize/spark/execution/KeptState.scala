package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction

import org.matchrecognize.spark.expressions.{MatchNumber, RowAggregate, Semantics}

/**
 * What the state of a key holds because of MEASURES and DEFINE: the buffers of aggregates, in their
 * order, the number of matches, the rows before a match.
 */
private[spark] object KeptState {

  /** It, in words. */
  def of(plan: MatchPlan): Seq[String] = {
    val expressions = plan.conditions ++ plan.measures
    val numbers     = expressions.exists(_.exists(_.isInstanceOf[MatchNumber]))
    val rows        = LookBack.of(plan)
    Seq(plan.conditions, plan.measures).flatMap(aggregates(_, plan).distinct) ++
      (if (numbers) Seq("MATCH_NUMBER()") else Nil) ++
      (if (rows > 0) Seq(s"rows before a match: $rows") else Nil)
  }

  private def aggregates(expressions: Seq[Expression], plan: MatchPlan): Seq[String] =
    expressions.flatMap(_.collect { case a: RowAggregate => sql(a, plan) })

  /** With the members of a union variable, which may change while its name does not. */
  private def sql(a: RowAggregate, plan: MatchPlan): String = {
    val function = a.function match {
      case f: AggregateFunction => f.sql(a.distinct)
      case other                => other.sql
    }
    val where = a.filter.map(f => s" FILTER (WHERE ${f.sql})").mkString
    val rows  = a.variable.fold("all rows")(v =>
      v.members.map(plan.clause.variables(_).name).mkString(", "))
    val semantics = if (a.semantics == Semantics.Final) "FINAL " else ""
    s"$semantics$function$where of $rows"
  }
}

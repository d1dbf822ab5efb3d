package org.matchrecognize.spark.explain

import org.matchrecognize.spark.execution.tracing.{ClauseTrace, NullTest, VariableTrace}
import org.matchrecognize.spark.explain.Wording._

/**
 * What is worth a look where a clause matches less than its author thinks.
 *
 * @param causes
 *   what variants of the clause have shown; it comes first
 */
final private[explain] class Hints(clause: ShownClause, trace: ClauseTrace, causes: Seq[String]) {
  private val variables = clause.variables.zip(trace.variables)

  def lines: Seq[String] =
    if (trace.rows == 0) Seq("The input has no rows. Check its WHERE and its joins.")
    else
      causes ++ variables.flatMap((ofVariable _).tupled) ++ undefined ++ ending ++ ties ++ matches

  private def ofVariable(variable: ShownVariable, counts: VariableTrace): Seq[String] = {
    val name = variable.name
    val use  =
      if (variable.isGap) None
      else if (counts.tested == 0)
        Some(
          if (trace.matches > trace.emptyMatches)
            s"$name was never tested: what precedes it in the pattern takes the rows, and " +
              s"the matches are complete without it.$greedy"
          else s"$name was never tested: no partial match reached a row for it.")
      else if (counts.satisfied == 0) Some(s"$name is true of no row that was tested.")
      else if (trace.matches > trace.emptyMatches && counts.mapped == 0)
        Some(
          s"$name is true of ${count(counts.satisfied, "row")}, but no match maps a row to it.")
      else None
    use.toSeq ++ counts.firstNull.filter(_ => counts.unknown > 0).map(isNull(variable, counts, _))
  }

  /** Names a loop that takes every row that it is offered. */
  private def greedy: String = variables
    .collectFirst {
      case (v, t) if v.isGreedy && t.mapped > 0 && t.satisfied == t.tested =>
        s" ${v.name} is greedy and true of " +
          (if (t.tested == 1) "the row that was tested."
           else s"all ${t.tested} rows that were tested.")
    }
    .getOrElse("")

  private def isNull(variable: ShownVariable, counts: VariableTrace, test: NullTest): String = {
    val condition = s"${variable.name} AS ${variable.condition.getOrElse("TRUE")}"
    val missing   = test.values.filter(_.value.isEmpty).map(_.name)
    val because = if (missing.isEmpty) "" else missing.mkString(" because ", " and ", " is NULL")
    if (counts.nullOnFirst == counts.unknown && missing.exists(_.startsWith("PREV(")))
      s"$condition is NULL on the first row of a partition, which has no row before it. " +
        "NULL is not true."
    else
      s"$condition is NULL for ${count(counts.unknown, "row")}, " +
        s"first at ${row(test.row)}${of(test.row.partition)}$because. NULL is not true."
  }

  private def undefined: Option[String] = {
    val names = variables.collect { case (v, t) if v.condition.isEmpty && t.tested > 0 => v.name }
    if (trace.matches > 0 || names.isEmpty) None
    else if (names.size == 1) Some(s"${names.head} is not in DEFINE: every row satisfies it.")
    else
      Some(
        s"${names.init.mkString(", ")} and ${names.last} are not in DEFINE: " +
          "every row satisfies them.")
  }

  private def ending: Option[String] =
    trace.furthest
      .filter(p => p.failed.isEmpty && p.length > 0 && !p.isCut && trace.matches == 0)
      // The furthest one may be the match after which the search gave up.
      .filter(_ => trace.failure.isEmpty)
      .flatMap(p =>
        if (p.end.isEmpty)
          Some("The furthest partial match still needs rows when its partition ends.")
        // A longer bound has not helped in the rows in which it was tried.
        else if (causes.isEmpty && p.isBeyondWithin)
          clause.within.map(bound => s"WITHIN $bound may be too short.")
        else None)

  private def ties: Option[String] =
    if (trace.tiedRows == 0) None
    else if (!clause.ordered)
      Some("There is no ORDER BY: the order of the rows is arbitrary.")
    else
      Some(
        s"${count(trace.tiedRows, "row")} tie in ORDER BY: their order is arbitrary. " +
          "Add a column that tells them apart.")

  private def matches: Seq[String] = Seq(
    if (trace.overlapping > 0)
      Some(s"AFTER MATCH SKIP PAST LAST ROW passes over at least " +
        s"${count(trace.overlapping, "row")} at which another match starts. Write AFTER MATCH SKIP TO NEXT ROW to find these, too.")
    else None,
    if (trace.emptyMatches > 0)
      Some(
        s"${count(trace.emptyMatches, "match is", "matches are")} empty: " +
          "the pattern matches no row" +
          (if (clause.omitsEmpty) ", and OMIT EMPTY MATCHES returns nothing for it."
           else ". Write + for *, or {1,} for a loop that must map a row."))
    else None,
    if (clause.excludesAll && trace.matches > 0)
      Some("{- -} is around the whole pattern: no row of a match is returned.")
    else None
  ).flatten
}

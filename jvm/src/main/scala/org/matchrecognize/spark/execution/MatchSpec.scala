package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.conditions.{BoundedConditions, DividedCondition}
import org.matchrecognize.spark.expressions.{MatchNumber, RowAggregate, RowTarget}
import org.matchrecognize.spark.logical.ResolvedClause
import org.matchrecognize.spark.pattern.{AfterMatch, RowsPerMatch}
import org.matchrecognize.spark.pattern.search.SearchOptions

/** The counters of the operator in Spark's UI. */
final case class MatchMetrics(
    outputRows: SQLMetric,
    matches: SQLMetric,
    matchedRows: SQLMetric,
    steps: SQLMetric,
    peakThreads: SQLMetric,
    spillSize: SQLMetric,
    peakMemory: SQLMetric)

/**
 * All that a task needs to match: sent to the executors, where each task opens a
 * [[PartitionMatcher]] of its own.
 *
 * @param input
 *   the child's columns
 * @param conditions
 *   by variable
 * @param matcher
 *   threads or automaton
 * @param bounded
 *   see [[MatcherPlan]]
 * @param filtersStarts
 *   see [[MatcherPlan]]
 * @param lastMatch
 *   the last MATCH_NUMBER that is asked for
 * @param origin
 *   of the clause, for errors
 * @param zone
 *   the session's time zone, in which errors show keys
 */
final case class MatchSpec(
    input: Seq[Attribute],
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[DividedCondition],
    measures: Seq[Expression],
    clause: ResolvedClause,
    matcher: MatcherKind,
    bounded: Option[BoundedConditions],
    filtersStarts: Boolean,
    lastMatch: Option[Long],
    origin: Origin,
    zone: String,
    metrics: MatchMetrics) {

  /** Called by generated code, too. */
  def open(): PartitionMatcher = new PartitionMatcher(this, TaskContext.get())

  /** Whether nothing waits for the end of a partition: see [[MatcherPlan.incremental]]. */
  private[execution] def isIncremental: Boolean =
    matcher == MatcherKind.Threads && !filtersStarts

  private[execution] val names: Array[UTF8String] =
    clause.variables.map(v => UTF8String.fromString(v.name)).toArray

  private[execution] def allRows: Option[RowsPerMatch.AllRows] = clause.rows match {
    case mode: RowsPerMatch.AllRows => Some(mode)
    case _                          => None
  }

  /**
   * Whether output maps the rows of a match once more. Of a start row with several matches or
   * time-outs, threads know the number of the first only.
   */
  private[execution] def mapsAgain: Boolean = allRows.nonEmpty ||
    (clause.afterMatch == AfterMatch.NoSkip ||
      clause.flinkDialect && clause.rows.showTimeouts) && measures.exists(_.exists {
      case aggregate: RowAggregate => aggregate.exists(_.isInstanceOf[MatchNumber])
      case _                       => false
    })

  /** How far from the match's own rows its conditions and measures can look. */
  private[execution] def searchOptions(
      conditionTargets: Seq[RowTarget],
      measureTargets: Seq[RowTarget]): SearchOptions = {
    def ahead(targets: Seq[RowTarget]): Long = (0L +: targets.map(_.physical)).max
    SearchOptions(
      clause.afterMatch,
      clause.settings.relaxedSkip,
      unmatchedRows = clause.rows.showUnmatched,
      conditionLookAhead = ahead(conditionTargets),
      outputLookAhead = ahead(measureTargets),
      lookBack = (0L +: (conditionTargets ++ measureTargets).map(-_.physical)).max,
      showTimeouts = clause.rows.showTimeouts,
      lastMatch = lastMatch.getOrElse(Long.MaxValue)
    )
  }
}

package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  CurrentTimestamp,
  Expression,
  Now,
  SortOrder
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.MatchProctime
import org.matchrecognize.spark.logical.{
  ColumnDefinitions,
  Meaning,
  UnresolvedMatchRecognize,
  Watermarks
}

/**
 * `ORDER BY MATCH_PROCTIME()`: the rows of a stream in the order in which they arrive
 * (semantics.md: Streaming). In the flink dialect so is a column that is the current time.
 *
 * @param ctes
 *   the common tables of the statement, by Spark's numbers
 */
final private[analysis] class ArrivalOrder(
    clause: UnresolvedMatchRecognize,
    flinkDialect: Boolean,
    ctes: Map[Long, LogicalPlan]) {

  /** Whether the clause asks for it; refuses what does not go with it. */
  def isAsked: Boolean = {
    val times = clause.order.indices.filter(i => isArrival(clause.order(i).child))
    times.foreach(check)
    times.nonEmpty
  }

  private def isArrival(key: Expression): Boolean =
    hasProctime(key) || flinkDialect && clause.child.isStreaming && isCurrentTime(key)

  private def hasProctime(key: Expression): Boolean = key.exists(_.isInstanceOf[MatchProctime])

  private def isCurrentTime(key: Expression): Boolean = key match {
    case column: Attribute =>
      !Watermarks.has(column) &&
      ArrivalOrder.currentTimes(new ColumnDefinitions(clause.child, ctes).of(column))
    case other => ArrivalOrder.currentTimes(Meaning.ofColumns.of(other))
  }

  private def check(index: Int): Unit = {
    val SortOrder(key, direction, _, _) = clause.order(index)
    if (!clause.child.isStreaming)
      refuse(index, index, "this input is not a stream", "Order by a column of the input.")
    if (key.children.exists(hasProctime))
      refuse(
        index,
        index,
        "it is not allowed inside an expression",
        "Write ORDER BY MATCH_PROCTIME().")
    if (direction != Ascending) refuse(index, index, "DESC reverses this order", "Remove DESC.")
    clause.order.indices.find(_ != index).foreach { other =>
      refuse(
        index,
        other,
        "no other key is allowed, because no two rows arrive at once",
        s"Remove ${toPrettySQL(clause.order(other).child)}.")
    }
  }

  /** Refuses the order of arrival by the key at `index`, because of the key at `at`. */
  private def refuse(index: Int, at: Int, reason: String, suggestion: String): Nothing = {
    val key  = clause.order(index).child
    val span = clause.keySpans(clause.partition.size + at)
    throw MatchRecognizeErrors.analysisAt(
      AnalysisErrors.ArrivalOrder,
      clause.origin,
      span,
      "key"        -> (if (hasProctime(key)) "MATCH_PROCTIME()" else toPrettySQL(key)),
      "reason"     -> reason,
      "suggestion" -> suggestion
    )
  }
}

private object ArrivalOrder {
  private val currentTimes: Set[String] =
    Set(CurrentTimestamp(), Now()).map(time => Meaning.ofColumns.of(time))
}

package org.matchrecognize.spark.streaming

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.catalyst.util.DateTimeUtils

import org.matchrecognize.spark.logical.{MatchRecognize, Within}

/**
 * Gives a query that is restarted the session time zone of its first start, as Spark does with its
 * own settings in a checkpoint: rows in the state were tested in that zone.
 */
final class ZoneOfCheckpoint(session: SparkSession) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case write: WriteToStream if write.inputQuery.exists(_.isInstanceOf[MatchRecognize]) =>
      val now    = session.sessionState.conf.sessionLocalTimeZone
      val folder = write.resolvedCheckpointLocation
      CheckpointedClause
        .zoneIn(folder, session.sessionState.newHadoopConf())
        .filter(_ != now)
        .fold[LogicalPlan](write)(first => write.withNewChildren(Seq(in(first, now, write))))
    case other => other
  }

  private def in(first: String, now: String, write: WriteToStream): LogicalPlan =
    AnalysisHelper.allowInvokingTransformsInAnalyzer {
      write.inputQuery
        .transformAllExpressionsWithSubqueries {
          case aware: TimeZoneAwareExpression if aware.timeZoneId.contains(now) =>
            aware.withTimeZone(first)
        }
        // Views have their own.
        .transformWithSubqueries {
          case m: MatchRecognize if m.clause.settings.zone == now =>
            val within = m.clause.within.map {
              case time: Within.Time if time.zone == DateTimeUtils.getZoneId(now) =>
                time.copy(zone = DateTimeUtils.getZoneId(first))
              case other => other
            }
            val settings = m.clause.settings.copy(zone = first)
            m.copy(clause = m.clause.copy(within = within, settings = settings))
        }
    }
}

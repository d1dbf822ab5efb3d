package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.MatchPlan

/** The event time of rows, compared with watermarks. These are in milliseconds. */
final private[streaming] class EventTime(plan: MatchPlan, input: Seq[Attribute]) {
  private val ordinal = input.indexWhere(_.semanticEquals(plan.order.head.child))

  def isMissing(row: UnsafeRow): Boolean = row.isNullAt(ordinal)

  /** The first watermark that has reached the time of a row. */
  def due(row: UnsafeRow): Long = EventTime.firstMillis(row.getLong(ordinal))
}

private[streaming] object EventTime {

  /** The first watermark that is not before a time in microseconds. */
  def firstMillis(micros: Long): Long = -Math.floorDiv(-micros, 1000L)
}

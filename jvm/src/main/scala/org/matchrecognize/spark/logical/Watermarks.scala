package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.{
  CTERelationRef,
  EventTimeWatermark,
  LogicalPlan
}
import org.apache.spark.sql.types.{Metadata, MetadataBuilder}

/**
 * Watermarks of columns. Spark notes one in the metadata of a column, and leaves it there where the
 * column goes: into tables, too, which have no watermark.
 */
private[spark] object Watermarks {

  /** Notes that the watermark is one that a clause hands on. */
  private val ofClauseKey = "spark.matchRecognize.watermark"

  /** Whether Spark has noted one. */
  def has(column: NamedExpression): Boolean = has(column.metadata)

  def has(metadata: Metadata): Boolean = metadata.contains(EventTimeWatermark.delayKey)

  /** Whether a clause hands it on. */
  def isOfClause(metadata: Metadata): Boolean = metadata.contains(ofClauseKey)

  /** The metadata of a column that has one, by which the clause searches. Nothing reads its delay. */
  def add(metadata: Metadata): Metadata =
    if (has(metadata)) metadata
    else builder(metadata).putLong(EventTimeWatermark.delayKey, 0).build()

  /**
   * The metadata of a column with the watermark that a clause hands on. Of the watermark before the
   * clause it keeps the delay, which dropDuplicatesWithinWatermark reads.
   */
  def ofClause(metadata: Metadata, before: Metadata): Metadata =
    builder(metadata)
      .putLong(EventTimeWatermark.delayKey, before.getLong(EventTimeWatermark.delayKey))
      .putBoolean(ofClauseKey, value = true)
      .build()

  /** The metadata of a column that has none: a row comes out later than its event time says. */
  def remove(metadata: Metadata): Metadata =
    builder(metadata).remove(EventTimeWatermark.delayKey).remove(ofClauseKey).build()

  private def builder(metadata: Metadata) = new MetadataBuilder().withMetadata(metadata)

  /**
   * Whether an operator of a plan computes a watermark.
   *
   * @param ctes
   *   the common tables of the statement, which a plan refers to by their numbers
   */
  def areIn(plan: LogicalPlan, ctes: Map[Long, LogicalPlan]): Boolean = plan.exists {
    case _: EventTimeWatermark => true
    case ref: CTERelationRef   => ctes.get(ref.cteId).exists(areIn(_, ctes))
    case _                     => false
  }
}

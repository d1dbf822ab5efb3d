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

  /** Whether Spark has noted one. */
  def has(column: NamedExpression): Boolean =
    column.metadata.contains(EventTimeWatermark.delayKey)

  /** The metadata of a column that has none: a row comes out later than its event time says. */
  def remove(metadata: Metadata): Metadata =
    new MetadataBuilder().withMetadata(metadata).remove(EventTimeWatermark.delayKey).build()

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

package org.matchrecognize.spark.logical

import scala.collection.mutable

import org.apache.commons.codec.digest.DigestUtils

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, ExprId}
import org.apache.spark.sql.catalyst.plans.logical.{CTERelationRef, LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.util.quoteIfNeeded

/**
 * How the columns of a plan are computed from those of its sources. A column of an operator that
 * computes it in another way than a projection is called by its name.
 *
 * @param ctes
 *   the common tables of the statement, which the plan refers to by their numbers
 */
final class ColumnDefinitions(plan: LogicalPlan, ctes: Map[Long, LogicalPlan]) {

  /** A definition can use one before it many times. */
  private val known = mutable.Map.empty[ExprId, String]

  def of(column: Attribute): String = of(column, plan)

  /** The columns of the sources. */
  def sources: Seq[String] = sourcesOf(plan).distinct

  private def sourcesOf(plan: LogicalPlan): Seq[String] = plan.collectLeaves().flatMap {
    case CommonTable(table) => sourcesOf(table)
    case source             => source.output.map(_.name)
  }

  private object CommonTable {
    def unapply(plan: LogicalPlan): Option[LogicalPlan] = plan match {
      case ref: CTERelationRef => ctes.get(ref.cteId)
      case _                   => None
    }
  }

  private def of(column: Attribute, in: LogicalPlan): String =
    known.getOrElseUpdate(column.exprId, ColumnDefinitions.short(computed(column, in)))

  private def computed(column: Attribute, in: LogicalPlan): String = in match {
    case Project(list, child) =>
      list.find(_.exprId == column.exprId) match {
        case Some(Alias(e, _)) => new Meaning(of(_, child)).of(e)
        case _                 => computed(column, child)
      }
    case union: Union =>
      val index = union.output.indexWhere(_.exprId == column.exprId)
      union.children.map(child => computed(child.output(index), child)).distinct.mkString(" | ")
    case CommonTable(table) =>
      computed(table.output(in.output.indexWhere(_.exprId == column.exprId)), table)
    case other =>
      other.children.filter(_.outputSet.contains(column)) match {
        case Seq(child) => computed(column, child)
        // As the source writes it.
        case _ => quoteIfNeeded(in.output.find(_.exprId == column.exprId).getOrElse(column).name)
      }
  }
}

private object ColumnDefinitions {
  private val most = 400

  /** A text that is too long to be read, by its beginning and a number of its own. */
  private def short(text: String): String =
    if (text.length <= most) text
    else text.take(most / 2) + "... " + DigestUtils.sha256Hex(text).take(16)
}

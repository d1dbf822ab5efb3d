package org.matchrecognize.spark.analysis

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.execution.datasources.ApplyCharTypePadding

import org.matchrecognize.spark.expressions.{Navigation, QualifiedReference, WrittenColumn}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * Pads what is compared with columns of type CHAR(n). Spark's own rule does it, but only at the end
 * of the analysis, and only where an operand is a column. The clause is lowered by then.
 */
private[analysis] object CharPadding {

  /** The clause with padded comparisons, as the session's settings ask for. */
  def pad(clause: UnresolvedMatchRecognize): UnresolvedMatchRecognize =
    if (clause.child.output.exists(isChar)) byRule(clause) else clause

  /**
   * The column that an expression takes from some row as it is: `c`, `A.c`, `PREV(A.c)`. Its type
   * is the column's, CHAR(n) included.
   */
  def columnOf(e: Expression): Option[Attribute] = e match {
    case column: Attribute            => Some(column)
    case QualifiedReference(_, child) => columnOf(child)
    case WrittenColumn(child)         => columnOf(child)
    case navigation: Navigation       => columnOf(navigation.argument)
    case _                            => None
  }

  /**
   * A column of a lowered expression, without its length: [[pad]] has padded what Spark pads, and
   * Spark's own rule must not find more.
   */
  def withoutLength(column: Attribute): Attribute = column match {
    case reference: AttributeReference => CharVarcharUtils.cleanAttrMetadata(reference)
    case other                         => other
  }

  private def isChar(column: Attribute): Boolean =
    CharVarcharUtils.getRawType(column.metadata).isDefined

  private def byRule(clause: UnresolvedMatchRecognize): UnresolvedMatchRecognize = {
    val standIns                                  = ArrayBuffer[(Expression, Attribute)]()
    def standIn(e: Expression, column: Attribute) =
      standIns.collectFirst { case (`e`, known) => known }.getOrElse {
        val made =
          AttributeReference(column.name, column.dataType, column.nullable, column.metadata)()
        standIns += e -> made
        made
      }
    def hide(e: Expression): Expression = e match {
      case column: Attribute => column
      case _                 => columnOf(e).fold(e.mapChildren(hide))(standIn(e, _))
    }
    val columns = LocalRelation(clause.child.output)
    val hidden  = clause.mapExpressions(hide).withNewChildren(Seq(columns))
    ApplyCharTypePadding(hidden) match {
      case padded: UnresolvedMatchRecognize =>
        padded
          .transformExpressions { case made: Attribute =>
            standIns.collectFirst { case (e, `made`) => e }.getOrElse(made)
          }
          .asInstanceOf[UnresolvedMatchRecognize]
          .copy(child = clause.child)
      case other => throw new IllegalStateException(s"a clause became $other")
    }
  }
}

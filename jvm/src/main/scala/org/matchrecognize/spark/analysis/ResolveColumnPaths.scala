package org.matchrecognize.spark.analysis

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.catalyst.analysis.withPosition
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  AttributeSeq,
  Expression,
  NamedExpression
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.ColumnPath
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * Resolves `s.f` in DEFINE and MEASURES: field f of column s, whatever the tables of the input are
 * called, since only PARTITION BY and ORDER BY know those. What names no column is left to Spark: a
 * session variable, a column from outside, or nothing.
 */
object ResolveColumnPaths extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case clause: UnresolvedMatchRecognize if clause.childrenResolved =>
      clause.transformExpressions { case path: ColumnPath =>
        new PathResolver(clause, path).resolve()
      }
  }
}

final private class PathResolver(clause: UnresolvedMatchRecognize, path: ColumnPath) {

  private val columns = clause.child.output
  private val hidden  = clause.child.metadataOutput

  def resolve(): Expression = Try(columnOf(path.nameParts, columns)) match {
    case Success(Some(column)) => column
    case _ if namesTable       => throw inputAlias()
    case Success(None)         => path.asAttribute
    case Failure(notAField)    => throw notAField
  }

  /** A column without the tables' names, and its fields. */
  private def columnOf(nameParts: Seq[String], from: Seq[Attribute]): Option[Expression] =
    find(nameParts, from.map(_.withQualifier(Nil))).map { found =>
      val value = found match {
        case Alias(field, _) => field
        case column          => column
      }
      value.transform { case a: Attribute => from.find(_.exprId == a.exprId).getOrElse(a) }
    }

  private def find(nameParts: Seq[String], from: Seq[Attribute]): Option[NamedExpression] =
    withPosition(path)(AttributeSeq(from).resolve(nameParts, SQLConf.get.resolver))

  private def namesTable: Boolean =
    columnOf(path.nameParts, hidden).isEmpty && find(path.nameParts, columns ++ hidden).isDefined

  private def inputAlias(): Throwable = {
    val column = path.nameParts.tails
      .drop(1)
      .find(rest =>
        rest.nonEmpty && Try(columnOf(rest, columns ++ hidden)).toOption.exists(_.isDefined))
    val suggestion = column.map(rest => ColumnPath(rest).sql) match {
      case Some(name) =>
        s"Write $name${clause.variables.headOption.fold("")(v => s" or ${v.name}.$name")}."
      case None => "Give the columns names of their own in a subquery."
    }
    MatchRecognizeErrors.analysis(
      AnalysisErrors.InputAlias,
      path.origin,
      "name"       -> path.sql,
      "suggestion" -> suggestion)
  }
}

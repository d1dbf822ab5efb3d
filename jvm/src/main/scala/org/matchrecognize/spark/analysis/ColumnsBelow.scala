package org.matchrecognize.spark.analysis

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  Exists,
  Expression,
  InSubquery,
  Literal,
  PythonUDF
}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import org.matchrecognize.spark.expressions.SameExpression

/**
 * Expressions over one row that Spark can evaluate only in operators of its own (Python UDFs,
 * functions written in SQL, IN and EXISTS over a subquery): each becomes a column of a projection
 * below the clause, and is then read from the row that the clause designates.
 */
final private[analysis] class ColumnsBelow {
  import ColumnsBelow._

  private val added = ArrayBuffer[Added]()

  /** The input with all these columns. */
  def addTo(input: LogicalPlan): LogicalPlan =
    added.groupBy(_.level).toSeq.sortBy(_._1).foldLeft(input) { case (below, (_, columns)) =>
      Project(below.output ++ columns.map(_.alias), below)
    }

  /**
   * The column that holds an expression over the input's columns.
   *
   * @param nullIsFalse
   *   whether FALSE may replace NULL, which is cheaper for IN over a subquery
   */
  def column(e: Expression, nullIsFalse: Boolean = false): Attribute =
    added
      .find(known => known.nullIsFalse == nullIsFalse && SameExpression(known.asked, e))
      .getOrElse {
        val value = withColumns(e) match {
          case in: InSubquery if !nullIsFalse => MembershipTest(in)
          case other                          => other
        }
        val alias  = Alias(value, s"$prefix${added.size}")()
        val column = Added(e, nullIsFalse, alias, levelOf(value))
        added += column
        column
      }
      .alias
      .toAttribute

  /** The expression with a column in the place of each IN over a subquery. */
  def extractMembership(e: Expression): Expression = e match {
    case in: InSubquery => column(in)
    case other          => other.mapChildren(extractMembership)
  }

  /**
   * Replaces the expressions inside it by columns. The values of IN become columns, too: the test
   * uses them several times, and a join on them takes no Python UDF.
   */
  private def withColumns(e: Expression): Expression = e match {
    case InSubquery(values, query) =>
      InSubquery(
        values.map {
          case value @ (_: Attribute | _: Literal) => value
          case value                               => column(value)
        },
        query)
    case other => other.mapChildren(extractMembership)
  }

  /** A column that uses others must be computed above them. */
  private def levelOf(e: Expression): Int =
    added
      .filter(a => e.references.contains(a.alias.toAttribute))
      .map(_.level + 1)
      .foldLeft(0)(_ max _)
}

private[analysis] object ColumnsBelow {

  /** A column, the expression that it holds, and the number of projections below its own. */
  final private case class Added(
      asked: Expression,
      nullIsFalse: Boolean,
      alias: Alias,
      level: Int)

  private val prefix = "_row_local_"

  /** Whether it is one of these columns. */
  def holds(column: Attribute): Boolean = column.name.startsWith(prefix)

  /** Whether Spark must evaluate it below the clause. */
  def isNeeded(e: Expression): Boolean = e match {
    case _: PythonUDF | _: InSubquery | _: Exists => true
    case _                                        => SqlFunctions.nameOf(e).nonEmpty
  }

  /** For messages. */
  def describe(e: Expression): String = e match {
    case udf: PythonUDF => s"The Python function ${udf.name}"
    case _: InSubquery  => "IN with a subquery"
    case _: Exists      => "EXISTS"
    case _ => SqlFunctions.nameOf(e).fold(e.prettyName)(name => s"The function $name")
  }
}

package org.matchrecognize.spark.analysis

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  Exists,
  Expression,
  InSubquery,
  PythonUDF
}

/**
 * Expressions over one row that Spark can evaluate only in operators of its own (Python UDFs,
 * functions written in SQL, IN and EXISTS over a subquery): each becomes a column of a projection beneath the clause, and is
 * then taken from whichever row the clause designates.
 */
final private[analysis] class RowLocalColumns {
  private val added = ArrayBuffer[Alias]()

  /** What the projection beneath the clause has to compute. */
  def columns: Seq[Alias] = added.toSeq

  /** The column that holds an expression over the input's columns. */
  def column(e: Expression): Attribute =
    added
      .find(_.child.semanticEquals(e))
      .getOrElse {
        val alias = Alias(e, s"_row_local_${added.size}")()
        added += alias
        alias
      }
      .toAttribute
}

private[analysis] object RowLocalColumns {

  /** Whether Spark must evaluate it beneath the clause. */
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

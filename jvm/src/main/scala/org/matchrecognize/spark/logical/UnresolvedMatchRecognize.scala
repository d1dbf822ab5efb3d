package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.analysis.UnresolvedException
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  PrimaryVariable,
  RowPattern,
  RowsPerMatch,
  UnionVariable
}
import org.matchrecognize.spark.text.Span

/**
 * A MATCH_RECOGNIZE clause as the parser leaves it. Spark's rules resolve the expressions (all of
 * them children in plain Seqs, so that Spark's traversals reach them); the variables are resolved
 * already. Its origin is the clause's, with the statement's text; every Span counts in that text.
 *
 * @param partition
 *   PARTITION BY expressions
 * @param partitionNames
 *   their AS names, in parallel
 * @param order
 *   ORDER BY items
 * @param orderNames
 *   their AS names, in parallel
 * @param keySpans
 *   the places of the expressions of PARTITION BY, then of those of ORDER BY: Spark may replace a
 *   name by a column whose own place is elsewhere
 * @param measures
 *   MEASURES expressions, without an Alias
 * @param measureNames
 *   their names, in parallel
 * @param rows
 *   rows per match
 * @param afterMatch
 *   AFTER MATCH, None if the user omitted it
 * @param pattern
 *   PATTERN
 * @param bounds
 *   the parameter markers that are quantifier bounds ([[pattern.Bound.Parameter]])
 * @param within
 *   WITHIN's interval, one element or none
 * @param variables
 *   primary variables; the index is the id
 * @param unions
 *   SUBSET
 * @param defined
 *   ids of the variables that DEFINE defines
 * @param conditions
 *   their conditions, in parallel
 * @param conditionTexts
 *   the text of each, in parallel
 * @param spans
 *   the place of each clause, by its first keyword (PARTITION, ORDER, MEASURES, ONE or ALL, AFTER,
 *   PATTERN, WITHIN, SUBSET, DEFINE)
 */
case class UnresolvedMatchRecognize(
    partition: Seq[Expression],
    partitionNames: Seq[Option[String]],
    order: Seq[SortOrder],
    orderNames: Seq[Option[String]],
    keySpans: Seq[Span],
    measures: Seq[Expression],
    measureNames: Seq[String],
    rows: RowsPerMatch,
    afterMatch: Option[AfterMatch],
    pattern: RowPattern,
    bounds: Seq[Expression],
    within: Seq[Expression],
    variables: Seq[PrimaryVariable],
    unions: Seq[UnionVariable],
    defined: Seq[Int],
    conditions: Seq[Expression],
    conditionTexts: Seq[String],
    spans: Map[String, Span],
    child: LogicalPlan
) extends UnaryNode {
  override def output: Seq[Attribute]               = Nil
  override def metadataOutput: Seq[Attribute]       = Nil
  override lazy val resolved: Boolean               = false
  override def simpleString(maxFields: Int): String = {
    val measured = measures.zip(measureNames).map { case (e, name) => s"${shown(e)} AS $name" }
    val tests    = defined.zip(conditions).map { case (v, e) =>
      s"${variables(v).name} AS ${shown(e)}"
    }
    val parts = Seq("PARTITION BY" -> partition, "ORDER BY" -> order, "MEASURES" -> measured)
      .filter(_._2.nonEmpty)
      .map { case (keyword, items) => items.mkString(s"$keyword ", ", ", " ") }
    val text = RowPattern.sql(pattern, variables(_).name)
    s"'MatchRecognize [${parts.mkString}PATTERN ($text) DEFINE ${tests.mkString(", ")}]"
  }

  /** Spark cannot show `(x (a), 5) IN (SELECT ...)`, of which it says that an alias is wrong. */
  private def shown(e: Expression): String =
    try e.toString
    catch { case _: UnresolvedException => e.nodeName }

  override protected def withNewChildInternal(newChild: LogicalPlan): UnresolvedMatchRecognize =
    copy(child = newChild)
}

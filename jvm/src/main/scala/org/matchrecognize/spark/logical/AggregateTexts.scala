package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.expressions.{RowAggregate, Semantics}
import org.matchrecognize.spark.pattern.PrimaryVariable

/**
 * The aggregates of a clause in SQL, as analysis leaves them: what the optimizer makes of them can
 * be another thing in each micro-batch, as that of `current_timestamp()` is.
 *
 * @param conditions
 *   those of DEFINE
 * @param measures
 *   those of each measure
 */
final case class AggregateTexts(conditions: Seq[String], measures: Seq[Seq[String]]) {

  /** Of which measures, by index, remain. */
  def withMeasures(remain: Seq[Int]): AggregateTexts = copy(measures = remain.map(measures))
}

object AggregateTexts {

  def of(
      variables: Seq[PrimaryVariable],
      conditions: Seq[Expression],
      measures: Seq[Expression]): AggregateTexts = {
    def sql(a: RowAggregate): String = {
      val function = (if (a.distinct) "DISTINCT " else "") + toPrettySQL(a.function)
      val where    = a.filter.map(f => s" FILTER (WHERE ${toPrettySQL(f)})").mkString
      // A union variable may change while its name does not.
      val rows =
        a.variable.fold("all rows")(_.members.map(variables(_).name).mkString(", "))
      val semantics = if (a.semantics == Semantics.Final) "FINAL " else ""
      s"$semantics$function$where of $rows"
    }
    def texts(e: Expression): Seq[String] = e.collect { case a: RowAggregate => sql(a) }
    AggregateTexts(conditions.flatMap(texts), measures.map(texts))
  }
}

package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.{quoteIfNeeded, toPrettySQL}

import org.matchrecognize.spark.expressions.{RowAggregate, Semantics, WrittenText}
import org.matchrecognize.spark.pattern.PrimaryVariable

/**
 * A part of a clause.
 *
 * @param shown
 *   for messages
 * @param meaning
 *   what is compared
 */
final case class Described(shown: String, meaning: String)

object Described {
  def apply(text: String): Described = Described(text, text)

  def list(parts: Seq[Described]): Described = {
    def listed(texts: Seq[String]) = if (texts.isEmpty) "none" else texts.mkString(", ")
    Described(listed(parts.map(_.shown)), listed(parts.map(_.meaning)))
  }
}

/**
 * What a clause over a stream means, as analysis leaves it: what the optimizer makes of it can be
 * another thing in each micro-batch, as that of `current_timestamp()` is.
 *
 * @param text
 *   the clause as the user wrote it
 * @param conditions
 *   by variable
 * @param columns
 *   by name, how a column of the input is computed from those of the sources
 * @param sources
 *   the columns of the sources
 * @param ofConditions
 *   the aggregates of DEFINE
 * @param ofMeasures
 *   the aggregates of each measure
 */
final case class ClauseMeaning(
    text: Option[String],
    conditions: Seq[Described],
    columns: Map[String, String],
    sources: Seq[String],
    ofConditions: Seq[Described],
    ofMeasures: Seq[Seq[Described]]) {

  /** Of which measures, by index, remain. */
  def withMeasures(remain: Seq[Int]): ClauseMeaning = copy(ofMeasures = remain.map(ofMeasures))

  /** Of a column, whose name a key may have in other letters. */
  def definition(column: String): String = columns
    .get(column)
    .orElse(columns.collectFirst { case (name, d) if name.equalsIgnoreCase(column) => d })
    .getOrElse(quoteIfNeeded(column))
}

object ClauseMeaning {

  /**
   * @param clause
   *   the place of the clause
   * @param written
   *   the conditions of DEFINE by variable, before they are lowered
   */
  def of(
      clause: Origin,
      variables: Seq[PrimaryVariable],
      written: Seq[Option[Expression]],
      conditions: Seq[Expression],
      measures: Seq[Expression],
      definitions: ColumnDefinitions,
      input: LogicalPlan): ClauseMeaning = {
    val meaning                      = new Meaning(definitions.of)
    def sql(a: RowAggregate): String = {
      val function = (if (a.distinct) "DISTINCT " else "") + toPrettySQL(a.function)
      val where    = a.filter.map(f => s" FILTER (WHERE ${toPrettySQL(f)})").mkString
      // A union variable may change while its name does not.
      val rows =
        a.variable.fold("all rows")(_.members.map(variables(_).name).mkString(", "))
      val semantics = if (a.semantics == Semantics.Final) "FINAL " else ""
      s"$semantics$function$where of $rows"
    }
    def aggregates(e: Expression): Seq[Described] = e.collect { case a: RowAggregate =>
      Described(sql(a), meaning.of(a))
    }
    ClauseMeaning(
      WrittenText.at(clause),
      conditions.zip(written).zip(variables).map { case ((lowered, asWritten), variable) =>
        val shown = s"${variable.name} AS ${asWritten.fold("TRUE")(toPrettySQL(_))}"
        Described(shown, meaning.of(lowered))
      },
      input.output.groupBy(_.name).map { case (name, columns) =>
        name -> columns.map(definitions.of).distinct.mkString(" | ")
      },
      definitions.sources,
      conditions.flatMap(aggregates),
      measures.map(aggregates)
    )
  }
}

package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  EmptyMatches,
  RowPattern,
  RowVariable,
  RowsPerMatch
}

/**
 * A MATCH_RECOGNIZE clause over a table of [[RandomTables]]' columns.
 *
 * @param variables
 *   names of the primary variables, by id; some may be missing in the pattern
 * @param definitions
 *   DEFINE, by id of the variable
 * @param measures
 *   names and expressions
 * @param within
 *   WITHIN, in the unit of the column `orderBy`
 * @param order
 *   how `orderBy` sorts
 */
final case class Query(
    partitionBy: Seq[String],
    orderBy: String,
    columns: Seq[String],
    variables: IndexedSeq[String],
    subsets: Seq[RowVariable],
    pattern: RowPattern,
    definitions: Seq[(Int, Expression)],
    measures: Seq[(String, Expression)],
    rowsPerMatch: RowsPerMatch,
    afterMatch: AfterMatch,
    within: Option[Long] = None,
    dialect: Dialect = Dialect.Standard,
    order: KeyOrder = KeyOrder()
) {

  /** The primary variables of a variable or SUBSET. */
  def members(name: String): Set[Int] =
    subsets.find(_.name == name).map(_.members.toSet).getOrElse(Set(variables.indexOf(name)))

  def outputColumns: Seq[String] = {
    val names = measures.map(_._1)
    rowsPerMatch match {
      case _: RowsPerMatch.OneRow  => partitionBy ++ names
      case _: RowsPerMatch.AllRows =>
        val keys = (partitionBy :+ orderBy) ++ order.next
        keys ++ names ++ columns.filterNot(keys.contains)
    }
  }

  /** The ids that a row can be mapped to. */
  lazy val used: Set[Int] = Query.variablesOf(pattern)

  /** The ids that occur only in `[^B]` or `q{B}`. */
  lazy val lookedAt: Set[Int] = Element.standing(pattern).toSet -- used

  /**
   * Whether the clause refers to variables of its pattern only, and obeys the rules of
   * definitions, of unmatched rows and of the dialect (semantics.md).
   */
  def isValid: Boolean = {
    val defined    = definitions.map(_._1).toSet
    val gaps       = PatternRules.gapVariables(pattern, defined, dialect)
    val names      = (used -- gaps).map(variables) ++ subsets.map(_.name)
    val skipTarget = afterMatch match {
      case AfterMatch.ToFirst(variable, _) => Some(variable.name)
      case AfterMatch.ToLast(variable, _)  => Some(variable.name)
      case _                               => None
    }
    val excludes = RowPattern.exists(pattern)(_.isInstanceOf[RowPattern.Exclusion])
    def refers(e: Expression, known: Set[String]) = e.qualifiers.flatten.forall(known)
    used.nonEmpty && subsets.forall(_.members.forall(used -- gaps)) &&
    definitions.forall { case (id, e) =>
      (used(id) || lookedAt(id)) && refers(e, names + variables(id))
    } && skipTarget.forall(names) && measures.forall(m => refers(m._2, names)) &&
    PatternRules.isValid(pattern, defined, dialect) &&
    (!rowsPerMatch.showTimeouts || within.nonEmpty) &&
    (within.isEmpty || !order.descending) &&
    !(excludes && rowsPerMatch == RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows))
  }

  /** The clause, over a table or a subquery in parentheses. */
  def sql(table: String): String = {
    val subset = subsets.map(s => s"${s.name} = (${s.members.map(variables).mkString(", ")})")
    val define = definitions.map { case (id, e) => s"${variables(id)} AS ${e.sql}" }
    val shown  = measures.map { case (name, e) => s"${e.sql} AS $name" }
    Seq(
      s"SELECT * FROM $table MATCH_RECOGNIZE (",
      s"  PARTITION BY ${partitionBy.mkString(", ")} ORDER BY ${order.sql(orderBy)}",
      list("MEASURES", shown),
      s"  ${rowsPerMatch.sql}",
      s"  AFTER MATCH ${afterMatch.sql}",
      s"  PATTERN ($patternText)" + within.map(w => s" WITHIN $w").getOrElse(""),
      list("SUBSET", subset),
      list("DEFINE", define) + ")"
    ).filter(_.nonEmpty).mkString("\n")
  }

  /** Spark replaces `${...}` by the value of a variable: a blank keeps a quantified `$` apart. */
  private def patternText: String = RowPattern.sql(pattern, variables).replace("${", "$ {")

  private def list(keyword: String, items: Seq[String]): String =
    if (items.isEmpty) "" else items.mkString(s"  $keyword ", ",\n    ", "")
}

/**
 * How the first key of ORDER BY sorts.
 *
 * @param next
 *   the second key, ascending
 */
final case class KeyOrder(
    descending: Boolean = false,
    nullsLast: Boolean = false,
    next: Option[String] = None) {

  def sql(key: String): String = {
    val direction = if (descending) " DESC" else ""
    val nulls     =
      if (nullsLast == descending) "" else if (nullsLast) " NULLS LAST" else " NULLS FIRST"
    (s"$key$direction$nulls" +: next.toSeq).mkString(", ")
  }

  /** Rows by a key, which is a Long or NULL. */
  def sort(rows: Seq[Map[String, Any]], key: String): Seq[Map[String, Any]] = {
    val byNext =
      next.fold(rows)(column => rows.sortBy(row => Option(row(column)).map(_.asInstanceOf[Long])))
    val (without, those) = byNext.partition(_(key) == null)
    val ascending        = Ordering.by[Map[String, Any], Long](_(key).asInstanceOf[Long])
    val sorted           = those.sorted(if (descending) ascending.reverse else ascending)
    if (nullsLast) sorted ++ without else without ++ sorted
  }
}

object Query {
  def variablesOf(pattern: RowPattern): Set[Int] = pattern match {
    case RowPattern.Variable(id, _) => Set(id)
    case other                      => RowPattern.children(other).flatMap(variablesOf).toSet
  }
}

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
    dialect: Dialect = Dialect.Standard
) {

  /** The primary variables of a variable or SUBSET. */
  def members(name: String): Set[Int] =
    subsets.find(_.name == name).map(_.members.toSet).getOrElse(Set(variables.indexOf(name)))

  def outputColumns: Seq[String] = {
    val names = measures.map(_._1)
    rowsPerMatch match {
      case _: RowsPerMatch.OneRow  => partitionBy ++ names
      case _: RowsPerMatch.AllRows =>
        val keys = partitionBy :+ orderBy
        keys ++ names ++ columns.filterNot(keys.contains)
    }
  }

  /** The ids that a row can be mapped to. */
  lazy val used: Set[Int] = Query.variablesOf(pattern)

  /** The ids that stand in `[^B]` or `q{B}`. */
  lazy val lookedAt: Set[Int] = Element.standing(pattern).toSet -- used

  /**
   * Whether the clause refers to variables of its pattern only, and obeys rules 4 and 11 and the
   * dialect's.
   */
  def isValid: Boolean = {
    val defined     = definitions.map(_._1).toSet
    val gaps        = PatternRules.gapVariables(pattern, defined, dialect)
    val names       = (used -- gaps).map(variables) ++ subsets.map(_.name)
    val skipTarget  = afterMatch match {
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
    !(excludes && rowsPerMatch == RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows))
  }

  /** The clause, over a table or a subquery in parentheses. */
  def sql(table: String): String = {
    val subset = subsets.map(s => s"${s.name} = (${s.members.map(variables).mkString(", ")})")
    val define = definitions.map { case (id, e) => s"${variables(id)} AS ${e.sql}" }
    val shown  = measures.map { case (name, e) => s"${e.sql} AS $name" }
    Seq(
      s"SELECT * FROM $table MATCH_RECOGNIZE (",
      s"  PARTITION BY ${partitionBy.mkString(", ")} ORDER BY $orderBy",
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

object Query {
  def variablesOf(pattern: RowPattern): Set[Int] = pattern match {
    case RowPattern.Variable(id, _) => Set(id)
    case other                      => RowPattern.children(other).flatMap(variablesOf).toSet
  }
}

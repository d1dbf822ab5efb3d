package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.SparkSuite

/**
 * Rows between the rows of a match (semantics.md, "Extensions", standard dialect): a sequence of
 * rows in, the rows of each match out. A row `a2` has the type `a` and the number 2. A variable
 * stands for the rows of its type (`A` for `a`) unless a definition says otherwise; X, Y and Z are
 * undefined.
 */
abstract class ContiguityTest extends SparkSuite {

  private val types = Seq("A", "B", "C", "D", "E")

  protected def table(sequence: String): String =
    sequence
      .split(" ")
      .zipWithIndex
      .map { case (name, i) => s"(${i + 1}, '$name', '${name.head}', ${name.tail})" }
      .mkString("(SELECT * FROM VALUES ", ", ", " AS t(o, name, type, n))")

  /** DEFINE's entries: those defined, and the types of the other letters in the pattern. */
  protected def definitions(pattern: String, defined: Seq[(String, String)]): String = {
    def occurs(variable: String) = s"\\b$variable\\b".r.findFirstIn(pattern).nonEmpty
    val plain                    = types
      .filterNot(v => defined.exists(_._1 == v))
      .map(v => v -> s"type = '${v.toLowerCase(java.util.Locale.ROOT)}'")
    (plain ++ defined)
      .filter(d => occurs(d._1))
      .map { case (v, condition) => s"$v AS $condition" }
      .mkString(", ")
  }

  protected def clause(
      sequence: String,
      pattern: String,
      measures: String,
      options: String,
      defined: Seq[(String, String)]): String = {
    val all = definitions(pattern, defined)
    s"""SELECT * FROM ${table(sequence)} MATCH_RECOGNIZE (
       |  ORDER BY o MEASURES $measures $options PATTERN ($pattern)
       |  ${if (all.isEmpty) "" else "DEFINE " + all})""".stripMargin
  }

  /** The names of each match's rows, from every start row unless `after` says otherwise. */
  protected def matches(sequence: String, pattern: String, after: String = "TO NEXT ROW")(
      defined: (String, String)*): Seq[String] = {
    val options = s"ALL ROWS PER MATCH OMIT EMPTY MATCHES AFTER MATCH SKIP $after"
    val found   = rows(
      s"SELECT m, name FROM (${clause(sequence, pattern, "MATCH_NUMBER() AS m", options, defined)})")
    found.map(_.head).distinct.map(m => found.filter(_.head == m).map(_(1)).mkString(" "))
  }

  /** One row a match. */
  protected def measured(sequence: String, pattern: String, measures: String)(
      defined: (String, String)*): Seq[Seq[Any]] =
    rows(clause(sequence, pattern, measures, "ONE ROW PER MATCH", defined))

  protected def row(values: Any*): Seq[Any] = values

  protected def refused(pattern: String, more: String = "", measures: String = "o AS o"): String =
    failure(
      rows(
        s"SELECT * FROM ${table("a1 b1")} MATCH_RECOGNIZE " +
          s"(ORDER BY o MEASURES $measures $more PATTERN ($pattern) DEFINE B AS type = 'b')"))
}

package org.matchrecognize.spark.robustness

/** Statements of many variables, each with a condition of its own. */
object ManyVariables {

  /** How the variables are put together. */
  val patterns: Map[String, Seq[String] => String] = Map(
    "row"          -> (_.mkString(" ")),
    "optional"     -> (_.mkString("", "? ", "?")),
    "alternatives" -> (_.mkString("(", " | ", ")+"))
  )

  /** The condition of the i-th variable. */
  val conditions: Map[String, Int => String] = Map(
    "local"    -> (i => s"x = $i"),
    "anchored" -> (i => if (i == 0) "x < 10" else s"x > V0.x + $i"),
    // Were the sum all, a thousand variables could take each row: ways without number.
    "running" -> (i => s"x = $i AND SUM(V$i.x) <= $i")
  )

  def names(n: Int): Seq[String] = (0 until n).map(i => s"V$i")

  /** Over the rows 0 to 3 of one column, x. */
  def sql(n: Int, pattern: String, condition: String, measured: Boolean = false): String = {
    val variables = names(n)
    val defined   = variables.indices.map(i => s"V$i AS ${conditions(condition)(i)}")
    val measures  =
      if (measured) variables.map(v => s"LAST($v.x) AS of_$v").mkString(", ") else "COUNT(*) AS n"
    s"""SELECT * FROM (SELECT id AS x FROM range(0, 4, 1, 1)) MATCH_RECOGNIZE (
       |  ORDER BY x MEASURES $measures
       |  PATTERN (${patterns(pattern)(variables)})
       |  DEFINE ${defined.mkString(", ")})""".stripMargin
  }
}

package org.matchrecognize.spark.optimizer

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.MatchRecognizeExec
import org.matchrecognize.spark.logical.{MatchRecognize, Pushed}

/** Filters above a clause: the work that they save below it, and where they must save none. */
abstract class FilterAboveTest extends SparkSuite {

  protected def node(sql: String): MatchRecognize =
    spark.sql(sql).queryExecution.optimizedPlan.collectFirst { case m: MatchRecognize => m }.get

  protected def pushed(sql: String): Pushed = node(sql).pushed

  /** x is 5, 3, 8, 1, 9, 2 at o = 1 to 6. */
  protected val six =
    "(SELECT * FROM VALUES (1, 5), (2, 3), (3, 8), (4, 1), (5, 9), (6, 2) AS t(o, x))"

  protected def clause(
      measures: String,
      pattern: String = "A B",
      define: String = "",
      more: String = "AFTER MATCH SKIP TO NEXT ROW",
      order: String = "o",
      input: String = six): String =
    s"""SELECT * FROM $input MATCH_RECOGNIZE (
       |  ORDER BY $order MEASURES $measures $more PATTERN ($pattern)
       |  ${if (define.isEmpty) "" else s"DEFINE $define"})""".stripMargin

  protected def where(sql: String, filter: String): String =
    s"SELECT * FROM ($sql) WHERE $filter"

  /** Two partitions in order, 20000 rows each. */
  protected val long =
    "(SELECT id div 20000 AS k, id AS o, hash(id) AS x FROM range(0, 40000, 1, 1))"

  /** Steps with a rule, and without it. */
  protected def steps(sql: String, rule: String): (Long, Long) = {
    def count() = operator(sql).metrics("numSteps").value
    (count(), withSettings("spark.sql.optimizer.excludedRules" -> rule)(count()))
  }

  /** The operator of a query that has run. */
  protected def operator(sql: String): MatchRecognizeExec =
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val frame = spark.sql(sql)
      frame.collect()
      searchOf(frame)
    }
}

package org.matchrecognize.spark.execution

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.{SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

import org.matchrecognize.spark.SparkSuite

/** How a clause is planned and run. */
class PlanSuite extends SparkSuite {

  private val ticks =
    "(SELECT id % 10 AS k, id AS o, (id * 7919) % 101 AS price FROM range(2000)) AS t"

  private def clause(input: String, more: String = ""): String =
    s"""SELECT * FROM $input MATCH_RECOGNIZE (
       |  PARTITION BY k ORDER BY o
       |  MEASURES COUNT(*) AS n, LAST(UP.price) AS top
       |  PATTERN (S UP+)
       |  DEFINE UP AS price > PREV(price)) $more""".stripMargin

  /** The operators of a query that has run. */
  private def finalOperators(frame: DataFrame): Seq[SparkPlan] = {
    frame.collect()
    operators(frame)
  }

  for (adaptive <- Seq("true", "false"))
    test(s"the operator is within a whole-stage code generation stage, adaptive = $adaptive") {
      withSettings("spark.sql.adaptive.enabled" -> adaptive) {
        val plan   = finalOperators(spark.sql(clause(ticks)))
        val stages = plan.collect { case stage: WholeStageCodegenExec => stage }
        assert(stages.exists(_.exists(_.isInstanceOf[MatchRecognizeExec])))
      }
    }

  test(
    "one exchange and one sort bring the rows; a nested clause on the same keys adds no exchange") {
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val nested = clause(s"""(SELECT k, o, price FROM $ticks MATCH_RECOGNIZE (
           |  PARTITION BY k ORDER BY o ALL ROWS PER MATCH PATTERN (A)))""".stripMargin)
      val plan = finalOperators(spark.sql(nested))
      assert(plan.count(_.isInstanceOf[MatchRecognizeExec]) == 2)
      assert(plan.count(_.isInstanceOf[ShuffleExchangeExec]) == 1)
    }
  }

  test("grouping the result by the partition keys needs no exchange") {
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val grouped = s"SELECT k, MAX(n) FROM (${clause(ticks)}) GROUP BY k"
      assert(finalOperators(spark.sql(grouped)).count(_.isInstanceOf[ShuffleExchangeExec]) == 1)
    }
  }

  test("a result whose size is not known is not broadcast") {
    def size(rows: String) = spark
      .sql(
        s"SELECT * FROM range(10) MATCH_RECOGNIZE (ORDER BY id MEASURES FIRST(id) AS f $rows " +
          "PATTERN (A+))")
      .queryExecution
      .optimizedPlan
      .stats
      .sizeInBytes
    assert(size("ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW") > (1L << 40))
    assert(size("ALL ROWS PER MATCH") < (1L << 20))
  }

  test("without PARTITION BY all rows go to one task") {
    withSettings("spark.sql.adaptive.enabled" -> "false") {
      val frame = spark.sql(
        s"SELECT * FROM $ticks MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n PATTERN (A+))")
      assert(values(frame) == Seq(Seq(2000L)))
      val operator = finalOperators(frame).collectFirst { case m: MatchRecognizeExec => m }.get
      assert(operator.outputPartitioning.numPartitions == 1)
    }
  }

  /** What planning a statement warns of. */
  private def warnings(sql: String): Seq[String] =
    logged(spark.sql(sql).queryExecution.executedPlan)

  test("OR, AND and NOT in PATTERN are variables, and a warning says so") {
    def of(pattern: String, define: String = "") = warnings(
      s"SELECT * FROM $ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY o MEASURES COUNT(*) AS n " +
        s"PATTERN ($pattern) $define)")
    val or = of("A or B")
    assert(or.size == 1 && or.head.contains("OR in PATTERN is a variable"), or)
    assert(or.head.contains("write A | B"))
    assert(of("A NOT B AND C").map(_.split(" ")(1)).toSet == Set("NOT", "AND"))
    assert(of("A B | C").isEmpty && of("A `or` B").isEmpty)
    assert(of("A OR B", "DEFINE OR AS TRUE").isEmpty)
  }

  test("a warning says that one task searches all rows of a large input, and why") {
    val single =
      s"SELECT * FROM $ticks MATCH_RECOGNIZE (ORDER BY o MEASURES COUNT(*) AS n PATTERN (A+))"
    assert(warnings(single).isEmpty)
    withSettings("spark.sql.matchRecognize.ranges.minBytes" -> "1000") {
      val said = warnings(single)
      assert(said.size == 1 && said.head.contains("A single task searches all rows: there"), said)
      assert(warnings(clause(ticks)).isEmpty)
    }
  }

  test("columns that nothing uses are not read") {
    val path = java.nio.file.Files.createTempDirectory("wide").resolve("t").toString
    spark
      .sql("SELECT id % 3 AS k, id AS o, id AS price, id AS unused FROM range(10)")
      .write
      .parquet(path)
    val plan = finalOperators(spark.sql(clause(s"parquet.`$path`")))
    val read =
      plan.filter(_.nodeName.startsWith("Scan parquet")).flatMap(_.output.map(_.name))
    assert(read.toSet == Set("k", "o", "price"))
  }

  test("generated code, iterator and wide rows give the same rows") {
    val expected = rows(clause(ticks, "ORDER BY ALL"))
    assert(expected.size > 100)
    val ways = Seq(
      Seq("spark.sql.codegen.wholeStage"      -> "false"),
      Seq("spark.sql.codegen.maxFields"       -> "1"),
      Seq("spark.sql.codegen.hugeMethodLimit" -> "8"),
      Seq(
        "spark.sql.codegen.factoryMode"                  -> "NO_CODEGEN",
        "spark.sql.codegen.wholeStage"                   -> "false"),
      Seq("spark.sql.codegen.splitConsumeFuncByOperator" -> "false"),
      Seq("spark.sql.matchRecognize.spillThreshold"      -> "1")
    )
    ways.foreach(way =>
      assert(withSettings(way: _*)(rows(clause(ticks, "ORDER BY ALL"))) == expected))
  }

  test("LIMIT stops a long output early, in the middle of one match") {
    val frame = spark.sql("""SELECT * FROM range(0, 3000000, 1, 1) MATCH_RECOGNIZE (
        |  ORDER BY id MEASURES MATCH_NUMBER() AS m ALL ROWS PER MATCH PATTERN (A+)) LIMIT 5""".stripMargin)
    assert(values(frame).map(_.head) == Seq(0L, 1L, 2L, 3L, 4L))
  }

  for (matcher <- Seq("fused", "automaton", "threads"))
    test(s"metrics count rows, matches and rows matched, $matcher") {
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        val metrics = metricsOf(clause(ticks))
        val matches = rows(clause(ticks))
        assert(metrics("numMatches") == matches.size && metrics("numOutputRows") == matches.size)
        val counted = s"SELECT SUM(n) FROM (${clause(ticks)})"
        assert(rows(counted) == Seq(Seq(metrics("matchedRows"))))
      }
    }

  test("metrics count the steps of threads") {
    withSettings("spark.sql.matchRecognize.matcher" -> "threads") {
      val metrics = metricsOf(clause(ticks))
      assert(metrics("numSteps") >= 2000 && metrics("peakThreads") >= 1)
    }
  }

  private def metricsOf(sql: String): Map[String, Long] =
    finalOperators(spark.sql(sql)).collectFirst { case m: MatchRecognizeExec =>
      m.metrics.map(e => e._1 -> e._2.value)
    }.get

  test("EXPLAIN FORMATTED says keys, pattern, conditions and measures") {
    val text = rows("EXPLAIN FORMATTED " + clause(ticks)).head.head.toString
    Seq("MatchRecognize", "PATTERN (S UP+)", "PARTITION BY k", "UP AS", "Measures [")
      .foreach(part => assert(text.contains(part), text))
  }

  test("over an operator whose generated loop ends before its input: a sort aggregate") {
    val input =
      """(SELECT k, o, MAX(x) AS x FROM (
        |  SELECT k, o, LAG(o) OVER (PARTITION BY k ORDER BY o) AS x
        |  FROM (SELECT id % 3 AS k, id DIV 3 AS o FROM range(60))) GROUP BY k, o) AS t""".stripMargin
    def sql(more: String) =
      s"""SELECT k, n FROM $input MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
         |  MEASURES COUNT(*) AS n $more PATTERN (A B+) DEFINE B AS x >= 0)""".stripMargin
    withSettings(
      "spark.sql.shuffle.partitions" -> "1",
      // Spark 3.5's default is not to.
      "spark.sql.execution.replaceHashWithSortAgg" -> "true") {
      for (matcher <- Seq("fused", "automaton", "threads"))
        withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
          val frame = spark.sql(sql(""))
          assert(finalOperators(frame).exists(_.nodeName == "SortAggregate"))
          // Each key has 20 rows, all of which are one match.
          assert(values(frame).toSet == (0L to 2L).map(k => Seq(k, 20L)).toSet, matcher)
          if (matcher != "fused") {
            // A match from each row but the last, to the end.
            val every = for { k <- 0L to 2L; n <- 2L to 20L } yield Seq(k, n)
            assert(
              rows(sql("AFTER MATCH SKIP TO NEXT ROW")).sortBy(_.toString) ==
                every.sortBy(_.toString),
              matcher)
          }
        }
    }
  }
}

package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.logical.MatchRecognize
import org.matchrecognize.spark.reference._
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Random clauses under random filters give the rows of the reference evaluator that pass,
 * whatever the optimizer does beneath.
 */
class PushedFiltersRandomSuite extends SparkSuite {

  private val rules = Seq(
    PushKeyFilters,
    PushStartFilters,
    StopAfterMatch,
    PruneMeasures,
    LeaveOutRowsOutOfReach,
    LeaveOutGapRows).map(_.ruleName).mkString(",")

  private val view = "random_tables"

  private def register(rows: Seq[Map[String, Any]]): Unit = {
    val list = new java.util.ArrayList[Row]
    rows.foreach(row =>
      list.add(Row.fromSeq(RandomTables.columns.map(row).map {
        case number: Long => number.toInt
        case other        => other
      })))
    spark
      .createDataFrame(list, StructType.fromDDL(RandomTables.schema))
      .createOrReplaceTempView(view)
  }

  /** In any order. */
  private def bag(found: Seq[Seq[Any]]): Seq[String] =
    found.map(row => QueryCase.canonical(row).mkString("|")).sorted

  /** What was tried, and how often the optimizer did something. */
  private case class Tried(queries: Int, rows: Int, starts: Int, leftOut: Int, numbers: Int) {
    def +(that: Tried): Tried = Tried(
      queries + that.queries,
      rows + that.rows,
      starts + that.starts,
      leftOut + that.leftOut,
      numbers + that.numbers)

    override def toString: String = s"$queries queries, $rows rows; pushed: $starts starts, " +
      s"$leftOut rows, $numbers numbers"
  }

  private def check(seeds: Seq[Long], extensions: Extensions): Tried = {
    val rows = RandomTables.random(seeds.head, 20, nullKeys = true)
    register(rows)
    seeds.map(check(_, rows, extensions)).reduce(_ + _)
  }

  private def check(seed: Long, rows: Seq[Map[String, Any]], extensions: Extensions): Tried = {
    val drawn    = RandomFilteredQueries(seed, extensions)
    val packed   = QueryCase(drawn.query, rows, nextRowOnInvalidSkip = true)
    val sql      = drawn.sql(packed.sql(view))
    val expected = bag(drawn.of(packed.expected))
    val dialect  = if (extensions.dialect == Dialect.Flink) "flink" else "standard"
    val matcher  = if (seed % 2 == 0) "auto" else "threads"
    withSettings(
      "spark.sql.matchRecognize.invalidSkip" -> "nextRow",
      "spark.sql.matchRecognize.dialect"     -> dialect,
      "spark.sql.matchRecognize.matcher"     -> matcher) {
      val frame = spark.sql(sql)
      val found = bag(values(frame))
      if (found != expected) {
        val without =
          withSettings("spark.sql.optimizer.excludedRules" -> rules)(bag(values(spark.sql(sql))))
        fail(
          s"seed $seed, $dialect, $matcher; without the rules " +
            s"${if (without == expected) "right" else "wrong, too"}\n$sql\n" +
            s"missing ${expected.diff(found).take(5)}\nbeyond ${found.diff(expected).take(5)}")
      }
      val pushed = frame.queryExecution.optimizedPlan.collectFirst { case m: MatchRecognize =>
        m.pushed
      }
      def count(is: Boolean) = if (is) 1 else 0
      Tried(
        1,
        found.size,
        count(pushed.exists(_.starts.nonEmpty)),
        count(pushed.exists(_.rows.nonEmpty)),
        count(pushed.exists(_.lastMatch.nonEmpty)))
    }
  }

  private val kinds = Seq(
    "standard"   -> Extensions.none,
    "time"       -> Extensions(time = true, everyMatch = true),
    "contiguity" -> Extensions(contiguity = true),
    "flink"      -> Extensions(
      time = true,
      everyMatch = true,
      contiguity = true,
      dialect = Dialect.Flink)
  )

  kinds.zipWithIndex.foreach { case ((name, extensions), i) =>
    test(s"random queries, $name") {
      val (batches, seeds) =
        Fuzz.batches(inCi = 2, size = 15, share = 1.0 / kinds.size, first = i * 1000L + 1)(
          check(_, extensions))
      val tried = batches.reduce(_ + _)
      info(s"$seeds: $tried")
      // One batch, as a seed is repeated, need not have all of it.
      assert(
        Fuzz.isAsked ||
          tried.rows > 200 && tried.starts > 0 && tried.leftOut > 0 && tried.numbers > 0)
    }
  }

  /** What stands around a clause whose columns are c, p, f1 and f3. */
  private val around = Seq[(String, String => String)](
    "DISTINCT" -> (q => s"SELECT DISTINCT p, f1 FROM ($q)"),
    "a group"  -> (q => s"SELECT p, count(*), max(f1) FROM ($q) GROUP BY p HAVING p > 1"),
    "LIMIT"    -> (q => s"SELECT c, p, f1 FROM ($q) ORDER BY c, p, f1 LIMIT 7 OFFSET 2"),
    "a window" -> (q =>
      "SELECT * FROM (SELECT c, p, f1, row_number() OVER (PARTITION BY c, p ORDER BY f1) AS r " +
        s"FROM ($q)) WHERE p > 1 AND r = 1"),
    "a union" -> (q =>
      s"SELECT p, f1 FROM ($q) WHERE p = 1 UNION ALL SELECT p, f1 FROM ($q) WHERE f1 > 2"),
    "a join"        -> (q => s"SELECT * FROM ($q) q JOIN ($xs WHERE x > 2) t ON q.f1 = t.x"),
    "an outer join" -> (q =>
      s"SELECT * FROM ($xs) t LEFT JOIN ($q) q ON q.f1 = t.x AND q.f3 < 6 AND q.p = 1"),
    "itself" -> (q =>
      s"SELECT a.c, a.p, b.f1 FROM ($q) a JOIN ($q) b ON a.c = b.c AND a.f1 = b.f1 " +
        "WHERE b.f1 > 1 AND a.p = 1"),
    "IN"     -> (q => s"SELECT * FROM ($q) WHERE f1 IN (SELECT y FROM $view WHERE y > 0)"),
    "EXISTS" -> (q => s"$xs WHERE EXISTS (SELECT * FROM ($q) q WHERE q.f1 = t.x AND q.f3 > 3)"),
    "a scalar subquery" -> (q =>
      s"SELECT x, (SELECT count(*) FROM ($q) q WHERE q.f1 = t.x AND q.p = 1) FROM ($xs) t"),
    "LATERAL" -> (q =>
      s"SELECT * FROM ($xs) t, LATERAL (SELECT * FROM ($q) q WHERE q.f1 > t.x AND q.p = 1)"),
    "another clause" -> (q => s"""SELECT * FROM
      |  (SELECT c AS d, p AS e, f1 AS g, f3 AS k FROM ($q)) MATCH_RECOGNIZE (
      |  PARTITION BY d ORDER BY k, e, g MEASURES A.k AS a, LAST(g) AS l
      |  AFTER MATCH SKIP TO NEXT ROW PATTERN (A B?) DEFINE A AS k >= 3, B AS g > A.g)
      |WHERE d > 4""".stripMargin)
  )

  /** A table to be beside it. */
  private def xs = s"SELECT DISTINCT x FROM $view t"

  for ((name, whole) <- around)
    test(s"random queries in $name: the same rows with and without the rules") {
      val first = 10000L + name.hashCode.abs % 1000 * 10
      register(RandomTables.random(first, 12, nullKeys = true))
      var (found, seed) = (0, first)
      withSettings("spark.sql.matchRecognize.invalidSkip" -> "nextRow") {
        while (seed < first + 2 || found == 0 && seed < first + 20) {
          val drawn   = RandomFilteredQueries(seed, Extensions(time = true, everyMatch = true))
          val query   = drawn.copy(columns = Seq("c", "p", "f1", "f3"))
          val sql     = whole(query.sql(query.query.sql(view)))
          val without =
            withSettings("spark.sql.optimizer.excludedRules" -> rules)(bag(rows(sql)))
          assert(bag(rows(sql)) == without, s"seed $seed\n$sql")
          found += without.size
          seed += 1
        }
      }
      assert(found > 0)
    }
}

package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.logical.MatchRecognize
import org.matchrecognize.spark.reference._
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Random clauses below random filters return the rows of the reference evaluator that pass the
 * filter, however the optimizer changes the plan. [[NeighboursRandomSuite]] adds other operators.
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
    found.map(row => QueryCase.canonical(row).map(text).mkString("|")).sorted

  /** The evaluator's numbers have the type of their value: `COALESCE(AVG(x), -1)` can be -1. */
  private def text(value: Any): String = value match {
    case whole: Double if whole == whole.toLong => whole.toLong.toString
    case other                                  => s"$other"
  }

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
        Fuzz.batches(inGate = 3, size = 15, share = 1.0 / kinds.size, first = i * 1000L + 1)(
          check(_, extensions))
      val tried = batches.reduce(_ + _)
      info(s"$seeds: $tried")
      // One batch, as a seed is repeated, need not have all of it.
      assert(
        Fuzz.isAsked ||
          tried.rows > 200 && tried.starts > 0 && tried.leftOut > 0 && tried.numbers > 0)
    }
  }
}

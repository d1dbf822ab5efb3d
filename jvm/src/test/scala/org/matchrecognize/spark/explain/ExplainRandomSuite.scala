package org.matchrecognize.spark.explain

import org.apache.spark.TaskContext

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.statements.RandomQueriesInSparkSuite.{
  SparkEngine,
  dialect,
  extensions
}
import org.matchrecognize.spark.execution.tracing.{
  ClauseTrace,
  ClauseTracer,
  ThreadTrace,
  ThreadTraceLimits,
  ThreadTracer,
  WrittenCondition
}
import org.matchrecognize.spark.reference.{
  Dialect,
  Extensions,
  RandomQueries,
  RandomTables,
  TooManySteps
}
import org.matchrecognize.spark.robustness.Fuzz

/** EXPLAIN MATCH_RECOGNIZE never contradicts the reference evaluator, on random clauses. */
class ExplainRandomSuite extends SparkSuite {
  import ExplainRandomSuite._

  private val view = "random_tables"

  private def check(seeds: Seq[Long], extensions: Extensions): Report = {
    val rows = RandomTables.random(seeds.head, count = 25, nullKeys = extensions.time)
    new SparkEngine(spark, Map.empty).register(view, rows)
    seeds.map(checkQuery(_, extensions, rows)).reduce(_.and(_))
  }

  private def checkQuery(
      seed: Long,
      extensions: Extensions,
      rows: Seq[Map[String, Any]]): Report = {
    val query   = RandomQueries.query(seed, extensions = extensions)
    val nextRow = seed % 2 == 0
    withSettings(
      "spark.sql.adaptive.enabled" -> "false",
      dialect                      -> (extensions.dialect match {
        case Dialect.Standard => "standard"
        case Dialect.Flink    => "flink"
      }),
      "spark.sql.matchRecognize.invalidSkip" -> (if (nextRow) "nextRow" else "error")
    ) {
      val plan = spark
        .sql(s"EXPLAIN MATCH_RECOGNIZE ${query.sql(view)}")
        .queryExecution
        .executedPlan
        .collectFirst { case explain: ExplainClauseExec => explain }
        .get
      val partitions = rows.groupBy(row => query.partitionBy.map(row))
      val found      = traces(plan)
      assert(found.keySet == partitions.keySet)
      val reports = found.toSeq.map { case (keys, (trace, threads)) =>
        val check =
          new ExplainCheck(query, nextRow, plan.plan.clause.variables.map(_.name).toVector)
        val lines =
          new Explanation(new ShownClause(plan.plan), trace, Nil, others = 0, limit = 0).lines
        try {
          val wrong = check.contradictions(partitions(keys), trace, lines) ++
            check.wrongThreads(partitions(keys), threads)
          if (wrong.nonEmpty)
            fail(
              s"seed $seed, invalidSkip = ${if (nextRow) "nextRow" else "error"}, $extensions\n" +
                s"${wrong.mkString("\n")}\n${query.sql(RandomTables.values(partitions(keys)))}\n" +
                lines.mkString("\n"))
          Report(1, 0, trace.matches, if (check.testsAreKnown) 1 else 0)
        } catch { case _: TooManySteps => Report(0, 1, 0, 0) }
      }
      reports.reduce(_.and(_))
    }
  }

  (("standard" -> Extensions.none) +: extensions).foreach { case (name, extensions) =>
    test(s"random clauses, $name") {
      val (reports, seeds) =
        Fuzz.batches(inGate = 3, size = 10, share = 1.0 / 5)(check(_, extensions))
      val all = reports.reduce(_.and(_))
      info(s"$seeds: $all")
      assert(all.matches > 0 && all.partitions > 10 * all.skipped)
      assert(all.withTests > all.partitions / 2)
    }
  }

  // One of them had mapped more rows, the other had passed over some.
  test("the furthest partial match of two threads that merged") {
    val first = 17955737570000110L
    assert(check(first until first + 10, extensions.toMap.apply("contiguity")).matches > 0)
  }

  // Each row is tested for both before the next row is.
  test("two variables that are absent up to the end") {
    val first = 17955794280000440L
    assert(check(first until first + 10, extensions.toMap.apply("flink")).withTests > 0)
  }

  // It is not tested for the variable of the loop before if it cannot be mapped anyway.
  test("a row that a loop that was left would bar") {
    val first = 17957511340000160L
    assert(check(first until first + 10, extensions.toMap.apply("flink")).withTests > 0)
  }

  // It is tested for both, in any order.
  test("a row of a gap that two loops that were left would bar") {
    val first = 202611300000080L
    assert(check(first until first + 10, extensions.toMap.apply("flink")).withTests > 0)
  }
}

private object ExplainRandomSuite {

  /**
   * What was checked.
   *
   * @param partitions
   *   partitions explained
   * @param skipped
   *   partitions that the reference gave up on
   * @param withTests
   *   of the first, those in which also the tests of rows were compared
   */
  final case class Report(partitions: Int, skipped: Int, matches: Long, withTests: Int) {
    def and(that: Report): Report = Report(
      partitions + that.partitions,
      skipped + that.skipped,
      matches + that.matches,
      withTests + that.withTests)
  }

  /** Nothing is left out. */
  private val ofThreads = ThreadTraceLimits(1000, Int.MaxValue, Int.MaxValue)

  /** The traces of each partition by its keys, all from one job. */
  def traces(explain: ExplainClauseExec): Map[Seq[Any], (ClauseTrace, ThreadTrace)] = {
    val (plan, written, input, limits) =
      (
        explain.plan,
        explain.written.map(WrittenCondition.of),
        explain.child.output,
        explain.limits)
    val keys = plan.partition.map(key => input.indexWhere(_.exprId == key.exprId))
    explain.child
      .execute()
      .mapPartitions { rows =>
        def keysOf(row: org.apache.spark.sql.catalyst.InternalRow): Seq[Any] =
          keys.map(i => if (row.isNullAt(i)) null else row.getInt(i).toLong)
        rows
          .map(_.copy())
          .toVector
          .groupBy(keysOf)
          .iterator
          .map { case (of, partition) =>
            val task    = TaskContext.get()
            val tracer  = new ClauseTracer(plan, written, input, task, limits)
            val threads = new ThreadTracer(plan, written, input, task, ofThreads)
            of -> (tracer.trace(partition.iterator) -> threads.trace(partition.iterator))
          }
      }
      .collect()
      .toMap
  }
}

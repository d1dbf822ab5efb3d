package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed

/**
 * Rows that FINAL designates, at each row of a match, where rows are in memory and on disk. What
 * they are is worked out from the runs of which the partitions are made.
 */
class FinalFramesSuite extends SparkSuite {
  import FinalFramesSuite._

  for (matcher <- Seq("threads", "automaton"); threshold <- Seq(1000000, 8))
    test(s"$matcher, $threshold rows in memory") {
      withSettings(
        "spark.sql.matchRecognize.matcher"        -> matcher,
        "spark.sql.matchRecognize.spillThreshold" -> threshold.toString) {
        var matches = 0
        for (seed <- 1L to 8L) {
          val random = RandomSeed(seed, "final frames")
          val runs   = Seq.fill(3)(
            Seq.fill(random.nextInt(12))(
              Run(random.nextInt(3), random.nextInt(6), random.nextBoolean())))
          createTable(runs.map(_.flatMap(_.kinds)))
          assert(
            rows(clause).map(_.mkString(" ")).sorted ==
              runs.zipWithIndex.flatMap { case (of, k) => expected(k, of) }.sorted,
            s"seed $seed")
          matches += runs.flatten.count(_.matches)
        }
        assert(matches > 50)
      }
    }

  private def createTable(partitions: Seq[Seq[Char]]): Unit = {
    import spark.implicits._
    val all =
      for ((kinds, k) <- partitions.zipWithIndex; (kind, o) <- kinds.zipWithIndex)
        yield (k, o, kind.toString)
    all
      .toDF("k", "o", "kind")
      .selectExpr("*", "concat('row', o) AS x")
      .createOrReplaceTempView("runs")
  }
}

object FinalFramesSuite {
  private val clause = """SELECT k, o, m, r, l, p, e, n, c, t FROM runs MATCH_RECOGNIZE (
      |  PARTITION BY k ORDER BY o
      |  MEASURES MATCH_NUMBER() AS m, LAST(B.x) AS r, FINAL LAST(B.x) AS l,
      |    PREV(FINAL LAST(B.x, 1)) AS p, FINAL LAST(x) AS e, NEXT(FINAL LAST(x)) AS n,
      |    FINAL LAST(C.x) AS c, FINAL COUNT(B.x) AS t
      |  ALL ROWS PER MATCH WITH UNMATCHED ROWS
      |  PATTERN (A B+ C?)
      |  DEFINE A AS kind = 'a', B AS kind = 'b', C AS kind = 'c')""".stripMargin

  /** Rows that no match covers, then `a`, `b` so often, and `c` or not. */
  final private case class Run(before: Int, count: Int, closed: Boolean) {
    def kinds: Seq[Char] =
      Seq.fill(before)('z') ++ Seq('a') ++ Seq.fill(count)('b') ++ (if (closed) Seq('c') else Nil)
    def matches: Boolean = count > 0
  }

  /** The rows of a partition, made of these runs one after another. */
  private def expected(k: Int, runs: Seq[Run]): Seq[String] = {
    val size        = runs.map(_.kinds.size).sum
    def x(row: Int) = if (row >= 0 && row < size) s"row$row" else "null"
    val firsts      = runs.scanLeft(0)(_ + _.kinds.size)
    val numbers     = runs.scanLeft(0)((n, run) => if (run.matches) n + 1 else n).tail
    for {
      ((run, first), number) <- runs.zip(firsts).zip(numbers)
      row                    <- first until first + run.kinds.size
    } yield {
      val a        = first + run.before
      val lastB    = a + run.count
      val end      = if (run.closed) lastB + 1 else lastB
      val measures =
        if (!run.matches || row < a) Seq.fill(8)("null")
        else
          Seq(
            number.toString,
            if (row == a) "null" else x(math.min(row, lastB)),
            x(lastB),
            // The last but one of B, if there is one, and the row before it.
            if (run.count < 2) "null" else x(lastB - 2),
            x(end),
            x(end + 1),
            if (run.closed) x(end) else "null",
            run.count.toString
          )
      (Seq(k.toString, row.toString) ++ measures).mkString(" ")
    }
  }
}

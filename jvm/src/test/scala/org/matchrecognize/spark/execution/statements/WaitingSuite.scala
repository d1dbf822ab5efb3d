package org.matchrecognize.spark.execution.statements

import scala.util.Random

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed

/**
 * Threads that wait for a row far away, in partitions whose rows are classified, and which skip
 * rows: against the same clause on one partition after the other, where each row is offered because
 * no comparison is found in the conditions.
 */
class WaitingSuite extends SparkSuite {
  import WaitingSuite._

  test("random clauses that wait") {
    var (found, waiting) = (0, 0)
    for (seed <- 1L to 30L) {
      val random = RandomSeed(seed, "waiting")
      table(random).createOrReplaceTempView("waits")
      val clause         = drawn(random)
      val all            = clause("PARTITION BY k", identity)
      val opaque         = clause("", condition => s"coalesce($condition, false)")
      val (rows, steps)  = run(s"SELECT * FROM waits $all")
      val (wanted, each) = (0 until partitions)
        .map(k => run(s"SELECT $k AS k, * FROM (SELECT * FROM waits WHERE k = $k) $opaque"))
        .unzip
      assert(rows == wanted.flatten, s"seed $seed: $all")
      found += rows.size
      // Start rows without a match are skipped, too: that alone does it in six clauses.
      if (steps < each.sum / 2) waiting += 1
    }
    info(s"$found matches; of $waiting clauses, less than half of the steps")
    // Scala 2.12 shuffles in another way: 66 and 28 there, 111 and 20 here.
    assert(found > 50 && waiting >= 10)
  }

  test("a start row and a row far away: a few steps") {
    val (rows, steps) = run("""SELECT * FROM (
        |  SELECT id % 2 AS k, id AS o, IF(id >= 199998, 7, id % 5) AS x FROM range(200000))
        |  MATCH_RECOGNIZE (PARTITION BY k ORDER BY o MEASURES A.o AS a, C.o AS c
        |  PATTERN (A Z* C) DEFINE A AS o < 2, Z AS x >= 0, C AS x = 7 AND o > A.o)""".stripMargin)
    assert(rows == Seq(Seq(0, 0, 199998), Seq(1, 1, 199999)))
    assert(steps < 100, steps)
  }

  /** The rows of a statement, by key and number, and the steps of its search. */
  private def run(sql: String): (Seq[Seq[Any]], Long) = withSettings(
    "spark.sql.adaptive.enabled"       -> "false",
    "spark.sql.matchRecognize.matcher" -> "threads") {
    val frame = spark.sql(sql)
    val found = values(frame)
    (
      found.sortBy(row => (row(0).toString.toLong, row(1).toString.toLong)),
      searchOf(frame).metrics("numSteps").value)
  }

  /**
   * Partitions of some hundred rows: kinds a to h, the first three rare, and a number. Arithmetic with
   * it cannot fail, so rows are tested ahead.
   */
  private def table(random: Random) = {
    val rows = for (k <- 0 until partitions; o <- 0 until 100 + random.nextInt(500)) yield {
      val rare = random.nextInt(12) == 0
      val kind = if (rare) random.nextInt(3) else 3 + random.nextInt(5)
      (k, o, "abcdefgh".substring(kind, kind + 1), random.nextInt(50).toDouble)
    }
    spark.createDataFrame(rows).toDF("k", "o", "kind", "x")
  }
}

private object WaitingSuite {
  val partitions = 2

  private val patterns = Seq(
    "A Z* C",
    "A Z*? C",
    "A Z* B Y* C",
    "A Z*? B Y*? C",
    "A+ Z* C",
    "(A Z*)+ C",
    "A (Z* C)+",
    "A Z{2,} C",
    "A Z* (B | C)",
    "A (Z | Y)* C B?")

  /** Of variables, what they can be defined as: of some the row decides, of others what came before. */
  private val definitions = Seq(
    "A" -> Seq("kind = 'a'", "kind IN ('a', 'b') AND x > 10", "kind = 'a' AND x > PREV(x)"),
    "B" -> Seq("kind = 'b'", "kind = 'b' AND x > A.x", "kind IN ('b', 'd') AND x > 2 * A.x"),
    "C" -> Seq(
      "kind = 'c' AND x > A.x",
      "kind = 'c' AND x > FIRST(A.x) + 20",
      "kind = 'c' AND x > 45 + LAST(A.x) - FIRST(A.x)",
      "kind = 'c' AND x > LAST(Z.x)",
      "kind = 'c' AND LAST(o) - FIRST(o) > 40",
      "kind = 'c' AND x < A.x OR kind = 'd' AND x = A.x"
    ),
    "Z" -> Seq("true", "true", "kind <> 'h' OR x < 49", "kind > 'a'", "x <> A.x"),
    "Y" -> Seq("true", "kind > 'a'", "x > A.x")
  )

  private val measures =
    Seq(
      "A.o AS a",
      "C.o AS c",
      "LAST(o) AS l",
      "C.x - A.x AS d",
      "LAST(x) AS x",
      "FIRST(A.x) AS ax",
      "LAST(Z.o) AS z")

  /**
   * A clause that waits, with or without PARTITION BY, as a function of what is made of its
   * conditions; `n` numbers its matches.
   */
  def drawn(random: Random): (String, String => String) => String = {
    def one[A](of: Seq[A]) = of(random.nextInt(of.size))
    val pattern            = one(patterns)
    val define             = definitions
      .filter { case (variable, _) => pattern.contains(variable) }
      .map { case (variable, all) => variable -> one(all) }
    val shown =
      random.shuffle(measures.filter(m => pattern.contains("Z") || !m.contains("Z"))).take(2)
    val after = one(Seq("PAST LAST ROW", "TO NEXT ROW", "TO FIRST C"))
    val skip  = if (pattern.contains("(B | C)")) "PAST LAST ROW" else after
    val bound = if (random.nextInt(3) == 0) s" WITHIN ${20 + random.nextInt(100)}" else ""
    (partition, wrap) =>
      s"""MATCH_RECOGNIZE ($partition ORDER BY o
                    |  MEASURES MATCH_NUMBER() AS n, FIRST(o) AS f, ${shown.mkString(", ")}
                    |  ONE ROW PER MATCH AFTER MATCH SKIP $skip
                    |  PATTERN ($pattern)$bound DEFINE ${define
          .map { case (v, c) => s"$v AS ${wrap(c)}" }
          .mkString(", ")})""".stripMargin
  }
}

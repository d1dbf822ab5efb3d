package org.matchrecognize.spark.optimizer

import scala.util.Random

import org.matchrecognize.spark.reference.Weighted

/**
 * Random queries below and above a clause: filters, joins of all kinds, aggregates, windows, set
 * operations, DISTINCT, LIMIT, subqueries, lateral views, other clauses.
 *
 * All are deterministic: LIMIT and row numbers follow an order that only equal rows share.
 *
 * @param other
 *   a view with the columns of RandomTables to join with
 */
final class RandomNeighbours(random: Random, other: String) {
  import RandomNeighbours._

  /**
   * The clause's input: `o` stays unique in (c, p), since ties would leave the clause's order open.
   */
  def below(): Below = random.nextInt(5) match {
    case 0 => (table, _) => table
    case 1 =>
      val (inner, outer) = (one(), one())
      (table, plain) => outer(inner(table, plain), plain)
    case _ => one()
  }

  // Keeps apart the rows of several unions.
  private var shift = 0

  private def number(): Int = random.nextInt(5)

  private def pick[T](choices: T*): T = choices(random.nextInt(choices.size))

  private def one(): Below = {
    val n = number()
    shift += 100
    pick[Below](
      (t, _) => s"(SELECT * FROM $t t WHERE x >= $n OR y < $n)",
      (t, _) => s"(SELECT * FROM $t t WHERE p = 1 OR o > $n AND s <> 'b')",
      (t, _) => s"(SELECT DISTINCT * FROM $t t)",
      (t, _) => s"(SELECT * FROM $t t ORDER BY c, p, o LIMIT ${20 * (n + 1)} OFFSET $n)",
      (t, _) => s"(SELECT /*+ REPARTITION(3, s) */ * FROM $t t)",
      (t, _) => s"(SELECT * FROM $t t SORT BY c, p, o)",
      (t, _) =>
        s"(SELECT t.* FROM $t t JOIN (SELECT DISTINCT c, x FROM $other) u " +
          "ON t.c = u.c AND t.x = u.x)",
      (t, _) =>
        s"(SELECT t.c, t.p, t.o, t.x, coalesce(u.m, t.y) AS y, t.s FROM $t t LEFT JOIN " +
          s"(SELECT c, p, max(y) AS m FROM $other GROUP BY c, p) u ON t.c = u.c AND t.p <=> u.p)",
      (t, _) =>
        s"(SELECT u.c, t.p, t.o, t.x, t.y, t.s FROM (SELECT DISTINCT c FROM $other) u " +
          s"RIGHT JOIN $t t ON t.c = u.c WHERE u.c IS NOT NULL)",
      (t, _) =>
        s"(SELECT coalesce(t.c, u.c) AS c, CASE WHEN t.c IS NULL THEN u.p ELSE t.p END AS p, " +
          "CASE WHEN t.c IS NULL THEN u.o ELSE t.o END AS o, coalesce(t.x, u.x) AS x, u.y AS y, " +
          s"t.s AS s FROM $t t FULL JOIN $other u ON t.c = u.c AND t.p <=> u.p AND t.o <=> u.o)",
      (t, _) => s"(SELECT * FROM $t t LEFT SEMI JOIN $other u ON t.c = u.c AND t.x = u.y)",
      (t, _) => s"(SELECT * FROM $t t LEFT ANTI JOIN $other u ON t.c = u.c AND t.x = u.x + $n)",
      (t, _) => s"(SELECT * FROM $t t WHERE x IN (SELECT y FROM $other))",
      (t, _) => s"(SELECT * FROM $t t WHERE x NOT IN (SELECT y FROM $other WHERE y > $n))",
      (t, _) =>
        s"(SELECT * FROM $t t WHERE NOT EXISTS (SELECT 1 FROM $other u " +
          s"WHERE u.c = t.c AND u.x = t.x AND u.y > $n))",
      (t, _) =>
        s"(SELECT c, p, o, max(x) AS x, min(y) AS y, max(s) AS s FROM $t t GROUP BY c, p, o)",
      (t, _) =>
        s"(SELECT c, p, o, max(x) AS x, min(y) AS y, max(s) AS s FROM " +
          s"(SELECT * FROM $t t1 UNION ALL SELECT * FROM $other) GROUP BY c, p, o " +
          s"HAVING count(*) < ${n + 2})",
      (t, _) =>
        s"(SELECT c, p, o, lag(x) OVER (PARTITION BY c, p ORDER BY o) AS x, " +
          s"max(y) OVER (PARTITION BY c, p ORDER BY o ROWS 2 PRECEDING) AS y, s FROM $t t)",
      (t, _) =>
        "(SELECT c, p, o, x, y, s FROM (SELECT *, row_number() OVER (PARTITION BY c ORDER BY " +
          s"p, o) AS r FROM $t t) WHERE r > 1 AND r < ${n + 6})",
      (t, _) =>
        s"(SELECT * FROM $t t UNION ALL SELECT c + $shift, p, o, y AS x, x AS y, s FROM $other)",
      (t, _) => s"(SELECT * FROM $t t EXCEPT SELECT * FROM $t t2 WHERE x = $n)",
      (t, _) => s"(SELECT * FROM $t t INTERSECT ALL SELECT * FROM $t t2 WHERE y <> $n)",
      (t, _) => s"(SELECT * FROM $t t UNION SELECT * FROM $t t2)",
      (t, _) =>
        s"(SELECT c, p, o, x, e AS y, s FROM $t t LATERAL VIEW OUTER explode(array(y + $n)) v AS e)",
      (t, _) =>
        s"(SELECT c, p, o, (SELECT max(u.x) FROM $other u WHERE u.c = t.c) AS x, y, s FROM $t t)",
      (t, _) =>
        s"(SELECT t.c, t.p, t.o, l.x, t.y, t.s FROM $t t, " +
          s"LATERAL (SELECT count(u.y) AS k, min(u.x) AS x FROM $other u WHERE u.c = t.c) l " +
          s"WHERE l.k > $n)",
      (t, plain) =>
        if (plain) s"(SELECT * FROM $t t WHERE x >= $n)"
        else
          s"(SELECT c, p, o, x, y, s FROM $t MATCH_RECOGNIZE (PARTITION BY c, p ORDER BY o " +
            s"ALL ROWS PER MATCH PATTERN (A) DEFINE A AS A.x >= $n))"
    )
  }

  /**
   * A query over one with the columns c, p, f1, f3 and perhaps more; its name, and it.
   *
   * @param order
   *   the clause's ORDER BY, if those columns are there
   */
  def above(order: Option[String]): (String, String => String) = {
    val (name, last) = order.filter(_ => random.nextBoolean()).fold(ending())(inOrder)
    if (random.nextInt(3) > 0) (name, last)
    else {
      val (first, inner) = keeping()
      (s"$name over $first", q => last(inner(q)))
    }
  }

  /** Keeps the columns. */
  private def keeping(): (String, String => String) = {
    val n = number()
    pick[(String, String => String)](
      "a filter" -> (q => s"SELECT * FROM ($q) q WHERE f1 >= $n OR f3 > f1"),
      "DISTINCT" -> (q => s"SELECT DISTINCT * FROM ($q) q"),
      "semi"     -> (q => s"SELECT * FROM ($q) q LEFT SEMI JOIN $other u ON q.f1 = u.x"),
      "anti"     ->
        (q => s"SELECT * FROM ($q) q LEFT ANTI JOIN $other u ON q.c = u.c AND q.f3 = u.x"),
      "a window" ->
        (q =>
          s"SELECT q.* FROM (SELECT *, count(*) OVER (PARTITION BY c, f1) AS w FROM ($q)) q " +
            s"WHERE q.w > ${n % 3}"),
      "LATERAL VIEW" -> (q =>
        s"SELECT q.* FROM ($q) q LATERAL VIEW explode(array(1, $n)) v AS e"),
      "UNION ALL" ->
        (q => s"SELECT * FROM ($q) q1 WHERE p = 1 UNION ALL SELECT * FROM ($q) q2 WHERE f1 > $n")
    )
  }

  /** Requires the order of the clause's input, which rows of overlapping matches do not have. */
  private def inOrder(order: String): (String, String => String) =
    "a running count" ->
      (q =>
        s"SELECT c, p, f1, count(f1) OVER w, max(f3) OVER w FROM ($q) " +
          s"WINDOW w AS (PARTITION BY c, p ORDER BY $order)")

  private def ending(): (String, String => String) = {
    val n  = number()
    val xs = s"(SELECT DISTINCT x FROM $other)"
    val by = pick("c", "c, p", "p", "f1", "p, f1")
    pick[(String, String => String)](
      "nothing"  -> identity,
      "DISTINCT" -> (q => s"SELECT DISTINCT p, f1 FROM ($q)"),
      "a group"  ->
        (q =>
          s"SELECT $by, count(*), max(f1), sum(f3), count(DISTINCT f1) FILTER (WHERE f3 > $n) " +
            s"FROM ($q) GROUP BY $by HAVING count(*) > ${n / 3}"),
      "a group of keys" ->
        (q => s"SELECT p, count(*), max(f1) FROM ($q) GROUP BY p HAVING p > ${n % 2}"),
      "CUBE" -> (q => s"SELECT c, p, min(f1), count(*) FROM ($q) GROUP BY CUBE (c, p)"),
      "all" -> (q => s"SELECT count(*), sum(f1), min(f3), max(p) FROM ($q) WHERE f1 <= ${n + 2}"),
      "LIMIT" ->
        (q => s"SELECT c, p, f1 FROM ($q) ORDER BY c, p, f1 LIMIT ${n + 3} OFFSET ${n % 3}"),
      "a row number" ->
        (q =>
          "SELECT * FROM (SELECT c, p, f1, row_number() OVER (PARTITION BY c, p ORDER BY f1) AS r " +
            s"FROM ($q)) WHERE p > 1 AND r <= ${n % 2 + 1}"),
      "a rank" ->
        (q =>
          "SELECT * FROM (SELECT c, f1, f3, rank() OVER (PARTITION BY c ORDER BY f1 DESC) AS r " +
            s"FROM ($q)) WHERE r < 3"),
      "a frame" ->
        (q =>
          "SELECT c, p, f3, sum(f1) OVER (PARTITION BY c, p ORDER BY f3 RANGE BETWEEN 2 PRECEDING " +
            s"AND CURRENT ROW) AS w FROM ($q)"),
      "a union" ->
        (q =>
          s"SELECT p, f1 FROM ($q) WHERE p = 1 UNION ALL SELECT p, f1 FROM ($q) WHERE f1 > $n"),
      "EXCEPT ALL" ->
        (q => s"SELECT c, f1 FROM ($q) EXCEPT ALL SELECT c, x FROM $other WHERE x > ${n % 3}"),
      "INTERSECT" -> (q =>
        s"SELECT c, x FROM $other INTERSECT SELECT c, f1 FROM ($q) WHERE p > 1"),
      "a join" -> (q => s"SELECT * FROM ($q) q JOIN $xs t ON q.f1 = t.x WHERE t.x > ${n % 3}"),
      "a join of keys" ->
        (q =>
          s"SELECT q.*, u.o, u.x, u.y FROM ($q) q JOIN $other u ON q.c = u.c AND q.p = u.p " +
            s"AND u.o < q.f3 WHERE u.c < ${n + 3}"),
      "an outer join" ->
        (q =>
          s"SELECT * FROM $xs t LEFT JOIN ($q) q ON q.f1 = t.x AND q.f3 < ${n + 3} AND q.p = 1"),
      "the outer side" ->
        (q => s"SELECT * FROM ($q) q LEFT JOIN $xs t ON q.f1 = t.x AND q.p = 1 WHERE q.c > $n"),
      "a full join" ->
        (q => s"SELECT * FROM $xs t FULL JOIN ($q) q ON q.f1 = t.x AND q.f3 > $n"),
      "a cross join" -> (q => s"SELECT count(*), sum(t.x) FROM ($q) q, $xs t WHERE q.f1 < t.x"),
      "itself"       ->
        (q =>
          s"SELECT a.c, a.p, b.f1 FROM ($q) a JOIN ($q) b ON a.c = b.c AND a.f1 = b.f1 " +
            "WHERE b.f1 > 1 AND a.p = 1"),
      "IN"     -> (q => s"SELECT * FROM ($q) WHERE f1 IN (SELECT y FROM $other WHERE y > 0)"),
      "NOT IN" -> (q => s"SELECT x FROM $xs WHERE x NOT IN (SELECT f1 FROM ($q) WHERE p = 1)"),
      "EXISTS" ->
        (q =>
          s"SELECT * FROM $xs t WHERE EXISTS (SELECT * FROM ($q) q WHERE q.f1 = t.x AND q.f3 > $n)"),
      "NOT EXISTS" ->
        (q => s"SELECT * FROM $other t WHERE NOT EXISTS (SELECT * FROM ($q) q WHERE q.c = t.c)"),
      "a scalar subquery" ->
        (q => s"SELECT x, (SELECT count(*) FROM ($q) q WHERE q.f1 = t.x AND q.p = 1) FROM $xs t"),
      "LATERAL" ->
        (q =>
          s"SELECT * FROM $xs t, LATERAL (SELECT * FROM ($q) q WHERE q.f1 > t.x AND q.p = 1)"),
      "another clause" ->
        (q => s"""SELECT * FROM
           |  (SELECT DISTINCT c AS d, p AS e, f1 AS g, f3 AS k FROM ($q)) MATCH_RECOGNIZE (
           |  PARTITION BY d ORDER BY k, e, g MEASURES A.k AS a, LAST(g) AS l
           |  AFTER MATCH SKIP TO NEXT ROW PATTERN (A B?) DEFINE A AS k >= $n, B AS g > A.g)
           |WHERE d > ${n % 3}""".stripMargin)
    )
  }

  /**
   * Settings that must not change the rows.
   *
   * @param rules
   *   Spark's rules that can be excluded
   * @param ours
   *   ours
   */
  def settings(rules: IndexedSeq[String], ours: Seq[String]): Map[String, String] = {
    val excluded = random.nextInt(6) match {
      case 0 => ours
      case 1 => Seq(pick(ours: _*))
      case 2 => Nil
      case _ => Seq(rules(random.nextInt(rules.size)))
    }
    def either(key: String) = key -> random.nextBoolean().toString
    Map(
      "spark.sql.optimizer.excludedRules" -> excluded.mkString(","),
      either("spark.sql.adaptive.enabled"),
      either("spark.sql.adaptive.forceOptimizeSkewedJoin"),
      either("spark.sql.adaptive.coalescePartitions.enabled"),
      either("spark.sql.codegen.wholeStage"),
      either("spark.sql.cbo.enabled"),
      either("spark.sql.cbo.joinReorder.enabled"),
      either("spark.sql.exchange.reuse"),
      either("spark.sql.join.preferSortMergeJoin"),
      either("spark.sql.optimizer.runtime.bloomFilter.enabled"),
      "spark.sql.adaptive.skewJoin.skewedPartitionFactor"           -> "1.0",
      "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> pick("1", "256MB"),
      "spark.sql.adaptive.advisoryPartitionSizeInBytes"             -> pick("100", "64MB"),
      "spark.sql.autoBroadcastJoinThreshold"                        -> pick("-1", "2000", "10MB"),
      "spark.sql.adaptive.autoBroadcastJoinThreshold"               -> pick("-1", "2000", "10MB"),
      "spark.sql.shuffle.partitions"                                -> pick("1", "2", "5"),
      "spark.sql.matchRecognize.matcher"        -> pick("auto", "auto", "threads"),
      "spark.sql.matchRecognize.spillThreshold" ->
        Weighted.pick(random, Seq(3 -> Int.MaxValue, 1 -> 1, 1 -> 5)).toString
    )
  }
}

object RandomNeighbours {

  /**
   * From a table with the columns of RandomTables to a query with them, in parentheses. The second
   * argument requests the same rows without any clause.
   */
  type Below = (String, Boolean) => String
}

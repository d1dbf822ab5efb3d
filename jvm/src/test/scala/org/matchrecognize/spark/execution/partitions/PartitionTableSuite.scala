package org.matchrecognize.spark.execution.partitions

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.MatchRecognizeExec

/** Rows that a partition table brings in order, against rows that Spark has sorted. */
class PartitionTableSuite extends SparkSuite {

  /** Keys and orders of many types, rows in random order; `id` tells rows apart. */
  private val data =
    """(SELECT id, h,
      |    CASE WHEN h % 11 = 0 THEN NULL ELSE h % 7 END AS k,
      |    CASE WHEN h % 11 = 0 THEN NULL ELSE h % 97 END AS n,
      |    CASE h % 6 WHEN 0 THEN DOUBLE('NaN') WHEN 1 THEN -0.0D WHEN 2 THEN 0.0D
      |      WHEN 3 THEN NULL WHEN 4 THEN DOUBLE('-Infinity') ELSE h % 5 END AS d,
      |    CASE WHEN h % 9 = 0 THEN NULL ELSE CONCAT('a long beginning ', h % 13) END AS s,
      |    CASE WHEN h % 9 = 0 THEN NULL ELSE CAST(CONCAT('x', h % 13) AS BINARY) END AS b,
      |    CAST((h % 211 - 100) / 7 AS DECIMAL(10, 3)) AS small,
      |    CAST((h % 211 - 100) / 7 AS DECIMAL(38, 3)) AS large,
      |    DATE '2020-01-01' + CAST(h % 200 - 100 AS INT) AS day,
      |    TIMESTAMP '1969-12-31 00:00:00' + MAKE_DT_INTERVAL(0, h % 60) AS ts,
      |    NAMED_STRUCT('d', CASE h % 3 WHEN 0 THEN -0.0D WHEN 1 THEN 0.0D END, 's', h % 2) AS st,
      |    ARRAY(h % 2, NULLIF(h % 3, 0)) AS a
      |  FROM (SELECT id, (id * 7919 + 13) % 10007 AS h FROM range(0, 1500, 1, 3)))""".stripMargin

  private def clause(from: String, partition: String, order: String): String =
    s"""SELECT id, n_rows, first_id, before FROM $from MATCH_RECOGNIZE (
       |  ${if (partition.isEmpty) "" else s"PARTITION BY $partition"} ORDER BY $order
       |  MEASURES COUNT(*) AS n_rows, FIRST(id) AS first_id, PREV(id) AS before
       |  ALL ROWS PER MATCH PATTERN (A+))""".stripMargin

  private def sorted(partition: String, order: String): String =
    s"(SELECT * FROM $data ${if (partition.isEmpty) s"ORDER BY $order"
      else s"DISTRIBUTE BY $partition SORT BY $partition, $order"})"

  private def operator(sql: String): MatchRecognizeExec = searchOf(spark.sql(sql))

  private def check(partition: String, order: String): Unit = {
    val inOrder = clause(sorted(partition, order), partition, order)
    val table   = clause(data, partition, order)
    assert(operator(table).usesTable, table)
    if (partition.nonEmpty) assert(!operator(inOrder).usesTable, inOrder)
    val expected = rows(inOrder).toSet
    assert(expected.size == 1500)
    assert(rows(table).toSet == expected, s"$partition, $order")
    withSettings("spark.sql.matchRecognize.spillThreshold" -> "60") {
      assert(rows(table).toSet == expected, s"$partition, $order, spilled")
    }
    withSettings("spark.sql.codegen.wholeStage" -> "false") {
      assert(rows(table).toSet == expected, s"$partition, $order, without generated code")
    }
  }

  private val keys = Seq("k", "d", "s", "b", "large", "day", "st", "a", "k, s", "d, st", "")

  for (key <- keys)
    test(s"partitions by ${if (key.isEmpty) "nothing" else key}")(check(key, "h, id"))

  private val orders = Seq(
    "n, id",
    "n DESC, id DESC",
    "n NULLS LAST, id",
    "n DESC NULLS FIRST, id",
    "d, id",
    "d DESC NULLS FIRST, id",
    "s, id",
    "s DESC NULLS LAST, n NULLS LAST, id",
    "b, id",
    "small, id",
    "large DESC, id",
    "day, id",
    "ts DESC, id",
    "st, id",
    "a, d, id",
    "id",
    "id DESC"
  )

  for (order <- orders)
    test(s"in the order of $order")(check("k", order))

  test("keys that are equal and do not look so are one partition, of each value") {
    val found = rows(s"""SELECT n FROM (VALUES (-0.0D, 1), (0.0D, 2), (-0.0D, 3)) AS t(d, o)
      |  MATCH_RECOGNIZE (PARTITION BY d ORDER BY o MEASURES COUNT(*) AS n PATTERN (A+))""".stripMargin)
    assert(found == Seq(Seq(3L)))
  }

  test("partitions come as their first rows came") {
    withSettings("spark.sql.shuffle.partitions" -> "1") {
      val found =
        rows("""SELECT k FROM VALUES ('c', 2), ('a', 3), ('b', 1), ('c', 1), ('a', 1) AS t(k, o)
        |  MATCH_RECOGNIZE (PARTITION BY k ORDER BY o MEASURES COUNT(*) AS n PATTERN (A+))""".stripMargin)
      assert(found == Seq(Seq("c"), Seq("a"), Seq("b")))
    }
  }

  for (matcher <- Seq("fused", "automaton", "threads"))
    test(s"over a sort-merge join in the same stage, $matcher") {
      withSettings(
        "spark.sql.shuffle.partitions"         -> "1",
        "spark.sql.autoBroadcastJoinThreshold" -> "-1",
        "spark.sql.adaptive.enabled"           -> "false",
        "spark.sql.matchRecognize.matcher"     -> matcher
      ) {
        val sql =
          """SELECT * FROM (SELECT l.id % 3 AS k, 1000 - l.id AS o
            |    FROM range(300) AS l JOIN range(200) AS r ON l.id = r.id)
            |  MATCH_RECOGNIZE (PARTITION BY k ORDER BY o MEASURES COUNT(*) AS n, FIRST(o) AS f
            |  PATTERN (A B*) DEFINE B AS o > PREV(o))""".stripMargin
        assert(operator(sql).usesTable)
        assert(rows(sql).toSet == Set(Seq(0L, 67L, 802L), Seq(1L, 67L, 801L), Seq(2L, 66L, 803L)))
      }
    }

  for (matcher <- Seq("fused", "automaton", "threads"))
    test(s"LIMIT, $matcher") {
      withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
        val sql = s"""SELECT * FROM $data MATCH_RECOGNIZE (PARTITION BY k ORDER BY id
          |  MEASURES COUNT(*) AS n PATTERN (A B) DEFINE B AS n > 3 OR n <= 3 OR n IS NULL)""".stripMargin
        assert(rows(s"$sql LIMIT 7").size == 7)
        assert(rows(s"$sql LIMIT 7 OFFSET 3").size == 7)
      }
    }

  test("a row larger than a page, and columns of any length") {
    val wide =
      """(SELECT id % 2 AS k, -id AS o, REPEAT(CHAR(97 + id % 26), 1 + (id % 3) * 900000) AS x
      |  FROM range(30))""".stripMargin
    val sql = s"""SELECT k, o, l, c FROM $wide MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
      |  MEASURES LENGTH(LAST(x)) AS l, LEFT(LAST(x), 1) AS c ALL ROWS PER MATCH PATTERN (A+))""".stripMargin
    val expected = (0L until 30)
      .map(id =>
        Seq[Any](id % 2, -id, 1 + (id % 3).toInt * 900000, (97 + id % 26).toChar.toString))
      .toSet
    assert(rows(sql).toSet == expected)
    withSettings("spark.sql.matchRecognize.spillThreshold" -> "4") {
      assert(rows(sql).toSet == expected)
    }
  }
}

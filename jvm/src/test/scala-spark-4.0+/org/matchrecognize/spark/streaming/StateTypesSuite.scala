package org.matchrecognize.spark.streaming

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.types.IntegerType

/** RocksDB keeps columns of every name and type, with Spark's own encoding of rows and with Avro. */
abstract class StateTypesTest extends StateInEntriesTest {
  import StateTypesTest._

  test("names and types in rows that wait and rows that are retained, as keys and as columns") {
    val names    = columns.indices.map(i => s"column $i")
    val computed = columns.zip(names).map { case (column, name) => s"$column AS `$name`" }
    val measures = names.zipWithIndex.map { case (name, i) => s"FIRST(`$name`) AS m$i" }
    val shown    = names.indices.map(i => s"string(to_json(struct(m$i))) AS j$i")
    def sql(table: String) =
      s"""SELECT n, l, f, g, ${shown.mkString(", ")}
         |FROM (SELECT *, x AS `order id`, -x AS `цена`, x + 1 AS c0__x, ${computed.mkString(
          ", ")}
         |  FROM $table)
         |MATCH_RECOGNIZE (
         |  PARTITION BY upper(k) AS `the key`, o % 1, `column 3`, `column 5`, `column 7`
         |  ORDER BY t, o
         |  MEASURES COUNT(*) AS n, LAST(o) AS l, FIRST(`order id`) AS f,
         |    LAST(`цена`) + LAST(c0__x) AS g, ${measures.mkString(", ")}
         |  PATTERN (A B B+ C) DEFINE B AS x < PREV(x), C AS x > PREV(x))""".stripMargin
    val run  = streamOf(Seq(row("a", 1, 9), row("a", 2, 5), row("a", 3, 4)))
    val more =
      Seq(Seq(row("b", 10, 0)), Seq(row("a", 11, 3), row("A", 12, 8)), Seq(row("b", 99, 0)))
    withSettings("spark.sql.matchRecognize.streaming.inlineRows" -> "0") {
      val before = run.run(sql("ticks"))._1.flatten
      more.foreach(run.add)
      val found = before ++ run.run(sql("ticks"))._1.flatten
      run.createViews("ticks", "table_of_ticks")
      assert(found.size == 1 && found == values(spark.sql(sql("table_of_ticks"))))
    }
  }
}

private object StateTypesTest {

  /** By number; 3, 5 and 7 are keys, and the same in all rows. */
  val columns: Seq[String] = Seq(
    "tinyint(x)",
    "smallint(x)",
    "decimal(x) / 3",
    "concat('k', o % 1) COLLATE UTF8_LCASE",
    "parse_json(concat('[', x, ']'))",
    "make_dt_interval(0, 0, 0, o % 1)",
    "make_ym_interval(0, x)",
    "named_struct('a b', o % 1)",
    "date_add(DATE'2026-01-01', x)",
    "CAST(timestamp_seconds(x) AS TIMESTAMP_NTZ)",
    "binary(string(x))",
    "array(named_struct('a', x))",
    "map(x, x)",
    "nullif(x, x)",
    "if(x > 4, NULL, string(x) COLLATE UNICODE_CI)"
  )
}

class StateTypesSuite extends StateTypesTest

class StateTypesInAvroSuite extends StateTypesTest with AvroState

class StateColumnsSuite extends AnyFunSuite {

  private def names(columns: String*) =
    StateColumns.names(columns.map(AttributeReference(_, IntegerType)()))

  test("names that Avro takes stay, others are escaped, and no name comes twice") {
    assert(
      names("k", "order id", "k", "_x1", "c0__k", "K") ==
        Seq("k", "c0__order_20_id", "c1__k", "_x1", "c0__c0_5f__5f_k", "c2__k"))
    assert(names("Day") == Seq("day"))
    assert(names("é", "a.b", "1") == Seq("c0___e9_", "c0__a_2e_b", "c0__1"))
  }
}

package org.matchrecognize.spark.parser

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** The clause in statements that a session runs: Spark reads some of them again from their text. */
class SessionSuite extends AnyFunSuite with ExtensionSession with BeforeAndAfterAll {

  private val m =
    "MATCH_RECOGNIZE (ORDER BY v MEASURES 'a;b' AS x PATTERN (A {- B -}*) DEFINE A AS v > 1)"
  private val rows   = "VALUES (1), (2), (3) AS q (v)"
  private val spark4 = org.apache.spark.SPARK_VERSION >= "4.0"

  override def beforeAll(): Unit = {
    session.sql(s"CREATE OR REPLACE TEMPORARY VIEW t AS SELECT * FROM $rows")
    ()
  }

  override def afterAll(): Unit = session.stop()

  private def count(sql: String): Long = session.sql(sql).count()

  test("temporary views, views of views, and their text") {
    session.sql(s"CREATE OR REPLACE TEMPORARY VIEW w AS SELECT * FROM t $m AS m")
    session.sql(s"CREATE OR REPLACE TEMPORARY VIEW w2 AS SELECT v FROM w x $m WHERE v > 1")
    assert(count("SELECT * FROM w2") == 2)
  }

  test("stored views") {
    session.sql("DROP VIEW IF EXISTS stored")
    session.sql(s"CREATE VIEW stored AS SELECT * FROM VALUES (1), (2) AS q (v) $m")
    assert(count("SELECT * FROM stored") == 2)
    val text = session.sql("SHOW CREATE TABLE stored").head().getString(0)
    assert(text.contains(m), text)
    session.sql(s"ALTER VIEW stored AS SELECT * FROM VALUES (1) AS q (v) $m")
    assert(count("SELECT * FROM stored") == 1)
    session.sql("DROP VIEW stored")
  }

  test("tables made of it, and inserts") {
    session.sql("DROP TABLE IF EXISTS made")
    session.sql(s"CREATE TABLE made USING parquet AS SELECT * FROM $rows $m m")
    session.sql(s"INSERT INTO made SELECT * FROM t $m")
    assert(count("SELECT * FROM made") == 6)
    session.sql("DROP TABLE made")
  }

  test("cached queries") {
    session.sql(s"CACHE TABLE c AS SELECT * FROM t $m")
    assert(count("SELECT * FROM c") == 3)
    session.sql("UNCACHE TABLE c")
  }

  test("EXPLAIN and DESCRIBE QUERY") {
    assert(session.sql(s"EXPLAIN SELECT * FROM t $m").head().getString(0).contains("Plan"))
    assert(session.sql(s"DESCRIBE QUERY SELECT * FROM t $m m").head().getString(0) == "v")
  }

  test("variables") {
    session.sql("SET my.bound = 2")
    assert(
      count(
        "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{${my.bound}})) WHERE v > ${my.bound}") == 1)
  }

  test("a variable whose value has the clause") {
    session.sql("SET my.query = SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > 1)")
    assert(count("${my.query}") == 3)
  }

  test("expressions of the DataFrame API") {
    import org.apache.spark.sql.functions.expr
    val sum = session.range(1).select(expr(s"(SELECT sum(v) FROM t $m)")).head().getLong(0)
    assert(sum == 6)
  }

  test("named and positional arguments, of each version as far as it goes") {
    val sql = "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{:n}) DEFINE A AS v > :c) WHERE v >= :n"
    assert(session.sql(sql, Map("n" -> 2, "c" -> 1)).count() == 2)
    val questions =
      "SELECT ? AS a, v FROM t MATCH_RECOGNIZE (MEASURES ? AS x PATTERN (A??) DEFINE A AS v > ?) WHERE v >= ?"
    val result = session.sql(questions, Array(7, 8, 9, 3)).collect()
    assert(result.map(r => (r.getInt(0), r.getInt(1))).toSeq == Seq((7, 3)))
  }

  if (spark4) {
    test("SQL functions keep their body") {
      session.sql(
        s"CREATE OR REPLACE TEMPORARY FUNCTION f(a INT) RETURNS INT RETURN (SELECT max(v) FROM $rows $m) + a")
      assert(session.sql("SELECT f(10)").head().getInt(0) == 13)
      session.sql(
        s"CREATE OR REPLACE TEMPORARY FUNCTION g() RETURNS TABLE (v INT) RETURN SELECT v FROM $rows $m m")
      assert(count("SELECT * FROM g()") == 3)
    }

    test("scripts") {
      val script =
        s"""BEGIN
           |  DECLARE n INT DEFAULT 1;
           |  SET n = (SELECT count(*) FROM t $m);
           |  IF n > 2 THEN
           |    SELECT v + n AS s FROM t $m m WHERE v > 1;
           |  END IF;
           |END""".stripMargin
      assert(session.sql(script).collect().map(_.get(0).toString.toInt).sorted.toSeq == Seq(5, 6))
      val loop =
        s"BEGIN DECLARE s INT DEFAULT 0; FOR r AS SELECT v FROM t $m DO SET s = s + r.v; END FOR; SELECT s; END"
      assert(session.sql(loop).head().getInt(0) == 6)
    }

    test("EXECUTE IMMEDIATE") {
      val text = "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > :c) WHERE v > :c"
      assert(count(s"EXECUTE IMMEDIATE '$text' USING 2 AS c") == 1)
      val questions =
        "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A??) DEFINE A AS v > ?) WHERE v > ?"
      assert(count(s"EXECUTE IMMEDIATE '$questions' USING 5, 1") == 2)
    }

    test("pipes") {
      assert(count(s"FROM t |> $m |> WHERE v > 1 |> $m m |> SELECT m.v") == 2)
    }
  }
}

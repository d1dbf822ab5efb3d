package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.execution.SparkSqlParser

import org.matchrecognize.spark.errors.ClauseErrors

/** The clause parses wherever Spark accepts a table. */
class StatementSuite extends ParserTest {

  private val version = {
    val numbers = org.apache.spark.SPARK_VERSION.split('.').map(_.takeWhile(_.isDigit).toInt)
    numbers(0) * 100 + numbers(1)
  }

  private val m = clause

  /** Name, statement, number of clauses, first Spark. */
  private val everywhere: Seq[(String, String, Int, Int)] = Seq(
    ("table", s"SELECT * FROM t $m", 1, 305),
    ("output alias", s"SELECT * FROM t $m AS m", 1, 305),
    ("output alias without AS", s"SELECT * FROM t $m m", 1, 305),
    ("output alias with columns", s"SELECT * FROM t $m AS m (a)", 1, 305),
    ("input alias", s"SELECT * FROM t AS x $m m", 1, 305),
    ("input alias without AS", s"SELECT * FROM t x $m", 1, 305),
    ("input alias with columns", s"SELECT * FROM t AS x (ts, v) $m m (c)", 1, 305),
    ("multipart name", s"SELECT * FROM cat.db.t $m", 1, 305),
    ("subquery", s"SELECT * FROM (SELECT * FROM t) $m m", 1, 305),
    ("subquery with alias", s"SELECT * FROM (SELECT * FROM t) s $m m", 1, 305),
    ("left of a join", s"SELECT * FROM t $m m JOIN u ON m.x = u.x", 1, 305),
    ("right of a join", s"SELECT * FROM u JOIN t $m m ON m.x = u.x", 1, 305),
    ("right of a join with USING", s"SELECT * FROM u LEFT JOIN t $m m USING (x)", 1, 305),
    ("both sides of a join", s"SELECT * FROM t $m a JOIN t $m b ON a.x = b.x", 2, 305),
    ("join in parentheses", s"SELECT * FROM (t JOIN u ON t.x = u.x) $m m", 1, 305),
    ("comma, first", s"SELECT * FROM t $m, u", 1, 305),
    ("comma, second", s"SELECT * FROM u, t $m m", 1, 305),
    ("CTE", s"WITH c AS (SELECT * FROM t $m) SELECT * FROM c", 1, 305),
    ("CTE as input", s"WITH c AS (SELECT 1) SELECT * FROM c $m", 1, 305),
    ("nested in the input", s"SELECT * FROM (SELECT * FROM t $m) $m", 2, 305),
    (
      "nested in a subquery of DEFINE",
      s"SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > (SELECT max(x) FROM t $m))",
      2,
      305),
    (
      "nested in a subquery of MEASURES",
      s"SELECT * FROM t MATCH_RECOGNIZE (MEASURES (SELECT max(x) FROM t $m q) AS y PATTERN (A)) z",
      2,
      305),
    ("TABLESAMPLE", s"SELECT * FROM t TABLESAMPLE (10 PERCENT) $m", 1, 305),
    ("TABLESAMPLE with alias", s"SELECT * FROM t TABLESAMPLE (10 ROWS) s $m m", 1, 305),
    ("VALUES", s"SELECT * FROM VALUES (1, 2) $m", 1, 305),
    ("VALUES with alias", s"SELECT * FROM VALUES (1, 2) AS s (ts, v) $m m", 1, 305),
    ("table function", s"SELECT * FROM range(10) $m", 1, 305),
    ("table function with alias", s"SELECT * FROM range(10) AS r (v) $m", 1, 305),
    ("LATERAL", s"SELECT * FROM u, LATERAL (SELECT * FROM t) $m m", 1, 305),
    ("FROM first", s"FROM t $m m SELECT m.x", 1, 305),
    ("FROM first without alias", s"FROM t $m SELECT x", 1, 305),
    ("PIVOT after it", s"SELECT * FROM t $m PIVOT (sum(x) FOR y IN (1, 2))", 1, 305),
    ("PIVOT after the alias", s"SELECT * FROM t $m m PIVOT (sum(x) FOR y IN (1, 2))", 1, 305),
    ("LATERAL VIEW after it", s"SELECT * FROM t $m LATERAL VIEW explode(x) e AS y", 1, 305),
    ("CREATE VIEW", s"CREATE VIEW w AS SELECT * FROM t $m", 1, 305),
    ("CTAS", s"CREATE TABLE w USING parquet AS SELECT * FROM t $m", 1, 305),
    ("INSERT", s"INSERT INTO w SELECT * FROM t $m", 1, 305),
    ("INSERT OVERWRITE", s"INSERT OVERWRITE TABLE w SELECT * FROM t $m m", 1, 305),
    ("EXISTS", s"SELECT * FROM u WHERE EXISTS (SELECT 1 FROM t $m m WHERE m.x = u.x)", 1, 305),
    ("IN", s"SELECT * FROM u WHERE x IN (SELECT x FROM t $m)", 1, 305),
    ("scalar subquery", s"SELECT (SELECT max(x) FROM t $m) FROM u", 1, 305),
    ("UNION", s"SELECT x FROM t $m UNION ALL SELECT x FROM t $m m", 2, 305),
    ("WHERE", s"SELECT x FROM t $m WHERE x > 1", 1, 305),
    ("GROUP BY", s"SELECT x FROM t $m GROUP BY x HAVING count(*) > 1", 1, 305),
    ("ORDER BY and LIMIT", s"SELECT x FROM t $m ORDER BY x LIMIT 3", 1, 305),
    ("LIMIT", s"SELECT x FROM t $m LIMIT 3", 1, 305),
    ("WINDOW", s"SELECT sum(x) OVER w FROM t $m WINDOW w AS (ORDER BY x)", 1, 305),
    (
      "MERGE source",
      s"MERGE INTO w USING (SELECT * FROM t $m) s ON w.x = s.x WHEN MATCHED THEN DELETE",
      1,
      305),
    (
      "MERGE source without a query",
      s"MERGE INTO w USING t $m AS m ON w.x = m.x WHEN MATCHED THEN DELETE",
      1,
      305),
    (
      "MERGE source with an alias before the clause",
      s"MERGE INTO w USING a.t AS x $m m ON w.x = m.x WHEN MATCHED THEN DELETE",
      1,
      305),
    (
      "MERGE source of a query, clauses in and after it",
      s"MERGE INTO w USING (SELECT * FROM t $m) $m m ON w.x = m.x WHEN MATCHED THEN DELETE",
      2,
      305),
    ("pipe after it", s"FROM t $m m |> WHERE x > 1", 1, 400),
    ("pipe into", s"FROM t |> MATCH_RECOGNIZE (PATTERN (A+))", 1, 400),
    ("pipe into, alias", s"FROM t |> $m m |> WHERE m.x > 1", 1, 400),
    ("two pipes", s"FROM t |> $m |> SELECT x |> $m AS m (y)", 2, 400),
    ("clause, then pipe", s"FROM t $m |> $m", 2, 400),
    ("back-quoted names", s"SELECT * FROM `a b`.`t` AS `x y` $m `m n`", 1, 305),
    ("back-quoted alias of a keyword", s"SELECT * FROM t $m `select`", 1, 305),
    ("IDENTIFIER()", s"SELECT * FROM IDENTIFIER('t') $m m", 1, 305),
    ("time travel by version", s"SELECT * FROM t VERSION AS OF 3 $m m", 1, 305),
    ("time travel by time", s"SELECT * FROM t TIMESTAMP AS OF '2020-01-01' $m", 1, 305),
    ("hint", s"SELECT /*+ BROADCAST(m) */ * FROM t $m m", 1, 305),
    ("comments", s"SELECT * FROM t /* a */ $m -- b\n m /* c */", 1, 305),
    ("EXPLAIN", s"EXPLAIN EXTENDED SELECT * FROM t $m", 1, 305),
    ("CACHE TABLE", s"CACHE TABLE w AS SELECT * FROM t $m", 1, 305),
    ("temp view", s"CREATE OR REPLACE TEMPORARY VIEW w AS SELECT * FROM t $m", 1, 305),
    ("DESCRIBE QUERY", s"DESCRIBE QUERY SELECT * FROM t $m", 1, 305),
    (
      "multi-insert, once for each",
      s"FROM t $m m INSERT INTO a SELECT x INSERT INTO b SELECT x",
      2,
      305),
    (
      "multi-insert without alias",
      s"FROM t $m INSERT INTO a SELECT x INSERT OVERWRITE TABLE b SELECT x",
      2,
      305),
    ("STREAM()", s"SELECT * FROM STREAM(t) $m", 1, 401),
    ("STREAM", s"SELECT * FROM STREAM t $m m", 1, 401),
    ("QUALIFY", s"SELECT x, sum(x) OVER () s FROM t $m QUALIFY s > 1", 1, 403),
    ("UNNEST", s"SELECT * FROM UNNEST(array(1, 2)) u $m m", 1, 403),
    (
      "SQL function with a query",
      s"CREATE FUNCTION f() RETURNS TABLE RETURN SELECT x FROM t $m",
      -1,
      400),
    (
      "SQL function with a scalar",
      s"CREATE FUNCTION f(a INT) RETURNS INT RETURN (SELECT max(x) FROM t $m)",
      -1,
      400),
    ("materialized view", s"CREATE MATERIALIZED VIEW w AS SELECT * FROM t $m m", 1, 401),
    ("streaming table", s"CREATE STREAMING TABLE w AS SELECT * FROM STREAM t $m", 1, 401),
    ("ALTER VIEW", s"ALTER VIEW w AS SELECT * FROM t $m", 1, 305),
    ("table of REPLACE", s"CREATE OR REPLACE TABLE w AS SELECT * FROM t $m", 1, 305),
    ("INSERT by name", s"INSERT INTO w BY NAME SELECT * FROM t $m m", 1, 305),
    ("UPDATE with a subquery", s"UPDATE w SET x = 1 WHERE x IN (SELECT x FROM t $m)", 1, 305),
    ("DELETE with a subquery", s"DELETE FROM w WHERE EXISTS (SELECT 1 FROM t $m)", 1, 305),
    ("parentheses around a query", s"((SELECT * FROM t $m) UNION (SELECT * FROM t $m))", 2, 305),
    (
      "recursive CTE",
      s"WITH RECURSIVE c AS (SELECT 1 AS x UNION ALL SELECT x FROM c $m) SELECT * FROM c",
      1,
      400),
    ("table argument", s"SELECT * FROM f(TABLE(SELECT * FROM t $m))", 1, 305),
    ("lateral join", s"SELECT * FROM u JOIN LATERAL (SELECT * FROM t) $m m ON true", 1, 305),
    ("left semi join", s"SELECT * FROM u LEFT SEMI JOIN t $m m ON u.x = m.x", 1, 305),
    ("natural and cross join", s"SELECT * FROM u NATURAL JOIN t $m m CROSS JOIN t $m n", 2, 305),
    ("UNPIVOT after it", s"SELECT * FROM t $m UNPIVOT (v FOR n IN (a, b))", 1, 305),
    ("TRANSFORM", s"SELECT TRANSFORM(x) USING 'cat' FROM t $m m", 1, 305),
    ("DISTRIBUTE and SORT BY", s"SELECT x FROM t $m DISTRIBUTE BY x SORT BY x", 1, 305),
    (
      "set operators",
      s"SELECT x FROM t $m EXCEPT SELECT x FROM t $m INTERSECT SELECT x FROM t $m m",
      3,
      305),
    ("unicode", s"SELECT 'ñ€😀' AS y FROM t $m WHERE z = '中文'", 1, 305),
    ("lower case", s"select * from t ${m.toLowerCase} m", 1, 305),
    ("a table called match_recognize", s"SELECT * FROM match_recognize $m", 1, 305)
  )

  everywhere.foreach { case (name, sql, count, since) =>
    if (version >= since) test(s"$name: the clause parses there") {
      val plan = parse(sql)
      // Below 0: Spark keeps but the text.
      if (count < 0) assert(plan.toString.contains("MATCH_RECOGNIZE"))
      else assert(clauses(plan).size == count, sql)
    }
  }

  if (version >= 400) test("BEGIN ... END: the clause parses there") {
    withConf("spark.sql.scripting.enabled" -> "true") {
      val script = parse(s"BEGIN DECLARE x INT; SELECT * FROM t $m m; SELECT 1; END")
      assert(script.toString.nonEmpty)
      val texts = script.productIterator.mkString
      assert(texts.contains("MatchRecognize"), texts)
    }
  }

  test("the alias goes on the clause's output, not on its input") {
    val sql = s"SELECT * FROM t x $m m"
    assert(
      parse(sql).toString.linesIterator
        .map(_.trim.replaceAll("^[+:\\- ]*", ""))
        .toSeq
        .map(_.takeWhile(_ != '[').takeWhile(_ != '(').trim)
        .map(_.split(' ').head.stripPrefix("'")) ==
        Seq("Project", "SubqueryAlias", "MatchRecognize", "SubqueryAlias", "UnresolvedRelation"))
  }

  private val notReservedAliases =
    Seq("date", "timestamp", "year", "first", "limit", "pattern", "offset")

  notReservedAliases.foreach { word =>
    test(s"a word that Spark does not reserve is an alias without AS: $word") {
      assert(parse(s"SELECT * FROM t $m $word").toString.contains(s"SubqueryAlias $word"))
      assert(
        parse(s"SELECT * FROM (SELECT * FROM t $m $word) z").toString
          .contains(s"SubqueryAlias $word"))
    }
  }

  test("a word that begins the next clause is no alias") {
    Seq("WHERE x > 1", "ORDER BY x", "LIMIT 3", "OFFSET 2", "GROUP BY x", "UNION SELECT 1")
      .foreach { next =>
        assert(aliases(parse(s"SELECT x FROM t $m $next")) == Nil, next)
      }
  }

  private def withoutIds(plan: LogicalPlan) = plan.toString.replaceAll("#\\d+", "")

  test("no word becomes reserved") {
    Seq(
      "SELECT * FROM match_recognize",
      "SELECT match_recognize FROM t match_recognize",
      "SELECT * FROM t match_recognize (a, b)",
      "SELECT * FROM t AS match_recognize (a, b)",
      "SELECT match_recognize(a, b) FROM t",
      "SELECT * FROM match_recognize(1, 2)",
      "SELECT pattern, define, measures, final, running, one, subset, permute FROM t",
      "SELECT t.match_recognize FROM db.match_recognize AS t WHERE pattern > 1",
      "SELECT 1 AS match_recognize",
      "SELECT * FROM a JOIN b match_recognize ON a.x = match_recognize.x"
    ).foreach { sql =>
      assert(withoutIds(parse(sql)) == withoutIds(spark.parsePlan(sql)), sql)
    }
    Seq(
      "SELECT pattern, define FROM pattern AS measures MATCH_RECOGNIZE (MEASURES FIRST(final) AS running, " +
        "one AS pattern, LAST(A.define) define PATTERN (A) DEFINE A AS pattern > final AND running = 1) subset",
      "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY one, all_rows ORDER BY after MEASURES final AS x, " +
        "running y, final(1) AS z, measures AS w PATTERN (A))",
      "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a measures, b define ORDER BY ts pattern PATTERN (A))"
    ).foreach(sql => assert(clauses(parse(sql)).size == 1, sql))
  }

  test("statements without the clause go to the parser below untouched") {
    val below = new SparkSqlParser {
      override def parsePlan(sqlText: String): LogicalPlan  = LocalRelation()
      override def parseQuery(sqlText: String): LogicalPlan = LocalRelation()
    }
    val around = MatchRecognizeParser(below)
    Seq(
      "SELECT * FROM t",
      "SELECT 'MATCH_RECOGNIZE (PATTERN (A))' -- t MATCH_RECOGNIZE (PATTERN (A))",
      "SELECT * FROM match_recognize AS t MATCH_RECOGNIZE (a, b)",
      "CALL somebody.elses('match_recognize')"
    ).foreach { sql =>
      assert(around.parsePlan(sql) == LocalRelation(), sql)
      assert(around.parseQuery(sql) == LocalRelation(), sql)
    }
    assert(around.parsePlan(s"SELECT * FROM t $m") != LocalRelation())
  }

  test("reserved keywords and double-quoted names of the ANSI mode") {
    withConf(
      "spark.sql.ansi.enabled"                 -> "true",
      "spark.sql.ansi.enforceReservedKeywords" -> "true",
      "spark.sql.ansi.doubleQuotedIdentifiers" -> "true") {
      val sql =
        "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY \"a b\" ORDER BY ts MEASURES FINAL LAST(\"x y\".v) AS v1 " +
          "ALL ROWS PER MATCH PATTERN (\"x y\" ALL) SUBSET U = (ALL) DEFINE ALL AS PREV(v) > 1) AS m"
      assert(one(sql).variables.map(_.name) == Seq("x y", "ALL"))
    }
  }

  test("wrapping a parser of ours again gives the same") {
    assert(MatchRecognizeParser(parser) eq parser)
  }

  test("a clause after anything but a table is refused") {
    val after = ClauseErrors.NotAfterTable
    refused(s"SELECT * FROM t WHERE x > 1 $m", after, "MATCH_RECOGNIZE")
    refused(s"SELECT a $m FROM t", after, "MATCH_RECOGNIZE")
    refused(s"SELECT * FROM t LATERAL VIEW explode(x) e AS y $m", after, "MATCH_RECOGNIZE")
  }

  test("a clause after a join is refused: it would bind to the last table only") {
    val join = ClauseErrors.AfterJoin
    refused(s"SELECT * FROM a JOIN b ON a.x = b.x $m", join, "MATCH_RECOGNIZE")
    refused(s"SELECT * FROM a JOIN b USING (x) $m m", join, "MATCH_RECOGNIZE")
  }

  test("a second clause directly after the first is refused") {
    val second = ClauseErrors.SecondClause
    refused(s"SELECT * FROM t $m $m", second, "MATCH_RECOGNIZE")
    refused(s"SELECT * FROM t $m m $m n", second, "MATCH_RECOGNIZE")
  }

  test("errors elsewhere in the statement come before ours") {
    val bad = "MATCH_RECOGNIZE (PATTERN (A*+))"
    Seq(
      s"SELECT * FROM t $bad WHERE WHERE 1 +",
      s"SELECT a b c FROM t $bad",
      s"SELEC * FROM t $bad")
      .foreach(sql => assert(errorOf(sql).condition == "PARSE_SYNTAX_ERROR", sql))
  }

  test("many threads may use one parser") {
    val sql      = s"SELECT * FROM (SELECT * FROM t $m) s $m m JOIN u ON m.x = u.x"
    val expected = parse(sql)
    val results  = (1 to 8).map { _ =>
      val result = new java.util.concurrent.FutureTask[Boolean](() =>
        (1 to 40).forall(_ => parse(sql).toString == expected.toString))
      new Thread(result).start()
      result
    }
    assert(results.forall(_.get()))
  }
}

package org.matchrecognize.spark.explain

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import org.matchrecognize.spark.SparkSuite

/** EXPLAIN MATCH_RECOGNIZE names what is wrong in each of [[WrongStatements]], and nothing else. */
class ExplainCausesSuite extends SparkSuite {

  private def explain(s: WrongStatement): Seq[String] = withSettings(s.settings.toSeq: _*) {
    rows(s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM (SELECT * FROM VALUES ${s.rows} " +
      s"AS t(${s.columns})) MATCH_RECOGNIZE (${s.clause.replace(" PATTERN", " MEASURES 1 AS m PATTERN")})")
      .map(_.head.toString)
  }

  private def hints(lines: Seq[String]): Seq[String] =
    lines.dropWhile(_ != "What to look at:").drop(1).map(_.stripPrefix("  * "))

  private def isCause(hint: String): Boolean =
    hint.contains(", there is ") || hint.contains(", there are ")

  test("the list has 30 statements at least, and no mistake twice") {
    val all = WrongStatements.all
    assert(all.size >= 30 && all.map(_.mistake).distinct.size == all.size)
  }

  test("there is a statement for each sentence of the page") {
    val page      = new String(Files.readAllBytes(Paths.get("docs", "why.md")), UTF_8)
    val table     = page.split("## Causes", 2)(1).split("## What to look at", 2)(0)
    val sentences = raw"(?m)^\| `(.*?)` \|".r.findAllMatchIn(table).map(_.group(1)).toSeq
    assert(sentences.size > 20)
    for (sentence <- sentences) {
      val pieces = sentence.split(raw"\.\.\.").map(_.trim).filter(_.nonEmpty)
      assert(WrongStatements.all.exists(s => pieces.forall(s.cause.contains(_))), sentence)
    }
  }

  WrongStatements.all.foreach { s =>
    test(s"wrong: ${s.mistake}") {
      val lines = explain(s)
      assert(lines(1).startsWith("0 matches in "), lines.mkString("\n"))
      assert(hints(lines).filter(isCause) == Seq(s.cause), lines.mkString("\n", "\n", "\n"))
      assert(hints(lines).head == s.cause)
    }
  }

  test("the part of an AND that is false where the furthest partial match ended") {
    def ends(rows: String, condition: String): Seq[String] =
      explain(
        WrongStatement("", "id, price, page", rows, s"ORDER BY id PATTERN (A B) $condition", ""))
        .filter(_.contains(" is false because "))
        .map(_.trim)
    // B is tested at row 2: 10 is more than 9, and not more than 11.
    assert(
      ends("(1, 9, 'a'), (2, 10, 'b')", "DEFINE B AS price > PREV(price) AND price > 11") == Seq(
        "B AS price > PREV(price) AND price > 11 is false because price > 11 is false: " +
          "PREV(price) = 9, price = 10"))
    // 10 is not more than 18, and nothing is known of a page.
    assert(ends(
      "(1, 9, 'a'), (2, 10, NULL)",
      "DEFINE B AS price > 2 * PREV(price) AND page IN ('a', 'b') AND " +
        "price BETWEEN 2 AND 20") == Seq(
      "B AS price > 2 * PREV(price) AND page IN ('a', 'b') AND price BETWEEN 2 AND 20 is false " +
        "because price > 2 * PREV(price) is false and page IN ('a', 'b') is NULL: " +
        "PREV(price) = 9, page = NULL, price = 10"))
  }

  test("a large input is searched in a sample") {
    // Each user has a view, a scroll and a buy. 10,000 rows are 3,333 users and one more row.
    val pages = "SELECT id DIV 3 AS user, id, ELT(id % 3 + 1, 'view', 'scroll', 'buy') AS page"
    val lines = rows(
      s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM ($pages FROM RANGE(30000)) MATCH_RECOGNIZE (" +
        "PARTITION BY user ORDER BY id MEASURES 1 AS m PATTERN (V B) " +
        "DEFINE V AS page = 'view', B AS page = 'buy')").map(_.head.toString)
    assert(hints(lines).head == "Other rows may be between those that the pattern names, but " +
      "PATTERN (V B) allows none. With PATTERN (V X*? B), where X is not in DEFINE, there are " +
      "3333 matches in a sample of 9999 rows. X maps 3333 rows.")
  }

  test("rows that a match may pass over, in the flink dialect") {
    val pages = "(SELECT * FROM VALUES (1, 'view'), (2, 'scroll'), (3, 'buy') AS t(id, page))"
    def clause(pattern: String) = s"SELECT * FROM $pages MATCH_RECOGNIZE (ORDER BY id " +
      s"MEASURES V.id AS v PATTERN ($pattern) DEFINE V AS page = 'view', B AS page = 'buy')"
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      val lines = rows(s"EXPLAIN MATCH_RECOGNIZE ${clause("V B")}").map(_.head.toString)
      assert(hints(lines).head.contains("With PATTERN (V X*? B), where X is not in DEFINE"))
      assert(rows(clause("V X*? B")) == Seq(Seq(1)))
    }
  }

  test("conditions that a variant cannot evaluate, and those with subqueries") {
    val prices                   = "(SELECT * FROM VALUES (1, '7'), (2, 'eight') AS t(id, price))"
    def lines(condition: String) =
      rows(
        s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM $prices MATCH_RECOGNIZE (ORDER BY id " +
          s"MEASURES 1 AS m PATTERN (A B) DEFINE B AS $condition)").map(_.head.toString)
    assert(!hints(lines("price > 'z'")).exists(isCause))
    assert(
      !hints(lines("id > 100 + (SELECT MAX(id) FROM RANGE(3)) AND price > 'z'")).exists(isCause))
    assert(!hints(lines("id IN (SELECT id + 9 FROM RANGE(3)) AND price > 'z'")).exists(isCause))
  }

  test("loops of any size") {
    val lines = rows(
      "EXPLAIN MATCH_RECOGNIZE SELECT * FROM RANGE(5) MATCH_RECOGNIZE (ORDER BY id " +
        "MEASURES 1 AS m PATTERN (A{1000000} B) DEFINE A AS id >= 0)").map(_.head.toString)
    assert(lines(1) == "0 matches in 5 rows of 1 partition.")
  }

  WrongStatements.right.foreach { s =>
    test(s"right: ${s.mistake}") {
      val lines = explain(s)
      assert(!hints(lines).exists(isCause), lines.mkString("\n", "\n", "\n"))
    }
  }
}

package org.matchrecognize.spark.explain

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import org.matchrecognize.spark.SparkSuite

/**
 * Each sentence of the table "What to look at" in docs/why.md, for a clause and prices that deserve
 * it. What is tested in which row is worked out by hand.
 */
class ExplainHintsSuite extends SparkSuite {

  /**
   * @param prices
   *   of the rows with the ids from 1 on
   * @param clause
   *   the parts after ORDER BY id
   * @param hint
   *   what the explanation must say
   */
  private case class Case(
      prices: String,
      clause: String,
      hint: String,
      order: String = "ORDER BY id",
      filter: String = "TRUE")

  private val fallThenRise = "DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)"

  private val cases: Seq[Case] = Seq(
    // DOWN is true of rows 2 to 4. UP is tested after each, and the price never rises.
    Case("10 9 8 7", s"PATTERN (DOWN UP) $fallThenRise", "UP is true of no row that was tested."),
    // The price never falls, so that no thread waits for UP.
    Case(
      "10 11 12",
      s"PATTERN (DOWN UP) $fallThenRise",
      "UP was never tested: no partial match reached a row for it."),
    // Whenever DOWN takes a row, a match is complete: the thread that waits for UP is dropped.
    Case(
      "10 9 8",
      "PATTERN (DOWN+ UP*) DEFINE DOWN AS price > 0, UP AS price > PREV(price)",
      "UP was never tested: what precedes it in the pattern takes the rows, and the matches are " +
        "complete without it. DOWN is greedy and true of all 3 rows that were tested."
    ),
    Case(
      "10",
      "PATTERN (DOWN+ UP*) DEFINE DOWN AS price > 0, UP AS price > PREV(price)",
      "UP was never tested: what precedes it in the pattern takes the rows, and the matches are " +
        "complete without it. DOWN is greedy and true of the row that was tested."
    ),
    // Here the alternative is preferred, and no loop: row 2 is a DOWN, and the match is complete.
    Case(
      "10 9",
      "PATTERN (S (DOWN | UP)) DEFINE DOWN AS price > 0, UP AS price > 0",
      "UP was never tested: what precedes it in the pattern takes the rows, and the matches are " +
        "complete without it."
    ),
    // Rows 2, 5 and 8 are a DOWN and an UP, and DOWN is preferred.
    Case(
      "1 2 3 1 2 3 1 2 3",
      "PATTERN (S (DOWN | UP) E) DEFINE DOWN AS price > 0, UP AS price > 0",
      "UP is true of 3 rows, but no match maps a row to it."),
    Case(
      "1 1",
      "PATTERN (UP) DEFINE UP AS price > PREV(price)",
      "UP AS price > PREV(price) is NULL on the first row of a partition, which has no row " +
        "before it. NULL is not true."
    ),
    Case(
      "1 NULL NULL 4",
      "PATTERN (A) DEFINE A AS price > 100",
      "A AS price > 100 is NULL for 2 rows, first at row 2 (id = 2) because price is NULL. " +
        "NULL is not true."
    ),
    Case(
      "1 2",
      "PATTERN (A B) DEFINE B AS price > 100",
      "A is not in DEFINE: every row satisfies it."),
    Case(
      "1 2 3",
      "PATTERN (A C B) DEFINE B AS price > 100",
      "A and C are not in DEFINE: every row satisfies them."),
    // Row 1 is an A, row 2 a DOWN, and a third row is missing.
    Case(
      "3 2",
      "PATTERN (A DOWN DOWN) DEFINE DOWN AS price < PREV(price)",
      "The furthest partial match still needs rows when its partition ends."),
    // The third row is beyond the bound, and a longer one does not make it a C.
    Case(
      "1 2 9",
      "PATTERN (A B C) WITHIN 3 DEFINE C AS price < 0",
      "WITHIN 3 may be too short.",
      "ORDER BY price"),
    Case(
      "1 2",
      "PATTERN (A B)",
      "There is no ORDER BY: the order of the rows is arbitrary.",
      order = ""),
    Case(
      "1 2 2",
      "PATTERN (A B)",
      "2 rows tie in ORDER BY: their order is arbitrary. Add a column that tells them apart.",
      "ORDER BY price"),
    // The match of rows 1 to 3 passes over those of rows 2 to 4 and 3 to 5.
    Case(
      "1 2 3 4 5",
      "PATTERN (A B C)",
      "AFTER MATCH SKIP PAST LAST ROW passes over at least 2 rows at which another match starts. " +
        "Write AFTER MATCH SKIP TO NEXT ROW to find these, too."
    ),
    Case(
      "1 2",
      "PATTERN (A*) DEFINE A AS price > 100",
      "2 matches are empty: the pattern matches no row. " +
        "Write + for *, or {1,} for a loop that must map a row."
    ),
    Case(
      "1 2",
      "ALL ROWS PER MATCH OMIT EMPTY MATCHES PATTERN (A*) DEFINE A AS price > 100",
      "2 matches are empty: the pattern matches no row, and OMIT EMPTY MATCHES returns nothing " +
        "for it."
    ),
    Case(
      "1 2",
      "ALL ROWS PER MATCH PATTERN ({- A B -})",
      "{- -} is around the whole pattern: no row of a match is returned."),
    Case(
      "1 2",
      "PATTERN (A)",
      "The input has no rows. Check its WHERE and its joins.",
      filter = "price > 100")
  )

  private def hints(c: Case): Seq[String] = {
    val values = c.prices.split(" ").zipWithIndex.map { case (price, i) => s"(${i + 1}, $price)" }
    rows(
      s"EXPLAIN MATCH_RECOGNIZE SELECT * FROM (SELECT * FROM VALUES ${values.mkString(", ")} " +
        s"AS t(id, price) WHERE ${c.filter}) MATCH_RECOGNIZE (${c.order} MEASURES 1 AS m " +
        s"${c.clause})")
      .map(_.head.toString)
      .dropWhile(_ != "What to look at:")
      .drop(1)
      .map(_.stripPrefix("  * "))
  }

  cases.zipWithIndex.foreach { case (c, i) =>
    test(s"hint ${i + 1}: ${c.hint.take(60)}")(assert(hints(c).contains(c.hint), hints(c)))
  }

  test("a match after which the search gives up does not need rows") {
    // Row 1 is a match without a B to skip to, and the last row.
    val found =
      hints(Case("1", "AFTER MATCH SKIP TO B PATTERN (A B?) DEFINE B AS price > 100", hint = ""))
    assert(found.nonEmpty && !found.exists(_.contains("still needs rows")), found)
  }

  test("there is a case for each sentence of the page") {
    val page      = new String(Files.readAllBytes(Paths.get("docs", "why.md")), UTF_8)
    val table     = page.split("## What to look at", 2)(1).split("\n## ")(0)
    val sentences = raw"(?m)^\| `(.*?)` \|".r.findAllMatchIn(table).map(_.group(1)).toSeq
    assert(sentences.size > 10)
    for (sentence <- sentences) {
      val pieces = sentence.split(raw"\.\.\.").map(_.trim).filter(_.nonEmpty)
      assert(cases.exists(c => pieces.forall(c.hint.contains(_))), sentence)
    }
  }
}

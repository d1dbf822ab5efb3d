package org.matchrecognize.spark.explain

import scala.util.Random

import org.matchrecognize.spark.execution.statements.ContiguityTest

/**
 * What EXPLAIN MATCH_RECOGNIZE says of timed-out matches and of the end of a partial match, worked
 * out by hand, and for random clauses against what the query returns and the types of the rows.
 */
class ExplainEndingSuite extends ContiguityTest {

  private def query(sequence: String, clause: String, keys: String = ""): String =
    s"SELECT * FROM ${table(sequence)} MATCH_RECOGNIZE ($keys ORDER BY o " +
      s"MEASURES FIRST(o) AS first $clause)"

  private def explain(sequence: String, clause: String, keys: String = ""): Seq[String] =
    rows(s"EXPLAIN MATCH_RECOGNIZE ${query(sequence, clause, keys)}").map(_.head.toString)

  private def furthest(lines: Seq[String]): Seq[String] =
    lines.dropWhile(!_.startsWith("Furthest")).takeWhile(_.nonEmpty)

  test("timed-out matches are counted") {
    val clause = "SHOW TIMEOUT MATCHES PATTERN (S T) WITHIN 2"
    val lines  = explain("a1 d1 d2 d3 a2", s"ONE ROW PER MATCH $clause", "PARTITION BY type")
    assert(lines(1) == "1 match and 3 timed-out matches in 5 rows of 2 partitions.")
    assert(lines.contains("  type = 'a': 2 rows, 0 matches and 2 timed-out matches"))
    assert(lines.contains("  type = 'd': 3 rows, 1 match and 1 timed-out match"))
  }

  test("a start row with matches is no partial match") {
    assert(
      furthest(
        explain("a1 a2 a3 d1 a4", "AFTER MATCH NO SKIP PATTERN (A+) DEFINE A AS type = 'a'")) ==
        Seq(
          "Furthest partial match: none, no row begins one. At row 4 (o = 4):",
          "  A AS type = 'a' is false: type = 'd'"))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      assert(furthest(explain(
        "a1 a2 a3 b1 a4 d1",
        "AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ B) DEFINE A AS type = 'a', B AS type = 'b'")) ==
        Seq(
          "Furthest partial match: 1 row, from row 5 (o = 5)",
          "  A: row 5",
          "  It ended at row 6 (o = 6):",
          "    A AS type = 'a' is false: type = 'd'",
          "    B AS type = 'b' is false: type = 'd'"
        ))
    }
  }

  test("a search that found a match hides no partial match of a later start row") {
    // The search from row 1 matches rows 1 to 3, continues with rows 4 and 5, and fails at row 6. That
    // from row 4 is in the same states.
    assert(
      furthest(explain("a1 a2 d1 a3 a4 a5", "PATTERN ((A A D)+) DEFINE D AS type = 'd'")) == Seq(
        "Furthest partial match: 2 rows, from row 4 (o = 4)",
        "  A: rows 4 to 5",
        "  It ended at row 6 (o = 6):",
        "    D AS type = 'd' is false: type = 'a'"
      ))
  }

  test("the conditions are those of the partial match") {
    assert(
      furthest(
        explain(
          "e1 a1 e2",
          "PATTERN (S (A C | B D)) DEFINE A AS type = 'a', B AS type = 'a', " +
            "C AS type = 'c', D AS type = 'd'")) == Seq(
        "Furthest partial match: 2 rows, from row 1 (o = 1)",
        "  S: row 1",
        "  A: row 2",
        "  It ended at row 3 (o = 3):",
        "    C AS type = 'c' is false: type = 'e'"
      ))
  }

  test("the conditions are those of the row at which it ended") {
    val lines = explain(
      "a1 d1 d2 e1",
      "PATTERN (A+??{E} C) DEFINE A AS type = 'a', C AS type = 'c', E AS type = 'e'")
    assert(furthest(lines).contains("  It ended at row 4 (o = 4):"), lines.mkString("\n"))
    assert(furthest(lines).contains("    A AS type = 'a' is false: type = 'e'"))
  }

  test("a row that a stop condition bars is not mapped") {
    val clause =
      "PATTERN (A+{B} C) DEFINE A AS type IN ('a', 'b'), B AS type = 'b', C AS type = 'c'"
    assert(
      furthest(explain("a1 a2 b1", clause)) == Seq(
        "Furthest partial match: 2 rows, from row 1 (o = 1)",
        "  A: rows 1 to 2",
        "  It ended at row 3 (o = 3):",
        "    B AS type = 'b' is true, which forbids the row: type = 'b'",
        "    C AS type = 'c' is false: type = 'b'"
      ))
    assert(
      furthest(explain("b1", clause)) == Seq(
        "Furthest partial match: none, no row begins one. At row 1 (o = 1):",
        "  B AS type = 'b' is true, which forbids the row: type = 'b'"))
  }

  test("what is tested of other places bars no row") {
    // A row of the second alternative is none of the first, which has a stop condition.
    assert(
      furthest(
        explain(
          "a1 b1",
          "AFTER MATCH NO SKIP PATTERN (A (A+{B} C | A D)) DEFINE A AS type IN ('a', 'b'), " +
            "B AS type = 'b', C AS type = 'c', D AS type = 'd'")) == Seq(
        "Furthest partial match: 2 rows, from row 1 (o = 1)",
        "  A: rows 1 to 2",
        "  It ended because the partition has no more rows."
      ))
    // Row 2 is a C, and is passed over only if it is no B: it is mapped, and not passed over.
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      assert(
        furthest(
          explain(
            "a1 b1",
            "PATTERN (A {- X*? -} [^B] {- Y* -} C D) DEFINE A AS type = 'a', B AS type = 'b', " +
              "C AS type IN ('b', 'c'), D AS type = 'd'")) == Seq(
          "Furthest partial match: 2 rows, from row 1 (o = 1)",
          "  A: row 1",
          "  C: row 2",
          "  It ended because the partition has no more rows."
        ))
    }
  }

  test("a gap is not said to be never tested") {
    val lines = explain(
      "a1 d1 c1",
      "PATTERN (A {- X*? -} [^B] {- Y*? -} C) DEFINE A AS type = 'a', B AS type = 'b', C AS type = 'c'")
    assert(lines(1) == "1 match in 3 rows of 1 partition.")
    assert(
      lines.contains("  X AS TRUE (not in DEFINE): " +
        "is the variable of a gap: no row is tested for it or mapped to it"))
    assert(!lines.exists(_.contains("X was never tested")))
  }

  private val types =
    Map("A" -> "ab", "B" -> "bc", "C" -> "c", "D" -> "de", "X" -> "abcde", "Y" -> "abcde")

  private val patterns = Seq(
    "A+ B",
    "A (B | A D) C",
    "A B+? C",
    "A+{C} D",
    "A+{B} {- X*? -} D",
    "A{2,}??{D} C",
    "A {- X*? -} [^C] {- Y*? -} D",
    "PERMUTE(A, B) C",
    "A (B [^C] | A) D")

  private def check(random: Random): Unit = {
    val kinds    = Seq.fill(4 + random.nextInt(7))("abcde" (random.nextInt(5)))
    val sequence = kinds.map(kind => s"${kind}1").mkString(" ")
    val pattern  = patterns(random.nextInt(patterns.size))
    val after    = Seq("SKIP PAST LAST ROW", "SKIP TO NEXT ROW", "NO SKIP")(random.nextInt(3))
    val within   = random.nextBoolean()
    val timeouts = within && random.nextBoolean()
    val defined  = types.collect {
      case (name, of) if !"XY".contains(name) && pattern.contains(name) =>
        s"$name AS type IN (${of.map(kind => s"'$kind'").mkString(", ")})"
    }
    val clause = "ONE ROW PER MATCH " + (if (timeouts) "SHOW TIMEOUT MATCHES " else "") +
      s"AFTER MATCH $after PATTERN ($pattern) ${if (within) "WITHIN 3 " else ""}" +
      defined.mkString("DEFINE ", ", ", "")
    val first = rows(query(sequence, clause)).map(_.head.toString.toLong)
    val lines = explain(sequence, clause)
    val about = s"\n$sequence\n$clause\n${lines.mkString("\n")}\n"

    val counted = raw"(\d+) (?:timed-out )?match".r.findAllMatchIn(lines(1)).map(_.group(1).toInt)
    assert(counted.sum == first.size, about)
    furthest(lines) match {
      case head +: rest if !head.contains("none") =>
        val numbers         = raw"\d+".r.findAllIn(head).map(_.toInt).toIndexedSeq
        val (length, start) = (numbers(0), numbers(1))
        assert(timeouts || !first.contains(start.toLong), about)
        val runs = rest.takeWhile(!_.contains("It ended")).map { line =>
          val ends = raw"\d+".r.findAllIn(line).map(_.toInt).toIndexedSeq
          (line.trim.takeWhile(_ != ':'), ends.head to ends.last)
        }
        assert(runs.map(_._2.size).sum == length && runs.head._2.head == start, about)
        for ((variable, mapped) <- runs; row <- mapped)
          assert(types(variable).contains(kinds(row - 1)), about)
        raw"row (\d+)".r.findFirstMatchIn(rest(runs.size)).map(_.group(1).toInt).foreach { end =>
          assert(end > runs.last._2.last, about)
          assert(pattern.contains("?") || end == runs.last._2.last + 1, about)
          rest.drop(runs.size + 1).foreach { line =>
            val isTrue = types(line.trim.takeWhile(_ != ' ')).contains(kinds(end - 1))
            assert(line.contains(" is true, which forbids the row") == isTrue, about)
            assert(line.endsWith(s"type = '${kinds(end - 1)}'"), about)
          }
        }
      case _ =>
    }
  }

  test("random clauses: counts, rows of the partial match, and the conditions at its end") {
    val random = new Random(20261124)
    (1 to 60).foreach(_ => check(random))
  }
}

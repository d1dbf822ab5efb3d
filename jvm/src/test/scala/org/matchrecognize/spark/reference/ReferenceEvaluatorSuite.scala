package org.matchrecognize.spark.reference

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowVariable, RowsPerMatch}

/** The clause evaluator held against answers worked out by hand, rule by rule. */
class ReferenceEvaluatorSuite extends AnyFunSuite {
  import Expression._

  private val names = Vector("A", "B", "C")

  private def x(variable: String = ""): Expression               = column("x", variable)
  private def column(name: String, variable: String): Expression =
    Column(name, Some(variable).filter(_.nonEmpty))
  private def n(value: Long): Expression     = Literal(value)
  private def is(letter: String): Expression = Binary("=", Column("s", None), Literal(letter))
  private def last(e: Expression, offset: Int = 0, prefix: Prefix = Prefix.None): Expression =
    Logical(first = false, e, offset, prefix)
  private def first(e: Expression, offset: Int = 0, prefix: Prefix = Prefix.None): Expression =
    Logical(first = true, e, offset, prefix)
  private def prev(e: Expression, offset: Int = 1): Expression =
    Physical(previous = true, e, offset)
  private def next(e: Expression, offset: Int = 1): Expression =
    Physical(previous = false, e, offset)
  private def sum(e: Expression, prefix: Prefix = Prefix.None): Expression =
    Aggregate("SUM", e, distinct = false, None, prefix)
  private val classifier = Classifier(None)

  private val letters                = Seq(0 -> is("a"), 1 -> is("b"), 2 -> is("c"))
  private val allRows                = RowsPerMatch.AllRows()
  private val unmatched              = RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows)
  private def variable(name: String) = RowVariable(name, Seq(names.indexOf(name)))

  private def query(
      pattern: String,
      measures: Seq[Expression],
      define: Seq[(Int, Expression)] = letters,
      rows: RowsPerMatch = RowsPerMatch.OneRow(),
      after: AfterMatch = AfterMatch.PastLastRow,
      subsets: Seq[RowVariable] = Nil
  ): Query = {
    val parsed = PatternText.parse(pattern)
    val used   = Query.variablesOf(parsed)
    Query(
      partitionBy = Nil,
      orderBy = "o",
      columns = Seq("o", "x", "s"),
      variables = names,
      subsets = subsets,
      pattern = parsed,
      definitions = define.filter(d => used(d._1)),
      measures = measures.zipWithIndex.map { case (e, i) => s"m$i" -> e },
      rowsPerMatch = rows,
      afterMatch = after
    )
  }

  /** Rows from letters: `s` is the letter, `x` its number from 1, `o` the row's number from 0. */
  private def table(text: String): Seq[Map[String, Any]] =
    text.zipWithIndex.map { case (letter, i) =>
      Map[String, Any]("o" -> i.toLong, "x" -> (letter - 'a' + 1).toLong, "s" -> letter.toString)
    }

  private def numbers(values: Any*): Seq[Map[String, Any]] =
    values.zipWithIndex.map { case (value, i) =>
      Map[String, Any]("o" -> i.toLong, "x" -> value, "s" -> "a")
    }

  private def row(values: Any*): Seq[Any] = values

  private def answer(asked: Query, rows: Seq[Map[String, Any]], relaxed: Boolean = false) =
    new ReferenceEvaluator(asked, relaxed).answer(rows)

  /** The measures of the answer, the other columns left out. */
  private def measured(asked: Query, rows: Seq[Map[String, Any]], relaxed: Boolean = false) = {
    val wanted = asked.measures.map(m => asked.outputColumns.indexOf(m._1))
    answer(asked, rows, relaxed).map(_.map(row => wanted.map(row)))
  }

  test("navigation: running and final, offsets, missing rows") {
    val measures = Seq(
      x(),
      x("A"),
      first(x("A"), 1),
      last(x("A"), 1),
      last(x("A"), 1, Prefix.Final),
      last(Coalesce(x("B"), n(-1)), 5)
    )
    val found = measured(query("A A B", measures, Nil, allRows), numbers(10L, 20L, 30L))
    assert(
      found == Right(
        Seq(
          row(10L, 10L, null, null, 10L, null),
          row(20L, 20L, 20L, 10L, 10L, null),
          row(30L, 20L, 20L, 10L, 10L, null)
        )
      )
    )
  }

  test("navigation: PREV and NEXT see every row of the partition") {
    val measures = Seq(
      prev(x()),
      next(x()),
      prev(first(x("B"))),
      next(last(x("B"), 0, Prefix.Final)),
      prev(x("B"), 0),
      next(x(), 9)
    )
    // The first row starts no match, and the last one comes after the match.
    val found = measured(query("B {- C -}", measures), table("abcd"))
    assert(found == Right(Seq(row(2L, 4L, 1L, 3L, 2L, null))))
  }

  test("row pattern functions: classifier, match number, neighbours' classifiers") {
    val measures = Seq(
      classifier,
      Classifier(Some("A")),
      MatchNumber,
      prev(classifier),
      next(classifier),
      last(classifier, 1)
    )
    val found = measured(query("A {- B -} C", measures, rows = allRows), table("aabcabc"))
    assert(
      found == Right(
        Seq(
          row("A", "A", 1L, null, "B", null),
          row("C", "A", 1L, "B", null, "B"),
          row("A", "A", 2L, null, "B", null),
          row("C", "A", 2L, "B", null, "B")
        )
      )
    )
  }

  test("aggregates, filters and row counts") {
    val filtered = Aggregate("SUM", x(), distinct = false, Some(is("a")), Prefix.None)
    val distinct = Aggregate("COUNT", x(), distinct = true, None, Prefix.None)
    val measures = Seq(
      sum(x()),
      sum(x(), Prefix.Final),
      filtered,
      distinct,
      CountRows(None, Prefix.None),
      CountRows(Some("B"), Prefix.Final),
      Aggregate("AVG", x("B"), distinct = false, None, Prefix.None)
    )
    val found = measured(query("A+ B+", measures, rows = allRows), table("aab"))
    assert(
      found == Right(
        Seq(
          row(1L, 4L, 1L, 1L, 1L, 1L, null),
          row(2L, 4L, 2L, 1L, 2L, 1L, null),
          row(4L, 4L, 2L, 2L, 3L, 1L, 2.0)
        )
      )
    )
  }

  test("empty matches have a number, and measures without rows") {
    val measures = Seq(MatchNumber, CountRows(None, Prefix.None), x(), classifier, n(7))
    val asked    = query("A*", measures, rows = allRows)
    assert(
      measured(asked, table("bab")) == Right(
        Seq(row(1L, 0L, null, null, 7L), row(2L, 1L, 1L, "A", 7L), row(3L, 0L, null, null, 7L))
      )
    )
    val omit = asked.copy(rowsPerMatch = RowsPerMatch.AllRows(EmptyMatches.Omit))
    assert(measured(omit, table("bab")) == Right(Seq(row(2L, 1L, 1L, "A", 7L))))
    // The input columns of an empty match are those of its start row.
    assert(answer(asked, table("b")) == Right(Seq(row(0L, 1L, 0L, null, null, 7L, 2L, "b"))))
  }

  test("an empty match does not ask the skip clause") {
    val asked = query("A B | ()", Seq(MatchNumber), after = AfterMatch.ToLast(variable("B")))
    assert(measured(asked, table("ccabc")) == Right((1L to 5L).map(Seq(_))))
  }

  test("unmatched rows are those that no match covers") {
    val asked = query("A B", Seq(MatchNumber, n(7)), rows = unmatched)
    assert(
      answer(asked, table("cab")) == Right(
        Seq(row(0L, null, null, 3L, "c"), row(1L, 1L, 7L, 1L, "a"), row(2L, 1L, 7L, 2L, "b"))
      )
    )
    // The second row starts no match, but the first match covers it.
    val again = asked.copy(afterMatch = AfterMatch.ToNextRow)
    assert(answer(again, table("abc")).map(_.map(_.head)) == Right(Seq(0L, 1L, 2L)))
    // Empty matches are shown on covered rows too.
    val empty =
      query("A B | ()", Seq(MatchNumber), rows = unmatched, after = AfterMatch.ToNextRow)
    assert(
      answer(empty, table("ab")).map(_.map(_.take(2))) ==
        Right(Seq(row(0L, 1L), row(1L, 1L), row(1L, 2L)))
    )
  }

  test("excluded rows are seen by navigation, aggregates and skipping") {
    val asked = query("A {- B+ -}", Seq(CountRows(None, Prefix.Final)), rows = allRows)
    assert(measured(asked, table("abbab")) == Right(Seq(row(3L), row(2L))))
  }

  test("after a match: every skip") {
    def starts(after: AfterMatch, relaxed: Boolean = false) = {
      val u     = RowVariable("U", Seq(1, 2))
      val asked =
        query("A+ B+ C*", Seq(first(column("o", ""))), after = after, subsets = Seq(u))
      measured(asked, table("aabbab"), relaxed).map(_.map(_.head))
    }
    assert(starts(AfterMatch.PastLastRow) == Right(Seq(0L, 4L)))
    assert(starts(AfterMatch.ToNextRow) == Right(Seq(0L, 1L, 4L)))
    assert(starts(AfterMatch.ToFirst(variable("B"))) == Right(Seq(0L, 4L)))
    assert(starts(AfterMatch.ToLast(variable("B"))) == Right(Seq(0L, 4L)))
    assert(starts(AfterMatch.ToFirst(RowVariable("U", Seq(1, 2)))) == Right(Seq(0L, 4L)))
    assert(
      starts(AfterMatch.ToLast(variable("C"))) == Left(Set(ReferenceEvaluator.skipTargetMissing))
    )
    assert(
      starts(AfterMatch.ToFirst(variable("A"))) == Left(Set(ReferenceEvaluator.skipToFirstRow))
    )
    assert(starts(AfterMatch.ToFirst(variable("A")), relaxed = true) == Right(Seq(0L, 1L, 4L)))
  }

  test("the row that is tested counts as mapped") {
    // Flink's documentation, aggregations: the second match starts after 25.
    val average = Aggregate("AVG", x("A"), distinct = false, None, Prefix.None)
    val asked   = query(
      "A+ B",
      Seq(first(column("o", "A")), last(column("o", "A")), average),
      Seq(0 -> Binary("<", average, n(15))),
      after = AfterMatch.ToFirst(variable("B"))
    )
    assert(
      measured(asked, numbers(12L, 17L, 13L, 16L, 25L, 2L, 4L, 10L, 15L, 25L, 30L)) ==
        Right(Seq(row(0L, 3L, 14.5), row(5L, 9L, 11.2)))
    )
  }

  test("documented: sums below 30 with each skip") {
    val total                                             = sum(x("A"))
    def sums(after: AfterMatch, relaxed: Boolean = false) = {
      val asked = query("A+ C", Seq(total), Seq(0 -> Binary("<", total, n(30))), after = after)
      measured(asked, numbers(7L, 9L, 10L, 5L, 17L, 14L), relaxed).map(_.map(_.head))
    }
    val lastA = AfterMatch.ToLast(variable("A"))
    assert(sums(AfterMatch.PastLastRow) == Right(Seq(26L, 17L)))
    assert(sums(AfterMatch.ToNextRow) == Right(Seq(26L, 24L, 15L, 22L, 17L)))
    assert(sums(lastA) == Left(Set(ReferenceEvaluator.skipToFirstRow)))
    assert(sums(lastA, relaxed = true) == Right(Seq(26L, 15L, 22L, 17L)))
  }

  test("documented: logical offsets in a definition") {
    val one     = last(x("B"), 1)
    val two     = last(x("B"), 2)
    val rising  = Binary("OR", IsNull(one), Binary(">", x("B"), one))
    val doubled = Binary("OR", IsNull(two), Binary(">", x("B"), Binary("*", n(2), two)))
    val asked   = query(
      "A B+",
      Seq(classifier, one, two),
      Seq(0 -> Binary(">=", x("A"), n(10)), 1 -> Binary("AND", rising, doubled)),
      rows = allRows
    )
    assert(
      measured(asked, numbers(10L, 15L, 20L, 31L, 35L)) == Right(
        Seq(row("A", null, null), row("B", null, null), row("B", 15L, null), row("B", 20L, 15L))
      )
    )
  }

  test("a condition that is NULL is not true") {
    val asked = query("A", Seq(x()), Seq(0 -> Binary(">", x(), n(0))))
    assert(measured(asked, numbers(1L, null, 2L)) == Right(Seq(row(1L), row(2L))))
    val negated = asked.copy(definitions = Seq(0 -> Not(Binary(">", x(), n(0)))))
    assert(measured(negated, numbers(1L, null, 2L)) == Right(Nil))
  }

  test("a query prints as SQL") {
    val asked = query(
      "A B* {- C -}",
      Seq(prev(last(x("A"), 2, Prefix.Final)), CountRows(Some("U"), Prefix.None)),
      Seq(1 -> Binary("<", x("B"), prev(x("B"), 2))),
      allRows,
      AfterMatch.ToLast(variable("B")),
      Seq(RowVariable("U", Seq(0, 1)))
    ).copy(partitionBy = Seq("p"))
    assert(
      asked.sql("t") ==
        """SELECT * FROM t MATCH_RECOGNIZE (
          |  PARTITION BY p ORDER BY o
          |  MEASURES PREV(FINAL LAST(A.x, 2)) AS m0,
          |    COUNT(U.*) AS m1
          |  ALL ROWS PER MATCH SHOW EMPTY MATCHES
          |  AFTER MATCH SKIP TO LAST B
          |  PATTERN (A B* {- C -})
          |  SUBSET U = (A, B)
          |  DEFINE B AS (B.x < PREV(B.x, 2)))""".stripMargin
    )
  }

  test("a quantified $ is not read as a variable of Spark's") {
    assert(query("A ${2,}", Seq(x())).sql("t").contains("PATTERN (A $ {2,})"))
  }

  test("keys up and down, rows without a key at either end, ties by the next key") {
    val keys = Seq[Any](2L, null, 1L, 1L).zip(Seq(0L, 1L, 3L, 2L)).map { case (o, x) =>
      Map[String, Any]("o" -> o, "x" -> x)
    }
    val first = KeyOrder(next = Some("x"))
    for ((order, sql, expected) <- Seq(
        (first, "o, x", Seq(1L, 2L, 3L, 0L)),
        (first.copy(nullsLast = true), "o NULLS LAST, x", Seq(2L, 3L, 0L, 1L)),
        (first.copy(descending = true), "o DESC NULLS FIRST, x", Seq(1L, 0L, 2L, 3L)),
        (KeyOrder(descending = true, nullsLast = true), "o DESC", Seq(0L, 3L, 2L, 1L))
      )) {
      assert(order.sql("o") == sql)
      assert(order.sort(keys, "o").map(_("x")) == expected, sql)
    }
  }
}

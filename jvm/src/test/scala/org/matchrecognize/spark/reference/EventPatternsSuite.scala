package org.matchrecognize.spark.reference

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowVariable, RowsPerMatch}

/** The clause evaluator's extensions held against answers worked out by hand. */
class EventPatternsSuite extends AnyFunSuite {
  import Expression._

  private val names                 = ('A' to 'Z').map(_.toString)
  private val o                     = Column("o", None)
  private def is(letters: String)   = letters
    .map(l => Binary("=", Column("s", None), Literal(l.toLower.toString)): Expression)
    .reduce(Binary("OR", _, _))
  private def at(variable: String) = Column("o", Some(variable))

  /** Every letter that the pattern uses but X, Y and Z is defined as that letter. */
  private def query(
      pattern: String,
      measures: Seq[Expression],
      within: Option[Long] = None,
      rows: RowsPerMatch = RowsPerMatch.OneRow(),
      after: AfterMatch = AfterMatch.ToNextRow,
      dialect: Dialect = Dialect.Standard,
      define: Map[Char, Expression] = Map.empty
  ): Query = {
    val parsed = PatternText.parse(pattern)
    val used   = Element.standing(parsed).toSet
    Query(
      partitionBy = Nil,
      orderBy = "o",
      columns = Seq("o", "s"),
      variables = names,
      subsets = Nil,
      pattern = parsed,
      definitions = used.toSeq.sorted
        .filter(_ < 'X' - 'A')
        .map(id => id -> define.getOrElse(('A' + id).toChar, is(names(id)))),
      measures = measures.zipWithIndex.map { case (e, i) => s"m$i" -> e },
      rowsPerMatch = rows,
      afterMatch = after,
      within = within,
      dialect = dialect
    )
  }

  /** Rows from words `a1`: the letter is `s`, the number is `o`; `a-` has no `o`. */
  private def table(text: String): Seq[Map[String, Any]] =
    text.split(" ").toSeq.map { word =>
      val order = if (word.drop(1) == "-") null else word.drop(1).toLong
      Map[String, Any]("o" -> order, "s" -> word.take(1))
    }

  /** The measures of each row of the answer. */
  private def measured(asked: Query, rows: String): Seq[String] = {
    assert(asked.isValid, asked.sql("t"))
    val wanted = asked.measures.map(m => asked.outputColumns.indexOf(m._1))
    new ReferenceEvaluator(asked).answer(table(rows)) match {
      case Right(found) => found.map(row => wanted.map(row).mkString(" "))
      case Left(failed) => failed.toSeq.sorted
    }
  }

  private val oneTimeouts = RowsPerMatch.OneRow(showTimeouts = true)
  private def allTimeouts(empty: EmptyMatches = EmptyMatches.Show) =
    RowsPerMatch.AllRows(empty, showTimeouts = true)
  private val times = Seq(MatchNumber, MatchTimedOut, MatchRowtime)

  test("WITHIN includes its bound") {
    val asked = query("A B* C", Seq(at("A"), at("C")), Some(10))
    assert(measured(asked, "a0 b5 c10") == Seq("0 10"))
    assert(measured(asked, "a0 b5 c11") == Nil)
    // Excluded rows count, rows that are only looked at do not.
    assert(measured(query("A {- C -}", Seq(at("A")), Some(10)), "a0 c11") == Nil)
    assert(measured(query("A [^C]", Seq(at("A")), Some(10)), "a0 c11") == Seq("0"))
    val next = Physical(previous = false, o, 1)
    assert(measured(query("A", Seq(next), Some(10)), "a0 c99") == Seq("99"))
    assert(measured(query("A", Seq(at("A")), Some(0)), "a0 c99") == Seq("0"))
  }

  test("WITHIN limits the search, not its answer") {
    val asked = query("A B*", Seq(at("A"), CountRows(None, Prefix.None)), Some(10))
    assert(measured(asked, "a0 b5 b10 b11") == Seq("0 3"))
    val either = query("A B B | A B", Seq(CountRows(None, Prefix.None)), Some(10))
    assert(measured(either, "a0 b5 b11") == Seq("2"))
  }

  test("a row with a NULL key starts no match and ends each bound") {
    val empty = query("A*", Seq(MatchNumber, CountRows(None, Prefix.None)), Some(10))
    assert(measured(empty, "a- a1 b2") == Seq("1 1", "2 0"))
    assert(measured(empty.copy(within = None), "a- a1 b2") == Seq("1 2", "2 1", "3 0"))
  }

  test("documented: time-outs") {
    val asked = query("A B", Seq(at("A"), at("B")), Some(2), after = AfterMatch.PastLastRow)
    assert(measured(asked, "a0 b1 a2 b5") == Seq("0 1"))
    assert(
      measured(asked.copy(rowsPerMatch = oneTimeouts), "a0 b1 a2 b5") == Seq("0 1", "2 null"))
    val checkout = query("A {- X*? -} P", Seq(at("A"), at("P")), Some(30), oneTimeouts)
    assert(measured(checkout, "a0 p1") == Seq("0 1"))
    assert(measured(checkout, "a0 c5") == Seq("0 null"))
    assert(measured(checkout, "c50") == Nil)
  }

  test("a time-out has a number, ignores AFTER MATCH and covers its rows") {
    val asked = query("A B+ C", times, Some(4), oneTimeouts, AfterMatch.PastLastRow)
    // From 0 all is B up to the bound; the match of 9 is the second.
    assert(
      measured(asked, "a0 b2 b4 b6 a9 b10 c11") == Seq("1 true 4", "2 false 11"))
    // Rows of a time-out may be in a later match.
    val again = query("A A* B", times, Some(3), oneTimeouts, AfterMatch.PastLastRow)
    assert(measured(again, "a0 a3 b4") == Seq("1 true 3", "2 false 4"))
    val rows = query("A A* B", times, Some(3), allTimeouts(EmptyMatches.WithUnmatchedRows))
    assert(
      measured(rows, "c0 a1 a4 c5") ==
        Seq("null null null", "1 true 4", "1 true 4", "null null null"))
  }

  test("time-outs with ALL ROWS show the rows mapped, less the excluded ones") {
    val count = CountRows(None, Prefix.None)
    val asked = query("A {- X*? -} P", Seq(o, count, MatchTimedOut), Some(9), allTimeouts())
    assert(measured(asked, "a0 c1 c2") == Seq("0 1 true"))
    val loose = query("A{3}?? P", Seq(o, count, MatchTimedOut), Some(9), allTimeouts())
    assert(measured(loose, "a0 c1 a2 c3") == Seq("0 1 true", "2 2 true", "2 1 true"))
  }

  test("an empty match is a match, and no time-out") {
    val asked = query("A B | ()", times, Some(4), oneTimeouts)
    assert(measured(asked, "a0 c9") == Seq("1 false null", "2 false null"))
    // NO SKIP ignores it.
    val every = asked.copy(afterMatch = AfterMatch.NoSkip)
    assert(measured(every, "a0 c9") == Nil)
    assert(measured(every, "a0 b1") == Seq("1 false 1"))
  }

  test("NO SKIP: every match once, by start row and preferment") {
    val count = CountRows(None, Prefix.None)
    val asked = query("A B*?", Seq(MatchNumber, o, count), after = AfterMatch.NoSkip)
    assert(measured(asked, "a0 b1 b2 a3") == Seq("1 0 1", "2 1 2", "3 2 3", "4 3 1"))
    val twice = query("A B* (B* | A)", Seq(o), after = AfterMatch.NoSkip)
    // (B, B), (B), the second A is at no place, (); not once more through the second loop.
    assert(measured(twice, "a0 b1 b2") == Seq("2", "1", "0"))
    // Gap rows are mapped: two ways to pass over are two sets of mappings.
    val gaps = query("A {- X* -} {- Y* -} B", Seq(at("A"), at("B")), after = AfterMatch.NoSkip)
    assert(measured(gaps, "a0 c1 b2") == Seq("0 2", "0 2"))
  }

  test("NO SKIP: all rows, unmatched rows and time-outs") {
    val all   = RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows)
    val asked = query("A B*", Seq(MatchNumber, o), rows = all, after = AfterMatch.NoSkip)
    assert(measured(asked, "c0 a1 b2") == Seq("null null", "1 1", "1 2", "2 1"))
    val timed = query("A B* C", times, Some(2), oneTimeouts, AfterMatch.NoSkip)
    assert(measured(timed, "a0 b1 a2 c3") == Seq("1 false 3"))
    assert(measured(timed, "a0 b1 b9") == Seq("1 true 1"))
  }

  test("in a definition MATCH_NUMBER is that of the start row's first match") {
    val first = Binary("=", MatchNumber, Literal(1L))
    val asked =
      query("A B*", Seq(MatchNumber), after = AfterMatch.NoSkip, define = Map('A' -> first))
    assert(measured(asked, "a0 b1 b2 a3") == Seq("1", "2", "3"))
  }

  test("rows passed over are seen by physical navigation only") {
    val measures = Seq(
      o,
      Logical(first = false, o, 1, Prefix.None),
      Physical(previous = true, o, 1),
      CountRows(None, Prefix.Final),
      Physical(previous = true, Classifier(None), 1),
      Physical(previous = false, Classifier(None), 1)
    )
    val asked = query("A{2}??", measures, rows = RowsPerMatch.AllRows())
    assert(
      measured(asked, "a0 c1 a2") == Seq("0 null null 2 null null", "2 0 1 2 null null"))
    // They are covered, and skipped past.
    val unmatched = query(
      "A{2}??",
      Seq(MatchNumber, o),
      rows = RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows),
      after = AfterMatch.PastLastRow)
    assert(measured(unmatched, "a0 c1 a2 c3") == Seq("1 0", "1 2", "null null"))
  }

  test("a row that is looked at counts as mapped to that variable") {
    val higher = Binary(">", at("B"), Binary("+", at("A"), Literal(1L)))
    val asked  = query("A [^B]", Seq(o), define = Map('B' -> higher))
    assert(measured(asked, "a0 c1 a2 c4") == Seq("0"))
    val twoBs = Binary(">", CountRows(Some("B"), Prefix.None), Literal(1L))
    val never = query("A [^B]", Seq(o), define = Map('B' -> twoBs))
    assert(measured(never, "a0 c1") == Seq("0"))
  }

  test("skipping to a variable of a loose loop") {
    val asked = query(
      "A{2}?? B",
      Seq(at("B")),
      after = AfterMatch.ToLast(RowVariable("A", Seq(0))))
    assert(measured(asked, "a0 c1 a2 b3 a4 b5") == Seq("3", "5"))
  }

  test("(F) the default of time-outs: each set of mappings, NO SKIP beside matches") {
    val asked = query(
      "A {- X* -} B C",
      Seq(at("A"), at("B"), at("C"), MatchTimedOut),
      Some(5),
      oneTimeouts,
      dialect = Dialect.Flink)
    // b1 is followed by a b, b2 by nothing; or another B is awaited.
    assert(measured(asked, "a0 b1 b2") == Seq("0 2 null true", "0 null null true"))
    assert(measured(asked, "a0 b1 c2") == Seq("0 1 2 false"))
    assert(
      measured(asked.copy(afterMatch = AfterMatch.NoSkip), "a0 b1 c2") ==
        Seq("0 1 2 false", "0 null null true"))
    // The standard dialect takes the preferred one; X has taken both rows.
    assert(
      measured(asked.copy(dialect = Dialect.Standard), "a0 b1 b2") == Seq("0 null null true"))
  }

  test("(F) NO SKIP: by start row, completing row and preferment") {
    val asked = query(
      "A B+? (B | C)",
      Seq(at("B"), at("C")),
      after = AfterMatch.NoSkip,
      dialect = Dialect.Flink)
    assert(measured(asked, "a0 b1 b2 c3") == Seq("2 null", "2 3"))
  }

  test("(F) what only the standard dialect takes") {
    def valid(pattern: String, dialect: Dialect) =
      query(pattern, Seq(o), dialect = dialect).isValid
    for (refused <- Seq("A*", "(A B)+ C", "(A | B)* C", "A? B?", "({- X*? -} A)?", "(A B){2,3}"))
      assert(valid(refused, Dialect.Standard) && !valid(refused, Dialect.Flink), refused)
    for (taken <- Seq("A B*", "(A B)+? C", "(A B)? C", "(A B){2}", "A+?? C", "A {- X*? -} B"))
      assert(valid(taken, Dialect.Flink), taken)
    assert(!valid("A {- X*? -} {- Y*? -} B", Dialect.Flink))
    assert(!valid("A {- X*? -} [^B] C", Dialect.Standard))
    assert(!valid("(A | B)+?? C", Dialect.Standard))
  }

  test("a query with extensions prints as SQL") {
    val asked = query(
      "A+??{B} {- X*? -} [^C]",
      Seq(MatchTimedOut),
      Some(7),
      oneTimeouts,
      AfterMatch.NoSkip)
    assert(
      asked.sql("t") ==
        """SELECT * FROM t MATCH_RECOGNIZE (
          |  PARTITION BY  ORDER BY o
          |  MEASURES MATCH_TIMED_OUT() AS m0
          |  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
          |  AFTER MATCH NO SKIP
          |  PATTERN (A+??{B} {- X*? -} [^C]) WITHIN 7
          |  DEFINE A AS (s = 'a'),
          |    B AS (s = 'b'),
          |    C AS (s = 'c'))""".stripMargin)
  }
}

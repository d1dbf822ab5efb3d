package org.matchrecognize.spark.pattern.threads

import org.scalactic.source.Position
import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{
  GivenConditions,
  Labels,
  Quantifier,
  RowPattern,
  ThreadEngine
}
import org.matchrecognize.spark.pattern.matching.{
  Failure,
  Limits,
  PackedNumbers,
  RowConditions,
  SettledLabels
}
import org.matchrecognize.spark.pattern.program.{GapAbsences, Path, Program, ProgramCompiler}
import org.matchrecognize.spark.reference.{
  Dialect,
  Mapping,
  PatternCase,
  PatternEngineChecks,
  PatternEnumeration,
  PatternRules,
  RandomContiguity,
  RandomLargeCounts,
  RandomSeed,
  TooManySteps
}
import org.matchrecognize.spark.robustness.Fuzz

/** The general matcher against enumeration in preferment order. */
class ThreadMatcherSuite extends AnyFunSuite {
  import ThreadMatcherSuite._

  private val counts = (labels: List[Int]) => labels.groupBy(identity).map(e => e._1 -> e._2.size)

  private def check(kind: PatternCase.Kind, view: List[Int] => Any)(implicit
      test: Position): Unit = {
    val (reports, seeds) = Fuzz.batches(inGate = 350, size = 200, share = 1.0 / 5)(
      PatternEngineChecks.check(new ThreadEngine(view), _, Seq(kind)))
    val (cases, matches) = (reports.map(_.cases).sum, reports.map(_.matches).sum)
    info(s"$seeds: $cases cases, $matches matches")
    assert(
      Fuzz.isAsked || cases > 56000 && matches > 35000 && reports.map(_.noMatches).sum > 14000)
  }

  test("random patterns, conditions on the row alone: all equal places merge") {
    check(PatternCase.Kind.RowLocal, _ => 0)
  }

  test("random patterns, conditions on the rows so far: threads merge that saw the same counts") {
    check(PatternCase.Kind.Counting, counts)
  }

  test("random patterns, conditions on every label so far: only equal threads merge") {
    check(PatternCase.Kind.WholeHistory, identity)
  }

  test("random patterns, few threads going on together: the same") {
    for (together <- 1 to 3) {
      val some = (1L to 10000L).filter(_ % 3 == together - 1)
      for ((kind, view) <- Seq[(PatternCase.Kind, List[Int] => Any)](
          PatternCase.Kind.RowLocal     -> (_ => 0),
          PatternCase.Kind.Counting     -> counts,
          PatternCase.Kind.WholeHistory -> identity)) {
        val report =
          PatternEngineChecks.check(new ThreadEngine(view, Some(together)), some, Seq(kind))
        assert(report.cases > 2500 && report.matches > 1500)
      }
    }
  }

  test("random patterns with absence, gaps, loose loops and stops") {
    val (found, seeds) = Fuzz.batches(inGate = 90, size = 1000, share = 1.0 / 5)(checkContiguity)
    info(s"$seeds: ${found.sum} matches")
    assert(Fuzz.isAsked || found.sum > 30000)
  }

  test("random patterns with counts around the number of rows") {
    val (found, seeds) = Fuzz.batches(inGate = 40, size = 200, share = 1.0 / 5)(checkLargeCounts)
    info(s"$seeds: ${found.sum} matches")
    assert(Fuzz.isAsked || found.sum > 6500)
  }

  private val optionalA = RowPattern.Quantified(RowPattern.Variable(0), Quantifier.optional)

  private def repeated(pattern: RowPattern, n: Int) =
    RowPattern.Quantified(pattern, Quantifier.between(n, n))

  private def stepsOn(pattern: RowPattern, rows: Int): (Boolean, Long) = {
    val matcher = new ThreadMatcher[String](
      ProgramCompiler.compile(pattern),
      GivenConditions.AlwaysTrue,
      new SettledLabels(None),
      new Limits(Long.MaxValue, () => ()),
      remembersFailures = false)
    matcher.begin(0, 1)
    (0 until rows).foreach(r => matcher.step(r, r == rows - 1, r == rows - 1))
    (matcher.hasMatch, matcher.steps)
  }

  test("(A?){20} A{20} on 20 rows takes thousands of steps, not 2^20") {
    val pattern =
      RowPattern.Concatenation(Seq(repeated(optionalA, 20), repeated(RowPattern.Variable(0), 20)))
    val (matched, steps) = stepsOn(pattern, 20)
    assert(matched && steps < 20000)
  }

  test("(A*)* A* A* grows with the rows, not with their square") {
    val star    = RowPattern.Quantified(RowPattern.Variable(0), Quantifier.star)
    val pattern =
      RowPattern.Concatenation(Seq(RowPattern.Quantified(star, Quantifier.star), star, star))
    val (_, few)  = stepsOn(pattern, 1000)
    val (_, many) = stepsOn(pattern, 10000)
    assert(many < 11 * few)
  }

  test("a program does not grow with bounds") {
    val small = ProgramCompiler.compile(repeated(RowPattern.Variable(0), 2))
    val large = ProgramCompiler.compile(repeated(RowPattern.Variable(0), 1000000))
    assert(small.instructions.length == large.instructions.length)
  }

  test("A{1000000} counts a million rows") {
    assert(stepsOn(repeated(RowPattern.Variable(0), 1000000), 1000000)._1)
  }

  test("PERMUTE of ten variables keeps sets, not orders") {
    val pattern          = RowPattern.Permutation((0 until 10).map(RowPattern.Variable(_)))
    val (matched, steps) = stepsOn(pattern, 10)
    // 2^10 sets, each left by up to ten elements.
    assert(matched && steps < 3 * 10 * 1024)
  }

  private def permuted(elements: Int): Program =
    ProgramCompiler.compile(
      RowPattern.Permutation((0 until elements).map(RowPattern.Variable(_))))

  /** Searches from the first row. */
  private def searched(
      elements: Int,
      conditions: RowConditions[Labels],
      rows: Int,
      maxSteps: Long = 10000000) = {
    val matcher = new ThreadMatcher[Labels](
      permuted(elements),
      conditions,
      new SettledLabels(Some(PackedNumbers.onHeap())),
      new Limits(maxSteps, () => ()),
      remembersFailures = false)
    matcher.begin(0, 1)
    var row = 0L
    while (row >= 0) {
      while (matcher.isRunning && row < rows && !matcher.exceeded)
        row = matcher.step(row, row == rows - 1, row == rows - 1)
      row = matcher.goBack()
    }
    matcher
  }

  test("PERMUTE of thirty variables that every row satisfies finds the first order at once") {
    val found = searched(30, new GivenConditions((_, _, _) => true, _ => 0), 60)
    assert(!found.exceeded && found.hasMatch && found.matchEnd == 30)
    assert((0 until 30).map(found.labels(30)).map(Path.variable) == (0 until 30))
    assert(found.steps < 100000, found.steps)
  }

  test("PERMUTE of thirty variables goes back only as far as it must") {
    // The last three rows satisfy 0, 1 and 2 alone: those before must leave them.
    val last = new GivenConditions((v, row, _) => row < 27 || v == row - 27, _ => 0)
    val few  = new GivenConditions((v, row, _) => row < 9 || v == row - 9, _ => 0)
    // Each of 2^12 sets of elements, with the element that comes next.
    val found = searched(12, few, 12, maxSteps = 100000000)
    assert(found.hasMatch && found.steps < 4 * 12 * 4096)
    assert((0 until 12).map(found.labels(12)).map(Path.variable) == (3 until 12) ++ Seq(0, 1, 2))
    val beyond = searched(30, last, 30)
    assert(beyond.exceeded && beyond.overBudget.isInstanceOf[Failure.TooManySteps])
  }

  test("a loop of a million iterations that can be empty ends with the first empty one") {
    val optional =
      (id: Int) => RowPattern.Quantified(RowPattern.Variable(id), Quantifier.optional)
    val star   = RowPattern.Quantified(RowPattern.Variable(0), Quantifier.star)
    val either = RowPattern.Alternation(
      Seq(
        RowPattern.Variable(0),
        RowPattern.Exclusion(RowPattern.Variable(1)),
        RowPattern.Empty()))
    for (body <- Seq(
        optional(0),
        star,
        either,
        repeated(optional(0), 1000),
        RowPattern.Concatenation(Seq(optional(0), optional(1))),
        RowPattern.Quantified(RowPattern.Variable(0), Quantifier.optional.copy(greedy = false))
      )) {
      val (matched, steps) = stepsOn(repeated(body, 1000000), 1000)
      assert(matched && steps < 100000, body)
    }
  }

  test("the budget ends a search, between rows and within a way that takes none") {
    // PERMUTE(A?, B?) takes no row before it takes B A, so nothing short of counting says what is
    // preferred.
    val pattern =
      repeated(
        RowPattern.Permutation(Seq(optionalA, RowPattern.Variable(1)).map(e =>
          RowPattern.Quantified(e, Quantifier.optional))),
        1000000)
    val matcher = new ThreadMatcher[String](
      ProgramCompiler.compile(pattern),
      GivenConditions.AlwaysTrue,
      new SettledLabels(None),
      new Limits(1000, () => ()),
      remembersFailures = false)
    matcher.begin(0, 1)
    assert(matcher.exceeded)
  }
}

private object ThreadMatcherSuite {

  /** Compares on the cases of seeds whose patterns are valid; gives the number of matches. */
  def checkContiguity(seeds: Seq[Long]): Int =
    seeds.map { seed =>
      if (seed % 2 == 0) contiguityCase(seed, PatternCase.Kind.RowLocal, _ => 0)
      else contiguityCase(seed, PatternCase.Kind.WholeHistory, identity)
    }.sum

  /** Compares on the cases of seeds; gives the number of matches. */
  def checkLargeCounts(seeds: Seq[Long]): Int =
    seeds.map { seed =>
      if (seed % 2 == 0) largeCountsCase(seed, PatternCase.Kind.RowLocal, _ => 0)
      else largeCountsCase(seed, PatternCase.Kind.WholeHistory, identity)
    }.sum

  private def largeCountsCase(seed: Long, kind: PatternCase.Kind, view: List[Int] => Any): Int = {
    val drawn   = PatternCase.random(seed, kind)
    val pattern =
      new RandomLargeCounts(RandomSeed(seed, "counts"), drawn.rowCount)(drawn.pattern)
    try
      PatternEngineChecks
        .checkCase(new ThreadEngine(view), seed, drawn.copy(pattern = pattern))
        .matches
    catch { case _: TooManySteps => 0 }
  }

  private def contiguityCase(seed: Long, kind: PatternCase.Kind, view: List[Int] => Any): Int = {
    val drawn   = PatternCase.random(seed, kind)
    val defined = (0 until drawn.variableCount).toSet
    val pattern = new RandomContiguity(
      RandomSeed(seed, "contiguity"),
      defined.toIndexedSeq.sorted,
      Iterator.from(drawn.variableCount).take(4),
      exclusions = true,
      Dialect.Standard)(drawn.pattern)
    val resolved = new GapAbsences(pattern, defined)

    // Conditions see the variables of the rows that are mapped.
    def satisfies(variable: Int, row: Int, labels: IndexedSeq[Int]) =
      !defined(variable) || drawn.conditions.satisfies(variable, row, labels.filter(_ >= 0))

    if (!PatternRules.isValid(pattern, defined, Dialect.Standard)) 0
    else
      try {
        val reference = new PatternEnumeration(drawn.rowCount, satisfies, isDefined = defined)
        (0 to drawn.rowCount - 1).count { start =>
          val expected = reference.firstMatch(pattern, start).map(_.map(shown))
          val answer   = new ThreadEngine(view)
            .firstMatch(
              resolved.resolved,
              drawn.variableCount + 4,
              drawn.rowCount,
              start,
              satisfies)
            .map(_.map { case (variable, excluded) => shown(Mapping(variable, excluded)) })
          if (answer.map(_.toList) != expected.map(_.toList)) {
            throw new AssertionError(
              s"seed $seed $kind: $pattern, $drawn, at $start: $answer, not $expected")
          }
          expected.exists(_.nonEmpty)
        }
      } catch { case _: TooManySteps => 0 }
  }

  /** A row passed over is mapped to nothing. */
  private def shown(mapping: Mapping): Any = if (mapping.variable < 0) "passed over" else mapping
}

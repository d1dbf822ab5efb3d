package org.matchrecognize.spark.reference

import scala.util.control.NonFatal

/**
 * Holds a matcher against enumeration on random cases.
 *
 * {{{
 *   PatternEngineChecks.check(myEngine, 1L to 20000L)
 * }}}
 *
 * A wrong answer (or an exception) of the engine is shrunk to a small case and raised as an
 * AssertionError that shows seed, pattern, rows, and both answers.
 */
object PatternEngineChecks {

  /**
   * What a run covered.
   *
   * @param cases
   *   cases compared, each at every start row
   * @param matches
   *   start rows with a match of at least one row
   * @param emptyMatches
   *   start rows with an empty match
   * @param noMatches
   *   start rows without a match
   * @param skipped
   *   cases whose enumeration took too long
   */
  final case class Report(
      cases: Int = 0,
      matches: Int = 0,
      emptyMatches: Int = 0,
      noMatches: Int = 0,
      skipped: Int = 0
  )

  /** Compares on the case of each seed and each kind of condition. */
  def check(
      engine: PatternEngine,
      seeds: Seq[Long],
      kinds: Seq[PatternCase.Kind] = PatternCase.Kind.all
  ): Report = {
    var report = Report()
    for (seed <- seeds; kind <- kinds)
      report =
        try
          checkCase(engine, seed, PatternCase.random(seed, kind), report)
        catch {
          case _: TooManySteps => report.copy(skipped = report.skipped + 1)
        }
    report
  }

  /** Compares on one case, of which `seed` is shown. */
  def checkCase(
      engine: PatternEngine,
      seed: Long,
      drawn: PatternCase,
      before: Report = Report()
  ): Report = {
    val expected = answers(EnumerationEngine, drawn)
    if (!agrees(engine, drawn, expected)) {
      val smallest = Shrinker.shrink(drawn)(PatternShrinker.smallerCases)(isWrong(engine, _))
      throw new AssertionError(describe(engine, seed, smallest))
    }
    before.copy(
      cases = before.cases + 1,
      matches = before.matches + expected.count(_.exists(_.nonEmpty)),
      emptyMatches = before.emptyMatches + expected.count(_.exists(_.isEmpty)),
      noMatches = before.noMatches + expected.count(_.isEmpty)
    )
  }

  private type Answers = Seq[Option[Seq[(Int, Boolean)]]]

  private def answers(engine: PatternEngine, drawn: PatternCase): Answers =
    (0 until drawn.rowCount).map(answer(engine, drawn, _))

  private def answer(engine: PatternEngine, drawn: PatternCase, start: Int) =
    engine
      .firstMatch(
        drawn.pattern,
        drawn.variableCount,
        drawn.rowCount,
        start,
        drawn.conditions.satisfies
      )
      .map(_.toList)

  private def agrees(engine: PatternEngine, drawn: PatternCase, expected: Answers): Boolean =
    try
      answers(engine, drawn) == expected
    catch {
      case tooLarge: TooManySteps => throw tooLarge
      case NonFatal(_)            => false
    }

  private def isWrong(engine: PatternEngine, drawn: PatternCase): Boolean =
    try
      !agrees(engine, drawn, answers(EnumerationEngine, drawn))
    catch {
      case _: TooManySteps => false
    }

  private def describe(engine: PatternEngine, seed: Long, drawn: PatternCase): String = {
    def shown(by: PatternEngine, start: Int): String =
      try
        answer(by, drawn, start)
          .map(rows => PatternText.show(rows.map { case (v, out) => Mapping(v, out) }))
          .getOrElse("no match")
      catch {
        case NonFatal(failure) => failure.toString
      }
    val lines = (0 until drawn.rowCount).map { start =>
      s"  from row $start: expected ${shown(EnumerationEngine, start)}; found ${shown(engine, start)}"
    }
    s"seed $seed, shrunk: $drawn\n${lines.mkString("\n")}"
  }
}

package org.matchrecognize.spark.reference

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.RowPattern

/** The driver finds wrong engines, and its cases are worth running. */
class PatternEngineChecksSuite extends AnyFunSuite {

  /** An engine that searches for another pattern than the requested one. */
  private def asked(change: RowPattern => RowPattern): PatternEngine = new PatternEngine {
    override def firstMatch(
        pattern: RowPattern,
        variableCount: Int,
        rowCount: Int,
        start: Int,
        satisfies: (Int, Int, IndexedSeq[Int]) => Boolean
    ): Option[Seq[(Int, Boolean)]] =
      EnumerationEngine.firstMatch(change(pattern), variableCount, rowCount, start, satisfies)
  }

  private def complaint(engine: PatternEngine): String =
    intercept[AssertionError](PatternEngineChecks.check(engine, 1L to 2000L)).getMessage

  test("cases match often, and in every way") {
    val report = PatternEngineChecks.check(EnumerationEngine, 1L to 2000L)
    info(report.toString)
    assert(report.skipped < report.cases / 20)
    val starts = report.matches + report.emptyMatches + report.noMatches
    assert(report.matches > starts / 4)
    assert(report.emptyMatches > starts / 20)
    assert(report.noMatches > starts / 20)
  }

  test("an engine that takes every loop as greedy is found") {
    val greedy = asked(RowPattern.mapQuantifiers(_)(_.copy(greedy = true)))
    val text   = complaint(greedy)
    info(text)
    assert(text.contains("?) over 1 rows"), text)
  }

  test("an engine that orders PERMUTE by its elements' parses is found") {
    // Choosing element after element differs from the expansion for elements of several lengths.
    def byElement(elements: List[RowPattern]): RowPattern = elements match {
      case List(last) => last
      case several    =>
        RowPattern.Alternation(several.indices.map { i =>
          RowPattern.Concatenation(Seq(several(i), byElement(several.patch(i, Nil, 1))))
        })
    }
    def change(pattern: RowPattern): RowPattern = pattern match {
      case RowPattern.Permutation(elements, _)   => byElement(elements.toList.map(change))
      case RowPattern.Concatenation(elements, _) => RowPattern.Concatenation(elements.map(change))
      case RowPattern.Alternation(choices, _)    => RowPattern.Alternation(choices.map(change))
      case RowPattern.Quantified(element, quantifier, _) =>
        RowPattern.Quantified(change(element), quantifier)
      case RowPattern.Exclusion(element, _) => RowPattern.Exclusion(change(element))
      case leaf                             => leaf
    }
    val text =
      intercept[AssertionError](PatternEngineChecks.check(asked(change), 1L to 60000L)).getMessage
    info(text)
    assert(text.contains("PERMUTE"), text)
  }

  test("an engine that forgets exclusion, or fails, is found") {
    val forgetful = new PatternEngine {
      override def firstMatch(
          pattern: RowPattern,
          variableCount: Int,
          rowCount: Int,
          start: Int,
          satisfies: (Int, Int, IndexedSeq[Int]) => Boolean
      ): Option[Seq[(Int, Boolean)]] =
        EnumerationEngine
          .firstMatch(pattern, variableCount, rowCount, start, satisfies)
          .map(_.map { case (variable, _) => (variable, false) })
    }
    assert(complaint(forgetful).contains("{- "))
    val failing = asked(_ => throw new IllegalStateException("broken"))
    assert(complaint(failing).contains("broken"))
  }
}

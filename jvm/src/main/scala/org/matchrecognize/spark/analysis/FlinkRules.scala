package org.matchrecognize.spark.analysis

import org.matchrecognize.spark.errors.{
  AnalysisErrors,
  DialectErrors,
  ErrorCondition,
  MatchRecognizeErrors
}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.pattern.{AfterMatch, FlinkPattern, RowPattern, Span}

/** What the flink dialect makes of a clause, and refuses. */
private[analysis] object FlinkRules {

  /**
   * The pattern with its gaps as elements.
   *
   * @param pattern
   *   the clause's, as [[GapRules]] leaves it
   */
  def resolve(clause: UnresolvedMatchRecognize, pattern: RowPattern): RowPattern = {
    val flink = new FlinkPattern(pattern, clause.defined.contains(_))
    flink.refused.foreach(refuse(clause, _))
    flink.gapVariables.foreach { gap =>
      GapRules.uses(clause, gap).foreach { case (place, use) =>
        val parameters = Seq("gap" -> clause.variables(gap).name, "place" -> place)
        val condition  = DialectErrors.GapVariableUsed
        throw (use match {
          case Left(e)     => MatchRecognizeErrors.analysis(condition, e.origin, parameters: _*)
          case Right(span) =>
            MatchRecognizeErrors.analysisAt(condition, clause.origin, span, parameters: _*)
        })
      }
    }
    refuseAllMatches(clause)
    flink.resolved
  }

  private def refuse(clause: UnresolvedMatchRecognize, refused: FlinkPattern.Refused): Nothing = {
    def at(condition: ErrorCondition, parameters: (String, String)*) =
      MatchRecognizeErrors.analysisAt(condition, clause.origin, refused.part.span, parameters: _*)
    val part = RowPattern.sql(refused.part, clause.variables(_).name)
    throw (refused.kind match {
      case FlinkPattern.MatchesNoRow    => at(DialectErrors.EmptyMatch)
      case FlinkPattern.GreedyGroup     => at(DialectErrors.GreedyGroup, "loop" -> part)
      case FlinkPattern.AdjacentGaps    => at(DialectErrors.AdjacentGaps, "gap" -> part)
      case FlinkPattern.LastPassingLoop =>
        notYet(clause, s"$part at the end, in the flink dialect,", refused.part.span)
    })
  }

  /** Every match, and every partial match, of a start row. */
  private def refuseAllMatches(clause: UnresolvedMatchRecognize): Unit = {
    def at(keyword: String) = clause.spans.getOrElse(keyword, clause.pattern.span)
    if (clause.afterMatch.contains(AfterMatch.NoSkip))
      throw notYet(clause, "AFTER MATCH NO SKIP in the flink dialect", at("AFTER"))
    if (clause.rows.showTimeouts) {
      val rows = if (clause.spans.contains("ONE")) "ONE" else "ALL"
      throw notYet(clause, "SHOW TIMEOUT MATCHES in the flink dialect", at(rows))
    }
  }

  private def notYet(clause: UnresolvedMatchRecognize, what: String, span: Span): Throwable =
    MatchRecognizeErrors.analysisAt(
      AnalysisErrors.NotYetSupported,
      clause.origin,
      span,
      "what" -> what,
      "cure" -> "Set spark.sql.matchRecognize.dialect = standard.")
}

package org.matchrecognize.spark.analysis

import org.matchrecognize.spark.errors.{DialectErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.pattern.flink.FlinkPattern

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
    flink.gapVariables.foreach(GapRules.refuseUse(clause, _, DialectErrors.GapVariableUsed))
    flink.resolved
  }

  private def refuse(clause: UnresolvedMatchRecognize, refused: FlinkPattern.Refusal): Nothing = {
    def at(condition: ErrorCondition, parameters: (String, String)*) =
      MatchRecognizeErrors.analysisAt(condition, clause.origin, refused.part.span, parameters: _*)
    val part = RowPattern.sql(refused.part, clause.variables(_).name)
    throw (refused.kind match {
      case FlinkPattern.MatchesNoRow    => at(DialectErrors.EmptyMatch)
      case FlinkPattern.GreedyGroup     => at(DialectErrors.GreedyGroup, "loop" -> part)
      case FlinkPattern.AdjacentGaps    => at(DialectErrors.AdjacentGaps, "gap" -> part)
      case FlinkPattern.GapAtEndOfGroup => at(DialectErrors.GapAtEndOfGroup, "gap" -> part)
    })
  }
}

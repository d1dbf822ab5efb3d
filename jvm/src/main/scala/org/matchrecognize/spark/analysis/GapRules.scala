package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.errors.{AnalysisErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.{Classifier, QualifiedReference}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.pattern.{RowPattern, RowVariable}
import org.matchrecognize.spark.pattern.program.GapAbsences
import org.matchrecognize.spark.text.Span

/** Finds `{- X*? -} [^B]` in a clause's pattern, and refuses it where it says nothing. */
private[analysis] object GapRules {

  /**
   * The pattern with its absences over gaps as elements.
   *
   * @param pattern
   *   the clause's, without parameters
   */
  def resolve(clause: UnresolvedMatchRecognize, pattern: RowPattern): RowPattern = {
    val absences              = new GapAbsences(pattern, clause.defined.toSet)
    def name(id: Int): String = clause.variables(id).name
    absences.misplaced.foreach { case GapAbsences.MisplacedAbsence(kind, variable, span) =>
      val condition = kind match {
        case GapAbsences.LoopBeforeAbsence => AnalysisErrors.LoopBeforeAbsence
        case GapAbsences.NoGapAfterAbsence => AnalysisErrors.NoGapAfterAbsence
      }
      throw MatchRecognizeErrors.analysisAt(
        condition,
        clause.origin,
        span,
        "variable" -> name(variable))
    }
    absences.gapVariables.foreach { absence =>
      refuseUse(
        clause,
        absence.gap,
        AnalysisErrors.GapVariableUsed,
        "variable" -> name(absence.variable))
    }
    absences.resolved
  }

  /** Refuses a gap's variable that is used; the condition has the parameters gap and place. */
  def refuseUse(
      clause: UnresolvedMatchRecognize,
      gap: Int,
      condition: ErrorCondition,
      more: (String, String)*): Unit =
    uses(clause, gap).foreach { case (place, use) =>
      val parameters = Seq("gap" -> clause.variables(gap).name, "place" -> place) ++ more
      throw (use match {
        case Left(e)     => MatchRecognizeErrors.analysis(condition, e.origin, parameters: _*)
        case Right(span) =>
          MatchRecognizeErrors.analysisAt(condition, clause.origin, span, parameters: _*)
      })
    }

  /** Where a gap's variable is used: the part of the clause, and the expression or its place. */
  private def uses(
      clause: UnresolvedMatchRecognize,
      gap: Int): Seq[(String, Either[Expression, Span])] = {
    def isGap(variable: RowVariable)       = variable.members.contains(gap)
    def in(e: Expression): Seq[Expression] = e.collect {
      case used @ QualifiedReference(variable, _) if isGap(variable) => used
      case used @ Classifier(Some(variable)) if isGap(variable)      => used
    }
    val subsets = clause.unions.filter(_.members.contains(gap)).map(_.span)
    val targets = clause.afterMatch.toSeq.flatMap(_.target).collect {
      case (variable, span) if isGap(variable) => span
    }
    subsets.map("SUBSET" -> Right(_)) ++
      clause.measures.flatMap(in).map("MEASURES" -> Left(_)) ++
      targets.map("AFTER MATCH" -> Right(_)) ++
      clause.conditions.flatMap(in).map("DEFINE" -> Left(_))
  }
}

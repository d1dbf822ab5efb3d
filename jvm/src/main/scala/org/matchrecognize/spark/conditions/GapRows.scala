package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal, Or, PlanExpression}

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.logical.{MatchRecognize, ResolvedClause}
import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern, RowsPerMatch}
import org.matchrecognize.spark.pattern.program.{GapVariables, Positions}

/**
 * Rows of the input that can only be gaps of matches, and that no expression reads
 * ([[GapVariables]]): they need not be exchanged and sorted.
 */
private[spark] object GapRows {

  /** What the other rows satisfy, on the columns of the input; None if all rows are needed. */
  def others(m: MatchRecognize): Option[Expression] =
    Positions
      .of(m.clause.program)
      .toOption
      .filter(_ => putsOutMatches(m.clause))
      .flatMap(others(m, _))

  /** Gaps are rows of a partial match, and each way to fill them is another match of NO SKIP. */
  private def putsOutMatches(clause: ResolvedClause): Boolean = (clause.rows match {
    case RowsPerMatch.OneRow(showTimeouts) => !showTimeouts
    case _: RowsPerMatch.AllRows           => false
  }) && clause.afterMatch != AfterMatch.NoSkip

  private def others(m: MatchRecognize, positions: Positions): Option[Expression] = {
    val clause     = m.clause
    val tested     = new ConditionRewriter(clause.variables, Some(positions))
    val conditions =
      m.conditions.zipWithIndex.map { case (c, v) => tested.rewrite(c, v) }.toIndexedSeq
    val bounds    = new StartBounds(m.order, clause.pattern, StartVariables.of(positions))
    val isBounded = bounds
      .of(conditions)
      .fold[Int => Boolean](_ => false)(found => found.conditions(_).isBounded)
    val isGap = conditions.indices.map { v =>
      val parts = ConditionFacts.conjuncts(conditions(v))
      conditions(v) == Literal.TrueLiteral ||
      isBounded(v) && parts.forall(bounds.isBound) && parts.exists(bounds.excludesLater)
    }
    val repeated   = RowPattern.repeated(clause.pattern)
    lazy val local = conditions.indices.filterNot(isGap).map { v =>
      DividedCondition.of(conditions(v), repeated).local.flatMap(onInput)
    }
    val fits = isGap.contains(true) && local.nonEmpty && local.forall(_.nonEmpty) &&
      GapVariables.canBeLeftOut(positions, isGap, isBounded) &&
      (conditions ++ m.measures).forall(looksAt(_, !isGap(_))) &&
      clause.afterMatch.target.forall(_._1.members.forall(!isGap(_)))
    if (fits) Some(local.flatten.reduce(Or(_, _))) else None
  }

  /** A condition on the row tested, as one on the columns of the input, if it cannot fail. */
  private def onInput(condition: Expression): Option[Expression] = {
    val plain = condition.transform {
      case RowColumn(RowTarget.tested, e) => e
      case RowExists(RowTarget.tested)    => Literal.TrueLiteral
    }
    val isOnInput = !plain.exists {
      case _: RowValue | _: PlanExpression[_] => true
      case _                                  => false
    }
    if (isOnInput && plain.deterministic && !Fallible(condition)) Some(plain) else None
  }

  /** Whether an expression looks at rows of some variables only, and counts no others. */
  private def looksAt(e: Expression, isSeen: Int => Boolean): Boolean = !e.exists {
    case _: RowSequenceNumber               => true
    case value: RowValue                    => !looksAt(value.target, isSeen)
    case RowAggregate(variable, _, _, _, _) => !variable.exists(_.members.forall(isSeen))
    case _                                  => false
  }

  /** The first and the last row of a match, and the row tested, are no gaps. */
  private def looksAt(target: RowTarget, isSeen: Int => Boolean): Boolean =
    target.physical == 0 && (target.anchor match {
      case RowAnchor.Mapped(_, None, offset, _)      => offset == 0
      case RowAnchor.Mapped(_, Some(variable), _, _) => variable.members.forall(isSeen)
      case RowAnchor.Output                          => true
    })
}

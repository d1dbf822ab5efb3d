package org.matchrecognize.spark.pattern.automaton

import org.matchrecognize.spark.pattern.matching.{BoundedVariables, RowVerdicts}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * A pattern and what the row alone decides of its conditions.
 *
 * @param bound
 *   what they say besides: how far from the first row of a match the rows of some variables can be
 * @param decides
 *   whether that is all of them: then an [[AutomatonMatcher]] finds the matches. Else it tells
 *   which rows no match can start at, and threads search at the others
 */
final case class RowAutomaton(
    positions: Positions,
    verdicts: RowVerdicts,
    bound: Option[BoundedVariables],
    decides: Boolean)

package org.matchrecognize.spark.pattern.automaton

import org.matchrecognize.spark.pattern.matching.{BoundedVariables, RowVerdicts}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * A pattern, and the part of its conditions that depends on the row alone.
 *
 * @param bound
 *   what they say besides: how far from the first row of a match the rows of some variables can be
 * @param decides
 *   whether that is all of them: then an [[AutomatonMatcher]] finds the matches. Otherwise it finds
 *   the rows at which no match can start, and threads search at the others
 */
final case class RowAutomaton(
    positions: Positions,
    verdicts: RowVerdicts,
    bound: Option[BoundedVariables],
    decides: Boolean)

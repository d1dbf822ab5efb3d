package org.matchrecognize.spark.pattern.program

/**
 * Variables that only bridge gaps: `Z` in `A Z* B Z* C`, where every row is a Z. A row that can be
 * nothing else can be omitted from the partition if no expression reads it: the matches of the
 * others stay what they are.
 */
object GapVariables {

  /**
   * Whether rows that can be mapped to no other variables can be omitted.
   *
   *   - No match begins or ends with such a row.
   *   - Before such a row inside a match, one thread bridges the gap, and after the row the
   *     positions that follow are the same as before, in the same order. Without that, the row
   *     would end a match or would change the preference.
   *   - Where the bridge holds up to a bound only, what comes after it has the bound, too: what
   *     the row beyond the bound would have ended, the next row that is kept ends.
   *   - No `^` or `$` reads the first or the last row of the partition.
   *
   * @param isGap
   *   by variable, whether it is one of them
   * @param isBounded
   *   by variable, whether its rows must lie within the bound
   */
  def canBeLeftOut(
      positions: Positions,
      isGap: Int => Boolean,
      isBounded: Int => Boolean): Boolean = {
    def gap(candidate: Int) =
      candidate != Positions.accepted && isGap(positions.variables(candidate))
    def bounded(candidate: Int) =
      candidate != Positions.accepted && isBounded(positions.variables(candidate))

    def bridged(candidates: Array[Int]): Boolean = candidates.filter(gap) match {
      case Array()       => candidates.sameElements(Array(Positions.accepted))
      case Array(bridge) =>
        !candidates
          .contains(Positions.accepted) && positions.after(bridge).sameElements(candidates) &&
        (!bounded(bridge) || candidates.forall(bounded))
      case _ => false
    }

    positions.entry.sameElements(positions.entryAtStart) &&
    positions.entry.forall(candidate => candidate != Positions.accepted && !gap(candidate)) &&
    positions.after.indices.forall { p =>
      positions.after(p).sameElements(positions.afterLast(p)) && bridged(positions.after(p))
    }
  }
}

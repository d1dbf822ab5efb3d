package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{Budget, RowConditions}
import org.matchrecognize.spark.pattern.program.Program

/** What it costs to look up the state of a thread, by place. */
final private[pattern] class LookUpCosts(program: Program, conditions: RowConditions[_]) {

  /** Filled when a thread is there, since what conditions see is found out then. */
  private val known = new Array[Int](program.instructions.length)

  def apply(at: Int): Int = {
    if (known(at) == 0) {
      val reachable = program.reachable(at)
      val seen      = if (conditions.hasFuture(reachable)) conditions.futureCost(reachable) else 0
      known(at) = Budget.ofLookUp(program) + seen
    }
    known(at)
  }
}

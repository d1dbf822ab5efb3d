package org.matchrecognize.spark.execution

/**
 * An algorithm that searches for matches; all return the same rows. Serializable as ConditionClass
 * is.
 */
sealed abstract private[spark] class MatcherKind(val name: String) extends Serializable

private[spark] object MatcherKind {

  /** [[OnePass]] in the stage's generated code: keeps no rows. */
  case object Fused extends MatcherKind("fused")

  /** [[AutomatonMatcher]]: linear in the rows, needs the whole partition. */
  case object Automaton extends MatcherKind("automaton")

  /** [[ThreadMatcher]]: supports every condition. */
  case object Threads extends MatcherKind("threads")

  /** What is preferred comes first. */
  val inOrder: Seq[MatcherKind] = Seq(Fused, Automaton, Threads)
}

package org.matchrecognize.spark.execution

import org.matchrecognize.spark.conditions.StartVariables
import org.matchrecognize.spark.pattern.onepass.PossibleVerdicts

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

/**
 * The matcher of one clause, and why it was chosen. The choice never decides the answer. A matcher
 * that the setting names is chosen even if it is ruled out; the strategy then refuses the clause.
 *
 * @param kind
 *   the matcher
 * @param reasons
 *   by matcher that was not chosen or is ruled out, why
 * @param bound
 *   what limits the rows of a match for the automaton, if anything does
 * @param filtersStartRows
 *   whether an automaton tells the threads which start rows cannot begin a match. It waits for the
 *   end of the partition, so only where there is PARTITION BY
 * @param fusion
 *   what the fused matcher needs to know
 * @param mayWaitForEnd
 *   whether a search may read rows before it must, up to the end of the partition: not in a stream,
 *   in EXPLAIN MATCH_RECOGNIZE, or across the border of two ranges
 */
final private[spark] case class MatcherChoice(
    kind: MatcherKind,
    reasons: Map[MatcherKind, String],
    bound: Option[BoundSource],
    filtersStartRows: Boolean,
    fusion: Option[Fusion],
    mayWaitForEnd: Boolean = true) {

  /** The matcher where the stage does not run as generated code. */
  def unfused: MatcherChoice = fusion match {
    case None                         => this
    case Some(fused) if mayWaitForEnd => fused.unfused
    case Some(fused)                  => fused.unfused.incremental
  }

  /**
   * The choice without what waits for the end of a partition, which a stream never sees: the
   * automaton, and with it the filter of start rows. The fused matcher and threads are incremental:
   * they emit what is final at each row, and their state can be written and read back in the middle
   * of a partition.
   */
  def incremental: MatcherChoice =
    if (kind == MatcherKind.Fused) copy(mayWaitForEnd = false)
    else byThreads.copy(mayWaitForEnd = false)

  def byThreads: MatcherChoice =
    copy(kind = MatcherKind.Threads, bound = None, filtersStartRows = false, fusion = None)

  /** Whether nothing waits for the end of a partition. */
  def isIncremental: Boolean = kind != MatcherKind.Automaton && !filtersStartRows

  /** For EXPLAIN: the rows that a task keeps. */
  def retained: String = kind match {
    case MatcherKind.Fused                       => "none"
    case MatcherKind.Automaton                   => "the partition"
    case MatcherKind.Threads if filtersStartRows => "the partition"
    case MatcherKind.Threads                     => "the match under way"
  }

  /** For EXPLAIN: the matcher, and why none that does less was chosen. */
  def describe: String = {
    val refused = MatcherKind.inOrder
      .takeWhile(_ != kind)
      .flatMap(other => reasons.get(other).map(reason => s"not ${other.name}: $reason"))
    if (refused.isEmpty) kind.name else refused.mkString(s"${kind.name} (", "; ", ")")
  }
}

/** What limits the rows of a match. */
sealed private[spark] trait BoundSource

private[spark] object BoundSource {
  case object Within extends BoundSource

  /** Conditions that compare a row with the first row of the match. */
  final case class FirstRow(variables: StartVariables) extends BoundSource
}

/**
 * What the fused matcher needs to know of its conditions and its automaton.
 *
 * @param banks
 *   how many matches can be under way at a row
 * @param unfused
 *   the choice where the stage does not run as generated code
 */
final private[spark] case class Fusion(
    possible: PossibleVerdicts,
    banks: Int,
    unfused: MatcherChoice)

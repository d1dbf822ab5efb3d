package org.matchrecognize.spark.execution.evaluation

import scala.collection.immutable.BitSet

import org.apache.spark.sql.catalyst.expressions.BasePredicate

import org.matchrecognize.spark.execution.slots.{
  DividedUses,
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder,
  Slots,
  Uses
}
import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.matching.RowConditions
import org.matchrecognize.spark.pattern.program.Program

/** What a matcher needs of DEFINE: tests rows, and keeps slots. */
final private[execution] class ThreadConditions(
    conditions: IndexedSeq[DividedUses],
    unit: EvaluationUnit,
    layout: SlotLayout,
    context: PartitionContext,
    added: StoredAddedRow,
    program: Program,
    afterMatch: AfterMatch)
    extends RowConditions[Slots] {

  /** By variable: the part that the row alone decides; null if there is none. */
  private val local: Array[BasePredicate] = predicates(_.local)

  /** By variable: what has to hold besides; null if nothing has. */
  private val rest: Array[BasePredicate] = predicates(_.rest)

  private def predicates(part: DividedUses => Option[Uses]): Array[BasePredicate] =
    ManyConditions.predicates(conditions.map(part(_).map(_.expression)))

  private val verdicts = new LocalVerdicts(local, context)

  /** By variable, what its condition looks at. */
  private val looks: IndexedSeq[SlotLooks] =
    conditions.map(_.rest.fold(SlotLooks.none)(SlotLooks.of(_, unit, layout)))

  private def variables(test: Int => Boolean): BitSet =
    BitSet.empty ++ conditions.indices.filter(test)

  private val looksBack: BitSet = variables(!looks(_).isEmpty)

  private val looksAtStart: BitSet =
    variables(conditions(_).rest.exists(SlotLooks.dependsOnStart(_, unit)))

  private val withFuture: Array[Boolean] =
    program.reachableSets.map(set => (set & looksBack).nonEmpty)

  private val startMatters: Array[Boolean] =
    program.reachableSets.map(set => (set & looksAtStart).nonEmpty)

  /**
   * By set of variables that are reachable. Made when a thread is there: a pattern of a thousand
   * variables has a thousand sets of hundreds.
   */
  private val futures = new Array[SlotFuture](program.reachableSets.length)

  private def future(reachable: Int): SlotFuture = {
    if (futures(reachable) == null) {
      val set = program.reachableSets(reachable) & looksBack
      futures(reachable) = SlotFuture.of(set.toSeq.map(looks), layout)
    }
    futures(reachable)
  }

  private val skipEntry: Int = afterMatch match {
    case AfterMatch.ToFirst(variable, _) => SlotLayoutBuilder.slotOf(layout, variable).firstBase
    case AfterMatch.ToLast(variable, _)  => SlotLayoutBuilder.slotOf(layout, variable).lastBase
    case AfterMatch.PastLastRow | AfterMatch.ToNextRow | AfterMatch.NoSkip => -1
  }

  override def beginPartition(): Unit = verdicts.forget()

  override def begin(row: Long, matchNumber: Long): Slots = {
    context.begin(row, matchNumber)
    added.begin(row, matchNumber)
    layout.begin
  }

  override def map(variable: Int, row: Long, slots: Slots): Slots =
    if (local(variable) != null && !verdicts.of(variable, row, slots)) {
      null
    } else {
      val mapped = layout.map(slots, variable, row, added)
      if (rest(variable) == null) mapped
      else {
        context.at(row, mapped)
        if (rest(variable).eval(context)) mapped else null
      }
    }

  override def satisfies(variable: Int, row: Long, slots: Slots): Boolean =
    (local(variable) == null || verdicts.of(variable, row, slots)) &&
      (rest(variable) == null || {
        context.at(row, layout.map(slots, variable, row, added))
        rest(variable).eval(context)
      })

  /** Slots of the only thread. */
  private val alone: Slots = layout.own()

  override def beginAlone(row: Long, matchNumber: Long): Slots = {
    begin(row, matchNumber)
    layout.reset(alone)
    alone
  }

  override def extend(variable: Int, row: Long, slots: Slots): Slots = {
    layout.extend(slots, variable, row, added)
    slots
  }

  override def hasFuture(reachable: Int): Boolean = withFuture(reachable)

  override def sameFuture(reachable: Int, a: Slots, b: Slots): Boolean =
    future(reachable).same(a, b)

  override def futureHash(reachable: Int, slots: Slots): Int = future(reachable).hash(slots)

  override def dependsOnStart(reachable: Int): Boolean = startMatters(reachable)

  override def leavesNoTrace(variable: Int): Boolean =
    rest(variable) == null && layout.isUnchangedBy(variable)

  private val mapCosts: Array[Int] = conditions.indices
    .map(v =>
      1 + (if (local(v) == null) 0 else 1) + (if (rest(v) == null) 0 else 6) + layout.mapCost(v))
    .toArray

  override def mapCost(variable: Int): Int = mapCosts(variable)

  override def futureCost(reachable: Int): Int = future(reachable).cost

  override def skipTarget(slots: Slots): Long = Slots.row(slots.rows(skipEntry))
}

package org.matchrecognize.spark.execution.evaluation

import scala.collection.immutable.BitSet

import org.apache.spark.sql.catalyst.expressions.{And, BasePredicate, Expression}

import org.matchrecognize.spark.conditions.{EarlyVerdict, UnsharedCode}
import org.matchrecognize.spark.execution.slots.{
  EvaluationUnit,
  SlotLayout,
  SlotLayoutBuilder,
  Slots,
  UnitCondition,
  UnitExpression
}
import org.matchrecognize.spark.expressions.{
  ContextExpression,
  FrameArrived,
  MappedEnd,
  RowAnchor
}
import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.matching.RowConditions
import org.matchrecognize.spark.pattern.program.Program

/** What a matcher needs of DEFINE: tests rows, and keeps slots. */
final private[execution] class ThreadConditions(
    conditions: IndexedSeq[UnitCondition],
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

  private def predicates(part: UnitCondition => Option[UnitExpression]): Array[BasePredicate] =
    ManyConditions.predicates(conditions.map(part(_).map(_.expression)))

  private val verdicts = new LocalVerdicts(
    local,
    context,
    (0L +: conditions.flatMap(_.local).flatMap(framesAhead).map(unit.frame(_).physical)).max)

  private def framesAhead(condition: UnitExpression): Seq[Int] = framesAhead(condition.expression)

  /** The frames of an expression that can be rows after the one that is tested. */
  private def framesAhead(e: Expression): Seq[Int] = e
    .collect { case read: ContextExpression => read.frameRead }
    .flatten
    .filter(unit.frame(_).physical > 0)
    .distinct

  private val looksAhead: Array[Boolean] =
    conditions.map(_.parts.exists(framesAhead(_).nonEmpty)).toArray

  override def canLookAhead: Boolean = looksAhead.contains(true)

  /** By variable, whether the rows that have come decide the condition; null until it is asked. */
  private val decided = new Array[BasePredicate](conditions.size)

  private def decidedPredicate(variable: Int): BasePredicate = {
    if (decided(variable) == null) {
      val parts = new EarlyVerdict(part =>
        framesAhead(part).map(FrameArrived(_): Expression).reduceOption(And(_, _)))
      decided(variable) =
        UnsharedCode.predicate(parts.of(conditions(variable).parts.map(_.expression)))
    }
    decided(variable)
  }

  override def isDecided(variable: Int, row: Long, slots: Slots): Boolean =
    !looksAhead(variable) || {
      context.at(row, layout.map(slots, variable, row, added))
      try decidedPredicate(variable).eval(context)
      catch { case FailedEvaluation() => false }
    }

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

  private val tests = conditions.indices.map(new SameSlotsTests(_))

  override def firstOther(
      variable: Int,
      slots: Slots,
      taken: Boolean,
      from: Long,
      until: Long): Long = {
    val mapped = layout.map(slots, variable, from, added)
    if (taken && (mapped ne slots)) from
    else if (tests(variable).areTold(slots, mapped)) {
      tests(variable).first(!taken, slots, from, until)
    } else super.firstOther(variable, slots, taken, from, until)
  }

  /**
   * Tests of rows for a variable, with the same slots. Where the condition sees no difference
   * between the slots before a row and after it, what it looks at in the match is found once for all
   * rows. Of a thousand variables, few are tested so.
   */
  final private class SameSlotsTests(variable: Int) {
    private val parts       = conditions(variable).parts
    private lazy val frames = parts.flatMap(_.frames).distinct
    private lazy val window = context.window(frames)
    private lazy val seen   = SlotFuture.of(Seq(looks(variable)), layout)

    /**
     * Whether no label is read, nor a row counted from the first or the last of the match, nor an
     * aggregate to which rows of the variable are added. Such an aggregate may stay as it is for one
     * row, whose value is NULL, and change with the next.
     */
    private lazy val seesSlots =
      parts.forall(part => part.labels.isEmpty && !part.numbers) &&
        frames.map(unit.frame(_)).forall(target => target.isRowLocal || stays(target.anchor)) &&
        !looks(variable).buffers.exists(layout.isAddedTo(_, variable))

    private def stays(anchor: RowAnchor): Boolean = anchor match {
      case RowAnchor.Mapped(_, Some(_), _, _)                 => true
      case RowAnchor.Mapped(MappedEnd.First, None, 0, _)      => true
      case RowAnchor.Mapped(_, None, _, _) | RowAnchor.Output => false
    }

    /** Whether the row, and slots that no row changes, decide; `mapped` are those after a row. */
    def areTold(slots: Slots, mapped: Slots): Boolean = seesSlots && seen.same(slots, mapped)

    /** The first row with the verdict, or whose test fails; `until` if there is none. */
    def first(verdict: Boolean, slots: Slots, from: Long, until: Long): Long = {
      context.at(from, slots)
      window.beginMatch()
      var row = from
      try
        while (row < until && {
            window.at(row)
            isSatisfied(row) != verdict
          }) row += 1
      catch { case FailedEvaluation() => }
      row
    }

    private def isSatisfied(row: Long): Boolean =
      (local(variable) == null || verdicts.of(variable, row, window)) &&
        (rest(variable) == null || rest(variable).eval(window))
  }

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

  private val mapCosts: Array[Int] = conditions.indices
    .map(v =>
      1 + (if (local(v) == null) 0 else 1) + (if (rest(v) == null) 0 else 6) + layout.mapCost(v))
    .toArray

  override def mapCost(variable: Int): Int = mapCosts(variable)

  override def futureCost(reachable: Int): Int = future(reachable).cost

  override def skipTarget(slots: Slots): Long = Slots.row(slots.rows(skipEntry))
}

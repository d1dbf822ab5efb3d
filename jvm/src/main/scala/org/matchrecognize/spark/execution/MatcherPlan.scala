package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal, SortOrder}

import org.matchrecognize.spark.conditions.{
  BoundedConditions,
  ConditionClass,
  ConditionFacts,
  DividedCondition,
  Fallible,
  StartBounds,
  TestedRow
}
import org.matchrecognize.spark.execution.fused.{OnePassLayout, OnePassSpec}
import org.matchrecognize.spark.logical.ResolvedClause
import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern, RowsPerMatch}
import org.matchrecognize.spark.pattern.automaton.EarliestCompletions
import org.matchrecognize.spark.pattern.onepass.{OnePass, PossibleVerdicts}
import org.matchrecognize.spark.pattern.program.{Positions, Program}

/** A way to search; all give the same rows. Serializable as ConditionClass is. */
sealed abstract private[execution] class MatcherKind(val name: String) extends Serializable

private[execution] object MatcherKind {

  /** [[OnePass]] in the stage's generated code: keeps no rows. */
  case object Fused extends MatcherKind("fused")

  /** [[AutomatonMatcher]]: linear in the rows, needs the whole partition. */
  case object Automaton extends MatcherKind("automaton")

  /** [[ThreadMatcher]]: for every condition. */
  case object Threads extends MatcherKind("threads")
}

/** The parts of a one-pass search. */
final private[execution] case class OnePassPlan(
    spec: OnePassSpec,
    banks: Int,
    layout: OnePassLayout) {

  /** The sizes of an [[OnePassState]], in the order of its constructor. */
  def stateSizes: Seq[Int] = Seq(
    banks,
    layout.matched.numberCount,
    layout.matched.objectCount,
    layout.lookBack,
    layout.earlier.numberCount,
    layout.earlier.objectCount,
    layout.keys.numberCount,
    layout.keys.objectCount
  )

  /** Memory of a state with its key, about: an object is taken for a string of 32 characters. */
  def stateBytes: Long = {
    val numbers = banks * (layout.matched.numberCount + 2) +
      layout.lookBack * (layout.earlier.numberCount + 1) + layout.keys.numberCount
    val objects = banks * layout.matched.objectCount +
      layout.lookBack * layout.earlier.objectCount + 2 * layout.keys.objectCount
    400L + 8L * numbers + 80L * objects
  }
}

/**
 * How one clause is matched, and why. A matcher that the conditions or the pattern rule out is not
 * taken; what is taken never decides the answer.
 *
 * @param kind
 *   the matcher
 * @param reasons
 *   by matcher that is not taken, why
 * @param conditions
 *   by variable, as [[TestedRow]] rewrote them
 * @param divided
 *   the same, divided
 * @param bounded
 *   the bound that conditions share, if they do, and what else the automaton sees of them
 * @param filtersStarts
 *   whether threads are told by an automaton where the row alone, and the bound, leave a match no
 *   chance to start. It waits for the end of the partition, so only where there is PARTITION BY
 * @param mayWait
 *   whether matches may wait for the end of their partition
 */
final private[execution] case class MatcherPlan(
    kind: MatcherKind,
    reasons: Map[MatcherKind, String],
    conditions: IndexedSeq[Expression],
    divided: IndexedSeq[DividedCondition],
    bounded: Option[BoundedConditions],
    filtersStarts: Boolean,
    onePass: Option[OnePassPlan],
    mayWait: Boolean = true) {

  /** For EXPLAIN: what a variable's condition depends on. */
  def conditionClass(variable: Int): ConditionClass = bounded.map(_.conditions(variable)) match {
    case Some(condition) if sharesBound && condition.isBounded && condition.isWhole =>
      ConditionClass.Bounded
    case _ => divided(variable).conditionClass
  }

  /** Whether it is conditions that have the bound. */
  private def sharesBound: Boolean = bounded.exists(_.bound.nonEmpty)

  /** The matcher where the stage does not run as generated code. */
  def interpreted: MatcherKind =
    if (kind != MatcherKind.Fused) kind
    else if (mayWait) MatcherKind.Automaton
    else MatcherKind.Threads

  /**
   * The same without what waits for the end of a partition, which a stream never sees: the
   * automaton, and with it the filter of start rows. Fused matcher and threads are incremental:
   * they put out what is final at each row, and their state can be written and read back in the
   * middle of a partition.
   */
  def incremental: MatcherPlan =
    copy(
      kind = if (kind == MatcherKind.Fused) kind else MatcherKind.Threads,
      filtersStarts = false,
      mayWait = false)

  /** For EXPLAIN: the rows that a task keeps. */
  def retained: String = kind match {
    case MatcherKind.Fused                    => "none"
    case MatcherKind.Automaton                => "the partition"
    case MatcherKind.Threads if filtersStarts => "the partition"
    case MatcherKind.Threads                  => "the match under way"
  }

  /** For EXPLAIN: the matcher, and why none that does less was taken. */
  def describe: String = {
    val refused = MatcherPlan.inOrder
      .takeWhile(_ != kind)
      .flatMap(other => reasons.get(other).map(reason => s"not ${other.name}: $reason"))
    if (refused.isEmpty) kind.name else refused.mkString(s"${kind.name} (", "; ", ")")
  }
}

private[execution] object MatcherPlan {

  /** What is preferred comes first. */
  val inOrder: Seq[MatcherKind] =
    Seq(MatcherKind.Fused, MatcherKind.Automaton, MatcherKind.Threads)

  /** Variables with conditions beyond which masks are not tables any more. */
  private val maxMaskBits = 10

  def of(
      partition: Seq[Attribute],
      order: Seq[SortOrder],
      conditions: Seq[Expression],
      measures: Seq[Expression],
      clause: ResolvedClause): MatcherPlan = {
    val program   = clause.compile()
    val numbered  = Positions.of(program)
    val positions = numbered.toOption
    // Positions end where a match is found; with NO SKIP what is less preferred comes, too.
    val known     = positions.filter(_ => clause.afterMatch != AfterMatch.NoSkip)
    val tested    = new TestedRow(clause.variables, known)
    val rewritten =
      conditions.zipWithIndex.map { case (c, v) => tested.rewrite(c, v) }.toIndexedSeq
    val repeated = RowPattern.repeated(clause.pattern)
    val divided  = rewritten.map(DividedCondition.of(_, repeated))
    val local    = rowLocal(clause, divided).flatMap(_ => numbered)
    val bounded  = positions
      .filter(_.size <= EarliestCompletions.maxPositions)
      .flatMap { found =>
        if (clause.within.nonEmpty) Some(BoundedConditions.within(divided))
        else if (local.isRight || known.isEmpty) None
        else new StartBounds(order, clause.pattern, found).of(rewritten)
      }
    val automaton = for {
      _     <- oneMatchAtMost(clause)
      _     <- numbered
      _     <- if (clause.within.isEmpty || bounded.nonEmpty) Right(()) else manyUnderWithin
      found <- if (bounded.exists(_.areWhole)) numbered else local
    } yield found
    val onePass = for {
      found <- local
      plan  <- onePassOf(partition, rewritten, measures, clause, program, found)
    } yield plan
    val isAuto = clause.settings.matcher == "auto"
    val needed =
      automaton.flatMap(found => if (isAuto) worthwhile(clause.pattern, found) else Right(()))
    val reasons = Seq(MatcherKind.Fused -> onePass, MatcherKind.Automaton -> needed)
      .collect { case (matcher, Left(reason)) =>
        matcher -> reason
      }
      .toMap[MatcherKind, String]
    val kind =
      if (isAuto) inOrder.find(!reasons.contains(_)).get
      else inOrder.find(_.name == clause.settings.matcher).get
    val filters = kind == MatcherKind.Threads && partition.nonEmpty && positions.nonEmpty &&
      canFilter(clause, divided, bounded)
    MatcherPlan(
      kind,
      reasons,
      rewritten,
      divided,
      bounded.filter(_ => kind == MatcherKind.Automaton || filters),
      filters,
      onePass.toOption)
  }

  /**
   * Whether an automaton over parts of the conditions can tell more than nothing, and no condition
   * can fail with an error at a start row that is then passed over.
   */
  private def canFilter(
      clause: ResolvedClause,
      divided: Seq[DividedCondition],
      bounded: Option[BoundedConditions]): Boolean = {
    val rest = bounded match {
      case Some(b) => b.conditions.flatMap(_.rest)
      case None    => divided.flatMap(_.rest)
    }
    // Where the row alone decides, threads are only taken where they have little to do.
    val isHard = !divided.forall(_.isLocal) || clause.afterMatch == AfterMatch.NoSkip
    // A start row without a match can time out.
    isHard && !clause.rows.showTimeouts &&
    (bounded.nonEmpty || divided.exists(_.local.nonEmpty)) && !rest.exists(Fallible(_))
  }

  /** What is asked for beside the preferred match of a start row. */
  private def oneMatchAtMost(clause: ResolvedClause): Either[String, Unit] =
    if (clause.afterMatch == AfterMatch.NoSkip) Left("AFTER MATCH NO SKIP")
    else if (clause.rows.showTimeouts) Left("SHOW TIMEOUT MATCHES")
    else Right(())

  private def manyUnderWithin: Either[String, Unit] =
    Left(s"the pattern has more than ${EarliestCompletions.maxPositions} positions under WITHIN")

  /**
   * Short matches take threads little time, which need not wait for the end of the partition; unless
   * there are many ways to them.
   */
  private def worthwhile(pattern: RowPattern, positions: Positions): Either[String, Unit] = {
    val most = RowPattern.maxRows(pattern)
    if (most > shortMatch || positions.size > fewPositions) Right(())
    else Left(s"a match has at most $most rows")
  }

  private val shortMatch   = 8
  private val fewPositions = 32

  private def rowLocal(
      clause: ResolvedClause,
      divided: Seq[DividedCondition]): Either[String, Unit] =
    divided
      .zip(clause.variables)
      .collectFirst {
        case (condition, variable) if !condition.isLocal =>
          s"the condition of ${variable.name} is ${condition.conditionClass.name}"
      }
      .toLeft(())

  private def onePassOf(
      partition: Seq[Attribute],
      conditions: Seq[Expression],
      measures: Seq[Expression],
      clause: ResolvedClause,
      program: Program,
      positions: Positions): Either[String, OnePassPlan] = {
    for {
      _ <-
        if (clause.rows.isInstanceOf[RowsPerMatch.OneRow]) Right(())
        else Left("ALL ROWS PER MATCH")
      _ <- if (clause.within.isEmpty) Right(()) else Left("WITHIN")
      _ <-
        if (clause.afterMatch == AfterMatch.PastLastRow) Right(())
        else Left(s"AFTER MATCH ${clause.afterMatch.sql}")
      // Before conditions are compared with each other: of a thousand there are a million pairs.
      _ <-
        if (conditions.count(!_.isInstanceOf[Literal]) <= maxMaskBits) Right(())
        else Left(s"more than $maxMaskBits conditions")
      possible = verdicts(conditions)
      layout    <- OnePassLayout.of(clause.variables.size, partition, conditions, measures)
      automaton <- OnePass.of(program, positions, possible)
    } yield OnePassPlan(OnePassSpec(clause.pattern, possible), automaton.banks, layout)
  }

  /** The verdicts that a row can have, as far as conditions show it. */
  private def verdicts(conditions: Seq[Expression]): PossibleVerdicts = {
    val constant = conditions.map {
      case Literal(value, _) => Some(value == true)
      case _                 => None
    }.toIndexedSeq
    val open  = constant.indices.filter(constant(_).isEmpty)
    val pairs = for (v <- open; w <- open if v != w) yield v -> w
    PossibleVerdicts(
      constant,
      pairs.filter { case (v, w) =>
        ConditionFacts.areDisjoint(conditions(v), conditions(w))
      }.toSet,
      pairs.filter { case (v, w) => ConditionFacts.implies(conditions(v), conditions(w)) }.toSet,
      open.filter(v => Fallible(conditions(v))).toSet
    )
  }
}

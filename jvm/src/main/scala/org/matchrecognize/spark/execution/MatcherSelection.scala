package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal, SortOrder}

import org.matchrecognize.spark.conditions.{
  BoundedConditions,
  ConditionFacts,
  DividedCondition,
  Fallible,
  StartBounds,
  StartVariables
}
import org.matchrecognize.spark.execution.fused.OnePassLayout
import org.matchrecognize.spark.logical.ResolvedClause
import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern, RowsPerMatch}
import org.matchrecognize.spark.pattern.automaton.EarliestCompletions
import org.matchrecognize.spark.pattern.onepass.{OnePass, PossibleVerdicts}
import org.matchrecognize.spark.pattern.program.{Positions, Program}

/**
 * Chooses the matcher of a clause.
 *
 * @param conditions
 *   by variable, as [[ConditionRewriter]] rewrote them
 */
final private[execution] class MatcherSelection(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    measures: Seq[Expression],
    clause: ResolvedClause) {
  import MatcherSelection._

  private val divided = DividedCondition.ofClause(conditions, clause.pattern)

  /**
   * The first matcher that can be used and is worth it, or the one that the session requests.
   *
   * @param numbered
   *   the positions of the program, or why there are none
   */
  def choose(program: Program, numbered: Either[String, Positions]): MatcherChoice = {
    val positions = numbered.toOption
    val local     = rowLocal.flatMap(_ => numbered)
    val found     = positions
      .filter(_.size <= EarliestCompletions.maxPositions)
      .flatMap(bound(_, local.isRight))
    val bounded   = found.map(_._2)
    val automaton = for {
      _        <- oneMatchAtMost
      _        <- numbered
      _        <- if (clause.within.isEmpty || bounded.nonEmpty) Right(()) else manyUnderWithin
      searched <- if (bounded.exists(_.areWhole)) numbered else local
    } yield searched
    val fusion = numbered.flatMap(onePass(program, _)).left.map { reason =>
      rowLocal.fold(condition => s"$condition, and $reason", _ => reason)
    }
    val isAuto = clause.settings.matcher == "auto"
    val needed =
      automaton.flatMap(all => if (isAuto) worthwhile(clause.pattern, all) else Right(()))
    val reasons = Seq(MatcherKind.Fused -> fusion, MatcherKind.Automaton -> needed)
      .collect { case (matcher, Left(reason)) =>
        matcher -> reason
      }
      .toMap[MatcherKind, String]
    val kind =
      if (isAuto) MatcherKind.inOrder.find(!reasons.contains(_)).get
      else MatcherKind.inOrder.find(_.name == clause.settings.matcher).get
    def searchedBy(kind: MatcherKind): MatcherChoice = {
      val filters = kind == MatcherKind.Threads && partition.nonEmpty && positions.nonEmpty &&
        canFilter(bounded)
      MatcherChoice(
        kind,
        reasons,
        found.map(_._1).filter(_ => kind == MatcherKind.Automaton || filters),
        filters,
        None)
    }
    if (kind != MatcherKind.Fused) searchedBy(kind)
    else {
      val unfused =
        searchedBy(if (automaton.isRight) MatcherKind.Automaton else MatcherKind.Threads)
      MatcherChoice(kind, reasons, None, false, fusion.toOption.map(_(unfused)))
    }
  }

  /** What limits the rows of a match, and what it leaves of the conditions. */
  private def bound(
      positions: Positions,
      isLocal: Boolean): Option[(BoundSource, BoundedConditions)] =
    if (clause.within.nonEmpty) Some(BoundSource.Within -> BoundedConditions.within(divided))
    else if (isLocal || clause.afterMatch == AfterMatch.NoSkip) None
    else {
      val variables = StartVariables.of(positions)
      new StartBounds(order, clause.pattern, variables)
        .of(conditions)
        .map(BoundSource.FirstRow(variables) -> _)
    }

  /**
   * Whether an automaton over parts of the conditions can tell more than nothing, and no condition
   * can fail with an error at a start row that is then skipped.
   */
  private def canFilter(bounded: Option[BoundedConditions]): Boolean = {
    val rest = bounded match {
      case Some(b) => b.conditions.flatMap(_.rest)
      case None    => divided.flatMap(_.rest)
    }
    // Where the row alone decides, threads are only chosen where they have little to do.
    val isHard = !divided.forall(_.isLocal) || clause.afterMatch == AfterMatch.NoSkip
    // A start row without a match can time out.
    isHard && !clause.rows.showTimeouts &&
    (bounded.nonEmpty || divided.exists(_.local.nonEmpty)) && !rest.exists(Fallible(_))
  }

  /** Succeeds if the clause needs only the preferred match of a start row. */
  private def oneMatchAtMost: Either[String, Unit] =
    if (clause.afterMatch == AfterMatch.NoSkip) Left("AFTER MATCH NO SKIP")
    else if (clause.rows.showTimeouts) Left("SHOW TIMEOUT MATCHES")
    else Right(())

  private def rowLocal: Either[String, Unit] =
    divided
      .zip(clause.variables)
      .collectFirst {
        case (condition, variable) if !condition.isLocal =>
          s"the condition of ${variable.name} is ${condition.conditionClass.explained}"
      }
      .toLeft(())

  /** The fused matcher, given the choice without it. */
  private def onePass(
      program: Program,
      positions: Positions): Either[String, MatcherChoice => Fusion] =
    for {
      _ <- clause.rows match {
        case _: RowsPerMatch.OneRow  => Right(())
        case _: RowsPerMatch.AllRows => Left("ALL ROWS PER MATCH")
      }
      _ <- if (clause.within.isEmpty) Right(()) else Left("WITHIN")
      _ <-
        if (clause.afterMatch == AfterMatch.PastLastRow) Right(())
        else Left(s"AFTER MATCH ${clause.afterMatch.sql}")
      // Before conditions are compared with each other: of a thousand there are a million pairs.
      _ <-
        if (conditions.count(!_.isInstanceOf[Literal]) <= OnePass.maxTests) Right(())
        else Left(s"more than ${OnePass.maxTests} conditions")
      possible = verdicts
      _         <- OnePassLayout.of(clause.variables.size, partition, conditions, measures)
      automaton <- OnePass.of(program, positions, possible)
    } yield Fusion(possible, automaton.banks, _)

  /** The verdicts that a row can have, as far as conditions show it. */
  private def verdicts: PossibleVerdicts = {
    val constant = conditions.map {
      case Literal(value, _) => Some(value == true)
      case _                 => None
    }.toIndexedSeq
    val open = constant.indices.filter(constant(_).isEmpty)
    // A condition on the match says something else for each match under way.
    val local = open.filter(divided(_).isLocal)
    val pairs = for (v <- local; w <- local if v != w) yield v -> w
    PossibleVerdicts(
      constant,
      pairs.filter { case (v, w) =>
        ConditionFacts.areDisjoint(conditions(v), conditions(w))
      }.toSet,
      pairs.filter { case (v, w) => ConditionFacts.implies(conditions(v), conditions(w)) }.toSet,
      open.filter(v => Fallible(conditions(v))).toSet,
      open.filterNot(divided(_).isLocal).toSet
    )
  }
}

private[execution] object MatcherSelection {

  private val shortMatch   = 8
  private val fewPositions = 32

  private def manyUnderWithin: Either[String, Unit] =
    Left(s"the pattern has more than ${EarliestCompletions.maxPositions} positions under WITHIN")

  /**
   * Short matches take threads little time, which need not wait for the end of the partition, unless
   * there are many paths to them.
   */
  private def worthwhile(pattern: RowPattern, positions: Positions): Either[String, Unit] = {
    val most = RowPattern.maxRows(pattern)
    if (most > shortMatch || positions.size > fewPositions) Right(())
    else Left(s"a match has at most $most rows")
  }
}

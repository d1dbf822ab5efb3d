package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder, Unevaluable}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.types.{DataType, NullType}

import org.matchrecognize.spark.conditions.{
  BoundedConditions,
  ConditionClass,
  ConditionRewriter,
  DividedCondition,
  SkippedRows,
  StartBounds
}
import org.matchrecognize.spark.execution.fused.{OnePassLayout, OnePassPlan, OnePassSpec}
import org.matchrecognize.spark.expressions.{MatchNumber, RowAggregate, TimeArithmetic}
import org.matchrecognize.spark.logical.{MatchRecognize, ResolvedClause}
import org.matchrecognize.spark.pattern.{AfterMatch, RowsPerMatch}
import org.matchrecognize.spark.pattern.program.Positions

/**
 * What the driver decides about one clause. It is immutable, and each task gets it as it is.
 *
 * It is an Expression that is never evaluated, because Spark's rules over physical plans replace
 * the expressions that they find in an operator: they plan its subqueries. Each expression is in it
 * once. What follows from the expressions is derived where it is needed.
 *
 * @param conditions
 *   by variable, as [[ConditionRewriter]] and then [[TimeArithmetic]] rewrote them
 * @param lastMatch
 *   the last MATCH_NUMBER that the query uses
 * @param zone
 *   the session's time zone, in which errors show keys
 * @param clauseOrigin
 *   the clause in the user's text, for errors. The plan's own origin does not reach tasks: Java
 *   does not serialize the fields of TreeNode
 */
final case class MatchPlan(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    measures: Seq[Expression],
    clause: ResolvedClause,
    matcher: MatcherChoice,
    lastMatch: Option[Long],
    zone: String)(val clauseOrigin: Origin)
    extends Expression
    with Unevaluable {

  override def children: Seq[Expression] = partition ++ order ++ conditions ++ measures
  override def dataType: DataType        = NullType
  override def nullable: Boolean         = false
  override def sql: String               = clause.describe(partition, order)
  override def toString: String          = sql

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(clauseOrigin)

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): MatchPlan = {
    val (keys, afterKeys)            = newChildren.splitAt(partition.size)
    val (sorted, afterOrder)         = afterKeys.splitAt(order.size)
    val (newConditions, newMeasures) = afterOrder.splitAt(conditions.size)
    copy(
      partition = keys.map(_.asInstanceOf[Attribute]),
      order = sorted.map(_.asInstanceOf[SortOrder]),
      conditions = newConditions,
      measures = newMeasures)(clauseOrigin)
  }

  /** The same clause, searched by another matcher. */
  private def by(other: MatcherChoice): MatchPlan = copy(matcher = other)(clauseOrigin)

  /** The plan where the stage does not run as generated code. */
  private[spark] def unfused: MatchPlan = by(matcher.unfused)

  /**
   * The plan of one of several parts of a partition, whose end is not that of the partition. If each
   * part is within its share of the budget, the partition is within the budget.
   */
  private[execution] def ofPart(parts: Int): MatchPlan = {
    val settings = clause.settings.copy(maxSteps = math.max(1L, clause.settings.maxSteps / parts))
    copy(matcher = matcher.byThreads, clause = clause.copy(settings = settings))(clauseOrigin)
  }

  /** The plan without what waits for the end of a partition ([[MatcherChoice.incremental]]). */
  private[spark] def incremental: MatchPlan = by(matcher.incremental)

  /** By variable, the condition in its parts. */
  @transient private[execution] lazy val divided: IndexedSeq[DividedCondition] =
    DividedCondition.ofClause(conditions, clause.pattern)

  /** The bound that conditions share, and what else the automaton knows of them. */
  @transient private[execution] lazy val bounded: Option[BoundedConditions] =
    matcher.bound.map {
      case BoundSource.Within              => BoundedConditions.within(divided)
      case BoundSource.FirstRow(variables) =>
        new StartBounds(order, clause.pattern, variables).known(conditions)
    }

  /** How threads skip rows; None if each row is offered. */
  @transient private[execution] lazy val skippedRows: Option[SkippedRows] =
    if (matcher.mayWaitForEnd && matcher.kind == MatcherKind.Threads) {
      SkippedRows.of(conditions, divided, measures, clause)
    } else {
      None
    }

  /** For EXPLAIN: whether the search of a start row jumps over the rows of each loop, or why not. */
  private[execution] def loops: Seq[String] =
    if (matcher.kind != MatcherKind.Threads) Nil
    else if (!matcher.mayWaitForEnd)
      Seq("all test each row: the rows to come are not known in a stream")
    else if (clause.afterMatch == AfterMatch.NoSkip || !clause.program.canSkipRows)
      Seq("all test each row: NO SKIP, $, absence, loose loops and stop conditions ask for it")
    else {
      val names = clause.variables.map(_.name)
      SkippedRows.obstacles(divided, clause).map {
        case (loop, None)     => s"${names(loop)} jumps"
        case (loop, Some(of)) =>
          val written = clause.conditionTexts(of).mkString
          s"${names(loop)} tests each row: ${names(of)} AS $written jumps if it compares with " +
            "mapped rows what has one value of the row in it"
      }
    }

  /** The one-pass search, if the matcher is fused. */
  @transient private[execution] lazy val onePass: Option[OnePassPlan] = matcher.fusion.map {
    fusion =>
      OnePassLayout.of(clause.variables.size, partition, conditions, measures) match {
        case Right(layout) =>
          OnePassPlan(OnePassSpec(clause.pattern, fusion.possible), fusion.banks, layout)
        case Left(reason) => throw new IllegalStateException(s"no layout any more: $reason")
      }
  }

  /** For EXPLAIN: what a variable's condition depends on. */
  private[execution] def conditionClass(variable: Int): ConditionClass =
    bounded.filter(_.bound.nonEmpty).map(_.conditions(variable)) match {
      case Some(condition) if condition.isBounded && condition.isWhole => ConditionClass.Bounded
      case _ => divided(variable).conditionClass
    }

  private[spark] def allRows: Option[RowsPerMatch.AllRows] = clause.rows match {
    case mode: RowsPerMatch.AllRows => Some(mode)
    case _: RowsPerMatch.OneRow     => None
  }

  /**
   * Whether output maps the rows of a match once more. Of a start row with several matches or
   * time-outs, threads know the number of the first only.
   */
  private[execution] def needsRemap: Boolean = allRows.nonEmpty ||
    skippedRows.exists(_.needsRemap) ||
    (clause.afterMatch == AfterMatch.NoSkip ||
      clause.flinkDialect && clause.rows.showTimeouts) && measures.exists(_.exists {
      case aggregate: RowAggregate => aggregate.exists(_.isInstanceOf[MatchNumber])
      case _                       => false
    })
}

private[spark] object MatchPlan {

  /** How a key is called. */
  def nameOf(key: Expression): String = key match {
    case column: Attribute => column.name
    case other             => other.sql
  }

  /** Compiles the pattern and chooses the matcher. */
  def of(m: MatchRecognize, zone: String): MatchPlan = {
    val program   = m.clause.program
    val positions = Positions.of(program)
    // Positions leave out what is less preferred than a match; NO SKIP needs that, too.
    val known =
      if (m.clause.afterMatch == AfterMatch.NoSkip) None else positions.toOption
    val tested     = new ConditionRewriter(m.clause.variables, known)
    val conditions = m.conditions.zipWithIndex.map { case (c, v) =>
      TimeArithmetic.in(tested.rewrite(c, v))
    }
    val measures = m.measures.map(TimeArithmetic.in)
    val choice   =
      new MatcherSelection(m.partition, m.order, conditions, measures, m.clause)
        .choose(program, positions)
    MatchPlan(
      m.partition,
      m.order,
      conditions,
      measures,
      m.clause,
      choice,
      m.pushed.lastMatch,
      zone)(m.origin)
  }
}

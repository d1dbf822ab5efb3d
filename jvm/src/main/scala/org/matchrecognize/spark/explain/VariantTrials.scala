package org.matchrecognize.spark.explain

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  BindReferences,
  Expression,
  RowOrdering,
  SortOrder,
  Unevaluable,
  UnsafeRow
}
import org.apache.spark.sql.types.{DataType, NullType}

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{
  ClauseTrace,
  ClauseTracer,
  ShownValue,
  TraceLimits,
  WrittenCondition
}
import org.matchrecognize.spark.explain.Wording._
import org.matchrecognize.spark.logical.{Cause, Finding}
import org.matchrecognize.spark.pattern.RowPattern

/**
 * Searches variants of a clause that matches nothing, each in all rows that were kept. Of the rank
 * with the first variant that matches, the kind with most matches is the cause.
 */
final private[explain] class VariantTrials(
    variants: Seq[PlannedVariant],
    clause: MatchPlan,
    input: Seq[Attribute],
    kept: TrialRows,
    task: TaskContext) {
  private val sample = kept.result
  private val rows   = sample.rows.map(_.row)

  /** What is wrong, and what to write instead; one sentence at most. */
  def causes: Seq[String] = if (rows.isEmpty) Nil else tried

  private def tried: Seq[String] =
    variants
      .groupBy(_.cause.rank)
      .toSeq
      .sortBy(_._1)
      .iterator
      .map { case (_, ofRank) => best(ofRank) }
      .collectFirst { case Some((variant, trace)) => inWords(variant, trace) }
      .toSeq

  private def best(ofRank: Seq[PlannedVariant]): Option[(PlannedVariant, ClauseTrace)] = {
    val kinds = ofRank.map(_.cause.kind).distinct
    val found = kinds.flatMap(kind => first(ofRank.filter(_.cause.kind == kind)))
    found
      .filter(_._1.cause.change.nonEmpty)
      .reduceOption((a, b) => if (b._2.matches > a._2.matches) b else a)
  }

  private def first(ofKind: Seq[PlannedVariant]): Option[(PlannedVariant, ClauseTrace)] = {
    val tried = ofKind.filter(v => !v.cause.fewerKeys || isShort)
    val last  = tried.lastOption.filter(_.cause.widens).map(v => v -> matching(v))
    if (last.exists(_._2.isEmpty)) None
    else
      tried.iterator
        .map(v => v -> last.filter(_._1 eq v).fold(matching(v))(_._2))
        .collectFirst { case (variant, Some(trace)) => (variant, trace) }
  }

  /** The search, if a match is found. */
  private def matching(variant: PlannedVariant): Option[ClauseTrace] =
    search(variant.plan).filter { trace =>
      val found  = trace.matches - trace.emptyMatches
      val passed = variant.cause.gap.fold(0L)(trace.variables(_).mapped)
      found > 0 && passed <= found * VariantTrials.mostBetween &&
      (variant.cause.rank == 1 || found * VariantTrials.rowsForMatch >= rows.size)
    }

  /** None if the search fails: a changed condition may not accept each value. */
  private def search(plan: MatchPlan): Option[ClauseTrace] =
    try {
      val tests  = plan.conditions.map(WrittenCondition(_, Nil))
      val tracer = new ClauseTracer(plan, tests, input, task, VariantTrials.limits)
      Some(tracer.trace(sorted(plan).iterator))
    } catch { case NonFatal(_) if !task.isInterrupted() => None }

  private def sorted(plan: MatchPlan): Seq[UnsafeRow] = {
    val keys     = plan.partition.map(SortOrder(_, Ascending)) ++ plan.order
    val ordering = RowOrdering.create(keys, input)
    rows.sorted(ordering: Ordering[org.apache.spark.sql.catalyst.InternalRow])
  }

  /** Whether no partition has as many rows as a match. */
  private lazy val isShort: Boolean = {
    val keys = clause.partition.map(BindReferences.bindReference[Expression](_, input))
    val most = rows.groupBy(row => keys.map(_.eval(row))).values.map(_.size).max
    most < RowPattern.minRows(clause.clause.pattern)
  }

  private def inWords(variant: PlannedVariant, trace: ClauseTrace): String = {
    val cause = variant.cause
    val found = trace.matches - trace.emptyMatches
    val gap   = cause.gap.map(gap => trace.variables(gap).mapped)
    s"${finding(variant.findings)} ${cause.change.get}, there " +
      (if (found == 1) "is 1 match" else s"are $found matches") +
      (if (sample.isWhole && trace.failure.isEmpty) "."
       else s" in a sample of ${count(rows.size.toLong, "row")}.") +
      cause.gap.zip(gap).headOption.fold("") { case (variable, passed) =>
        s" ${variant.plan.clause.variables(variable).name} maps ${count(passed, "row")}."
      }
  }

  private def finding(findings: Seq[Finding]): String =
    findings.iterator
      .map(f => f.text -> f.example.map(examples))
      .collectFirst {
        case (text, Seq())                          => text
        case (text, Seq(values)) if values.nonEmpty =>
          text.replace(Finding.Here, values.mkString(", "))
      }
      .getOrElse(findings.head.text.replace(Finding.Here, "some values"))

  private def examples(e: Expression): Seq[String] = {
    val shown = new ShownValue(e, clause.zone, BindReferences.bindReference(_, input))
    rows.iterator
      // A row that no condition was tested on can fail.
      .flatMap(row => Try(shown.at(row)).getOrElse(None))
      .take(VariantTrials.examined)
      .toSeq
      .distinct
      .take(VariantTrials.examples)
  }
}

private object VariantTrials {
  private val limits   = TraceLimits(Int.MaxValue, TrialRows.most.toLong)
  private val examined = 100

  /** A change that may as well be wrong must find more than what is there by chance. */
  private val rowsForMatch = 1000

  /** Rows in between that are meant are few for each match. With more, anything is found. */
  private val mostBetween = 10
  private val examples    = 3
}

/**
 * A variant of a clause, ready to be searched: an expression, as [[MatchPlan]] is, so that Spark
 * plans its subqueries.
 */
case class PlannedVariant(cause: Cause, findings: Seq[Finding], plan: MatchPlan)
    extends Expression
    with Unevaluable {
  override def children: Seq[Expression] = findings :+ plan
  override def dataType: DataType        = NullType
  override def nullable: Boolean         = true

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): PlannedVariant =
    copy(
      findings = newChildren.init.map(_.asInstanceOf[Finding]),
      plan = newChildren.last.asInstanceOf[MatchPlan])
}

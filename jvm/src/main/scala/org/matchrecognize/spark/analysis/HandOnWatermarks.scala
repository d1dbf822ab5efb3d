package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  AttributeReference,
  AttributeSet,
  IsNotNull,
  NamedExpression,
  PredicateHelper,
  SessionWindow,
  TimeWindow
}
import org.apache.spark.sql.catalyst.optimizer.InlineCTE
import org.apache.spark.sql.catalyst.plans.logical.{
  Aggregate,
  AnalysisHelper,
  Deduplicate,
  DeduplicateWithinWatermark,
  Distinct,
  Expand,
  Filter,
  Join,
  LogicalPlan,
  Project,
  Union
}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream

import org.matchrecognize.spark.logical.{MatchRecognize, StateOperators, Watermarks}
import org.matchrecognize.spark.logical.StateOperators.isClause

/**
 * Decides, once a streaming query is written, which of its clauses hand on a watermark: those that
 * an operator with state follows. Spark's operators refuse rows with two event times, so each clause
 * keeps the watermark of the one column that the next such operator uses. It is taken off what is
 * written, too.
 */
object HandOnWatermarks extends Rule[LogicalPlan] with PredicateHelper {

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case write: WriteToStream if write.inputQuery.exists(isClause) =>
      AnalysisHelper.allowInvokingTransformsInAnalyzer {
        // The clause and what follows it must be in one tree.
        val query =
          new Query().in(InlineCTE()(write.inputQuery), RequiredColumns(Nil))
        write.withNewChildren(Seq(withoutWatermark(query)))
      }
    case other => other
  }

  private def withoutWatermark(query: LogicalPlan): LogicalPlan =
    if (!query.output.exists(column => Watermarks.isOfClause(column.metadata))) query
    else
      Project(
        query.output.map { column =>
          if (Watermarks.isOfClause(column.metadata))
            Alias(column, column.name)(
              qualifier = column.qualifier,
              explicitMetadata = Some(Watermarks.remove(column.metadata)))
          else column
        },
        query
      )

  /**
   * What the operators above ask of a plan.
   *
   * @param times
   *   of each operator with state, the next one first, the columns by which it may forget rows
   * @param filled
   *   columns that a filter has rid of NULL
   */
  private case class RequiredColumns(
      times: Seq[TimesOfOperator],
      filled: AttributeSet = AttributeSet.empty) {

    def map(columns: Attribute => Iterable[Attribute]): RequiredColumns =
      RequiredColumns(
        times.map(t => t.copy(columns = AttributeSet(t.columns.flatMap(columns)))),
        AttributeSet(filled.flatMap(columns)))

    def byState(own: Iterable[Attribute], needsValue: Boolean = false): RequiredColumns =
      RequiredColumns(TimesOfOperator(AttributeSet(own.toSeq), needsValue) +: times)
  }

  /**
   * @param needsValue
   *   whether the operator cannot read NULL
   */
  private case class TimesOfOperator(columns: AttributeSet, needsValue: Boolean)

  final private class Query {
    private var clauses = 0

    def in(plan: LogicalPlan, required: RequiredColumns): LogicalPlan = plan match {
      case m: MatchRecognize if isClause(m) =>
        val number = clauses
        clauses += 1
        m.copy(
          child = in(m.child, RequiredColumns(Nil).byState(Seq(EventTimes.orderColumn(m)))),
          eventTimes = chosen(m, required).toSeq,
          handsOn = if (required.times.nonEmpty) Some(number) else None
        )
      case union: Union =>
        val output = union.output
        updated(union.withNewChildren(union.children.map { child =>
          in(child, required.map(c => child.output.lift(output.indexWhere(_.exprId == c.exprId))))
        }))
      case other =>
        val below = ofChildren(other, required)
        updated(other.mapChildren(in(_, below)))
    }
  }

  /** The column that the first operator that uses one uses: MATCH_ROWTIME() of several. */
  private def chosen(m: MatchRecognize, required: RequiredColumns): Option[Attribute] = {
    val times =
      required.times
        .map(t => m.eventTimes.filter(t.columns.contains))
        .find(_.nonEmpty)
        .toSeq
        .flatten
    def isRead(time: Attribute) =
      required.times.exists(t => t.needsValue && t.columns.contains(time))
    times
      .find { time =>
        !isRead(time) || required.filled.contains(time) || EventTimes.isNeverNull(m, time)
      }
      .orElse(times.headOption.map(StreamQueryRules.refuseNull(m, _)))
  }

  private def ofChildren(node: LogicalPlan, required: RequiredColumns): RequiredColumns =
    node match {
      case aggregate: Aggregate if aggregate.isStreaming =>
        val keys    = aggregate.groupingExpressions.flatMap(_.references)
        val windows = keys.filter(isWindow)
        required.byState(if (windows.isEmpty) keys else windows)
      case distinct: Distinct if distinct.isStreaming => required.byState(distinct.child.output)
      case duplicates: Deduplicate if duplicates.isStreaming => required.byState(duplicates.keys)
      case within: DeduplicateWithinWatermark                =>
        required.byState(within.child.output.filter(Watermarks.has), needsValue = true)
      case join: Join if StateOperators.keepsState(join) =>
        required.byState(join.condition.toSeq.flatMap(_.references))
      case Project(list, _)                   => required.map(sources(list))
      case Expand(projections, output, child) =>
        required.map { column =>
          val index = output.indexWhere(_.exprId == column.exprId)
          if (index < 0 || child.outputSet.contains(column)) Seq(column)
          else projections.flatMap(_(index).references)
        }
      case Filter(condition, _) =>
        val notNull = splitConjunctivePredicates(condition).collect {
          case IsNotNull(column: Attribute) => column
        }
        required.copy(filled = required.filled ++ AttributeSet(notNull))
      case _ => required
    }

  private def isWindow(key: Attribute) =
    key.metadata.contains(TimeWindow.marker) || key.metadata.contains(SessionWindow.marker)

  private def sources(list: Seq[NamedExpression])(column: Attribute): Iterable[Attribute] =
    list.find(_.exprId == column.exprId) match {
      case Some(alias: Alias) => alias.references
      case _                  => Seq(column)
    }

  /** The columns of a node have the watermarks that the columns of its children have now. */
  private def updated(node: LogicalPlan): LogicalPlan = {
    val now = node.children.flatMap(_.output).map(c => c.exprId -> c.metadata).toMap
    node.transformExpressions {
      case column: AttributeReference
          if now.get(column.exprId).exists(Watermarks.has(_) != Watermarks.has(column)) =>
        column.withMetadata(now(column.exprId))
    } match {
      case project @ Project(list, _) => project.copy(projectList = list.map(windows))
      case other                      => other
    }
  }

  /** The alias of a time window has the watermark of the time that it was made of. */
  private def windows(column: NamedExpression): NamedExpression = column match {
    case alias: Alias
        if Watermarks.isOfClause(alias.metadata) && !alias.references.exists(Watermarks.has) =>
      alias.copy()(
        alias.exprId,
        alias.qualifier,
        Some(Watermarks.remove(alias.metadata)),
        alias.nonInheritableMetadataKeys)
    case other => other
  }
}

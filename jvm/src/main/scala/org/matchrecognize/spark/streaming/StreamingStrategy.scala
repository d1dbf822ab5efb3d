package org.matchrecognize.spark.streaming

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  AttributeReference,
  BoundReference,
  ExprId,
  Expression,
  GetStructField,
  IsNull,
  Literal,
  NamedExpression,
  Or,
  TaggingExpression
}
import org.apache.spark.sql.catalyst.plans.logical.{
  LocalRelation,
  LogicalPlan,
  Project,
  SerializeFromObject
}
import org.apache.spark.sql.execution.{FilterExec, SparkPlan, SparkStrategy, UnionExec}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.DistinctValues
import org.apache.spark.sql.types.{StructField, StructType}

import org.matchrecognize.spark.execution.{LookAhead, MatchMetrics, MatchPlan}
import org.matchrecognize.spark.logical.{
  HandedOnWatermark,
  InputFilter,
  MatchRecognize,
  Watermarks
}

/**
 * Plans [[MatchRecognize]] over a streaming table, and the filters of its input. It must come before
 * the strategy for tables: an operator that is not lowered would run each micro-batch by itself,
 * without state.
 */
object StreamingStrategy extends SparkStrategy {
  override def apply(logical: LogicalPlan): Seq[SparkPlan] = logical match {
    case m: MatchRecognize if m.child.isStreaming =>
      val context = SparkSession.active.sparkContext
      val plan    = MatchPlan.of(m, m.clause.settings.zone)
      val metrics = MatchMetrics.create(context)
      val tasks   = new ProgressOfTasks
      context.register(tasks)
      val deferred = new DeferredPlan
      val input    = StreamingLowering.columns(m, plan)
      val operator = KeyedOperators.of(SQLConf.get)
      val mode     = if (RealTimeMode.isOf(m)) Some(StreamingLowering.inRealTime(m)) else None
      val arrival  = mode.flatMap(_ => StreamingLowering.timeOfArrival(m, input))
      val task     = KeyedTask(deferred, input, Clock.of(m), arrival, metrics, tasks)
      val lowered  = planLater(StreamingLowering.lower(m, task, operator))
      val noRows   = planLater(LocalRelation(m.output))
      val found    =
        ClauseProgressExec(if (mode.isEmpty) lowered else noRows, tasks, LookAhead.of(plan))
      val streamed =
        StreamedMatchRecognizeExec(plan, input, m.pushed, operator.columns, found, mode)(
          deferred,
          metrics)
      // Beside the operator, the nodes are executed first.
      if (mode.nonEmpty) Seq(UnionExec(Seq(streamed, lowered)))
      else
        Seq(m.handsOn.fold[SparkPlan](streamed) { number =>
          operator.handOn(streamed, number, StreamingLowering.watermark(m))
        })
    case filter: InputFilter => Seq(FilterExec(keptRows(filter), planLater(filter.child)))
    case other               => WatermarkedGroups.plan(other)
  }

  /** Rows that are late or have no time pass, so that they are counted where they are dropped. */
  private def keptRows(filter: InputFilter): Expression =
    Seq(filter.condition, IsNull(filter.time), IsLate.of(filter.time)).reduce(Or(_, _))
}

/**
 * MATCH_RECOGNIZE over a streaming table, as Spark's own stateful operator: an operator of ours
 * could have no state. Rows stay rows: the operator's objects are UnsafeRows ([[RowObject]]).
 */
private[streaming] object StreamingLowering {

  def lower(m: MatchRecognize, task: KeyedTask, operator: KeyedOperator): LogicalPlan = {
    val keys   = groupingKeys(m)
    val output = produced(m, task.input)
    val found  = AttributeReference("found", structOf(output), nullable = false)()
    val child  = Project(task.input.map(timed(m, _)) ++ keys, m.child)
    val clause =
      KeyedClause(task, keys.map(_.toAttribute), found, m.handsOn.map(_ => watermark(m)), child)
    // Without generated code, Spark's operator does not bind what it evaluates.
    val row = BoundReference(0, found.dataType, nullable = false)
    SerializeFromObject(
      m.output.map { column =>
        val i = output.indexWhere(_.exprId == column.exprId)
        Alias(GetStructField(row, i, Some(column.name)), column.name)(
          exprId = column.exprId,
          qualifier = column.qualifier,
          explicitMetadata = Some(column.metadata))
      },
      operator.run(clause)
    )
  }

  /** The watermark after the clause; an operator with state follows it. */
  def watermark(m: MatchRecognize): HandedOnWatermark =
    HandedOnWatermark.of(m).fold(none => throw new IllegalStateException(none.reason), identity)

  /** The column of the time of rows in the order of arrival. */
  def timeOfArrival(m: MatchRecognize, input: Seq[Attribute]): Option[Int] =
    if (m.clause.isByArrival)
      Some(input.indexWhere(_.semanticEquals(m.order.head.child))).filter(_ >= 0)
    else None

  /** When a clause returns its rows in real-time mode. */
  def inRealTime(m: MatchRecognize): String =
    if (m.clause.isByArrival) "with the row that completes a match"
    else "after the batch in which the watermark passes"

  /** A column of the input: of all, at most the one by which rows are searched is the event time. */
  private def timed(m: MatchRecognize, column: Attribute): NamedExpression = {
    val isTime = !m.clause.isByArrival && column.semanticEquals(m.order.head.child)
    if (isTime == Watermarks.has(column)) column
    else
      Alias(column, column.name)(
        column.exprId,
        column.qualifier,
        Some(if (isTime) Watermarks.add(column.metadata) else Watermarks.remove(column.metadata)))
  }

  /** The columns that the clause reads. */
  def columns(m: MatchRecognize, plan: MatchPlan): Seq[Attribute] = {
    val used = if (plan.allRows.nonEmpty) m.child.outputSet else plan.references
    StateColumns.inOrder(m.child.output.filter(used.contains))
  }

  /** The columns that the matcher returns. */
  private def produced(m: MatchRecognize, input: Seq[Attribute]): Seq[Attribute] =
    MatchRecognize.output(m.clause.rows, m.partition, input, m.measureOutput)

  /**
   * The partition keys, so that keys that are equal have equal bytes, by names and of types that a
   * state can have. Without PARTITION BY there is one key.
   */
  private def groupingKeys(m: MatchRecognize): Seq[NamedExpression] = {
    val clause                               = NamedExpression.newExprId
    def alias(key: Expression, name: String) = Alias(KeyOfClause(key, clause), name)()
    if (m.partition.isEmpty) Seq(alias(Literal(0), "key"))
    else
      m.partition.zip(StateColumns.names(m.partition)).map { case (key, name) =>
        val distinct = DistinctValues.normalize(key)
        alias(
          if (StateColumns.isInAvro(distinct.dataType)) distinct else BytesOfValue(distinct),
          name)
      }
  }

  private def structOf(output: Seq[Attribute]): StructType =
    StructType(output.map(c => StructField(c.name, c.dataType, c.nullable)))
}

/**
 * A partition key, of this clause alone. Two clauses over one table would share an exchange, and
 * Spark takes no watermark from below an exchange that is used again: the second clause would wait
 * for ever.
 */
final private[streaming] case class KeyOfClause(child: Expression, clause: ExprId)
    extends TaggingExpression {
  override protected def withNewChildInternal(newChild: Expression): KeyOfClause =
    copy(child = newChild)
}

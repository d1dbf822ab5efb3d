package org.matchrecognize.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  AttributeSet,
  Expression,
  SortOrder
}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning
}
import org.apache.spark.sql.catalyst.util.truncatedString
import org.apache.spark.sql.execution.{
  CodegenSupport,
  ExplainUtils,
  SortExec,
  SortPrefixUtils,
  SparkPlan,
  UnaryExecNode
}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import org.matchrecognize.spark.logical.{MatchRecognize, Pushed, ResolvedClause}

/**
 * Runs MATCH_RECOGNIZE.
 *
 * It asks Spark to bring all rows of a partition to one task and to sort them by partition and
 * order; with these, one pass over the rows does. It puts out the partition columns and measures
 * (ONE ROW PER MATCH) or the input's columns and measures (ALL ROWS PER MATCH), matches of a
 * partition in match order, partitions one after the other. It does not block: a match is put out
 * as soon as no later row can change it.
 *
 * Both ways to run it, generated code and iterator, feed a [[PartitionMatcher]] and differ only in
 * how rows get in and out. The matcher's memory is that of its [[RowStore]].
 */
case class MatchRecognizeExec(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    measures: Seq[Expression],
    measureOutput: Seq[Attribute],
    clause: ResolvedClause,
    child: SparkPlan,
    pushed: Pushed = Pushed())
    extends UnaryExecNode
    with CodegenSupport {

  override def output: Seq[Attribute] =
    MatchRecognize.output(clause.rows, partition, child.output, measureOutput)

  override def producedAttributes: AttributeSet = AttributeSet(measureOutput)

  override def nodeName: String = "MatchRecognize"

  /** Of this node and those that differ from it only in their child, made when it is asked for. */
  @transient private var choice =
    new MatcherChoice(() => MatcherPlan.of(partition, order, conditions, measures, clause))

  /** How it is matched. Not needed in tasks. */
  private[execution] def plan: MatcherPlan = choice.plan

  override def simpleString(maxFields: Int): String = {
    val classes = clause.variables.zipWithIndex.map { case (variable, v) =>
      s"${variable.name} ${plan.conditionClass(v).name}"
    }
    s"$nodeName ${clause.describe(partition, order)} matcher: ${plan.describe}$byKeyNote, " +
      truncatedString(classes, "conditions: [", ", ", "]", maxFields) +
      s", retained: ${plan.retained}, " +
      truncatedString(pushed.texts, "pushed: [", ", ", "]", maxFields)
  }

  private def byKeyNote: String = if (isFused && isByKey) ", all partitions at a time" else ""

  override def verboseStringWithOperatorId(): String = {
    val defined = clause.variables.zipWithIndex.map { case (variable, v) =>
      s"${variable.name} AS ${plan.conditions(v).sql} (${plan.conditionClass(v).name})"
    }
    s"""
       |$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |${ExplainUtils.generateFieldString("Output", output)}
       |Clause: ${clause.describe(partition, order)}
       |${ExplainUtils.generateFieldString("Define", defined)}
       |${ExplainUtils.generateFieldString("Measures", measures.map(_.sql))}
       |Matcher: ${plan.describe}$byKeyNote
       |Retained: ${plan.retained}
       |${ExplainUtils.generateFieldString("Pushed", pushed.texts)}
       |""".stripMargin
  }

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (partition.isEmpty) AllTuples else ClusteredDistribution(partition))

  /** One partition after the other, each in order. */
  private def fullOrdering: Seq[SortOrder] = partition.map(SortOrder(_, Ascending)) ++ order

  private def childIsInFullOrder: Boolean =
    SortOrder.orderingSatisfies(child.outputOrdering, fullOrdering)

  /**
   * Where the search keeps little of a partition, all partitions are searched at a time, over rows
   * in the order of ORDER BY alone: by one key that is a number Spark sorts much faster.
   */
  override def requiredChildOrdering: Seq[Seq[SortOrder]] = {
    val inPlace =
      childIsInFullOrder && requiredChildDistribution.forall(child.outputPartitioning.satisfies)
    Seq(if (!inPlace && canGoByKey) order else fullOrdering)
  }

  private def canGoByKey: Boolean = partition.nonEmpty && order.size == 1 &&
    SortPrefixUtils.canSortFullyWithPrefix(order.head) && conf.wholeStageEnabled &&
    conf.enableRadixSort && isFused

  /** Whether rows come in the order of ORDER BY alone. */
  private[execution] def isByKey: Boolean = isFused && !childIsInFullOrder

  /** The sort that brings one partition after the other. */
  private[execution] def fullSort: SortExec = SortExec(fullOrdering, global = false, child)

  override def outputPartitioning: Partitioning = child.outputPartitioning

  /** Rows of one match follow each other; with overlapping matches only the keys stay sorted. */
  override def outputOrdering: Seq[SortOrder] =
    if (childIsInFullOrder) partition.map(SortOrder(_, Ascending)) else Nil

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "numMatches"    -> SQLMetrics.createMetric(sparkContext, "number of matches"),
    "matchedRows"   -> SQLMetrics.createMetric(sparkContext, "rows matched"),
    "numSteps"      -> SQLMetrics.createMetric(sparkContext, "number of thread steps"),
    "peakThreads"   -> SQLMetrics.createAverageMetric(sparkContext, "peak threads"),
    "spillSize"     -> SQLMetrics.createSizeMetric(sparkContext, "spill size"),
    "peakMemory"    -> SQLMetrics.createSizeMetric(sparkContext, "peak memory")
  )

  /** What tasks need where the search is not fused. */
  private[execution] def spec(plan: MatcherPlan): MatchSpec = MatchSpec(
    child.output,
    partition,
    order,
    plan.divided,
    measures,
    clause,
    plan.interpreted,
    plan.bounded,
    plan.filtersStarts,
    pushed.lastMatch,
    origin,
    conf.sessionLocalTimeZone,
    MatchMetrics(
      longMetric("numOutputRows"),
      longMetric("numMatches"),
      longMetric("matchedRows"),
      longMetric("numSteps"),
      longMetric("peakThreads"),
      longMetric("spillSize"),
      longMetric("peakMemory")
    )
  )

  override protected def doExecute(): RDD[InternalRow] = {
    val taskSpec = spec(plan)
    // Planned for generated code that goes by key, which Spark then did not take.
    val sorted = if (childIsInFullOrder) child else fullSort
    sorted.execute().mapPartitions { input =>
      // A task without rows opens nothing.
      if (input.hasNext) new MatchIterator(input, taskSpec.open()) else Iterator.empty
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] =
    child.asInstanceOf[CodegenSupport].inputRDDs()

  // The general way puts out a row only when the one before was taken.
  override def needCopyResult: Boolean = isFused

  /** Who takes the whole row must not have columns computed beforehand: the row computes them. */
  override def usedInputs: AttributeSet =
    if (isFused && !isByKey) plan.onePass.get.layout.references.intersect(child.outputSet)
    else AttributeSet.empty

  private[execution] def limitChecks: Seq[String] = parent.limitNotReachedChecks

  private def isFused: Boolean = plan.kind == MatcherKind.Fused

  @transient private lazy val generated: GeneratedMatcher =
    if (isFused) new FusedCode(this, plan.onePass.get) else new GeneralCode(this, spec(plan))

  override protected def doProduce(ctx: CodegenContext): String = generated.produce(ctx)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    generated.consume(ctx, input, row)

  override protected def withNewChildInternal(newChild: SparkPlan): MatchRecognizeExec = {
    val changed = copy(child = newChild)
    changed.choice = choice
    changed
  }
}

/** A plan that several nodes share: Spark makes a node anew for each change beneath it. */
final private class MatcherChoice(make: () => MatcherPlan) {
  lazy val plan: MatcherPlan = make()
}

/** Pulls output rows: the way without generated code. */
final private class MatchIterator(input: Iterator[InternalRow], matcher: PartitionMatcher)
    extends Iterator[InternalRow] {
  private var finished = false

  /** Whether the matcher stands at a row that was not handed out yet. */
  private var found = false

  override def hasNext: Boolean = {
    while (!found && !finished) {
      found = matcher.next()
      if (!found) feed()
    }
    found || { found = matcher.next(); found }
  }

  private def feed(): Unit =
    if (input.hasNext) matcher.append(input.next())
    else {
      matcher.finish()
      finished = true
    }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("end of the matches")
    found = false
    matcher.row
  }
}

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
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import org.matchrecognize.spark.logical.{MatchRecognize, ResolvedClause}

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
    child: SparkPlan)
    extends UnaryExecNode
    with CodegenSupport {

  override def output: Seq[Attribute] =
    MatchRecognize.output(clause.rows, partition, child.output, measureOutput)

  override def producedAttributes: AttributeSet = AttributeSet(measureOutput)

  override def nodeName: String = "MatchRecognize"

  override def simpleString(maxFields: Int): String =
    s"$nodeName ${clause.describe(partition, order)}"

  override def verboseStringWithOperatorId(): String = {
    val defined = clause.variables.zip(conditions).map { case (variable, condition) =>
      s"${variable.name} AS ${condition.sql}"
    }
    s"""
       |$formattedNodeName
       |Input: ${child.output.mkString("[", ", ", "]")}
       |Output: ${output.mkString("[", ", ", "]")}
       |Clause: ${clause.describe(partition, order)}
       |Define: ${defined.mkString("[", ", ", "]")}
       |Measures: ${measures.map(_.sql).mkString("[", ", ", "]")}
       |""".stripMargin
  }

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (partition.isEmpty) AllTuples else ClusteredDistribution(partition))

  override def requiredChildOrdering: Seq[Seq[SortOrder]] =
    Seq(partition.map(SortOrder(_, Ascending)) ++ order)

  override def outputPartitioning: Partitioning = child.outputPartitioning

  /** Rows of one match follow each other; with overlapping matches only the keys stay sorted. */
  override def outputOrdering: Seq[SortOrder] = partition.map(SortOrder(_, Ascending))

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "numMatches"    -> SQLMetrics.createMetric(sparkContext, "number of matches"),
    "numSteps"      -> SQLMetrics.createMetric(sparkContext, "number of thread steps"),
    "peakThreads"   -> SQLMetrics.createAverageMetric(sparkContext, "peak threads"),
    "spillSize"     -> SQLMetrics.createSizeMetric(sparkContext, "spill size"),
    "peakMemory"    -> SQLMetrics.createSizeMetric(sparkContext, "peak memory")
  )

  private def spec: MatchSpec = MatchSpec(
    child.output,
    partition,
    order,
    conditions,
    measures,
    clause,
    origin,
    MatchMetrics(
      longMetric("numOutputRows"),
      longMetric("numMatches"),
      longMetric("numSteps"),
      longMetric("peakThreads"),
      longMetric("spillSize"),
      longMetric("peakMemory")
    )
  )

  override protected def doExecute(): RDD[InternalRow] = {
    val taskSpec = spec
    child.execute().mapPartitions { input =>
      // A task without rows opens nothing.
      if (input.hasNext) new MatchIterator(input, taskSpec.open()) else Iterator.empty
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] =
    child.asInstanceOf[CodegenSupport].inputRDDs()

  // The matcher reuses its output row.
  override def needCopyResult: Boolean = true

  // The matcher takes the whole row.
  override def usedInputs: AttributeSet = AttributeSet.empty

  /** The generated field that holds the matcher. */
  private var matcherTerm: String = _

  /** The generated loop that puts out what the matcher has found. */
  private var drain: String = _

  /**
   * {{{
   * drain;                             // what was left when the consumer had enough
   * if (!shouldStop()) {
   *   ... the child's loop; for each row: doConsume
   *   // here only once the input has ended: the loop returns when the consumer has enough
   *   if (!finished) { finished = true; matcher.finish(); }
   *   drain;
   * }
   * }}}
   */
  override protected def doProduce(ctx: CodegenContext): String = {
    val matcherClass = classOf[PartitionMatcher].getName
    val specTerm     = ctx.addReferenceObj("matchSpec", spec, classOf[MatchSpec].getName)
    matcherTerm = ctx.addMutableState(
      matcherClass,
      "matcher",
      name => s"$name = $specTerm.open();",
      forceInline = true)
    val finished = ctx.addMutableState("boolean", "matcherFinished")
    drain = drainLoop(ctx)
    s"""
       |$drain
       |if (!shouldStop()) {
       |  ${child.asInstanceOf[CodegenSupport].produce(ctx, this)}
       |  if (!$finished) {
       |    $finished = true;
       |    $matcherTerm.finish();
       |  }
       |  $drain
       |}
     """.stripMargin
  }

  /**
   * The one place where rows are handed on: a method that the loop calls.
   * {{{
   * while (!shouldStop() && matcher.next()) { putOut(matcher.row()); }
   * }}}
   */
  private def drainLoop(ctx: CodegenContext): String = {
    val row    = ctx.freshName("matchRow")
    val putOut = ctx.freshName("putOutMatch")
    ctx.currentVars = null
    ctx.INPUT_ROW = row
    val putOutTerm = ctx.addNewFunction(
      putOut,
      s"""
         |private void $putOut(UnsafeRow $row) throws java.io.IOException {
         |  ${consume(ctx, null, row)}
         |}
       """.stripMargin
    )
    val more = (parent.limitNotReachedChecks :+ s"$matcherTerm.next()").mkString(" && ")
    s"while (!shouldStop() && $more) { $putOutTerm($matcherTerm.row()); }"
  }

  /**
   * {{{
   * matcher.append(row);
   * drain;
   * }}}
   */
  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    s"""
       |${row.code}
       |$matcherTerm.append(${row.value});
       |$drain
     """.stripMargin

  override protected def withNewChildInternal(newChild: SparkPlan): MatchRecognizeExec =
    copy(child = newChild)
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

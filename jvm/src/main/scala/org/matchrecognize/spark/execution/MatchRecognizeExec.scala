package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  AttributeSet,
  SortOrder,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning,
  UnspecifiedDistribution
}
import org.apache.spark.sql.catalyst.util.truncatedString
import org.apache.spark.sql.execution.{CodegenSupport, ExplainUtils, RowIterator, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.execution.ranges.{
  InOrder,
  RangeExchangeExec,
  RangeNotes,
  RangePlace,
  RangeSpec
}
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Runs MATCH_RECOGNIZE.
 *
 * The operator asks Spark to bring all rows of a partition to one task, one partition after the
 * other, each in order. It emits matches in order: fused code at once, threads after every 64 rows,
 * the automaton once the partition is complete.
 *
 * It emits the partition columns and measures (ONE ROW PER MATCH) or the input's columns and measures
 * (ALL ROWS PER MATCH), matches of a partition in match order, partitions one after the other.
 *
 * [[FusedMatchRecognizeExec]] searches in the generated code of the stage.
 * [[BufferedMatchRecognizeExec]] feeds a [[PartitionMatcher]], which keeps rows in a [[RowStore]].
 * Without generated code, both do the latter.
 */
trait MatchRecognizeExec extends UnaryExecNode with CodegenSupport {

  /** The clause, and how it is matched. */
  def plan: MatchPlan

  def measureOutput: Seq[Attribute]

  /** For EXPLAIN: what the optimizer took from above. */
  def pushed: Seq[String]

  /**
   * How each task searches a range of a partition ([[RangedMatchRecognizeExec]]); or why a task
   * searches whole partitions.
   */
  def ranges: Either[String, RangeSpec]

  override def output: Seq[Attribute] =
    MatchRecognize.output(plan.clause.rows, plan.partition, child.output, measureOutput)

  override def producedAttributes: AttributeSet = AttributeSet(measureOutput)

  override def nodeName: String = "MatchRecognize"

  override def simpleString(maxFields: Int): String = {
    val classes = plan.clause.variables.zipWithIndex.map { case (variable, v) =>
      s"${variable.name} ${plan.conditionClass(v).name}"
    }
    s"$nodeName ${plan.sql} matcher: ${plan.matcher.describe}, " +
      truncatedString(classes, "conditions: [", ", ", "]", maxFields) +
      s", retained: ${plan.matcher.retained}, " +
      truncatedString(pushed, "pushed: [", ", ", "]", maxFields)
  }

  private def rangesText: String =
    if (ranges == Left(RangeChoice.byPartition)) ""
    else s"\nRanges: ${ranges.fold(reason => s"none, $reason", _.number.toString)}"

  private def loopsText: String =
    if (plan.loops.isEmpty) ""
    else ExplainUtils.generateFieldString("\nLoops", plan.loops)

  override def verboseStringWithOperatorId(): String = {
    val defined = plan.clause.variables.zipWithIndex.map { case (variable, v) =>
      s"${variable.name} AS ${plan.conditions(v).sql} (${plan.conditionClass(v).name})"
    }
    s"""
       |$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |${ExplainUtils.generateFieldString("Output", output)}
       |Clause: ${plan.sql}
       |${ExplainUtils.generateFieldString("Define", defined)}
       |${ExplainUtils.generateFieldString("Measures", plan.measures.map(_.sql))}
       |Matcher: ${plan.matcher.describe}
       |Retained: ${plan.matcher.retained}$rangesText$loopsText
       |${ExplainUtils.generateFieldString("Pushed", pushed)}
       |""".stripMargin
  }

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(
      if (ranges.isRight) UnspecifiedDistribution
      else if (plan.partition.isEmpty) AllTuples
      else ClusteredDistribution(plan.partition))

  /** One partition after the other, each in order. */
  override def requiredChildOrdering: Seq[Seq[SortOrder]] = Seq(ascending ++ plan.order)

  private def ascending: Seq[SortOrder] = plan.partition.map(SortOrder(_, Ascending))

  override def outputPartitioning: Partitioning = child.outputPartitioning

  /** Rows of one match follow each other; with overlapping matches only the keys stay sorted. */
  override def outputOrdering: Seq[SortOrder] = ascending

  /** Made on the driver; tasks get them with what they run. */
  override lazy val metrics: Map[String, SQLMetric] = MatchMetrics.create(sparkContext)

  override protected def doExecute(): RDD[InternalRow] = {
    val rows = child.execute()
    ranges match {
      // Each range has all rows of its partitions, so that there is nothing to join.
      case Right(range) if !places.forall(_.isWhole) =>
        search(rows, plan.ofPart(range.parts), Some(range))
      case _ => search(rows, plan.unfused, None)
    }
  }

  /** Where the ranges are in their partitions. */
  private[execution] def places: Array[RangePlace] =
    child.collectFirst { case ranges: RangeExchangeExec => ranges.places }.get

  /** Searches by one task what several have searched in ranges of a partition. */
  private[execution] def searchInOneTask(places: Array[RangePlace]): RDD[InternalRow] = {
    val partitions = new InOrder(places)
    val rows       = child.execute().coalesce(partitions.count, shuffle = false, Some(partitions))
    search(rows, plan.unfused, None)
  }

  private def search(
      rdd: RDD[InternalRow],
      taskPlan: MatchPlan,
      range: Option[RangeSpec]): RDD[InternalRow] = {
    val (input, counted) = (child.output, metrics)
    rdd.mapPartitions { rows =>
      // A task without rows opens nothing.
      if (rows.isEmpty) Iterator.empty
      else {
        val notes   = range.map(RangeNotes.open)
        val matcher = new PartitionMatcher(taskPlan, input, counted, TaskContext.get())
        new MatchIterator(rows, matcher, notes).toScala
      }
    }
  }

  /** The generated field with the notes of a range, if ranges are searched. */
  @transient protected var notes: Option[String] = None

  protected def notesField(ctx: CodegenContext, range: RangeSpec): String = {
    val specTerm = ctx.addReferenceObj("rangeSpec", range, classOf[RangeSpec].getName)
    ctx.addMutableState(
      classOf[RangeNotes].getName,
      "rangeNotes",
      name => s"$name = ${classOf[RangeNotes].getName}.open($specTerm);",
      forceInline = true)
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] =
    child.asInstanceOf[CodegenSupport].inputRDDs()

  protected def childLoop(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)
}

/** Pulls output rows from a [[PartitionMatcher]], where no code is generated. */
final private[execution] class MatchIterator(
    input: Iterator[InternalRow],
    matcher: PartitionMatcher,
    range: Option[RangeNotes])
    extends RowIterator {
  range.foreach { notes =>
    val first = notes.firstStart.toLong
    matcher.beginAt(first, first)(notes.found)
  }

  private var finished = false

  override def advanceNext(): Boolean = {
    var found = matcher.next()
    while (!found && !finished) {
      feed()
      found = matcher.next()
    }
    if (!found) {
      range.foreach(_.countRows(matcher.outputRowCount))
      matcher.close()
    }
    found
  }

  override def getRow: InternalRow = matcher.row

  private def feed(): Unit =
    if (input.hasNext) {
      val row = input.next()
      range.foreach(_.take(row.asInstanceOf[UnsafeRow]))
      matcher.append(row)
    } else {
      range match {
        case Some(notes) if !notes.isLast =>
          matcher.stop()
          notes.stopsAt(() => matcher.startRow, () => matcher.coveredRows)
        case _ =>
          matcher.finish()
          range.foreach(_.stopsWithin(0L))
      }
      finished = true
    }
}

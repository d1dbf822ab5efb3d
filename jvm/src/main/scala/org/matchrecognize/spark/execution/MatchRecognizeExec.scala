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
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning,
  UnspecifiedDistribution
}
import org.apache.spark.sql.catalyst.util.truncatedString
import org.apache.spark.sql.execution.{CodegenSupport, ExplainUtils, UnaryExecNode}
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.execution.partitions.{
  PartitionTable,
  PartitionTableSpec,
  PartitionedRows,
  SortedRows,
  TableMetrics
}
import org.matchrecognize.spark.execution.ranges.{InOrder, RangeNotes, RangeSpec}
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Runs MATCH_RECOGNIZE.
 *
 * The operator asks Spark to bring all rows of a partition to one task. If they come one partition
 * after the other, each in order, it searches them as they come, and emits a match as soon as no
 * later row can change it. Otherwise it first puts all rows of a task into a [[PartitionTable]].
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
   * How each task searches a range of the only partition ([[RangedMatchRecognizeExec]]); or why a
   * task searches whole partitions.
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
      s", retained: ${plan.matcher.retained}, rows: $rowsText, " +
      truncatedString(pushed, "pushed: [", ", ", "]", maxFields)
  }

  /** For EXPLAIN: how rows come into partitions and in order. */
  private def rowsText: String = if (usesTable) "partition table" else "sorted input"

  private def rangesText: String =
    if (plan.partition.nonEmpty) ""
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
       |Retained: ${plan.matcher.retained}
       |Rows: $rowsText$rangesText$loopsText
       |${ExplainUtils.generateFieldString("Pushed", pushed)}
       |""".stripMargin
  }

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(
      if (ranges.isRight) UnspecifiedDistribution
      else if (plan.partition.isEmpty) AllTuples
      else ClusteredDistribution(plan.partition))

  /** One partition after the other, each in order. */
  private def fullOrdering: Seq[SortOrder] =
    plan.partition.map(SortOrder(_, Ascending)) ++ plan.order

  private def childIsInFullOrder: Boolean =
    SortOrder.orderingSatisfies(child.outputOrdering, fullOrdering)

  /** If the child brings rows in order, Spark must keep that order. */
  override def requiredChildOrdering: Seq[Seq[SortOrder]] = {
    val isInPlace = requiredChildDistribution.forall(child.outputPartitioning.satisfies)
    Seq(if (childIsInFullOrder && isInPlace && ranges.isLeft) fullOrdering else Nil)
  }

  /** Whether rows must be brought into partitions and in order. */
  private[execution] def usesTable: Boolean = ranges.isRight || !childIsInFullOrder

  override def outputPartitioning: Partitioning = child.outputPartitioning

  /** Rows of one match follow each other; with overlapping matches only the keys stay sorted. */
  override def outputOrdering: Seq[SortOrder] =
    if (childIsInFullOrder) plan.partition.map(SortOrder(_, Ascending)) else Nil

  /** Made on the driver; tasks get them with what they run. */
  @transient private[execution] lazy val matchMetrics: MatchMetrics =
    MatchMetrics.create(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] = matchMetrics.byName

  /** What a task needs for its table. */
  private def tableSpec: PartitionTableSpec = PartitionTableSpec(
    plan.partition,
    plan.order,
    child.output,
    plan.clause.settings.spillThreshold,
    TableMetrics(matchMetrics.spillSize, matchMetrics.peakMemory))

  override protected def doExecute(): RDD[InternalRow] = {
    val taskPlan = ranges.fold(_ => plan.unfused, range => plan.ofPart(range.parts))
    search(child.execute(), taskPlan, ranges.toOption)
  }

  /** Searches by one task what several have searched in ranges. */
  private[execution] def searchInOneTask(): RDD[InternalRow] =
    search(child.execute().coalesce(1, shuffle = false, Some(InOrder)), plan.unfused, None)

  private def search(
      rdd: RDD[InternalRow],
      taskPlan: MatchPlan,
      range: Option[RangeSpec]): RDD[InternalRow] = {
    val (input, counted) = (child.output, matchMetrics)
    val table            = if (usesTable) Some(tableSpec) else None
    rdd.mapPartitions { rows =>
      // A task without rows opens nothing.
      if (rows.isEmpty) Iterator.empty
      else {
        val unsafe       = rows.map(_.asInstanceOf[UnsafeRow])
        val notes        = range.map(RangeNotes.open)
        val inPartitions = table.map(_.open()) match {
          case Some(opened) =>
            unsafe.foreach(opened.insert)
            opened.read()
          case None => new SortedRows(unsafe, taskPlan.partition, input)
        }
        val matcher = new PartitionMatcher(taskPlan, input, counted, TaskContext.get())
        new MatchIterator(inPartitions, matcher, notes)
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

  // All rows go into the table before the first one comes out: operators below need no check.
  override def needStopCheck: Boolean             = !usesTable && super.needStopCheck
  override def limitNotReachedChecks: Seq[String] =
    if (usesTable) Nil else super.limitNotReachedChecks
  override protected def canCheckLimitNotReached: Boolean = true

  // The table and the matcher take whole rows: Spark must not evaluate their columns first.
  override def usedInputs: AttributeSet = AttributeSet.empty

  /** The generated field that holds the table. */
  @transient private var table: String = _

  /**
   * The code that brings the rows: the child's loop, in which [[consumeSorted]] takes them. Rows of a
   * table come in a loop of its own. A method that is called once fills the table, because some
   * operators return from the method they are in when their input ends.
   * {{{
   * if (rows == null) { fillTable(); rows = table.read(); }
   * while (limitNotReached && rows.next()) {
   *   takeRow(rows.row(), rows.beginsPartition());
   *   if (shouldStop()) return;
   * }
   * }}}
   *
   * @param takeRow
   *   Java that takes a row of the table, and whether it begins a partition
   */
  protected def childCode(ctx: CodegenContext)(takeRow: (String, String) => String): String =
    if (usesTable) {
      val spec = ctx.addReferenceObj("table", tableSpec, classOf[PartitionTableSpec].getName)
      table = ctx.addMutableState(
        classOf[PartitionTable].getName,
        "partitionTable",
        name => s"$name = $spec.open();",
        forceInline = true)
      val rows     = ctx.addMutableState(classOf[PartitionedRows].getName, "tableRows")
      val fill     = ctx.freshName("fillTable")
      val fillTerm = ctx.addNewFunction(
        fill,
        s"private void $fill() throws java.io.IOException { ${childLoop(ctx)} }")
      val take = takeRow(s"$rows.row()", s"$rows.beginsPartition()")
      s"""
         |if ($rows == null) {
         |  $fillTerm();
         |  $rows = $table.read();
         |}
         |while ($limitNotReachedCond $rows.next()) {
         |  $take
         |  if (shouldStop()) return;
         |}
       """.stripMargin
    } else childLoop(ctx)

  private def childLoop(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  final override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    if (usesTable) s"${row.code}\n$table.insert((UnsafeRow) ${row.value});"
    else consumeSorted(ctx, input, row)

  /** Java that takes a row of a child in order. */
  protected def consumeSorted(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String
}

/** Pulls output rows from a [[PartitionMatcher]], where no code is generated. */
final private[execution] class MatchIterator(
    input: PartitionedRows,
    matcher: PartitionMatcher,
    range: Option[RangeNotes])
    extends Iterator[InternalRow] {
  range.foreach { notes =>
    val first = notes.firstStart.toLong
    matcher.beginAt(first, first)(notes.found)
  }

  private var finished = false

  /** Whether the matcher is at a row that was not returned yet. */
  private var found = false

  override def hasNext: Boolean = {
    while (!found && !finished) {
      found = matcher.next()
      if (!found) feed()
    }
    found || { found = matcher.next(); found } || {
      range.foreach(_.countRows(matcher.outputRowCount))
      false
    }
  }

  private def feed(): Unit =
    if (input.next()) {
      range.foreach(_.take(input.row))
      matcher.append(input.row, input.beginsPartition)
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

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("end of the matches")
    found = false
    matcher.row
  }
}

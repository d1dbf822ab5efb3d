package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, SortOrder}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.{SortPrefixUtils, SparkPlan}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.fused.{
  OnePassCode,
  OnePassPlan,
  OnePassSpec,
  OnePassState,
  OnePassStates,
  OnePassStatesSpec,
  OnePassTable,
  StatesMetrics
}

/**
 * Runs MATCH_RECOGNIZE in one pass in the generated code of the stage: a row is taken as the
 * child's columns, and never kept. Rows come one partition after the other, into one state; or by
 * ORDER BY alone, into one state per partition.
 */
case class FusedMatchRecognizeExec(
    plan: MatchPlan,
    measureOutput: Seq[Attribute],
    child: SparkPlan,
    pushed: Seq[String])
    extends MatchRecognizeExec {
  private def search: OnePassPlan = plan.onePass.get

  override protected def matcherText: String =
    plan.matcher.describe + (if (isByKey) ", all partitions at once" else "")

  /**
   * The search keeps little of a partition, so it can search all partitions at once, over rows in
   * the order of ORDER BY alone: Spark sorts by one key that is a number much faster.
   */
  override def requiredChildOrdering: Seq[Seq[SortOrder]] = {
    val inPlace =
      childIsInFullOrder && requiredChildDistribution.forall(child.outputPartitioning.satisfies)
    Seq(if (!inPlace && canGoByKey) plan.order else fullOrdering)
  }

  private def canGoByKey: Boolean = plan.partition.nonEmpty && plan.order.size == 1 &&
    SortPrefixUtils.canSortFullyWithPrefix(plan.order.head) && conf.wholeStageEnabled &&
    conf.enableRadixSort

  /** Whether rows come in the order of ORDER BY alone. */
  private[execution] def isByKey: Boolean = !childIsInFullOrder

  override def needCopyResult: Boolean = true

  // If rows come by key, the states take whole rows: Spark must not evaluate their columns first.
  override def usedInputs: AttributeSet =
    if (isByKey) AttributeSet.empty
    else search.layout.references.intersect(child.outputSet)

  private val stateClass = classOf[OnePassState].getName

  @transient private var table: String    = _
  @transient private var state: String    = _
  @transient private var states: String   = _
  @transient private var finished: String = _

  /** Generated methods: emit a match; end a partition; take a row. */
  @transient private var emit: String           = _
  @transient private var endPartition: String   = _
  @transient private var takeRow: String        = _
  @transient private var beginPartition: String = _

  private def code(ctx: CodegenContext, state: String) = new OnePassCode(
    ctx,
    search.layout,
    search.spec.possible,
    child.output,
    plan.partition,
    table,
    state,
    plan.lastMatch)

  private def statesSpec = OnePassStatesSpec(
    plan.partition,
    child.output,
    if (isByKey) Some(fullSort) else None,
    search.stateSizes,
    search.stateBytes,
    plan.clause.settings.spillThreshold,
    Some(StatesMetrics(longMetric("spillSize"), longMetric("peakMemory")))
  )

  override protected def doProduce(ctx: CodegenContext): String = {
    val specTerm  = ctx.addReferenceObj("onePass", search.spec, classOf[OnePassSpec].getName)
    val sizesTerm =
      ctx.addReferenceObj("onePassStates", statesSpec, classOf[OnePassStatesSpec].getName)
    table = ctx.addMutableState(
      classOf[OnePassTable].getName,
      "onePassTable",
      name => s"$name = $specTerm.open();",
      forceInline = true)
    state = ctx.addMutableState(
      stateClass,
      "onePassState",
      name => s"$name = $sizesTerm.newState();",
      forceInline = true)
    finished = ctx.addMutableState("boolean", "matcherFinished")
    emit = emitMethod(ctx)
    endPartition = endMethod(ctx)
    if (isByKey) produceByKey(ctx, sizesTerm) else produceSorted(ctx)
  }

  /**
   * {{{
   * ... the child's loop; for each row: doConsume
   * if (shouldStop()) return;        // the consumer has enough: the input has not ended
   * if (!finished) { finished = true; if (state.begun) endPartition(state); }
   * }}}
   */
  private def produceSorted(ctx: CodegenContext): String =
    s"""
       |${childCode(ctx)}
       |if (shouldStop()) return;
       |if (!$finished) {
       |  $finished = true;
       |  if ($state.begun) { $endPartition($state); }
       |}
     """.stripMargin

  /**
   * {{{
   * ... the child's loop; for each row: doConsume
   * if (shouldStop()) return;
   * if (!finished) { finished = true; ended = states.all(); }
   * while (ended != null && ended.hasNext()) {
   *   endPartition((OnePassState) ended.next());
   *   if (shouldStop()) return;
   * }
   * if (waiting == null) { ended = null; waiting = states.waiting(); }
   * while (waiting.hasNext()) {
   *   InternalRow row = (InternalRow) waiting.next();
   *   ... begin a partition where one begins
   *   takeRow(state, row);
   *   if (shouldStop()) return;
   * }
   * if (state.begun) { state.begun = false; endPartition(state); }
   * }}}
   */
  private def produceByKey(ctx: CodegenContext, specTerm: String): String = {
    states = ctx.addMutableState(
      classOf[OnePassStates].getName,
      "onePassStates",
      name => s"$name = $specTerm.open();",
      forceInline = true)
    val iterator = classOf[java.util.Iterator[_]].getName
    val ended    = ctx.addMutableState(iterator, "endedPartitions")
    val waiting  = ctx.addMutableState(iterator, "waitingRows")
    val row      = ctx.freshName("waitingRow")
    takeRow = takeMethod(ctx)
    beginPartition = beginMethod(ctx)
    val childLoop = childCode(ctx)
    ctx.INPUT_ROW = row
    ctx.currentVars = null
    val own = code(ctx, state)
    s"""
       |$childLoop
       |if (shouldStop()) return;
       |if (!$finished) { $finished = true; $ended = $states.all(); }
       |while ($ended != null && $ended.hasNext()) {
       |  $endPartition(($stateClass) $ended.next());
       |  if (shouldStop()) return;
       |}
       |if ($waiting == null) { $ended = null; $waiting = $states.waiting(); }
       |while ($waiting.hasNext()) {
       |  InternalRow $row = (InternalRow) $waiting.next();
       |  ${own.columns(child.output)}
       |  if (!(${own.samePartition})) {
       |    if ($state.begun) { $endPartition($state); }
       |    $beginPartition($state, $row);
       |  }
       |  $takeRow($state, $row);
       |  if (shouldStop()) return;
       |}
       |if ($state.begun) { $state.begun = false; $endPartition($state); }
     """.stripMargin
  }

  /**
   * The one place where rows are handed on.
   * {{{
   * private void emitMatch(OnePassState state, int bank) {
   *   state.matchNumber++;
   *   ... counts, then the measures' values and the consumer's code
   * }
   * }}}
   */
  private def emitMethod(ctx: CodegenContext): String = {
    val name    = ctx.freshName("emitMatch")
    val ofState = ctx.freshName("matchState")
    val own     = code(ctx, ofState)
    val names   = ctx.addReferenceObj(
      "variableNames",
      plan.clause.variables.map(v => UTF8String.fromString(v.name)).toArray,
      "UTF8String[]")
    val counts = Seq("numOutputRows" -> "1", "numMatches" -> "1").map { case (metric, n) =>
      s"${metricTerm(ctx, metric)}.add($n);"
    } :+ s"${metricTerm(ctx, "matchedRows")}.add($ofState.lengths[${own.bankTerm}]);"
    val body = consume(ctx, own.output(names).map(_.genCode(ctx)))
    ctx.addNewFunction(
      name,
      s"""
         |private void $name($stateClass $ofState, int ${own.bankTerm})
         |    throws java.io.IOException {
         |  $ofState.matchNumber++;
         |  ${counts.mkString("\n")}
         |  ${own.loadBank}
         |  $body
         |}
       """.stripMargin
    )
  }

  private def endMethod(ctx: CodegenContext): String = {
    val name    = ctx.freshName("endPartition")
    val ofState = ctx.freshName("endState")
    ctx.addNewFunction(
      name,
      s"""
         |private void $name(${classOf[
          OnePassState].getName} $ofState) throws java.io.IOException {
         |  ${code(ctx, ofState).end(bank => s"$emit($ofState, $bank);")}
         |}
       """.stripMargin
    )
  }

  /** {{{ private void takeRow(OnePassState state, InternalRow row) { ... } }}} */
  private def takeMethod(ctx: CodegenContext): String = {
    val name    = ctx.freshName("takeRow")
    val ofState = ctx.freshName("takeState")
    rowMethod(ctx, name, ofState)(_.take(bank => s"$emit($ofState, $bank);"))
  }

  /** {{{ private void beginPartition(OnePassState state, InternalRow row) { ... } }}} */
  private def beginMethod(ctx: CodegenContext): String =
    rowMethod(ctx, ctx.freshName("beginPartition"), ctx.freshName("beginState"))(_.begin)

  private def rowMethod(ctx: CodegenContext, name: String, ofState: String)(
      body: OnePassCode => String): String = {
    val row = ctx.freshName("row")
    ctx.INPUT_ROW = row
    ctx.currentVars = null
    val own     = code(ctx, ofState)
    val columns = own.columns(child.output)
    ctx.addNewFunction(
      name,
      s"""
         |private void $name($stateClass $ofState, InternalRow $row) throws java.io.IOException {
         |  $columns
         |  ${body(own)}
         |}
       """.stripMargin
    )
  }

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    if (isByKey) consumeByKey(ctx, row) else consumeSorted(ctx, input)

  /**
   * {{{
   * if (!samePartition) { if (state.begun) endPartition(state); ... begin the partition }
   * ... take the row
   * }}}
   */
  private def consumeSorted(ctx: CodegenContext, input: Seq[ExprCode]): String = {
    ctx.currentVars = input
    ctx.INPUT_ROW = null
    val own = code(ctx, state)
    s"""
       |if (!(${own.samePartition})) {
       |  if ($state.begun) { $endPartition($state); }
       |  ${own.begin}
       |}
       |${own.take(bank => s"$emit($state, $bank);")}
     """.stripMargin
  }

  /**
   * {{{
   * OnePassState state = states.of(row);
   * if (state != null) {
   *   if (!state.begun) beginPartition(state, row);
   *   takeRow(state, row);
   * }
   * }}}
   */
  private def consumeByKey(ctx: CodegenContext, row: ExprCode): String = {
    val ofRow = ctx.freshName("stateOfRow")
    s"""
       |${row.code}
       |$stateClass $ofRow = $states.of((UnsafeRow) ${row.value});
       |if ($ofRow != null) {
       |  if (!$ofRow.begun) { $beginPartition($ofRow, ${row.value}); }
       |  $takeRow($ofRow, ${row.value});
       |}
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

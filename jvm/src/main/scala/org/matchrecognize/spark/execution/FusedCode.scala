package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.CodegenSupport
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.fused.{
  OnePassCode,
  OnePassSpec,
  OnePassState,
  OnePassStates,
  OnePassStatesSpec,
  OnePassTable,
  StatesMetrics
}

/**
 * The one-pass search inside the stage: a row is taken as the child's columns, and never kept.
 * Rows come one partition after the other, into one state; or by ORDER BY alone, into a state a
 * partition.
 */
final private[execution] class FusedCode(exec: MatchRecognizeExec, plan: OnePassPlan)
    extends GeneratedMatcher {
  private val stateClass = classOf[OnePassState].getName

  private var table: String    = _
  private var state: String    = _
  private var states: String   = _
  private var finished: String = _

  /** Generated methods: put out a match; end a partition; take a row. */
  private var putOut: String         = _
  private var endPartition: String   = _
  private var takeRow: String        = _
  private var beginPartition: String = _

  private def code(ctx: CodegenContext, state: String) = new OnePassCode(
    ctx,
    plan.layout,
    plan.spec.possible,
    exec.child.output,
    exec.partition,
    table,
    state,
    exec.pushed.lastMatch)

  private def statesSpec = OnePassStatesSpec(
    exec.partition,
    exec.child.output,
    if (exec.isByKey) Some(exec.fullSort) else None,
    plan.stateSizes,
    plan.stateBytes,
    exec.clause.settings.spillThreshold,
    Some(StatesMetrics(exec.longMetric("spillSize"), exec.longMetric("peakMemory")))
  )

  override def produce(ctx: CodegenContext): String = {
    val specTerm  = ctx.addReferenceObj("onePass", plan.spec, classOf[OnePassSpec].getName)
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
    putOut = putOutMethod(ctx)
    endPartition = endMethod(ctx)
    if (exec.isByKey) produceByKey(ctx, sizesTerm) else produceSorted(ctx)
  }

  /**
   * {{{
   * ... the child's loop; for each row: doConsume
   * if (!finished) { finished = true; if (state.begun) endPartition(state); }
   * }}}
   */
  private def produceSorted(ctx: CodegenContext): String =
    s"""
       |${exec.child.asInstanceOf[CodegenSupport].produce(ctx, exec)}
       |if (!$finished) {
       |  $finished = true;
       |  if ($state.begun) { $endPartition($state); }
       |}
     """.stripMargin

  /**
   * {{{
   * ... the child's loop; for each row: doConsume
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
    val child = exec.child.asInstanceOf[CodegenSupport].produce(ctx, exec)
    ctx.INPUT_ROW = row
    ctx.currentVars = null
    val own = code(ctx, state)
    s"""
       |$child
       |if (!$finished) { $finished = true; $ended = $states.all(); }
       |while ($ended != null && $ended.hasNext()) {
       |  $endPartition(($stateClass) $ended.next());
       |  if (shouldStop()) return;
       |}
       |if ($waiting == null) { $ended = null; $waiting = $states.waiting(); }
       |while ($waiting.hasNext()) {
       |  InternalRow $row = (InternalRow) $waiting.next();
       |  ${own.columns(exec.child.output)}
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
   * private void putOutMatch(OnePassState state, int bank) {
   *   state.matchNumber++;
   *   ... counts, then the measures' values and the consumer's code
   * }
   * }}}
   */
  private def putOutMethod(ctx: CodegenContext): String = {
    val name    = ctx.freshName("putOutMatch")
    val ofState = ctx.freshName("matchState")
    val own     = code(ctx, ofState)
    val names   = ctx.addReferenceObj(
      "variableNames",
      exec.clause.variables.map(v => UTF8String.fromString(v.name)).toArray,
      "UTF8String[]")
    val counts = Seq("numOutputRows" -> "1", "numMatches" -> "1").map { case (metric, n) =>
      s"${exec.metricTerm(ctx, metric)}.add($n);"
    } :+ s"${exec.metricTerm(ctx, "matchedRows")}.add($ofState.lengths[${own.bankTerm}]);"
    val body = exec.consume(ctx, own.output(names).map(_.genCode(ctx)))
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
         |  ${code(ctx, ofState).end(bank => s"$putOut($ofState, $bank);")}
         |}
       """.stripMargin
    )
  }

  /** {{{ private void takeRow(OnePassState state, InternalRow row) { ... } }}} */
  private def takeMethod(ctx: CodegenContext): String = {
    val name    = ctx.freshName("takeRow")
    val ofState = ctx.freshName("takeState")
    rowMethod(ctx, name, ofState)(_.take(bank => s"$putOut($ofState, $bank);"))
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
    val columns = own.columns(exec.child.output)
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

  override def consume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    if (exec.isByKey) consumeByKey(ctx, row) else consumeSorted(ctx, input)

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
       |${own.take(bank => s"$putOut($state, $bank);")}
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
}

package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.fused.{
  OnePassCode,
  OnePassPlan,
  OnePassSpec,
  OnePassState,
  OnePassStateSizes,
  OnePassTable
}
import org.matchrecognize.spark.execution.ranges.RangeSpec

/**
 * Runs MATCH_RECOGNIZE in one pass in the generated code of the stage: a row is taken as the
 * child's columns or as one of the table's, and never kept.
 */
case class FusedMatchRecognizeExec(
    plan: MatchPlan,
    measureOutput: Seq[Attribute],
    child: SparkPlan,
    pushed: Seq[String],
    ranges: Either[String, RangeSpec])
    extends MatchRecognizeExec {
  private def onePass: OnePassPlan = plan.onePass.get

  override def needCopyResult: Boolean = true

  // A child in order evaluates the columns that the search reads; a table takes whole rows.
  override def usedInputs: AttributeSet =
    if (usesTable) super.usedInputs
    else onePass.layout.references.intersect(child.outputSet)

  private val stateClass = classOf[OnePassState].getName

  @transient private var table: String    = _
  @transient private var state: String    = _
  @transient private var finished: String = _

  /** Generated methods: emit a match; end a partition. */
  @transient private var emit: String         = _
  @transient private var endPartition: String = _

  private def code(ctx: CodegenContext, state: String) = new OnePassCode(
    ctx,
    onePass.layout,
    onePass.spec.possible,
    onePass.banks,
    child.output,
    plan.partition,
    table,
    state,
    plan.lastMatch)

  /**
   * {{{
   * ... the child's loop, or the table's; for each row: begin its partition, take it
   * if (shouldStop()) return;        // the consumer has enough: the input has not ended
   * if (!finished) { finished = true; if (state.begun) endPartition(state); }
   * }}}
   */
  override protected def doProduce(ctx: CodegenContext): String = {
    val specTerm  = ctx.addReferenceObj("onePass", onePass.spec, classOf[OnePassSpec].getName)
    val sizesTerm =
      ctx.addReferenceObj("stateSizes", onePass.stateSizes, classOf[OnePassStateSizes].getName)
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
    notes = ranges.toOption.map(notesField(ctx, _))
    emit = emitMethod(ctx)
    endPartition = endMethod(ctx)
    val rows = childCode(ctx)(takeRow(ctx, _, _))
    s"""
       |$rows
       |if (shouldStop()) return;
       |if (!$finished) {
       |  $finished = true;
       |  if ($state.begun) { $endPartition($state); }
       |}
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
    val noted = notes.map(n => s"$n.matched($ofState.lengths[${own.bankTerm}]);").mkString
    val body  = consume(ctx, own.output(names).map(_.genCode(ctx)))
    ctx.addNewFunction(
      name,
      s"""
         |private void $name($stateClass $ofState, int ${own.bankTerm})
         |    throws java.io.IOException {
         |  $ofState.matchNumber++;
         |  ${counts.mkString("\n")}
         |  $noted
         |  ${own.loadBank}
         |  $body
         |}
       """.stripMargin
    )
  }

  private def endMethod(ctx: CodegenContext): String = {
    val name    = ctx.freshName("endPartition")
    val ofState = ctx.freshName("endState")
    val own     = code(ctx, ofState)
    val ends    = own.end(bank => emitted("1", s"$emit($ofState, $bank);"))
    val atEnd   = notes.fold(ends) { notes =>
      s"if ($notes.isLast()) { $ends $notes.stopsWithin(0L); } " +
        s"else { $notes.stopsWithin(${own.rowsUnderWay}); }"
    }
    ctx.addNewFunction(
      name,
      s"""
         |private void $name(${classOf[
          OnePassState].getName} $ofState) throws java.io.IOException {
         |  $atEnd
         |}
       """.stripMargin
    )
  }

  /**
   * A method that takes a row of the table, from which it reads the columns.
   * {{{
   * private void takeRow(UnsafeRow row, boolean beginsPartition) {
   *   if (beginsPartition) { if (state.begun) endPartition(state); ... begin the partition }
   *   ... take the row
   * }
   * }}}
   */
  private def takeRow(ctx: CodegenContext, ofRow: String, ofBegins: String): String = {
    val name   = ctx.freshName("takeRow")
    val row    = ctx.freshName("row")
    val begins = ctx.freshName("beginsPartition")
    ctx.INPUT_ROW = row
    ctx.currentVars = null
    val own     = code(ctx, state)
    val columns = own.columns(child.output)
    val take    = ctx.addNewFunction(
      name,
      s"""
         |private void $name(UnsafeRow $row, boolean $begins) throws java.io.IOException {
         |  $columns
         |  ${notes.map(n => s"$n.take($row);").mkString}
         |  ${search(own, begins)}
         |}
       """.stripMargin
    )
    s"$take($ofRow, $ofBegins);"
  }

  override protected def consumeSorted(
      ctx: CodegenContext,
      input: Seq[ExprCode],
      row: ExprCode): String = {
    ctx.currentVars = input
    ctx.INPUT_ROW = null
    val own = code(ctx, state)
    search(own, s"!(${own.samePartition})")
  }

  /** Java that emits a match of whose rows so many come from the row at hand on. */
  private def emitted(rowsHere: String, emit: String): String =
    notes.map(n => s"$n.matchEnds($rowsHere); ").mkString + emit

  /** Searches a row whose columns are in local variables. */
  private def search(own: OnePassCode, beginsPartition: String): String = {
    val step =
      own.stepCode((bank, rowsHere) => emitted(rowsHere, s"$emit($state, $bank);"))
    val take = notes.fold(step) { notes =>
      s"if ($notes.isBeforeStart()) { ${own.rememberOnly} } else { $step }"
    }
    s"""
       |if ($beginsPartition) {
       |  if ($state.begun) { $endPartition($state); }
       |  ${own.begin}
       |}
       |$take
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

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
  OnePassTable
}
import org.matchrecognize.spark.execution.ranges.RangeSpec

/**
 * Runs MATCH_RECOGNIZE in one pass in the generated code of the stage: a row is taken as the
 * child's columns, and never kept.
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

  // The child evaluates the columns that the search reads; the notes of a range take whole rows.
  override def usedInputs: AttributeSet =
    if (ranges.isRight) AttributeSet.empty
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
    plan.lastMatch,
    parent.limitNotReachedChecks)

  /**
   * {{{
   * if (state.hasFailed) throw state.error;
   * ... the child's loop; for each row: begin its partition, take it
   * if (shouldStop()) return;        // the consumer has enough: the input has not ended
   * if (!finished) { finished = true; if (state.begun) endPartition(state); }
   * }}}
   */
  override protected def doProduce(ctx: CodegenContext): String = {
    val specTerm = ctx.addReferenceObj("onePass", onePass.spec, classOf[OnePassSpec].getName)
    val sizes    = onePass.stateSizes.mkString(", ")
    table = ctx.addMutableState(
      classOf[OnePassTable].getName,
      "onePassTable",
      name => s"$name = $specTerm.open();",
      forceInline = true)
    state = ctx.addMutableState(
      stateClass,
      "onePassState",
      name => s"$name = new $stateClass($sizes);",
      forceInline = true)
    finished = ctx.addMutableState("boolean", "matcherFinished")
    notes = ranges.toOption.map(notesField(ctx, _))
    emit = emitMethod(ctx)
    endPartition = endMethod(ctx)
    val rows = childLoop(ctx)
    s"""
       |${code(ctx, state).raiseLater}
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
   *   if (state.hasFailed) throw state.error;
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
    } :+ s"${metricTerm(ctx, "matchedRows")}.add($ofState.lengths[${own.bank}]);"
    val noted = notes.map(n => s"$n.matched($ofState.lengths[${own.bank}]);").mkString
    val body  = consume(ctx, own.output(names).map(_.genCode(ctx)))
    ctx.addNewFunction(
      name,
      s"""
         |private void $name($stateClass $ofState, int ${own.bank})
         |    throws java.io.IOException {
         |  ${own.raiseLater}
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
         |private void $name($stateClass $ofState) throws java.io.IOException {
         |  $atEnd
         |}
       """.stripMargin
    )
  }

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    ctx.currentVars = if (ranges.isRight) null else input
    ctx.INPUT_ROW = if (ranges.isRight) row.value.toString else null
    val own  = code(ctx, state)
    val take = notes.map { notes =>
      s"${row.code}\n${own.columns(child.output)}\n$notes.take((UnsafeRow) ${row.value});\n"
    }
    take.mkString + searchCode(own)
  }

  /** Java that emits a match of whose rows so many come from the row at hand on. */
  private def emitted(rowsHere: String, emit: String): String =
    notes.map(n => s"$n.matchEnds($rowsHere); ").mkString + emit

  /** Searches a row whose columns are in local variables. */
  private def searchCode(own: OnePassCode): String = {
    val step =
      own.stepCode((bank, rowsHere) => emitted(rowsHere, s"$emit($state, $bank);"))
    val take = notes.fold(step) { notes =>
      s"if ($notes.isBeforeStart()) { ${own.rememberRow} } else { $step }"
    }
    s"""
       |if (!(${own.samePartition})) {
       |  if ($state.begun) { $endPartition($state); }
       |  ${own.begin}
       |}
       |$take
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

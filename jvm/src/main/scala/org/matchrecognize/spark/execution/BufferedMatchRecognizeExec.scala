package org.matchrecognize.spark.execution

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.SparkPlan

import org.matchrecognize.spark.execution.ranges.RangeSpec
import org.matchrecognize.spark.expressions.MatchContext

/**
 * Runs MATCH_RECOGNIZE over rows that a [[RowStore]] keeps: by threads or by the automaton. The
 * generated code feeds a [[PartitionMatcher]].
 */
case class BufferedMatchRecognizeExec(
    plan: MatchPlan,
    measureOutput: Seq[Attribute],
    child: SparkPlan,
    pushed: Seq[String],
    ranges: Either[String, RangeSpec])
    extends MatchRecognizeExec {

  /** Ranges are searched by the iterator. */
  override def supportCodegen: Boolean = ranges.isLeft

  // A row is emitted only when the one before was consumed.
  override def needCopyResult: Boolean = false

  // The matcher takes whole rows: Spark must not evaluate their columns first.
  override def usedInputs: AttributeSet = AttributeSet.empty

  /** The generated field that holds the matcher. */
  @transient private var matcherTerm: String = _

  /** The generated loop that emits what the matcher has found. */
  @transient private var drain: String = _

  /**
   * {{{
   * drain;                             // what was left when the consumer had enough
   * if (!shouldStop()) {
   *   ... the child's loop; for each row: append it, and drain
   *   if (shouldStop()) return;        // the consumer has enough: the input has not ended
   *   if (!finished) { finished = true; matcher.finish(); }
   *   drain;
   *   if (!shouldStop()) matcher.close();
   * }
   * }}}
   */
  override protected def doProduce(ctx: CodegenContext): String = {
    val matcherClass = classOf[PartitionMatcher].getName
    val arguments    = Seq(
      ctx.addReferenceObj("matchPlan", plan, classOf[MatchPlan].getName),
      ctx.addReferenceObj("matchInput", child.output, classOf[Seq[_]].getName),
      ctx.addReferenceObj("matchMetrics", metrics, classOf[Map[_, _]].getName),
      s"${classOf[TaskContext].getName}.get()"
    )
    matcherTerm = ctx.addMutableState(
      matcherClass,
      "matcher",
      name => s"$name = new $matcherClass(${arguments.mkString(", ")});",
      forceInline = true)
    val finished = ctx.addMutableState("boolean", "matcherFinished")
    drain = drainLoop(ctx)
    s"""
       |$drain
       |if (!shouldStop()) {
       |  ${childLoop(ctx)}
       |  if (shouldStop()) return;
       |  if (!$finished) {
       |    $finished = true;
       |    $matcherTerm.finish();
       |  }
       |  $drain
       |  if (!shouldStop()) $matcherTerm.close();
       |}
     """.stripMargin
  }

  /**
   * The one place where rows are handed on: a method that the loop calls. Columns are evaluated
   * there, where the consumer uses them.
   * {{{
   * while (!shouldStop() && matcher.next()) { emitMatch(matcher.context()); }
   * }}}
   */
  private def drainLoop(ctx: CodegenContext): String = {
    val context = ctx.freshName("matchContext")
    val emit    = ctx.freshName("emitMatch")
    ctx.currentVars = null
    ctx.INPUT_ROW = context
    val columns = new ExpressionBinding(plan, child.output).output.map(_.genCode(ctx))
    ctx.INPUT_ROW = null
    val emitTerm = ctx.addNewFunction(
      emit,
      s"""
         |private void $emit(${classOf[MatchContext].getName} $context)
         |    throws java.io.IOException {
         |  ${consume(ctx, columns)}
         |}
       """.stripMargin
    )
    val more = (parent.limitNotReachedChecks :+ s"$matcherTerm.next()").mkString(" && ")
    s"while (!shouldStop() && $more) { $emitTerm($matcherTerm.context()); }"
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

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.CodegenSupport
import org.apache.spark.unsafe.types.UTF8String

/** The one-pass search inside the stage: a row is taken as the child's columns, and never kept. */
final private[execution] class FusedCode(exec: MatchRecognizeExec, plan: OnePassPlan)
    extends GeneratedMatcher {
  private var table: String = _
  private var state: String = _

  /** Generated methods: put out a match; end a partition. */
  private var putOut: String       = _
  private var endPartition: String = _

  private def code(ctx: CodegenContext, state: String) = new OnePassCode(
    ctx,
    plan.layout,
    plan.spec.possible,
    exec.child.output,
    exec.partition,
    table,
    state)

  /**
   * {{{
   * ... the child's loop; for each row: doConsume
   * if (!finished) { finished = true; if (state.begun) endPartition(state); }
   * }}}
   */
  override def produce(ctx: CodegenContext): String = {
    val specTerm = ctx.addReferenceObj("onePass", plan.spec, classOf[OnePassSpec].getName)
    table = ctx.addMutableState(
      classOf[OnePassTable].getName,
      "onePassTable",
      name => s"$name = $specTerm.open();",
      forceInline = true)
    state = ctx.addMutableState(
      classOf[OnePassState].getName,
      "onePassState",
      name => s"$name = $newState;",
      forceInline = true)
    val finished = ctx.addMutableState("boolean", "matcherFinished")
    putOut = putOutMethod(ctx)
    endPartition = endMethod(ctx)
    s"""
       |${exec.child.asInstanceOf[CodegenSupport].produce(ctx, exec)}
       |if (!$finished) {
       |  $finished = true;
       |  if ($state.begun) { $endPartition($state); }
       |}
     """.stripMargin
  }

  private def newState: String = {
    val layout = plan.layout
    val sizes  = Seq(
      plan.banks,
      layout.matched.numberCount,
      layout.matched.objectCount,
      layout.lookBack,
      layout.earlier.numberCount,
      layout.earlier.objectCount,
      layout.keys.numberCount,
      layout.keys.objectCount
    )
    s"new ${classOf[OnePassState].getName}(${sizes.mkString(", ")})"
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
    val body = exec.consume(ctx, own.output(names))
    ctx.addNewFunction(
      name,
      s"""
         |private void $name(${classOf[OnePassState].getName} $ofState, int ${own.bankTerm})
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

  /**
   * {{{
   * if (!samePartition) { if (state.begun) endPartition(state); ... begin the partition }
   * ... take the row
   * }}}
   */
  override def consume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
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
}

package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.execution.CodegenSupport

import org.matchrecognize.spark.expressions.MatchContext

/** The generated code of [[MatchRecognizeExec]], in one of its forms. */
private[execution] trait GeneratedMatcher {
  def produce(ctx: CodegenContext): String
  def consume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String
}

/** Feeds a [[PartitionMatcher]]. */
final private[execution] class GeneralCode(exec: MatchRecognizeExec, spec: MatchSpec)
    extends GeneratedMatcher {

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
  override def produce(ctx: CodegenContext): String = {
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
       |  ${exec.child.asInstanceOf[CodegenSupport].produce(ctx, exec)}
       |  if (!$finished) {
       |    $finished = true;
       |    $matcherTerm.finish();
       |  }
       |  $drain
       |}
     """.stripMargin
  }

  /**
   * The one place where rows are handed on: a method that the loop calls. Columns are evaluated
   * there, where the consumer asks for them.
   * {{{
   * while (!shouldStop() && matcher.next()) { putOutMatch(matcher.context()); }
   * }}}
   */
  private def drainLoop(ctx: CodegenContext): String = {
    val context = ctx.freshName("matchContext")
    val putOut  = ctx.freshName("putOutMatch")
    ctx.currentVars = null
    ctx.INPUT_ROW = context
    val columns = new BoundClause(spec).output.map(_.genCode(ctx))
    ctx.INPUT_ROW = null
    val putOutTerm = ctx.addNewFunction(
      putOut,
      s"""
         |private void $putOut(${classOf[MatchContext].getName} $context)
         |    throws java.io.IOException {
         |  ${exec.consume(ctx, columns)}
         |}
       """.stripMargin
    )
    val more = (exec.limitChecks :+ s"$matcherTerm.next()").mkString(" && ")
    s"while (!shouldStop() && $more) { $putOutTerm($matcherTerm.context()); }"
  }

  /**
   * {{{
   * matcher.append(row);
   * drain;
   * }}}
   */
  override def consume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    s"""
       |${row.code}
       |$matcherTerm.append(${row.value});
       |$drain
     """.stripMargin
}

package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.codegen.{
  CodeAndComment,
  CodeGenerator,
  CodegenContext,
  GenerateUnsafeProjection
}
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.fused.{
  OnePassCode,
  OnePassPlan,
  OnePassSpec,
  OnePassState,
  OnePassStateSizes,
  OnePassSteps,
  OnePassTable,
  StoredBanks
}
import org.matchrecognize.spark.logical.ResolvedClause

/**
 * The code of a clause's one-pass search as a class of its own, [[OnePassSteps]]: sent to tasks,
 * which compile it.
 */
final private[execution] case class StandaloneOnePass(
    code: CodeAndComment,
    references: Array[Any],
    table: OnePassSpec,
    sizes: OnePassStateSizes,
    banks: StoredBanks) {

  def open(): OnePassSteps = {
    val (compiled, _) = CodeGenerator.compile(code)
    compiled.generate(references).asInstanceOf[OnePassSteps]
  }

  def newState(): OnePassState = sizes.newState()
}

private[execution] object StandaloneOnePass {
  private val stateClass = classOf[OnePassState].getName
  private val stepsClass = classOf[OnePassSteps].getName

  def of(
      plan: OnePassPlan,
      clause: ResolvedClause,
      partition: Seq[Attribute],
      input: Seq[Attribute]): StandaloneOnePass = {
    val ctx   = new CodegenContext
    val table = ctx.addMutableState(
      classOf[OnePassTable].getName,
      "onePassTable",
      name =>
        s"$name = ${ctx.addReferenceObj("onePass", plan.spec, classOf[OnePassSpec].getName)}.open();",
      forceInline = true
    )
    val putOut =
      putOutMethod(ctx, clause, ofState => code(ctx, plan, partition, input, table, ofState))
    def own = code(ctx, plan, partition, input, table, "state")
    def method(body: OnePassCode => String): String = {
      ctx.INPUT_ROW = "row"
      ctx.currentVars = null
      val steps = own
      s"${steps.columns(input)}\n${body(steps)}"
    }
    val begin = method(_.begin)
    val take  = method(_.take(bank => s"$putOut(state, $bank);"))
    val end   = own.end(bank => s"$putOut(state, $bank);")
    StandaloneOnePass(
      new CodeAndComment(source(ctx, begin, take, end), ctx.getPlaceHolderToComments()),
      ctx.references.toArray,
      plan.spec,
      plan.stateSizes,
      StoredBanks.of(plan.layout)
    )
  }

  private def code(
      ctx: CodegenContext,
      plan: OnePassPlan,
      partition: Seq[Attribute],
      input: Seq[Attribute],
      table: String,
      state: String) =
    new OnePassCode(
      ctx,
      plan.layout,
      plan.spec.possible,
      plan.banks,
      input,
      partition,
      table,
      state)

  /**
   * {{{
   * private void putOut(OnePassState state, int bank) {
   *   state.matchNumber++;
   *   ... the measures, as a row
   *   found.add(row.copy());
   * }
   * }}}
   */
  private def putOutMethod(
      ctx: CodegenContext,
      clause: ResolvedClause,
      ofState: String => OnePassCode): String = {
    val name  = ctx.freshName("putOut")
    val own   = ofState("state")
    val names = ctx.addReferenceObj(
      "variableNames",
      clause.variables.map(v => UTF8String.fromString(v.name)).toArray,
      "UTF8String[]")
    val row = GenerateUnsafeProjection.createCode(ctx, own.output(names))
    ctx.addNewFunction(
      name,
      s"""
         |private void $name($stateClass state, int ${own.bankTerm}) {
         |  state.matchNumber++;
         |  ${own.loadBank}
         |  ${row.code}
         |  found.add(${row.value}.copy());
         |}
       """.stripMargin
    )
  }

  private def source(ctx: CodegenContext, begin: String, take: String, end: String): String =
    s"""
       |public Object generate(Object[] references) { return new SpecificSteps(references); }
       |
       |final class SpecificSteps extends $stepsClass {
       |  private Object[] references;
       |  ${ctx.declareMutableStates()}
       |
       |  SpecificSteps(Object[] references) {
       |    this.references = references;
       |    ${ctx.initMutableStates()}
       |    ${ctx.initPartition()}
       |  }
       |
       |  public void begin($stateClass state, InternalRow row) { $begin }
       |  public void take($stateClass state, InternalRow row) { $take }
       |  public void end($stateClass state) { $end }
       |
       |  ${ctx.declareAddedFunctions()}
       |}
     """.stripMargin
}

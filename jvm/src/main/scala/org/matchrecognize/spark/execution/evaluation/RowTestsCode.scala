package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  CodeGeneratorWithInterpretedFallback,
  Expression
}
import org.apache.spark.sql.catalyst.expressions.codegen.{
  CodeAndComment,
  CodeGenerator,
  CodegenContext,
  CodegenFallback
}

import org.matchrecognize.spark.execution.registers.{BankTerms, EarlierRows, RowTests}
import org.matchrecognize.spark.expressions.{RowColumn, RowExists, RowValue}

/**
 * Conditions that the row alone decides.
 *
 * @param input
 *   the columns of a row
 */
final private[execution] case class RowConditionList(
    conditions: Seq[Expression],
    input: Seq[Attribute])

/**
 * Generates [[RowTests]]; none where rows are better tested once all have arrived, or where Spark is
 * to generate no code.
 */
private[execution] object RowTestsCode
    extends CodeGeneratorWithInterpretedFallback[RowConditionList, Option[RowTests]] {

  def of(list: RowConditionList): Option[RowTests] =
    if (list.conditions.size > ManyConditions.few || !list.conditions.forall(fits)) None
    else {
      val rows = new EarlierRows(list.conditions)
      if (rows.depth <= EarlierRows.maxDepth && rows.bank.fits) createObject(list) else None
    }

  /** Whether all that the condition reads of rows can be in registers of generated code. */
  private def fits(condition: Expression): Boolean =
    condition.deterministic && !condition.exists {
      case _: RowColumn | _: RowExists      => false
      case _: RowValue | _: CodegenFallback => true
      case _                                => false
    }

  override protected def createInterpretedObject(list: RowConditionList): Option[RowTests] = None

  override protected def createCodeGeneratedObject(list: RowConditionList): Option[RowTests] = {
    val ctx           = new CodegenContext
    val (compiled, _) = CodeGenerator.compile(code(ctx, list))
    Some(compiled.generate(ctx.references.toArray).asInstanceOf[RowTests])
  }

  private def code(ctx: CodegenContext, list: RowConditionList): CodeAndComment = {
    ctx.INPUT_ROW = "row"
    val rows                   = new EarlierRows(list.conditions)
    val (numbers, objects)     = (rows.bank.numberCount, rows.bank.objectCount)
    def row(n: Int): BankTerms = BankTerms(
      "numbers",
      s"${(n - 1) * numbers}",
      "objects",
      s"${(n - 1) * objects}",
      s"bits[${n - 1}]")
    def bound(e: Expression) = BindReferences.bindReference(e, list.input)
    val mask                 = ctx.addMutableState("long", "mask", forceInline = true)
    // No common subexpressions: to Spark `a AND b` is also `b AND a`, which can fail elsewhere.
    val tests = list.conditions.zipWithIndex.map { case (condition, bit) =>
      val verdict = bound(rows.condition(condition, row)).genCode(ctx)
      s"""
         |${verdict.code}
         |if (!${verdict.isNull} && ${verdict.value}) $mask |= ${1L << bit}L;
       """.stripMargin
    }
    val test    = ctx.splitExpressionsWithCurrentInputs(tests)
    val columns = rows.columns.map { id =>
      id -> bound(list.input.find(_.exprId == id).get).genCode(ctx)
    }
    val source = s"""
       |public Object generate(Object[] references) { return new SpecificTests(references); }
       |
       |final class SpecificTests extends ${classOf[RowTests].getName} {
       |  private Object[] references;
       |  ${ctx.declareMutableStates()}
       |
       |  SpecificTests(Object[] references) {
       |    super(${rows.ahead}L, ${rows.depth}, $numbers, $objects);
       |    this.references = references;
       |    ${ctx.initMutableStates()}
       |  }
       |
       |  public long test(InternalRow row) {
       |    $mask = 0L;
       |    $test
       |    return $mask;
       |  }
       |
       |  protected void write(InternalRow row) {
       |    ${columns.map(_._2.code).mkString("\n")}
       |    ${rows.write(row(1), columns.toMap)}
       |  }
       |
       |  ${ctx.declareAddedFunctions()}
       |}
     """.stripMargin
    new CodeAndComment(source, ctx.getPlaceHolderToComments())
  }
}

package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Average, Count, Max, Min, Sum}
import org.apache.spark.sql.catalyst.expressions.codegen.{
  GenerateMutableProjection,
  GeneratePredicate,
  GenerateUnsafeProjection
}
import org.apache.spark.sql.types._

import org.matchrecognize.spark.expressions.{
  BufferColumn,
  ContextAggregate,
  ContextExpression,
  MatchNumber,
  RowAggregate,
  RowValue
}

/**
 * Whether an expression can fail with an error. What is not known to succeed counts as fallible. It
 * is then tested only where the search tests it, or its error is kept (semantics.md: Conditions).
 */
private[spark] object Fallible {
  def apply(e: Expression): Boolean = !succeeds(e) || e.children.exists(apply)

  private def succeeds(e: Expression): Boolean = e match {
    case _: Attribute | _: Literal | _: RowValue | _: MatchNumber | _: RowAggregate => true
    // What has failed while a row was added is raised where it is read.
    case _: BufferColumn | _: ContextAggregate => false
    case _: ContextExpression                  => true
    case _: Count | _: Min | _: Max            => true
    case sum: Sum                              => sum.dataType == DoubleType
    case average: Average                      => isFloating(average.child.dataType)
    case _: BinaryComparison | _: And | _: Or | _: Not | _: IsNull | _: IsNotNull => true
    case _: In | _: InSet | _: Coalesce | _: If | _: CaseWhen | _: GetStructField => true
    case _: Contains | _: StartsWith | _: EndsWith                                => true
    case _: Add | _: Subtract | _: Multiply | _: UnaryMinus | _: Abs              =>
      isFloating(e.dataType)
    case cast: Cast =>
      hasRoom(cast.dataType) && Cast.canUpCast(cast.child.dataType, cast.dataType)
    case _ => false
  }

  /** Not so a timestamp: most dates have none. Nor what it may be a part of. */
  private def hasRoom(dataType: DataType): Boolean = dataType match {
    case TimestampType | TimestampNTZType | _: StructType | _: ArrayType | _: MapType => false
    case _                                                                            => true
  }

  private def isFloating(dataType: DataType): Boolean =
    dataType == DoubleType || dataType == FloatType
}

/**
 * Generated code in which each part of an expression is computed where it stands. Spark computes a
 * part that occurs twice before all others, even if AND or OR would have left it out. If it can fail
 * ([[Fallible]]), that would be an error which the stage's code and the interpreter do not have.
 */
private[spark] object UnsharedCode {

  def predicate(e: Expression, schema: Seq[Attribute] = Nil): BasePredicate =
    if (Fallible(e)) predicates.createObject(BindReferences.bindReference(e, schema))
    else Predicate.create(e, schema)

  def projection(all: Seq[Expression], schema: Seq[Attribute] = Nil): UnsafeProjection =
    if (all.exists(Fallible(_)))
      projections.createObject(BindReferences.bindReferences(all, schema))
    else UnsafeProjection.create(all, schema)

  /**
   * @param all
   *   bound to their input
   * @param parts
   *   those of the user in them
   */
  def update(all: Seq[Expression], parts: Seq[Expression]): MutableProjection =
    if (parts.exists(Fallible(_))) updates.createObject(all) else MutableProjection.create(all)

  private val predicates = new Generator[Expression, BasePredicate](
    GeneratePredicate.generate(_, useSubexprElimination = false),
    Predicate.createInterpreted(_))

  private val projections = new Generator[Seq[Expression], UnsafeProjection](
    GenerateUnsafeProjection.generate(_, subexpressionEliminationEnabled = false),
    InterpretedUnsafeProjection.createProjection(_))

  private val updates = new Generator[Seq[Expression], MutableProjection](
    GenerateMutableProjection.generate(_, useSubexprElimination = false),
    InterpretedMutableProjection.createProjection(_))

  final private class Generator[I, O](generated: I => O, interpreted: I => O)
      extends CodeGeneratorWithInterpretedFallback[I, O] {
    override protected def createCodeGeneratedObject(in: I): O = generated(in)
    override protected def createInterpretedObject(in: I): O   = interpreted(in)
  }
}

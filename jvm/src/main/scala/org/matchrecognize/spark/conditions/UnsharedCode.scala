package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.{
  GenerateMutableProjection,
  GeneratePredicate,
  GenerateUnsafeProjection
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

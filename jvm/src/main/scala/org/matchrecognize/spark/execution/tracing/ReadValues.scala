package org.matchrecognize.spark.execution.tracing

import org.apache.spark.sql.catalyst.expressions.{Attribute, Cast, Expression}
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.types.StringType

import org.matchrecognize.spark.execution.evaluation.PartitionContext
import org.matchrecognize.spark.execution.slots.EvaluationUnit
import org.matchrecognize.spark.expressions._

/** What a condition reads: columns of rows, and aggregates. */
final private[tracing] class ReadValues(
    condition: Expression,
    unit: EvaluationUnit,
    zone: String) {

  private val read: Seq[(String, Expression)] = ReadValues
    .leaves(condition)
    .filter(leaf => Cast.canCast(leaf.dataType, StringType))
    .map(leaf =>
      ReadValues.name(leaf) -> unit.bind(Cast(leaf, StringType, Some(zone))).expression)
    .groupBy(_._1)
    .values
    .map(_.head)
    .toSeq
    .sortBy(_._1)

  /** Their values at the row that is tested. */
  def at(context: PartitionContext): Seq[ReadValue] = read.map { case (name, e) =>
    ReadValue(name, Option(e.eval(context)).map(_.toString))
  }
}

private[tracing] object ReadValues {

  private def leaves(e: Expression): Seq[Expression] = e match {
    case leaf: RowColumn    => Seq(leaf)
    case leaf: RowAggregate => Seq(leaf)
    case other              => other.children.flatMap(leaves)
  }

  /** A leaf as the user would write it. */
  private def name(leaf: Expression): String = leaf match {
    case RowColumn(target, child) => ofRow(target, column(child))
    case a: RowAggregate          =>
      val prefix = a.variable.fold("")(_.name + ".")
      val args   =
        a.function.children.map(c => if (c.foldable) toPrettySQL(c) else prefix + column(c))
      val inner = if (args.forall(_ == "1")) s"$prefix*" else args.mkString(", ")
      s"${a.function.prettyName.toUpperCase(java.util.Locale.ROOT)}($inner)"
    case other => toPrettySQL(other)
  }

  private def column(e: Expression): String = e match {
    case attribute: Attribute => attribute.name
    case other                => toPrettySQL(other)
  }

  private def ofRow(target: RowTarget, column: String): String = {
    val anchored = target.anchor match {
      case RowAnchor.current | RowAnchor.Output       => column
      case RowAnchor.Mapped(end, variable, offset, _) =>
        val qualified = variable.fold(column)(v => s"${v.name}.$column")
        if (offset > 0) s"$end($qualified, $offset)"
        // A.x is the same as LAST(A.x).
        else if (end == MappedEnd.Last) qualified
        else s"$end($qualified)"
    }
    def far(n: Long) = if (n == 1) "" else s", $n"
    target.physical match {
      case 0          => anchored
      case n if n < 0 => s"PREV($anchored${far(-n)})"
      case n          => s"NEXT($anchored${far(n)})"
    }
  }
}

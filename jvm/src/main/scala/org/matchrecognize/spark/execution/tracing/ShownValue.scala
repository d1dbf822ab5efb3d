package org.matchrecognize.spark.execution.tracing

import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Cast,
  Expression,
  RowOrdering,
  UnsafeRow
}
import org.apache.spark.sql.types.StringType

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.evaluation.PartitionContext
import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.EvaluationUnit
import org.matchrecognize.spark.expressions.{RowAggregate, RowColumn, WrittenText}

/**
 * A value as a literal of SQL. A text is in quotes: blanks at its ends are seen, and a number that is
 * a text differs from a number.
 *
 * @param bind
 *   binds the value to the rows that it is taken from
 */
final private[spark] class ShownValue(
    value: Expression,
    zone: String,
    bind: Expression => Expression) {
  private val isText = value.dataType.isInstanceOf[StringType]
  private val text   = bind(Cast(value, StringType, Some(zone)))

  /** None for NULL. */
  def at(row: InternalRow): Option[String] = Option(text.eval(row)).map { found =>
    if (isText) ShownValue.quoted(found.toString) else found.toString
  }
}

private[spark] object ShownValue {
  def isPossible(value: Expression): Boolean = Cast.canCast(value.dataType, StringType)

  /** Blanks that are no spaces look like spaces. */
  private def quoted(text: String): String = text
    .flatMap {
      case '\''                                                                     => "\\'"
      case '\\'                                                                     => "\\\\"
      case '\n'                                                                     => "\\n"
      case '\r'                                                                     => "\\r"
      case '\t'                                                                     => "\\t"
      case c if c != ' ' && (Character.isISOControl(c) || Character.isSpaceChar(c)) =>
        f"\\u${c.toInt}%04X"
      case c => c.toString
    }
    .mkString("'", "", "'")
}

/** What a condition reads: columns of rows, and aggregates. */
final private[tracing] class ReadValues(
    condition: Expression,
    unit: EvaluationUnit,
    zone: String) {

  private val read: Seq[(String, ShownValue)] = leaves(condition)
    .filter(ShownValue.isPossible)
    .map(leaf => WrittenText.ofLeaf(leaf) -> new ShownValue(leaf, zone, unit.bind(_).expression))
    .groupBy(_._1)
    .values
    .map(_.head)
    .toSeq
    .sortBy(_._1)

  /** Their values at the row that is tested. */
  def at(context: PartitionContext): Seq[ReadValue] = read.flatMap { case (name, value) =>
    // The search may not have read it, and an aggregate can fail.
    Try(value.at(context)).toOption.map(ReadValue(name, _))
  }

  private def leaves(e: Expression): Seq[Expression] = e match {
    case leaf: RowColumn    => Seq(leaf)
    case leaf: RowAggregate => Seq(leaf)
    case other              => other.children.flatMap(leaves)
  }
}

/** Describes the rows of a partition by their keys. */
final private[tracing] class RowDescriptions(
    plan: MatchPlan,
    input: Seq[Attribute],
    store: PartitionRows) {
  private val row       = store.newRow()
  private val next      = store.newRow()
  private val partition = keys(plan.partition)
  private val order     = keys(plan.order.map(_.child))

  private val ordering = RowOrdering.create(plan.order, input)

  private def keys(all: Seq[Expression]): Seq[(String, ShownValue)] =
    all.filter(ShownValue.isPossible).map { key =>
      MatchPlan.nameOf(key) ->
        new ShownValue(key, plan.zone, BindReferences.bindReference(_, input))
    }

  private def text(keys: Seq[(String, ShownValue)], row: UnsafeRow): String =
    keys
      .map { case (name, value) => s"$name = ${value.at(row).getOrElse("NULL")}" }
      .mkString(", ")

  def describe(index: Long): RowDescription = {
    store.get(index, row)
    RowDescription(text(partition, row), index + 1, text(order, row))
  }

  /** How many rows ORDER BY does not tell from the row before or after them. */
  def tiedRows: Long = {
    var tied    = 0L
    var wasTied = false
    var i       = 0L
    while (i + 1 < store.size) {
      store.get(i, row)
      store.get(i + 1, next)
      val isTied = plan.order.isEmpty || ordering.compare(row, next) == 0
      if (isTied) tied += (if (wasTied) 1 else 2)
      wasTied = isTied
      i += 1
    }
    tied
  }
}

package org.matchrecognize.spark.execution.tracing

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Expression,
  RowOrdering,
  UnsafeRow
}

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.rows.PartitionRows

/** Names the rows of a partition by its keys. */
final private[tracing] class PlaceNames(
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
      val name = key match {
        case column: Attribute => column.name
        case other             => other.sql
      }
      name -> new ShownValue(key, plan.zone, BindReferences.bindReference(_, input))
    }

  private def text(keys: Seq[(String, ShownValue)], row: UnsafeRow): String =
    keys
      .map { case (name, value) => s"$name = ${value.at(row).getOrElse("NULL")}" }
      .mkString(", ")

  def place(index: Long): RowPlace = {
    store.get(index, row)
    RowPlace(text(partition, row), index + 1, text(order, row))
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

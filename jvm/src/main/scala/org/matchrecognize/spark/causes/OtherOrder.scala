package org.matchrecognize.spark.causes

import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  Descending,
  SortDirection,
  SortOrder
}
import org.apache.spark.sql.types.StringType

import org.matchrecognize.spark.causes.ChangedClause._
import org.matchrecognize.spark.expressions.WrittenText
import org.matchrecognize.spark.logical.{Cause, ClauseVariant, Finding}

/** The clause with its rows in another order. */
final private[causes] class OtherOrder(change: ChangedClause) {
  private val order = change.clause.order

  def variants: Seq[ClauseVariant] = asNumbers.toSeq ++ reversed

  /** Texts as numbers. */
  private def asNumbers: Option[ClauseVariant] =
    order.indices.find(i => order(i).dataType.isInstanceOf[StringType]).map { i =>
      val name    = nameOf(order(i))
      val changed = order.updated(i, order(i).copy(child = number(order(i).child)))
      val names   = order.map(item => nameOf(item) + directionOf(item))
      val shown   = names.updated(i, s"CAST($name AS DOUBLE)" + directionOf(order(i)))
      change
        .variant(
          Cause("order of texts", rank = 1, Some(shown.mkString("With ORDER BY ", ", ", ""))),
          Finding(s"ORDER BY $name sorts a text: '10' comes before '9'."))
        .copy(order = changed)
    }

  /** All keys in the other direction, and each key alone. WITHIN needs its key as it is. */
  private def reversed: Seq[ClauseVariant] =
    if (change.clause.clause.within.nonEmpty) Nil
    else {
      val alone = if (order.size > 1) order.indices.map(Set(_)) else Nil
      (order.indices.toSet +: alone).filter(_.nonEmpty).map { keys =>
        val changed = order.zipWithIndex.map { case (item, i) =>
          if (keys(i)) SortOrder(item.child, opposite(item.direction)) else item
        }
        val shown = changed.map(item => nameOf(item) + directionOf(item))
        change
          .variant(
            Cause("direction", rank = 2, Some(shown.mkString("With ORDER BY ", ", ", ""))),
            Finding("ORDER BY may have the wrong direction."))
          .copy(order = changed)
      }
    }

  private def nameOf(item: SortOrder): String = item.child match {
    case column: Attribute => column.name
    case other             => WrittenText.of(other)
  }

  private def opposite(direction: SortDirection): SortDirection =
    if (direction == Ascending) Descending else Ascending

  private def directionOf(item: SortOrder): String =
    if (item.direction == Descending) " DESC" else ""
}

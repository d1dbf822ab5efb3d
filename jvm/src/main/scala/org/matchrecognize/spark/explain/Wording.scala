package org.matchrecognize.spark.explain

import org.matchrecognize.spark.execution.tracing.{ReadValue, RowPlace}

/** Words that all parts of an explanation use. */
private[explain] object Wording {
  def count(n: Long, one: String): String = count(n, one, one + "s")

  def count(n: Long, one: String, many: String): String = s"$n ${if (n == 1) one else many}"

  def value(v: ReadValue): String = s"${v.name} = ${v.value.getOrElse("NULL")}"

  def row(place: RowPlace): String =
    s"row ${place.number}" + (if (place.order.isEmpty) "" else s" (${place.order})")

  def of(partition: String): String = if (partition.isEmpty) "" else s" of $partition"
}

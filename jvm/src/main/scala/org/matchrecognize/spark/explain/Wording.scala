package org.matchrecognize.spark.explain

import org.matchrecognize.spark.execution.tracing.{ReadValue, RowDescription}

/** Words that all parts of an explanation use. */
private[explain] object Wording {
  def count(n: Long, one: String): String = count(n, one, one + "s")

  def count(n: Long, one: String, many: String): String = s"$n ${if (n == 1) one else many}"

  def value(v: ReadValue): String = s"${v.name} = ${v.value.getOrElse("NULL")}"

  def row(described: RowDescription): String =
    s"row ${described.number}" + (if (described.order.isEmpty) "" else s" (${described.order})")

  def of(partition: String): String = if (partition.isEmpty) "" else s" of $partition"
}

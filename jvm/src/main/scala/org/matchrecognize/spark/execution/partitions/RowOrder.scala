package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BaseOrdering,
  BindReferences,
  BoundReference,
  RowOrdering,
  SortOrder,
  SortPrefix,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.execution.SortPrefixUtils
import org.apache.spark.sql.types.{
  DateType,
  IntegerType,
  LongType,
  TimestampNTZType,
  TimestampType
}
import org.apache.spark.util.collection.unsafe.sort.{PrefixComparator, PrefixComparators}

/**
 * Compares rows by the prefix of their first key, a number that Spark sorts by, and by all keys where
 * the prefix does not decide. Without a key all rows are equal.
 */
final private[partitions] class RowOrder(order: Seq[SortOrder], input: Seq[Attribute]) {
  import RowOrder._

  private val first: Option[SortOrder] =
    order.headOption.map(BindReferences.bindReference(_, input))

  private lazy val byAllKeys: BaseOrdering = RowOrdering.create(order, input)

  private val prefixIsAll =
    order.isEmpty || order.size == 1 && SortPrefixUtils.canSortFullyWithPrefix(first.get)

  private val prefixOf: Prefix = first.fold[Prefix](NoPrefix)(prefixOfKey)

  /** How two prefixes compare. */
  val prefixes: PrefixComparator =
    first.fold[PrefixComparator](PrefixComparators.LONG)(SortPrefixUtils.getPrefixComparator)

  def prefix(row: UnsafeRow): Long = prefixOf(row)

  /** Whether two rows that both have this prefix are equal. NULL shares its prefix with a value. */
  def decides(prefix: Long): Boolean =
    prefixIsAll && (order.isEmpty || prefix != prefixOf.ofNull)

  def compare(a: UnsafeRow, b: UnsafeRow): Int = byAllKeys.compare(a, b)
}

private object RowOrder {

  sealed abstract private class Prefix {
    def apply(row: UnsafeRow): Long
    def ofNull: Long
  }

  private object NoPrefix extends Prefix {
    override def apply(row: UnsafeRow): Long = 0L
    override def ofNull: Long                = 0L
  }

  private def prefixOfKey(order: SortOrder): Prefix = {
    val prefix = SortPrefix(order)
    order.child match {
      case BoundReference(i, LongType | TimestampType | TimestampNTZType, _) =>
        new OfLong(i, prefix.nullValue)
      case BoundReference(i, IntegerType | DateType, _) => new OfInt(i, prefix.nullValue)
      case _                                            => new Computed(prefix)
    }
  }

  final private class OfLong(i: Int, override val ofNull: Long) extends Prefix {
    override def apply(row: UnsafeRow): Long = if (row.isNullAt(i)) ofNull else row.getLong(i)
  }

  final private class OfInt(i: Int, override val ofNull: Long) extends Prefix {
    override def apply(row: UnsafeRow): Long =
      if (row.isNullAt(i)) ofNull else row.getInt(i).toLong
  }

  final private class Computed(prefix: SortPrefix) extends Prefix {
    private val projection    = UnsafeProjection.create(prefix :: Nil)
    override val ofNull: Long = prefix.nullValue

    override def apply(row: UnsafeRow): Long = {
      val computed = projection(row)
      if (computed.isNullAt(0)) ofNull else computed.getLong(0)
    }
  }
}

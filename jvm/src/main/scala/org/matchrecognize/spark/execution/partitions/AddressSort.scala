package org.matchrecognize.spark.execution.partitions

import java.util.Comparator

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.{PrefixSort, RowStoreDisk}
import org.apache.spark.unsafe.array.LongArray
import org.apache.spark.util.collection.unsafe.sort.{
  PrefixComparators,
  RadixSort,
  RecordPointerAndKeyPrefix
}

/**
 * Sorts addresses of rows. Its memory is reserved in advance ([[reserve]]), because Spark requests a
 * spill, for which rows are sorted, exactly when no memory is left.
 *
 * @param point
 *   points a row at what an address stands for
 */
final private[partitions] class AddressSort(
    order: RowOrder,
    fields: Int,
    point: (Long, UnsafeRow) => Unit,
    allocate: Long => LongArray,
    free: LongArray => Unit) {
  import AddressSort._

  private var array: LongArray = _
  private var count            = 0
  private var start            = 0

  /** Whether the prefixes alone decide the order of all addresses. */
  private var prefixesDecide = true

  private val radix = order.prefixes match {
    case support: PrefixComparators.RadixSortSupport => Some(support)
    case _                                           => None
  }

  private val comparator = new Comparator[RecordPointerAndKeyPrefix] {
    private val (row, other) = (new UnsafeRow(fields), new UnsafeRow(fields))

    override def compare(a: RecordPointerAndKeyPrefix, b: RecordPointerAndKeyPrefix): Int = {
      val byPrefix = order.prefixes.compare(a.keyPrefix, b.keyPrefix)
      if (byPrefix != 0 || order.decides(a.keyPrefix)) byPrefix
      else {
        point(a.recordPointer, row)
        point(b.recordPointer, other)
        order.compare(row, other)
      }
    }
  }

  /** Makes room for so many addresses, or throws Spark's SparkOutOfMemoryError. */
  def reserve(addresses: Long): Unit =
    if (array == null || array.size < addresses * longsPerAddress) {
      if (addresses > most) throw RowStoreDisk.outOfMemory(addresses * longsPerAddress * 8)
      val larger = allocate(math.max(addresses + addresses / 4, smallest) * longsPerAddress)
      release()
      array = larger
    }

  def release(): Unit = if (array != null) {
    free(array)
    array = null
  }

  def begin(): Unit = {
    count = 0
    prefixesDecide = true
  }

  def add(address: Long, prefix: Long): Unit = {
    array.set(2 * count, address)
    array.set(2 * count + 1, prefix)
    prefixesDecide &= order.decides(prefix)
    count += 1
  }

  /** Equal ones stay as they were added. */
  def sort(): Unit =
    if (prefixesDecide && count >= radixFrom && radix.nonEmpty) {
      start = RadixSort.sortKeyPrefixArray(
        array,
        0L,
        count.toLong,
        0,
        7,
        radix.get.sortDescending,
        radix.get.sortSigned)
    } else {
      start = 0
      PrefixSort.sort(array, count, comparator)
    }

  def size: Int = count

  /** The address at an index of the order. */
  def apply(i: Int): Long = array.get(start + 2 * i)
}

private object AddressSort {

  /** An address and its prefix, twice: both sorts need room to move them to. */
  val longsPerAddress = 4L

  val smallest = 256L

  /** Spark's arrays and sorts count in Int. */
  val most = 400L * 1000 * 1000

  /** From so many on, radix sort takes less time than TimSort on rows in random order. */
  val radixFrom = 1024
}

package org.apache.spark.sql.matchrecognize

import java.util.Comparator

import org.apache.spark.unsafe.array.LongArray
import org.apache.spark.unsafe.memory.MemoryBlock
import org.apache.spark.util.collection.Sorter
import org.apache.spark.util.collection.unsafe.sort.{
  RecordPointerAndKeyPrefix,
  UnsafeSortDataFormat
}

/** Spark's TimSort of addresses with prefixes. Here since Spark's Sorter is `private[spark]`. */
object PrefixSort {

  /**
   * Sorts the first `count` pairs of the array. The rest of the array is the sort's buffer and must
   * have room for half as many.
   */
  def sort(
      array: LongArray,
      count: Int,
      comparator: Comparator[RecordPointerAndKeyPrefix]): Unit = {
    val used = 2L * count
    val rest = new LongArray(
      new MemoryBlock(
        array.getBaseObject,
        array.getBaseOffset + used * 8,
        (array.size - used) * 8))
    new Sorter(new UnsafeSortDataFormat(rest)).sort(array, 0, count, comparator)
  }
}

package org.matchrecognize.spark.execution.rows

import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter

import org.matchrecognize.spark.pattern.matching.NumberChunks

/**
 * Chunks of numbers in a store of their own, a row each: accounted to the task, and written to disk
 * where memory is short, as rows are.
 *
 * @param open
 *   makes the store: most partitions have less than a chunk, and need none
 */
final private[execution] class StoredChunks(open: => PartitionRows) extends NumberChunks {
  private lazy val store  = open
  private lazy val into   = store.newRow()
  private lazy val writer = new UnsafeRowWriter(1)

  override def add(chunk: Array[Byte]): Unit = {
    writer.reset()
    writer.write(0, chunk)
    store.append(writer.getRow)
  }

  override def read(index: Int): Array[Byte] = {
    store.get(index.toLong, into)
    into.getBinary(0)
  }

  override def clear(): Unit = {
    store.trimBefore(store.size)
    store.clear()
  }

  override def keep(): Int              = store.keep().toInt
  override def resume(count: Int): Unit = store.resume(0, count.toLong)
}

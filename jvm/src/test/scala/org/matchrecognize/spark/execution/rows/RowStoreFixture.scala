package org.matchrecognize.spark.execution.rows

import java.util.Random

import org.scalatest.Assertions

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.matchrecognize.TaskResources

/** What the suites of RowStore share: rows of (a number, a payload that follows from it). */
trait RowStoreFixture extends Assertions {
  private val writer = new UnsafeRowWriter(2, 64)

  /** Valid until the next call. */
  def row(number: Long, payloadBytes: Int): UnsafeRow = {
    writer.reset()
    writer.zeroOutNullBytes()
    writer.write(0, number)
    writer.write(1, payload(number, payloadBytes))
    writer.getRow
  }

  def payload(number: Long, bytes: Int): Array[Byte] = {
    val content = new Array[Byte](bytes)
    new Random(number).nextBytes(content)
    content
  }

  /**
   * Calls `test` with a task's memory and disk, and asks that it leaves neither pages nor files.
   */
  def withResources(bench: TaskResources)(test: TaskResources => Unit): Unit =
    try {
      test(bench)
      assert(bench.memory.getMemoryConsumptionForThisTask === 0L, "bytes left")
      assert(bench.memory.pagesHeld === 0, "pages left")
      assert(bench.files === Nil, "files left")
    } finally bench.close()

  def newStore(bench: TaskResources, threshold: Int, pageSize: Long): RowStore =
    new RowStore(bench.memory, 2, threshold, pageSize, bench.disk)
}

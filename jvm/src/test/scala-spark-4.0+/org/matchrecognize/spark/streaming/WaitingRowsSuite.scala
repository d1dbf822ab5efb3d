package org.matchrecognize.spark.streaming

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter

import org.matchrecognize.spark.execution.rows.MappedEntries
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** WaitingRows gives out what a plain set of rows would, and reads few of the others. */
class WaitingRowsSuite extends AnyFunSuite {
  private val writer = new UnsafeRowWriter(2)

  /** A row that is due at `time`; `id` tells it from others. */
  private def row(time: Long, id: Long): UnsafeRow = {
    writer.reset()
    writer.write(0, time)
    writer.write(1, id)
    writer.getRow
  }

  private def waitingRows(entries: MappedEntries) = new WaitingRows(entries, _.getLong(0))

  private def copied(rows: WaitingRows, entries: MappedEntries): WaitingRows = {
    val out = new StateOutput
    rows.write(out)
    val copy = waitingRows(entries)
    copy.read(new StateInput(out.toByteArray))
    copy
  }

  for (seed <- 1 to 20) test(s"random rows and watermarks: $seed") {
    val random  = new Random(seed.toLong)
    val entries = new MappedEntries
    val model   = mutable.Map.empty[Long, Long]
    var rows    = waitingRows(entries)
    var mark    = 0L
    for (batch <- 1L to 100L) {
      if (random.nextInt(4) > 0) mark += random.nextInt(1 << random.nextInt(20)).toLong
      val expected = model.filter(_._2 <= mark).keySet.toSet
      val found    = mutable.Buffer.empty[Long]
      rows.advance(mark)(row => found += row.getLong(1))
      assert(found.toSet == expected && found.size == expected.size)
      model --= expected
      for (i <- 1L to random.nextInt(20).toLong) {
        val time = mark + 1 + random.nextInt(1 << random.nextInt(20))
        model(batch * 100 + i) = time
        rows.add(row(time, batch * 100 + i), time)
      }
      assert(rows.earliest == model.values.reduceOption(_ min _))
      assert(entries.size == model.size)
      rows = copied(rows, entries)
    }
  }

  test("a row is read a few times, however long it waits and whatever waits with it") {
    val entries = new MappedEntries
    val rows    = waitingRows(entries)
    val delay   = 10000L
    val steps   = 20000L
    for (mark <- 1L to steps) {
      rows.advance(mark)(_ => ())
      rows.add(row(mark + delay, mark), mark + delay)
    }
    assert(entries.size == delay)
    // 10,000 has 14 bits.
    assert(entries.reads <= steps * 14)
  }
}

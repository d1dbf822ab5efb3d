package org.matchrecognize.spark.streaming

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter

import org.matchrecognize.spark.execution.rows.{FewRows, MappedEntries}
import org.matchrecognize.spark.execution.slots.StoredValues
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** WaitingRows gives out what a plain set of rows would, and reads few of the others. */
class WaitingRowsSuite extends AnyFunSuite {
  private val writer = new UnsafeRowWriter(3)

  /** A row without text has 8 bytes of NULLs, and 8 for each field. */
  private val bareBytes = 32

  /** A row of so many bytes that is due at `time`; `id` tells it from others. */
  private def row(time: Long, id: Long, bytes: Int): UnsafeRow = {
    writer.reset()
    writer.zeroOutNullBytes()
    writer.write(0, time)
    writer.write(1, id)
    writer.write(2, Array.fill[Byte](bytes - bareBytes)(id.toByte))
    writer.getRow
  }

  private val usual = FewRows(64, 8192)
  private val none  = FewRows(0, 0)

  /** The rows of one key, which another task goes on with. */
  final private class Key(limits: => FewRows) {
    val entries       = new MappedEntries
    private var rows  = begin()
    private def begin = () => new WaitingRows(entries, _.getLong(0), limits)

    def add(time: Long, id: Long, bytes: Int = bareBytes): Unit =
      rows.add(row(time, id, bytes), time)

    /** The rows that are due, by id. */
    def advance(to: Long): Seq[Long] = {
      val found = mutable.Buffer.empty[Long]
      rows.advance(to) { row =>
        val id = row.getLong(1)
        assert(row.getBinary(2).forall(_ == id.toByte))
        found += id
      }
      found.toSeq.sorted
    }

    def earliest: Option[Long] = rows.earliest
    def size: Long             = rows.size

    def restart(): Unit = {
      val out = new StateOutput
      rows.write(out)
      rows = begin()
      rows.read(new StateInput(out.toByteArray), StoredValues.readRow(3, _))
    }
  }

  for (seed <- 1 to 40) test(s"random rows, watermarks and limits: $seed") {
    val random = new Random(seed.toLong)
    val model  = mutable.Map.empty[Long, Long]
    // Far times first, so that there are many rows; then near ones, so that few are left.
    var bits                 = 1 + random.nextInt(20)
    var limits               = randomLimits(random)
    val key                  = new Key(limits)
    var mark                 = 0L
    var (toEntries, toValue) = (0, 0)
    for (batch <- 1L to 100L) {
      if (random.nextInt(10) == 0) bits = 1 + random.nextInt(20)
      if (random.nextInt(10) == 0) limits = randomLimits(random)
      if (random.nextInt(4) > 0) mark += random.nextInt(1 << random.nextInt(20)).toLong
      val before   = key.entries.size
      val expected = model.filter(_._2 <= mark).keySet
      assert(key.advance(mark) == expected.toSeq.sorted)
      model --= expected
      for (i <- 1L to random.nextInt(20).toLong) {
        // Equal times, too.
        val time = mark + 1 + random.nextInt(1 << bits)
        model(batch * 100 + i) = time
        key.add(time, batch * 100 + i, bareBytes + 8 * random.nextInt(40))
      }
      assert(key.earliest == model.values.reduceOption(_ min _))
      assert(key.size == model.size)
      // All rows are in one place.
      assert(key.entries.size == 0 || key.entries.size == model.size)
      if (before == 0 && key.entries.size > 0) toEntries += 1
      if (before > 0 && key.entries.size == 0 && model.nonEmpty) toValue += 1
      if (random.nextInt(3) > 0) key.restart()
    }
    assert(toEntries > 0)
    moves += ((toEntries, toValue))
  }

  private val moves = mutable.Buffer.empty[(Int, Int)]

  private def randomLimits(random: Random): FewRows =
    FewRows(random.nextInt(40), random.nextInt(40) * 100)

  test("random rows move in both directions") {
    info(s"${moves.map(_._1).sum} times to entries, ${moves.map(_._2).sum} times to the value")
    assert(moves.map(_._1).sum > 100 && moves.map(_._2).sum > 100)
  }

  for (restarts <- Seq(false, true)) {
    val kind = if (restarts) ", with restarts" else ""

    test(s"64 rows are in the value, 65 are entries, and few are in the value again$kind") {
      val key                  = new Key(usual)
      def restart(): Unit      = if (restarts) key.restart()
      def entries: (Int, Long) = (key.entries.size, key.size)
      assert(key.advance(1000).isEmpty)
      // The latest first. In binary, 1000 is 01111101000, and 1024 is 10000000000.
      (1064L to 1001L by -1L).foreach { time =>
        key.add(time, time)
        restart()
      }
      assert(entries == ((0, 64)) && key.entries.writes == 0)
      key.add(1064, 1065)
      restart()
      assert(entries == ((65, 65)) && key.earliest.contains(1001L))
      // Reads the rows of 1001, 1002 and 1003.
      assert(key.advance(1002) == Seq(1001L, 1002L) && key.entries.reads == 3)
      restart()
      assert(entries == ((63, 63)) && key.earliest.contains(1003L))
      // Those up to 1024 are due, and later ones differ from 1024 in lower bits than from 1000.
      assert(key.advance(1024) == (1003L to 1024L))
      restart()
      assert(entries == ((0, 41)) && key.earliest.contains(1025L))
      assert(key.entries.reads == 3 + 63)
      (2001L to 2023L).foreach(time => key.add(time, time))
      restart()
      assert(entries == ((0, 64)))
      key.add(1025, 3000)
      restart()
      assert(entries == ((65, 65)) && key.earliest.contains(1025L))
      assert(key.advance(5000) == (1025L to 1065L) ++ (2001L to 2023L) :+ 3000L)
      restart()
      assert(entries == ((0, 0)) && key.earliest.isEmpty)
    }

    test(s"8192 bytes are in the value, one row more is an entry like the others$kind") {
      val key             = new Key(usual)
      def restart(): Unit = if (restarts) key.restart()
      key.advance(1000)
      // Of one time.
      (1L to 8L).foreach(id => key.add(1001, id, 1024))
      restart()
      assert(key.entries.size == 0 && key.size == 8)
      key.add(1010, 9)
      restart()
      assert(key.entries.size == 9)
      assert(key.advance(1001) == (1L to 8L))
      restart()
      // The row of 1010 was not read: it differs from 1000 in a higher bit than 1001 does.
      assert(key.entries.size == 1 && key.entries.reads == 8)
      key.add(1009, 10)
      restart()
      assert(key.entries.size == 2)
      assert(key.advance(1009) == Seq(10L))
      restart()
      assert(key.entries.size == 0 && key.earliest.contains(1010L))
      // One row of more than all of them may have.
      key.add(1020, 11, 8200)
      restart()
      assert(key.entries.size == 2)
      assert(key.advance(2000) == Seq(9L, 11L))
      key.add(2001, 12, 8192)
      restart()
      assert(key.entries.size == 0 && key.advance(2001) == Seq(12L))
    }
  }

  test("other limits apply to rows that were added under the former ones") {
    var limits = usual
    val key    = new Key(limits)
    key.advance(1000)
    (1L to 10L).foreach(id => key.add(1000 + id, id))
    limits = FewRows(3, 8192)
    key.restart()
    assert(key.advance(1005) == (1L to 5L) && key.entries.size == 0)
    key.add(1007, 11)
    assert(key.entries.size == 6 && key.size == 6)
    limits = usual
    key.restart()
    key.add(1008, 12)
    assert(key.entries.size == 7)
    assert(key.advance(1010) == Seq(6L, 7L, 8L, 9L, 10L, 11L, 12L))
  }

  test("an entry is read a few times, however long it waits and whatever waits with it") {
    for (limits <- Seq(none, usual)) {
      val key   = new Key(limits)
      val delay = 10000L
      val steps = 20000L
      for (mark <- 1L to steps) {
        key.advance(mark)
        key.add(mark + delay, mark)
      }
      assert(key.entries.size == delay)
      // 10,000 has 14 bits.
      assert(key.entries.reads <= steps * 14)
    }
  }
}

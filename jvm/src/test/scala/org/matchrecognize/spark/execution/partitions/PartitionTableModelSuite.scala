package org.matchrecognize.spark.execution.partitions

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  AttributeReference,
  Descending,
  SortOrder,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.matchrecognize.{RowStoreNeighbour, TaskResources}
import org.apache.spark.sql.types.{BinaryType, DataType, LongType}

import org.matchrecognize.spark.execution.rows.RowStoreFixture
import org.matchrecognize.spark.reference.RandomSeed

/** A PartitionTable against rows in collections of Scala, with little memory and many spills. */
class PartitionTableModelSuite extends AnyFunSuite with RowStoreFixture {
  import PartitionTableModelSuite.Row

  private def column(name: String, of: DataType) = AttributeReference(name, of)()

  private val input  = Seq(column("k", LongType), column("o", LongType), column("p", BinaryType))
  private val writer = new UnsafeRowWriter(3, 64)

  private def write(row: Row): UnsafeRow = {
    writer.reset()
    writer.zeroOutNullBytes()
    writer.write(0, row.key)
    row.order.fold(writer.setNullAt(1))(writer.write(1, _))
    writer.write(2, payload(row.number.toLong, row.bytes))
    writer.getRow
  }

  private def newMetrics() = TableMetrics(new SQLMetric("size"), new SQLMetric("size"))

  private def table(
      bench: TaskResources,
      order: Seq[SortOrder],
      threshold: Int,
      division: Division = Division.usual): (PartitionTable, TableMetrics) = {
    val metrics = newMetrics()
    val spec    = PartitionTableSpec(input.take(1), order, input, threshold, metrics, division)
    (new PartitionTable(bench.memory, bench.disk, () => (), spec), metrics)
  }

  /** What the rows of a table are, and that each one is whole. */
  private def read(
      rows: PartitionedRows)(between: => Unit): Seq[Seq[(Long, Option[Long], Int)]] = {
    val partitions = mutable.ArrayBuffer.empty[mutable.ArrayBuffer[(Long, Option[Long], Int)]]
    while (rows.next()) {
      val row = rows.row
      if (rows.beginsPartition) partitions += mutable.ArrayBuffer.empty
      between
      val bytes  = row.getBinary(2)
      val number = known(bytes.toSeq)
      partitions.last +=
        ((row.getLong(0), if (row.isNullAt(1)) None else Some(row.getLong(1)), number))
    }
    assert(!rows.next())
    partitions.map(_.toSeq).toSeq
  }

  private val known = mutable.HashMap.empty[Seq[Byte], Int]

  /** Keys in the order of their first rows; within a key by order, and then as rows came. */
  private def expected(rows: Seq[Row], order: Seq[SortOrder]) =
    rows.map(_.key).distinct.map { key =>
      val own    = rows.filter(_.key == key)
      val sorted = order match {
        case Nil                                => own
        case SortOrder(_, Ascending, _, _) +: _ =>
          own.sortBy(r => r.order.getOrElse(Long.MinValue))
        // NULL comes last, even after Long.MinValue.
        case _ =>
          own.sortBy(r => r.order.map(o => -BigInt(o)).getOrElse(-BigInt(Long.MinValue) + 1))
      }
      sorted.map(r => (r.key, r.order, r.number))
    }

  private def data(random: Random, shape: Int): Seq[Row] = {
    val (keys, count) = shape match {
      case 0 => (1, 4000)
      case 1 => (5, 3000)
      case _ => (1500, 3000)
    }
    val disorder = Seq(0, 3, 1000000)(random.nextInt(3))
    (0 until count).map { i =>
      val bytes =
        if (random.nextInt(500) == 0) random.nextInt(90000) + 8 else random.nextInt(40) + 8
      val order =
        if (random.nextInt(60) == 0) None
        else Some(i.toLong + (if (disorder == 0) 0 else random.nextInt(disorder)))
      Row(random.nextInt(keys).toLong - 2, order, i, bytes)
    }
  }

  private val orders: Seq[Seq[SortOrder]] = Seq(
    Seq(SortOrder(input(1), Ascending)),
    Seq(SortOrder(input(1), Descending)),
    Nil
  )

  /** Of few rows, some of which are larger than a part. */
  private val small = Division(fromPartitions = 3, partBits = 2, partBytes = 300)

  for (seed <- 1 to 24; division <- Seq(Division.usual, small)) {
    val random  = RandomSeed(seed.toLong, "partition table")
    val offHeap = random.nextBoolean()
    val order   = orders(random.nextInt(orders.size))
    val spills  = Seq(0.0, 0.001, 0.02)(random.nextInt(3))
    val limit   = Seq(Int.MaxValue, 700, 8)(random.nextInt(3))
    val bytes   = Seq(64, 5)(random.nextInt(2)) * 1024L * 1024
    val name    = s"${order.map(_.direction.sql)}, $spills, $limit, $bytes, $offHeap, $division"
    test(s"random rows $seed: $name") {
      val rows = data(random, random.nextInt(3))
      known.clear()
      rows.foreach(r => known(payload(r.number.toLong, r.bytes).toSeq) = r.number)
      withResources(new TaskResources(bytes, offHeap)) { bench =>
        val neighbour          = new RowStoreNeighbour(bench.memory)
        val (written, metrics) = table(bench, order, limit, division)
        def maybeSpill(): Unit =
          if (random.nextDouble() < spills) written.spill(1L, neighbour)
        rows.foreach { row =>
          maybeSpill()
          written.insert(write(row))
        }
        val found = read(written.read())(maybeSpill())
        written.close()
        assert(found.map(_.head._1).toSet.size == found.size)
        assert(found.toSet == expected(rows, order).toSet)
        if (limit == Int.MaxValue && spills == 0.0 && bytes > 10000000) {
          assert(division == small || found == expected(rows, order))
          assert(metrics.spillSize.value == 0L)
        }
        if (limit < rows.size) assert(metrics.spillSize.value > 0L)
        assert(metrics.peakMemory.value > 0L)
      }
    }
  }

  test("more than memory: of one partition, and of many") {
    for (keys <- Seq(1, 100000); ordered <- Seq(true, false)) {
      val random = RandomSeed(keys.toLong, "more than memory")
      val rows   = (0 until 60000).map(i =>
        Row(
          random.nextInt(keys).toLong,
          Some(if (ordered) i.toLong else random.nextLong()),
          i,
          250))
      known.clear()
      rows.foreach(r => known(payload(r.number.toLong, r.bytes).toSeq) = r.number)
      withResources(new TaskResources(5L * 1024 * 1024)) { bench =>
        val (written, metrics) = table(bench, orders.head, Int.MaxValue)
        rows.foreach(row => written.insert(write(row)))
        val found = read(written.read())(())
        written.close()
        assert(metrics.spillSize.value > 10000000L)
        val byKey = rows.groupBy(_.key).map { case (key, own) =>
          key -> own.sortBy(_.order).map(_.number)
        }
        assert(found.size == byKey.size)
        found.foreach(p => assert(p.map(_._3) == byKey(p.head._1)))
      }
    }
  }

  test("many partitions with the usual division: in memory, and where there is none for it") {
    for (bytes <- Seq(128, 5)) {
      val random = RandomSeed(bytes.toLong, "many partitions")
      val rows   = (0 until 120000).map(i =>
        Row(random.nextInt(20000).toLong, Some(random.nextInt(50).toLong), i, 30))
      known.clear()
      rows.foreach(r => known(payload(r.number.toLong, r.bytes).toSeq) = r.number)
      withResources(new TaskResources(bytes * 1024L * 1024)) { bench =>
        val (written, metrics) = table(bench, orders.head, Int.MaxValue)
        rows.foreach(row => written.insert(write(row)))
        val found = read(written.read())(())
        written.close()
        assert((metrics.spillSize.value > 0L) == (bytes == 5))
        val byKey = rows.groupBy(_.key).map { case (key, own) =>
          key -> own.sortBy(_.order).map(_.number)
        }
        assert(found.size == byKey.size)
        found.foreach(p => assert(p.map(_._3) == byKey(p.head._1)))
      }
    }
  }

  test("nothing partitions or orders: rows stay in the order of arrival, on disk, too") {
    for (limit <- Seq(7, Int.MaxValue)) withResources(new TaskResources(8L * 1024 * 1024)) {
      bench =>
        val spec    = PartitionTableSpec(Nil, Nil, input, limit, newMetrics())
        val written = new PartitionTable(bench.memory, bench.disk, () => (), spec)
        (0 until 100).foreach(i => written.insert(write(Row(i.toLong, None, i, 20))))
        val rows = written.read()
        (0 until 100).foreach { i =>
          assert(rows.next() && rows.row.getLong(0) == i && rows.beginsPartition == (i == 0))
        }
        assert(!rows.next())
        written.close()
    }
  }

  test("another thread reads: what the first one requests is refused") {
    withResources(new TaskResources(8L * 1024 * 1024)) { bench =>
      val (written, _) = table(bench, orders.head, Int.MaxValue)
      val neighbour    = new RowStoreNeighbour(bench.memory)
      (0 until 1000).foreach(i => written.insert(write(Row(i % 3L, Some(-i.toLong), i, 20))))
      val rows                          = written.read()
      var number                        = 0
      def inThread(body: => Unit): Unit = {
        val thread = new Thread(() => body)
        thread.start()
        thread.join()
      }
      inThread(while (number < 500 && rows.next()) number += 1)
      assert(written.spill(1L, neighbour) == 0L)
      inThread {
        if (rows.next()) number += 1
        if (written.spill(1L, neighbour) > 0L) while (rows.next()) number += 1
      }
      assert(number == 1000)
      written.close()
    }
  }

  test("rows that could not go to disk while they are read are not passed over") {
    withResources(new TaskResources(8L * 1024 * 1024)) { bench =>
      val spec    = PartitionTableSpec(input.take(1), orders.head, input, 1000, newMetrics())
      val full    = new java.io.IOException("no space left")
      val written = new PartitionTable(bench.memory, throw full, () => (), spec)
      (0 until 100).foreach(i => written.insert(write(Row(i % 3L, Some(-i.toLong), i, 20))))
      val rows = written.read()
      assert(rows.next())
      val number = rows.row.getLong(1)
      val caught =
        intercept[java.io.IOException](written.spill(1L, new RowStoreNeighbour(bench.memory)))
      assert((caught eq full) && rows.row.getLong(1) == number)
      assert(intercept[java.io.IOException](rows.next()) eq full)
      written.close()
    }
  }

  test("a task that is killed stops while it reads") {
    withResources(new TaskResources(8L * 1024 * 1024)) { bench =>
      val spec    = PartitionTableSpec(input.take(1), Nil, input, Int.MaxValue, newMetrics())
      val written =
        new PartitionTable(bench.memory, bench.disk, () => throw new InterruptedException, spec)
      (0 until 10000).foreach(i => written.insert(write(Row(i % 3L, None, i, 8))))
      val rows = written.read()
      intercept[InterruptedException](while (rows.next()) {})
      written.close()
    }
  }

  test("a task without rows, and one that stops in the middle, give everything back") {
    withResources(new TaskResources(8L * 1024 * 1024)) { bench =>
      val (empty, _) = table(bench, orders.head, 10)
      assert(!empty.read().next())
      empty.close()
      val (stopped, _) = table(bench, orders.head, 10)
      (0 until 100).foreach(i => stopped.insert(write(Row(i % 3L, Some(-i.toLong), i, 20))))
      val rows = stopped.read()
      (0 until 50).foreach(_ => assert(rows.next()))
      stopped.close()
    }
  }
}

private object PartitionTableModelSuite {

  /** A row whose payload of so many bytes says its number. */
  final case class Row(key: Long, order: Option[Long], number: Int, bytes: Int)
}

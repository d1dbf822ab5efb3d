package org.matchrecognize.spark.execution.rows

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.memory.SparkOutOfMemoryError
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.{RowStoreNeighbour, TaskResources}
import org.apache.spark.unsafe.memory.MemoryBlock

/** A RowStore answers as a plain array of rows would, whatever is spilled when. */
class RowStoreModelSuite extends AnyFunSuite with RowStoreFixture {

  for {
    offHeap   <- Seq(false, true)
    threshold <- Seq(1, 7, 100, Int.MaxValue)
  } test(s"random operations, ${if (offHeap) "off" else "on"} heap, $threshold rows in memory") {
    for (seed <- 1 to 8)
      withResources(new TaskResources(48 * 1024, offHeap)) { bench =>
        val run = new Run(bench, new Random(seed.toLong), threshold)
        try for (_ <- 1 to 3000) run.step()
        catch {
          case failure: Throwable => throw new AssertionError(s"seed $seed", failure)
        } finally run.close()
        assert(run.rowsSpilled > 100)
      }
  }

  /** A store, its model, a few readers and a neighbour that makes it spill. */
  private class Run(bench: TaskResources, random: Random, threshold: Int) {
    private val store     = newStore(bench, threshold, 1024)
    private val neighbour = new RowStoreNeighbour(bench.memory)
    private val pages     = ArrayBuffer.empty[MemoryBlock]

    /**
     * The bytes of each row since the last clear, and the index from which on they can be read.
     */
    private val model   = ArrayBuffer.empty[Array[Byte]]
    private var trimmed = 0

    /**
     * Twenty readers, more than have a cursor; `expected` is what each must show, null if none.
     */
    private val readers  = Array.fill(20)(store.newRow())
    private val expected = new Array[Array[Byte]](20)
    private var number   = 0L

    def rowsSpilled: Long = store.spilledRows

    def step(): Unit = {
      random.nextInt(100) match {
        case dice if dice < 45 => append()
        case dice if dice < 85 => get()
        case dice if dice < 92 => takePage()
        case dice if dice < 97 => givePageBack()
        case dice if dice < 99 => trim()
        case _                 => if (random.nextInt(20) == 0) clear()
      }
      check()
    }

    private def append(): Unit = {
      number += 1
      val bytes =
        if (random.nextInt(40) == 0) 1000 + random.nextInt(4000) else random.nextInt(150)
      val added = row(number, bytes)
      expire()
      store.append(added)
      model += added.getBytes
    }

    private def get(): Unit = if (trimmed < model.size) {
      val index  = trimmed + random.nextInt(model.size - trimmed)
      val reader = random.nextInt(if (random.nextInt(10) == 0) readers.length else 4)
      store.get(index.toLong, readers(reader))
      expected(reader) = model(index)
    }

    /** Up to half of the memory, so that the store always gets on. */
    private def takePage(): Unit =
      if (neighbour.getUsed < 16 * 1024)
        try pages += neighbour.take(64L + random.nextInt(8192))
        catch { case _: SparkOutOfMemoryError => () }

    private def givePageBack(): Unit =
      if (pages.nonEmpty) neighbour.giveBack(pages.remove(random.nextInt(pages.size)))

    /** Now and then all rows, and beyond; else a few, so that many are left. */
    private def trim(): Unit = {
      val left  = model.size - trimmed
      val index = trimmed + random.nextInt(if (random.nextInt(20) == 0) left * 5 / 4 + 1 else 20)
      expire()
      store.trimBefore(index.toLong)
      trimmed = math.min(index, model.size)
    }

    private def clear(): Unit = {
      expire()
      store.clear()
      model.clear()
      trimmed = 0
    }

    private def expire(): Unit = expected.indices.foreach(expected(_) = null)

    private def check(): Unit = {
      assert(store.size === model.size)
      assert(store.firstIndex === trimmed)
      for (reader <- readers.indices if expected(reader) != null)
        assert(sameBytes(readers(reader), expected(reader)), s"reader $reader")
    }

    private def sameBytes(row: UnsafeRow, bytes: Array[Byte]) =
      java.util.Arrays.equals(row.getBytes, bytes)

    def close(): Unit = {
      pages.foreach(neighbour.giveBack)
      store.close()
    }
  }
}

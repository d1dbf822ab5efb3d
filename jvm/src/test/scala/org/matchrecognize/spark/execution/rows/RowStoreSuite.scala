package org.matchrecognize.spark.execution.rows

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.memory.SparkOutOfMemoryError
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.{RowStoreNeighbour, TaskResources}

class RowStoreSuite extends AnyFunSuite with RowStoreFixture {
  private val MB = 1024L * 1024

  private def fill(store: RowStore, rows: Int, payloadBytes: Int = 20): Unit =
    (0 until rows).foreach(n => store.append(row(n.toLong, payloadBytes)))

  private def numberAt(store: RowStore, index: Long, into: UnsafeRow): Long = {
    store.get(index, into)
    into.getLong(0)
  }

  test("only rows from firstIndex to before size can be read") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, 100, 4096)
      fill(store, 10)
      store.trimBefore(4)
      store.trimBefore(2)
      assert((store.firstIndex, store.size) === ((4L, 10L)))
      val into = store.newRow()
      assert(numberAt(store, 4, into) === 4)
      intercept[IndexOutOfBoundsException](store.get(3, into))
      intercept[IndexOutOfBoundsException](store.get(10, into))
      intercept[IndexOutOfBoundsException](store.get(-1, into))
      store.close()
    }
  }

  test("rows without fields") {
    withResources(new TaskResources(MB)) { bench =>
      val store = new RowStore(bench.memory, 0, 10, 4096, bench.disk)
      (1 to 1000).foreach(_ => store.append(new UnsafeRow(0)))
      val into = store.newRow()
      (0 until 1000).foreach { index =>
        store.get(index.toLong, into)
        assert(into.getSizeInBytes === 0)
      }
      store.close()
    }
  }

  test("a spill for another consumer leaves in place what is being read, and takes the rest") {
    for (offHeap <- Seq(false, true)) withResources(new TaskResources(MB, offHeap)) { bench =>
      val store = newStore(bench, Int.MaxValue, 16 * 1024)
      fill(store, 10000)
      val intos   = Seq.fill(5)(store.newRow())
      val indexes = Seq(0L, 1L, 3000L, 6000L, 9999L)
      intos.zip(indexes).foreach { case (into, index) => store.get(index, into) }
      // Taken out of the row, it points into the row's page.
      val names     = intos.map(_.getUTF8String(1))
      val places    = intos.map(_.getBaseOffset)
      val neighbour = new RowStoreNeighbour(bench.memory)
      val page      = neighbour.take(MB - 5 * 16 * 1024)
      for (((into, index), at) <- intos.zip(indexes).zipWithIndex) {
        assert(into.getBytes === row(index, 20).getBytes)
        assert(into.getBaseOffset === places(at))
        assert(names(at).getBytes === payload(index, 20))
      }
      assert(store.getUsed <= 5 * 16 * 1024)
      assert(store.spilledRows > 6000)
      (0L until 10000L).foreach(index => assert(numberAt(store, index, intos.head) === index))
      neighbour.giveBack(page)
      store.close()
    }
  }

  test("several readers far apart in spilled rows, each valid until its own next get") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, 4, 1024)
      fill(store, 5000)
      val intos = Array.fill(12)(store.newRow())
      for (step <- 0 until 400) {
        intos.indices.foreach(reader => store.get(reader * 400L + step, intos(reader)))
        intos.indices.foreach { reader =>
          assert(intos(reader).getBytes === row(reader * 400L + step, 20).getBytes)
        }
      }
      store.close()
    }
  }

  test("when memory is refused the store spills its own rows and goes on") {
    withResources(new TaskResources(64 * 1024)) { bench =>
      val store = newStore(bench, Int.MaxValue, MB)
      fill(store, 20000)
      assert(store.peakMemory <= 64 * 1024)
      val into = store.newRow()
      (0L until 20000L).foreach(index => assert(numberAt(store, index, into) === index))
      store.close()
    }
  }

  test("without any memory: Spark's own error, and the rows so far can still be read") {
    withResources(new TaskResources(64 * 1024)) { bench =>
      val store     = newStore(bench, Int.MaxValue, MB)
      val neighbour = new RowStoreNeighbour(bench.memory)
      fill(store, 100)
      val page = neighbour.take(64 * 1024)
      intercept[SparkOutOfMemoryError](store.append(row(100, 20)))
      assert(store.size === 100)
      val into = store.newRow()
      (0L until 100L).foreach(index => assert(numberAt(store, index, into) === index))
      neighbour.giveBack(page)
      store.append(row(100, 20))
      assert(numberAt(store, 100, into) === 100)
      store.close()
    }
  }

  test("another thread's wish for memory is not granted") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, Int.MaxValue, 4096)
      fill(store, 1000)
      var freed  = -1L
      val thread = new Thread(() => freed = store.spill(MB, store))
      thread.start()
      thread.join()
      assert(freed === 0L)
      assert(store.spill(MB, store) > 0L)
      assert(store.getUsed === 0L)
      store.close()
    }
  }

  test("trim gives back memory") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, Int.MaxValue, 4096)
      fill(store, 4000)
      val used = store.getUsed
      store.trimBefore(2000)
      assert(store.getUsed < used * 6 / 10)
      store.trimBefore(4000)
      assert(store.getUsed <= 2 * 4096)
      store.close()
    }
  }

  test("trim deletes files while later ones are in use") {
    withResources(new TaskResources(16 * MB)) { bench =>
      val store = newStore(bench, 1, 4 * MB)
      // Noise does not compress: 100 MB of it on disk, in files of 64 MB.
      fill(store, 100, MB.toInt)
      assert(bench.files.size === 2)
      store.trimBefore(70)
      assert(bench.files.size === 1)
      assert(numberAt(store, 70, store.newRow()) === 70)
      store.trimBefore(99)
      assert(numberAt(store, 99, store.newRow()) === 99)
      assert(bench.files === Nil)
      store.close()
    }
  }

  test("a window that moves on needs a few pages, however long the partition") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, Int.MaxValue, 64 * 1024)
      val into  = store.newRow()
      for (n <- 0 until 200000) {
        store.append(row(n.toLong, 20))
        store.trimBefore(n - 50L)
        assert(numberAt(store, math.max(0, n - 50).toLong, into) === math.max(0, n - 50))
      }
      assert(store.peakMemory <= 4 * 4096)
      assert(bench.memory.pagesAllocated <= 10)
      assert(bench.files === Nil)
      store.close()
    }
  }

  test("tiny partitions share one page") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, 4096, MB)
      val into  = store.newRow()
      for (partition <- 0 until 200000) {
        (0 until 5).foreach(n => store.append(row(partition.toLong + n, 8)))
        assert(numberAt(store, 4, into) === partition + 4)
        store.clear()
      }
      assert(bench.memory.pagesAllocated === 1)
      assert(store.peakMemory === 4096)
      store.close()
    }
  }

  test("after a huge row, a small partition holds no huge page") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, Int.MaxValue, 4096)
      store.append(row(1, 500000))
      store.clear()
      store.append(row(2, 8))
      assert(store.getUsed === 4096)
      assert(numberAt(store, 0, store.newRow()) === 2)
      store.close()
    }
  }

  test("a million rows, spilled, forward: each block is read once") {
    withResources(new TaskResources(64 * MB)) { bench =>
      val store = newStore(bench, 10000, MB)
      fill(store, 1000000, 8)
      assert(store.spilledRows >= 990000)
      val (into, lagging) = (store.newRow(), store.newRow())
      for (index <- 0L until 1000000L) {
        assert(numberAt(store, index, into) === index)
        // A second reader follows: it costs reads of its own only when it is far away.
        assert(
          numberAt(store, math.max(0L, index - 1000), lagging) === math.max(0L, index - 1000))
      }
      // A segment has a quarter of the threshold, 2500 rows of 40 bytes, and so is a single
      // block; only the first ones are smaller, since pages begin small.
      assert(store.blockReads <= 1000000 / 2500 + 10)
      store.close()
    }
  }

  test("clear and close delete the files; close is idempotent and final") {
    withResources(new TaskResources(MB)) { bench =>
      val store = newStore(bench, 10, 4096)
      fill(store, 1000)
      assert(bench.files.nonEmpty)
      store.clear()
      assert(bench.files === Nil)
      fill(store, 1000)
      assert(numberAt(store, 3, store.newRow()) === 3)
      store.close()
      store.close()
      intercept[IndexOutOfBoundsException](store.get(0, store.newRow()))
      intercept[IllegalStateException](store.append(row(1, 8)))
    }
  }

  test("spilled rows can be read on disk, unless Spark encrypts its temporary files") {
    for (encrypted <- Seq(false, true))
      withResources(new TaskResources(MB, encrypted = encrypted, compressed = false)) { bench =>
        val store = newStore(bench, 10, 4096)
        fill(store, 1000)
        val onDisk =
          bench.files.map(file => new String(Files.readAllBytes(file.toPath), "latin1"))
        val secret = new String(payload(5, 20), "latin1")
        assert(onDisk.exists(_.contains(secret)) === !encrypted)
        val into = store.newRow()
        (0L until 1000L).foreach(index => assert(numberAt(store, index, into) === index))
        store.close()
      }
  }

  test("a disk that fails loses no row") {
    withResources(new TaskResources(MB)) { bench =>
      var broken = true
      def disk   = if (broken) throw new java.io.IOException("disk full") else bench.disk
      val store  = new RowStore(bench.memory, 2, Int.MaxValue, 4096, disk)
      fill(store, 1000)
      intercept[java.io.IOException](store.spill(MB, store))
      val into = store.newRow()
      (0L until 1000L).foreach(index => assert(numberAt(store, index, into) === index))
      broken = false
      store.append(row(1000, 8))
      assert(store.spill(MB, store) > 0)
      (0L to 1000L).foreach(index => assert(numberAt(store, index, into) === index))
      store.close()
    }
  }
}

package org.matchrecognize.spark.execution.rows

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.matchrecognize.TaskResources

/** Rows that one task after the other continues. */
class SavedRowsSuite extends AnyFunSuite with RowStoreFixture {
  private val pageSize = 4096L

  private def rowsOf(bench: TaskResources, entries: MappedEntries): SavedRows =
    new SavedRows(newStore(bench, 100, pageSize), entries)

  for (seed <- 1 to 8) test(s"random operations, in one task after the other: $seed") {
    val random  = new Random(seed.toLong)
    val entries = new MappedEntries
    var first   = 0L
    var end     = 0L
    var saved   = 0L
    for (_ <- 1 to 30)
      withResources(new TaskResources(1024 * 1024, false)) { bench =>
        val rows = rowsOf(bench, entries)
        rows.resume(first, saved)
        val into = rows.newRow()
        for (_ <- 1 to 100) random.nextInt(10) match {
          case 0 =>
            first = math.min(end, first + random.nextInt(30))
            rows.trimBefore(first)
          case dice if dice < 5 =>
            rows.append(row(end, 1 + random.nextInt(50)))
            end += 1
          case _ if first < end =>
            val index = first + random.nextInt((end - first).toInt)
            rows.get(index, into)
            assert(into.getLong(0) == index)
            assert(into.getBinary(1).toSeq == payload(index, into.getBinary(1).length).toSeq)
          case _ =>
        }
        assert((rows.firstIndex, rows.size) == ((first, end)))
        if (first > 0) intercept[IndexOutOfBoundsException](rows.get(first - 1, into))
        saved = rows.save()
        assert(saved == end)
        assert(entries.size == end - first)
        rows.close()
      }
    assert(end > 500)
  }

  test("a task touches the entries of the rows that it reads, adds or trims") {
    val entries = new MappedEntries
    withResources(new TaskResources(1024 * 1024, false)) { bench =>
      val rows = rowsOf(bench, entries)
      (0L until 1000L).foreach(number => rows.append(row(number, 10)))
      rows.save()
      rows.close()
    }
    assert((entries.reads, entries.writes) == ((0L, 1000L)))
    withResources(new TaskResources(1024 * 1024, false)) { bench =>
      val rows = rowsOf(bench, entries)
      rows.resume(0, 1000)
      rows.append(row(1000, 10))
      val into = rows.newRow()
      Seq(0L, 0L, 999L, 1000L).foreach(rows.get(_, into))
      rows.trimBefore(2)
      rows.save()
      rows.close()
    }
    assert((entries.reads, entries.writes, entries.size) == ((2L, 1001L, 999)))
  }

  test("rows that are trimmed in the task that has appended them are no entries") {
    val entries = new MappedEntries
    withResources(new TaskResources(1024 * 1024, false)) { bench =>
      val rows = rowsOf(bench, entries)
      (0L until 10L).foreach(number => rows.append(row(number, 10)))
      rows.trimBefore(8)
      rows.save()
      rows.close()
    }
    assert((entries.writes, entries.size) == ((2L, 2)))
  }
}

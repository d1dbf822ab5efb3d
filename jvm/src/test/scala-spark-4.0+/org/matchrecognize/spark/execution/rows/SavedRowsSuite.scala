package org.matchrecognize.spark.execution.rows

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.matchrecognize.TaskResources

/** Rows that one task after the other continues. */
class SavedRowsSuite extends AnyFunSuite with RowStoreFixture {
  private val pageSize = 4096L

  private val none = FewRows(0, 0)

  private def rowsOf(
      bench: TaskResources,
      entries: MappedEntries,
      few: FewRows = none): SavedRows =
    new SavedRows(newStore(bench, 100, pageSize), entries, few)

  /** The rows that a state has, and the bytes of each. */
  private def stateOf(rows: SavedRows, saved: Long): Seq[UnsafeRow] =
    (saved until rows.size).map { index =>
      val into = rows.newRow()
      rows.get(index, into)
      into.copy()
    }

  for {
    few  <- Seq(none, FewRows(8, 1 << 20), FewRows(1000, 400))
    seed <- 1 to 4
  } test(s"random operations, in one task after the other, $few: $seed") {
    val random  = new Random(seed.toLong)
    val entries = new MappedEntries
    var first   = 0L
    var end     = 0L
    var saved   = 0L
    var state   = Seq.empty[UnsafeRow]
    // How often rows were entries afterwards, and how often some were not.
    var (allSaved, someNot) = (0, 0)
    for (_ <- 1 to 30)
      withResources(new TaskResources(1024 * 1024, false)) { bench =>
        val rows = rowsOf(bench, entries, few)
        rows.resume(first, saved)
        state.foreach(rows.append)
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
        val before = math.max(first, saved)
        saved = rows.save()
        state = stateOf(rows, saved)
        assert(entries.size == saved - first)
        if (saved == end) allSaved += 1
        else {
          someNot += 1
          assert(saved == before && state.size <= few.rows)
          assert(state.map(_.getSizeInBytes).sum <= few.bytes)
        }
        rows.close()
      }
    assert(end > 500)
    assert(allSaved > 5 && (if (few == none) someNot == 0 else someNot > 5))
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

  test("few rows are no entries, and one more makes all of them entries") {
    val entries = new MappedEntries
    val few     = FewRows(3, 1 << 20)
    withResources(new TaskResources(1024 * 1024, false)) { bench =>
      val rows = rowsOf(bench, entries, few)
      (0L until 5L).foreach(number => rows.append(row(number, 10)))
      rows.trimBefore(2)
      assert(rows.save() == 2 && entries.writes == 0)
      rows.trimBefore(3)
      rows.append(row(5, 10))
      assert(rows.save() == 3 && entries.writes == 0)
      rows.append(row(6, 10))
      assert(rows.save() == 7 && entries.writes == 4)
      // Those after them are few again.
      rows.append(row(7, 10))
      assert(rows.save() == 7 && (entries.writes, entries.size) == ((4L, 4)))
      rows.trimBefore(8)
      assert(entries.size == 0)
      rows.close()
    }
    assert(entries.reads == 0)
  }

  test("few rows of many bytes are entries") {
    val entries = new MappedEntries
    withResources(new TaskResources(1024 * 1024, false)) { bench =>
      val rows = rowsOf(bench, entries, FewRows(3, 300))
      rows.append(row(0, 100))
      rows.append(row(1, 100))
      // A row has 8 bytes of NULLs, 16 of fields and 104 of the value.
      assert(rows.save() == 0 && entries.writes == 0)
      rows.append(row(2, 100))
      assert(rows.save() == 3 && entries.writes == 3)
      rows.close()
    }
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

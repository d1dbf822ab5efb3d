package org.matchrecognize.spark.execution.slots

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** The list of far navigations against a plain one. */
class MappedRowsSuite extends AnyFunSuite {

  private def list(entries: Seq[Long]): MappedRows =
    entries.foldLeft(null: MappedRows)(new MappedRows(_, _))

  test("each row is found from both ends") {
    for (size <- (1 to 70) :+ 1000) {
      val entries = (1 to size).map(_ * 7L)
      val rows    = list(entries)
      for (i <- 0 until size) {
        assert(rows.first(i) == entries(i) && rows.last(i) == entries(size - 1 - i))
        assert(rows.prefix(i + 1).size == i + 1)
      }
      assert(rows.first(size) == -1 && rows.last(size) == -1 && rows.last(Int.MaxValue - 1) == -1)
      assert(rows.prefix(size + 5) eq rows)
    }
  }

  test("two lists end alike or do not") {
    val random = new Random(1)
    for (_ <- 1 to 20000) {
      def draw(n: Int) = Seq.fill(n)(random.nextInt(2).toLong)
      val shared       = draw(1 + random.nextInt(4))
      val (a, b)       = (shared ++ draw(random.nextInt(4)), shared ++ draw(random.nextInt(4)))
      val count        = random.nextInt(6)
      assert(
        list(a).endsAs(list(b), count) == (a.takeRight(count) == b.takeRight(count)),
        s"$a $b $count")
      assert(
        list(a).prefix(count).endsAs(list(b).prefix(count), count) ==
          (a.take(count) == b.take(count)),
        s"$a $b $count")
    }
  }

  test("a row is found in a million with few steps") {
    val rows =
      (1 to 1000000).foldLeft(null: MappedRows)((list, i) => new MappedRows(list, i.toLong))
    val start = System.nanoTime()
    for (i <- 0 until 100000) assert(rows.last(i * 7) == 1000000L - i * 7)
    assert(System.nanoTime() - start < 5e9)
  }
}

package org.matchrecognize.spark.execution.ranges

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

class LastRowsSuite extends AnyFunSuite {

  private def row(number: Int, words: Int): UnsafeRow = {
    val row = new UnsafeRow(1)
    row.pointTo(
      new Array[Byte](8 * (words + 2)),
      Platform.BYTE_ARRAY_OFFSET.toLong,
      8 * (words + 2))
    row.setLong(0, number.toLong)
    row
  }

  test("rows of any size: as many of the last ones as there is room for") {
    val random = new Random(1)
    for (first <- Seq(0, 1, 50, 2000); most <- Seq(1, 4, 64)) {
      val last = new LastRows(most, 4000)
      val rows = (0 until 500).map(i =>
        row(i, if (i == 0) first else random.nextInt(random.nextInt(600) + 1)))
      val room = math.min(most, math.max(1, 4000 / rows.head.getSizeInBytes))
      rows.zipWithIndex.foreach { case (added, i) =>
        last.add(added)
        // The oldest row with which all later ones fit.
        val oldest = (0 to i + 1)
          .find(j =>
            i + 1 - j <= Integer.highestOneBit(room) &&
              rows.slice(j, i + 1).map(_.getSizeInBytes).sum <= 4000)
          .get
        assert(last.from(oldest - 1L).isEmpty)
        val found = last.from(oldest.toLong).get.iterator.map(_.copy()).toSeq
        assert(found == rows.slice(oldest, i + 1))
      }
    }
  }
}

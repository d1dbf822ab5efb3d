package org.matchrecognize.spark.explain

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, UnsafeProjection}
import org.apache.spark.sql.types.{DataType, IntegerType}

/** The rows on which variants of a clause are tried. */
class TrialRowsSuite extends AnyFunSuite {
  private val input   = Seq("key", "id").map(AttributeReference(_, IntegerType)())
  private val project = UnsafeProjection.create(Array[DataType](IntegerType, IntegerType))

  /** What is kept of rows (key, id), which come in parts as from several tasks. */
  private def kept(parts: Seq[Seq[(Int, Int)]], keys: Int = 1): (Seq[(Int, Int)], Boolean) = {
    val all = new TrialRows(input.take(keys), input)
    parts.foreach { part =>
      val task = new TrialRows(input.take(keys), input)
      part.foreach { case (key, id) => task.keep(project(InternalRow(key, id))) }
      all.keepAll(task.result)
    }
    val result = all.result
    (result.rows.map(k => (k.row.getInt(0), k.row.getInt(1))), result.isWhole)
  }

  test("a small input is kept whole") {
    val rows           = (1 to TrialRows.most).map(i => (i % 7, i))
    val (found, whole) = kept(Seq(rows.take(4000), rows.drop(4000)))
    assert(whole && found.toSet == rows.toSet && found.size == rows.size)
    // Rows of a group stay in order.
    assert(found.groupBy(_._1).values.forall(group => group == group.sortBy(_._2)))
  }

  test("of a large input whole groups are kept, whatever the order of the groups") {
    val groups         = (1 to 9000).map(key => (1 to 3).map(id => (key, id)))
    val (found, whole) = kept(Seq(groups.flatten))
    assert(!whole && found.size <= TrialRows.most && found.size > TrialRows.most - 3)
    assert(found.groupBy(_._1).values.forall(_.map(_._2) == (1 to 3)))
    val shuffled = new Random(3).shuffle(groups)
    val tasks    = shuffled.grouped(5000).map(_.flatten).toSeq
    assert(kept(tasks)._1.toSet == found.toSet)
  }

  test("of one large group the first rows are kept") {
    val rows = (1 to 5 * TrialRows.most).map(id => (1, id))
    assert(kept(Seq(rows)) == ((rows.take(TrialRows.most), false)))
    assert(kept(Seq(rows), keys = 0) == ((rows.take(TrialRows.most), false)))
  }
}

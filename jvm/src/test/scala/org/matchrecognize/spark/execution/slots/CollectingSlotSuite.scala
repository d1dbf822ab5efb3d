package org.matchrecognize.spark.execution.slots

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  AttributeReference,
  GenericInternalRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types.{DataType, IntegerType}

import org.matchrecognize.spark.expressions.{AddedRow, RowAggregate, Semantics}

/** Lists of what an aggregate is given. */
class CollectingSlotSuite extends AnyFunSuite {

  test("the values of the last two lists are kept, and those of all are right") {
    val x        = AttributeReference("x", IntegerType)()
    val function = CollectList(x)
    val slot     = new CollectingSlot(
      RowAggregate(None, Semantics.Running, function, distinct = false, Nil),
      function,
      Seq(x))
    val unsafe = UnsafeProjection.create(Array[DataType](IntegerType))
    val lists  = (1 to 5).scanLeft(slot.initial: GenericInternalRow) { (list, i) =>
      val longer = slot.add(list, new Given(unsafe(InternalRow(i))))
      assert(values(slot, longer) == (1 to i))
      longer
    }
    assert(
      lists.map(_.asInstanceOf[CollectedRows].evaluated) ==
        Seq(false, false, false, false, true, true))
    assert(lists.map(values(slot, _)) == (0 to 5).map(1 to _))
  }

  private def values(slot: CollectingSlot, list: GenericInternalRow): Seq[Int] =
    slot.evaluate(list) match {
      case array: ArrayData => array.toIntArray().toSeq
      case other            => fail(s"$other")
    }

  final private class Given(row: UnsafeRow) extends AddedRow {
    override def designate(variable: Int, row: Long, before: Long): Unit = ()
    override def input: UnsafeRow                                        = row
    override def known: InternalRow                                      = InternalRow.empty
    override def columns: InternalRow                                    = row
  }
}

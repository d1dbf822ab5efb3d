package org.matchrecognize.spark.execution.slots

import org.scalatest.funsuite.AnyFunSuite

class InternerSuite extends AnyFunSuite {

  test("equal items have one number, in the order in which they came") {
    val items = new Interner[String]
    assert(Seq("a", "b", "a", "c", "b").map(items.numberOf) == Seq(0, 1, 0, 2, 1))
    assert(items.all == Seq("a", "b", "c") && items(2) == "c")
    assert(items.contains("a") && !items.contains("d"))
  }

  test("items whose hashes differ are different, also where they are equal") {
    final class Zero(hash: Int) {
      override def hashCode: Int               = hash
      override def equals(other: Any): Boolean = other.isInstanceOf[Zero]
    }
    val items = new Interner[Zero]
    assert((0 until 100).map(hash => items.numberOf(new Zero(hash))) == (0 until 100))
    assert(items.contains(new Zero(99)) && !items.contains(new Zero(100)))
  }

  test("an item is compared with few others") {
    var count = 0
    final class Item(val number: Int) {
      override def hashCode: Int               = number
      override def equals(other: Any): Boolean = {
        count += 1
        other.asInstanceOf[Item].number == number
      }
    }
    val items = new Interner[Item]
    for (_ <- 0 until 2; number <- 0 until 2000)
      assert(items.numberOf(new Item(number)) == number)
    assert(count <= 8000, count)
  }
}

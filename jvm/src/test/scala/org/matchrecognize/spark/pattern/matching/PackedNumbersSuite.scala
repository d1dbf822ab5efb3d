package org.matchrecognize.spark.pattern.matching

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Numbers in chunks are the numbers that were appended. */
class PackedNumbersSuite extends AnyFunSuite {
  private val chunk = PackedNumbers.chunkSize

  test("numbers of one, two and four bytes, in full chunks and in the last, read anywhere") {
    val random  = new Random(3)
    val numbers = PackedNumbers.onHeap()
    // The second use of the same one begins anew.
    for (sizes <- Seq(Seq(0xff, 0xffff, Int.MaxValue, 3), Seq(Int.MaxValue, 200), Seq(5))) {
      numbers.clear()
      val expected = sizes.toVector.flatMap { most =>
        (most +: Seq.fill(chunk - 1)(random.nextInt(most))).map(n => if (n < 0) 0 else n)
      } ++ Vector.fill(random.nextInt(chunk))(random.nextInt(1 << 20))
      expected.foreach(numbers.append)
      assert(numbers.size == expected.size)
      assert(expected.indices.forall(i => numbers(i.toLong) == expected(i)))
      assert(expected.indices.reverse.forall(i => numbers(i.toLong) == expected(i)))
      assert(Seq.fill(300)(random.nextInt(expected.size)).forall { i =>
        numbers(i.toLong) == expected(i)
      })
    }
  }

  test("reading goes on while the last chunk grows and fills") {
    val numbers = PackedNumbers.onHeap()
    for (i <- 0 until 3 * chunk) {
      numbers.append(i)
      assert(numbers(i.toLong) == i && numbers((i / 2).toLong) == i / 2)
    }
  }

  /** Chunks that outlast the numbers; `count` of them are at hand. */
  final private class SavedChunks extends NumberChunks {
    val all   = scala.collection.mutable.ArrayBuffer.empty[Array[Byte]]
    var count = 0

    override def add(bytes: Array[Byte]): Unit = { all += bytes; count += 1 }
    override def read(index: Int): Array[Byte] = all(index)
    override def clear(): Unit                 = { all.clear(); count = 0 }
    override def save(): Int                   = count
    override def resume(count: Int): Unit      = this.count = count
  }

  test("numbers are written and read, without the saved chunks") {
    val chunks   = new SavedChunks
    val expected = (0 until 2 * chunk + 10)
    val numbers  = new PackedNumbers(chunks)
    (0 until chunk + 5).foreach(numbers.append)
    val first = new StateOutput
    numbers.write(first)
    assert(first.toByteArray.length < 30)
    numbers.forget()
    assert(numbers.size == 0 && chunks.all.size == 1)
    numbers.read(new StateInput(first.toByteArray))
    (chunk + 5 until expected.size).foreach(numbers.append)
    val second = new StateOutput
    numbers.write(second)
    val copy = new PackedNumbers(chunks)
    copy.read(new StateInput(second.toByteArray))
    assert(copy.size == expected.size && expected.forall(i => copy(i.toLong) == i))
    copy.clear()
    assert(chunks.all.isEmpty)
  }
}

package org.matchrecognize.spark.pattern.matching

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.program.Path

class SettledLabelsSuite extends AnyFunSuite {

  /** Threads that split and end at random, with all their labels beside them. */
  final private class Threads(random: Random, labels: SettledLabels) {
    var ways: Seq[(Path, Vector[Int])] = Seq((null, Vector.empty))

    def step(row: Int): Unit = {
      val next = ways.flatMap { case (path, list) =>
        Seq.fill(random.nextInt(3)) {
          val label = random.nextInt(300)
          new Path(path, label) -> (list :+ label)
        }
      }
      ways =
        if (next.nonEmpty) next.take(1 + random.nextInt(5))
        else ways.take(1).map { case (path, list) => new Path(path, row) -> (list :+ row) }
    }

    def settle(row: Int): Unit = if (labels.isDue(row)) {
      ways.foreach(way => labels.consider(way._1, row))
      labels.settle(row)
    }

    def all: Seq[Seq[Int]] =
      ways.map { case (path, list) => list.indices.map(labels.of(path, list.size)) }
  }

  private def run(seed: Long, every: Int, rows: Int): PackedNumbers = {
    val settled = PackedNumbers.onHeap()
    val labels  = new SettledLabels(Some(settled), every)
    val threads = new Threads(new Random(seed), labels)
    labels.begin()
    for (row <- 1 to rows) {
      threads.step(row)
      threads.settle(row)
      if (row % 97 == 0 || row < 50) assert(threads.all == threads.ways.map(_._2), s"seed $seed")
    }
    settled
  }

  test("every thread keeps its labels, whatever of them is settled") {
    val settled = for (seed <- 1L to 300L) yield run(seed, 1 + (seed % 7).toInt, 400).size
    assert(settled.count(_ > 300) > 200)
  }

  test("a single path from row to row retains few objects") {
    val settled = PackedNumbers.onHeap()
    val labels  = new SettledLabels(Some(settled))
    var path    = new Path(null, 0)
    labels.begin()
    for (row <- 2 to 100000) {
      path = new Path(path, row % 3)
      if (labels.isDue(row)) {
        labels.consider(path, row)
        labels.settle(row)
      }
    }
    assert(100000 - settled.size <= PackedNumbers.chunkSize)
    val all = labels.of(path, 100000)
    assert((1 until 100000).forall(i => all(i) == (i + 1) % 3))
  }

  test("a match that is found already keeps its labels while longer ones are looked for") {
    val labels = new SettledLabels(Some(PackedNumbers.onHeap()), every = 4)
    labels.begin()
    val start    = new Path(new Path(null, 1), 2)
    val accepted = new Path(start, 3)
    val running  = (4 to 8).foldLeft(new Path(start, 9))(new Path(_, _))
    assert(labels.isDue(8))
    labels.consider(running, 8)
    labels.consider(accepted, 3)
    labels.settle(8)
    assert((0 until 3).map(labels.of(accepted, 3)) == Seq(1, 2, 3))
    assert((0 until 8).map(labels.of(running, 8)) == Seq(1, 2, 9, 4, 5, 6, 7, 8))
  }

  test("an empty match leaves nothing that all agree on") {
    val labels = new SettledLabels(Some(PackedNumbers.onHeap()), every = 1)
    labels.begin()
    val running = new Path(new Path(null, 1), 2)
    labels.consider(null, 0)
    labels.consider(running, 2)
    labels.settle(2)
    assert((0 until 2).map(labels.of(running, 2)) == Seq(1, 2))
  }

  test("a partial match that passed over all rows since what is settled") {
    val labels = new SettledLabels(Some(PackedNumbers.onHeap()), every = 1)
    labels.begin()
    val rows = (1 to 6).foldLeft[Path](null)((path, row) =>
      new Path(path, if (row < 3) Path.label(row, excluded = false) else Path.passed))
    labels.consider(rows, 6)
    labels.settle(6)
    val partial = Path.mapped(rows)
    assert((0 until 2).map(labels.of(partial, 2)) == Seq(1, 2).map(Path.label(_, false)))
  }

  test("settled labels are written and read") {
    val settled = PackedNumbers.onHeap()
    val labels  = new SettledLabels(Some(settled), every = 1)
    labels.begin()
    val path = (1 to 40000).foldLeft[Path](null)(new Path(_, _))
    labels.consider(path, 40000)
    labels.settle(40000)
    assert(settled.size == 39999)
    val out = new StateOutput(StateOutput.maxBytes)
    labels.write(out)
    val restored = new SettledLabels(Some(PackedNumbers.onHeap()))
    restored.read(new StateInput(out.toByteArray))
    val last = new Path(null, path.label)
    assert((0 until 40000).forall(i => restored.of(last, 40000)(i) == i + 1))
  }
}

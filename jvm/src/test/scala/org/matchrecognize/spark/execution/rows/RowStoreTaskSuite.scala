package org.matchrecognize.spark.execution.rows

import java.util.concurrent.atomic.AtomicReference

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.{SparkConf, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.sql.matchrecognize.TaskResources

/** A RowStore in a task of Spark's. */
class RowStoreTaskSuite extends AnyFunSuite with BeforeAndAfterAll with RowStoreFixture {
  import RowStoreTaskSuite._

  /** Whether another suite's context is used, which is not ours to stop. */
  private val found   = SparkEnv.get != null
  private lazy val sc =
    SparkContext.getOrCreate(new SparkConf().setMaster("local[1]").setAppName("t"))

  override def afterAll(): Unit = if (!found) sc.stop()

  test("a task's end closes its store, and its counters show the spill") {
    val before               = TaskResources.executorFiles(sc)
    val (last, memory, disk) =
      sc.range(0, 5000, 1, 1).mapPartitions(rows => Iterator(keepAndForget(rows))).collect().head
    assert(last === 4999)
    assert(memory > 0)
    assert(disk > 0)
    assert(left.get.getUsed === 0)
    assert((TaskResources.executorFiles(sc) -- before) === Set.empty)
  }

  test("so does its failure") {
    val before = TaskResources.executorFiles(sc)
    intercept[org.apache.spark.SparkException] {
      sc.range(0, 5000, 1, 1)
        .mapPartitions { rows =>
          keepAndForget(rows)
          if (left.get.size > 0) throw new IllegalStateException("failing on purpose")
          Iterator(1)
        }
        .collect()
    }
    assert(left.get.getUsed === 0)
    assert((TaskResources.executorFiles(sc) -- before) === Set.empty)
  }
}

object RowStoreTaskSuite extends RowStoreFixture {

  /** The last store that a task made; local tasks share our JVM. */
  val left = new AtomicReference[RowStore]

  /**
   * Fills a store that nobody closes. Gives its last row's number, and the task's spill counters.
   */
  def keepAndForget(rows: Iterator[Long]): (Long, Long, Long) = {
    val context = TaskContext.get()
    val store   = RowStore.of(context, 2, 1000)
    left.set(store)
    rows.foreach(n => store.append(row(n, 20)))
    val into = store.newRow()
    store.get(store.size - 1, into)
    val metrics = context.taskMetrics()
    (into.getLong(0), metrics.memoryBytesSpilled, metrics.diskBytesSpilled)
  }
}

package org.matchrecognize.spark.streaming

import scala.jdk.CollectionConverters._

/**
 * How often a micro-batch reads and writes the state store for a key, by RocksDB's own counts. Spark
 * counts the entries of a store, so it reads an entry before it writes or removes it:
 *
 *   - the value `matcher` is read, and written: 2 reads, 1 write; or removed: the same
 *   - a new key reads in vain
 *   - registering a timer looks for it, and writes it in two places: 3 reads, 2 writes
 *   - deleting one, by Spark or by us, does the same
 *
 * A row that is part of the value costs nothing more.
 */
class StoreOperationsSuite extends StateInEntriesTest {
  private val keys = (1 to 10).map(i => s"k$i")

  /** Reads and writes in each micro-batch, divided by the number of keys. */
  private def operations(sql: String, batches: Seq[Map[String, Any]]*): Seq[(Double, Double)] = {
    val (_, progress) = streamOf(batches: _*).run(sql)
    progress.map { batch =>
      val counts              = batch.stateOperators.head.customMetrics.asScala
      def ofKey(name: String) = counts(name).toDouble / keys.size
      (ofKey("rocksdbGetCount"), ofKey("rocksdbPutCount"))
    }
  }

  private def rows(seconds: Range): Seq[Map[String, Any]] =
    for (second <- seconds; key <- keys) yield row(key, second, -second)

  /** All rows within the bound are retained: each can be the first of the next match. */
  private val vShape = """SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY k ORDER BY t MEASURES A.x AS first, LAST(DOWN.x) AS low, E.x AS last
    PATTERN (A DOWN+ UP+ E) WITHIN INTERVAL 6 SECONDS
    DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x), E AS x <= PREV(x))"""

  test("keys with rows in each micro-batch") {
    val found = operations(vShape, (0 until 5).map(i => rows(2 * i + 1 to 2 * i + 2)): _*)
    // The value; the timer of the rows before is deleted, and one for these rows is registered.
    assert(found.slice(1, 5).toSet == Set((2.0 + 3 + 3, 1.0 + 2 + 2)))
  }

  test("keys that get no more rows") {
    val found =
      operations(vShape, rows(1 to 2), Seq(row("other", 10, 0)), Seq(row("other", 20, 0)))
    assert(
      found == Seq(
        // The value, and a timer for the rows.
        (2.0 + 3, 1.0 + 2),
        // That timer calls and is deleted, and one for the end of WITHIN is registered. The other
        // key does what these did before.
        (2.0 + 3 + 3 + 0.5, 1.0 + 2 + 2 + 0.3),
        // The last timer calls, and nothing is left. The other key has rows in each micro-batch.
        (2.0 + 3 + 0.8, 1.0 + 2 + 0.5),
        // The other key is called.
        (0.8, 0.5)
      ))
  }
}

package org.matchrecognize.spark.streaming

import java.sql.Timestamp

import scala.util.Random

import org.apache.spark.sql.{AnalysisException, Row}

import org.matchrecognize.spark.reference.{
  Extensions,
  Query,
  QueryCase,
  RandomQueries,
  RandomSeed,
  RandomTables
}
import org.matchrecognize.spark.robustness.Fuzz
import org.matchrecognize.spark.streaming.StreamedQueriesSuite.isNeverFinal

/**
 * Random clauses in real-time mode return what the reference evaluator returns for the same rows in
 * the order in which they arrive. Each row has the time that the test sets.
 */
class RealTimeRandomSuite extends RealTimeQueries {
  import RealTimeRandomSuite._

  override protected def settings: Map[String, String] = super.settings ++ Map(
    "spark.sql.matchRecognize.invalidSkip" -> "nextRow",
    // Each row must get to the operator, where the test waits for it.
    "spark.sql.optimizer.excludedRules" ->
      "org.matchrecognize.spark.optimizer.LeaveOutGapRows"
  )

  test("random clauses over random arrivals, with one batch and with several") {
    val (reports, seeds) = Fuzz.batches(inGate = 1, size = 2, share = 1.0 / 2, nightly = 30)(
      _.flatMap(seed => check(seed, RandomQueries.query(seed, extensions = extensions(seed)))))
    val all = reports.flatten
    info(s"$seeds: ${all.size} clauses, ${all.sum} rows")
    assert(Fuzz.isAsked || all.sum > 0)
  }

  test("queries that are stopped at random lose no match and find no other") {
    val (reports, seeds) =
      Fuzz.batches(inGate = 1, size = 1, share = 1.0 / 2, first = 1001L, nightly = 15)(
        _.map(checkKills))
    info(s"$seeds: ${reports.flatten.map(_._1).sum} rows, ${reports.flatten.map(_._2).sum} again")
    assert(Fuzz.isAsked || reports.flatten.map(_._1).sum > 0)
  }

  /** Half of the clauses have bounds, with all that counts in time. */
  private def extensions(seed: Long): Extensions =
    Extensions(time = seed % 4 > 0, everyMatch = true, contiguity = seed % 3 == 0)

  /** How many rows the clause returned; None if a stream cannot decide it. */
  private def check(seed: Long, query: Query): Option[Int] = {
    val random = RandomSeed(seed, "real time")
    val rows   = arrived(random, RandomTables.random(seed, 5))
    val drawn  = QueryCase(query, rows, nextRowOnInvalidSkip = true).query
    val log    = logOf(RandomTables.schema)
    streamOf(log).createOrReplaceTempView("arriving")
    val sql = drawn
      .sql("arriving")
      .replaceAll("ORDER BY o[^\n]*", "ORDER BY MATCH_PROCTIME()")
      .replaceAll(" WITHIN (\\d+)", " WITHIN INTERVAL '$1' SECOND")
    val begin = clock.millis
    try {
      val run = new Run(log)
      run.during(spark.sql(sql)) {
        rows.foreach { row =>
          clock.millis = begin + 1000 * row("o").asInstanceOf[Long]
          run.take(RandomTables.columns.map(name => stored(row(name))))
          if (random.nextInt(rows.size) == 0) run.endBatch()
        }
        // All bounds end.
        clock.millis += 1000L * 1000
        run.endBatch()
      }
      val found    = byKey(run.found.map(values(drawn, _, begin)))
      val expected = byKey(
        QueryCase(drawn, rows, nextRowOnInvalidSkip = true).expected.map(QueryCase.canonical))
      // The end of a table decides more than the end of all bounds does.
      val isAll = drawn.within.nonEmpty && !sql.contains("NEXT(")
      rows.map(keyOf).distinct.foreach { key =>
        val (own, all) = (found.getOrElse(key, Nil), expected.getOrElse(key, Nil))
        assert(own == (if (isAll) all else all.take(own.size)), s"key $key")
      }
      Some(found.values.map(_.size).sum)
    } catch {
      case e: AnalysisException if isNeverFinal(e) => None
      case e: Throwable => throw new AssertionError(s"seed $seed\n$sql", e)
    } finally clock.millis += 1000L * 1000
  }

  /**
   * A query is stopped while it runs, and started again. Stopping takes its tasks' results away as
   * a kill does.
   *
   * @return
   *   how many rows the clause returned, and how many of them came again
   */
  private def checkKills(seed: Long): (Int, Int) = {
    val random = RandomSeed(seed, "kills")
    // The rows of a key are in one partition.
    val log  = logOf(RandomTables.schema, partitions = 2)
    val rows = arrived(random, RandomTables.random(seed, 30))
    streamOf(log).createOrReplaceTempView("arriving")
    def sql(query: Query) =
      query.sql("arriving").replaceAll("ORDER BY o[^\n]*", "ORDER BY MATCH_PROCTIME()")
    // Without bounds: times differ when rows are read again.
    val query = Iterator
      .from(0)
      .map(i =>
        RandomQueries.query(seed + i * 7919L, extensions = Extensions(contiguity = i % 2 == 0)))
      .map(drawn => QueryCase(drawn, rows, nextRowOnInvalidSkip = true).query)
      .find(drawn => isDecided(sql(drawn)) && QueryCase(drawn, rows, true).expected.size > 20)
      .get
    withSettings("spark.sql.shuffle.partitions" -> "2") {
      try {
        val killed = new Run(log)
        rows.grouped(1 + rows.size / 3).foreach { some =>
          killed.during(spark.sql(sql(query))) {
            val before = clock.taken
            some.foreach(append(log, _))
            killed.await(clock.taken > before + random.nextInt(some.size))
            if (random.nextInt(3) == 0) killed.endBatch()
          }
        }
        killed.during(spark.sql(sql(query)))(killed.endBatch())
        val whole = new Run(log)
        whole.during(spark.sql(sql(query)))(whole.endBatch())
        assert(killed.values.toSet == whole.values.toSet)
        (whole.values.size, killed.values.size - whole.values.size)
      } catch {
        case e: Throwable => throw new AssertionError(s"seed $seed\n${sql(query)}", e)
      }
    }
  }

  private def append(log: ArrivalLog, row: Map[String, Any]): Unit =
    log.append(
      RandomTables.columns.map(name => stored(row(name))),
      (row("c").asInstanceOf[Long] % 2).toInt)

  private def isDecided(sql: String): Boolean =
    try spark.sql(sql).isStreaming
    catch { case e: AnalysisException if isNeverFinal(e) => false }

  /** The values of a row, as the reference writes them. */
  private def values(query: Query, row: Row, begin: Long): Seq[Any] =
    QueryCase.canonical(query.outputColumns.map(name => row.getAs[Any](name))).map {
      case time: Timestamp => (time.getTime - begin) / 1000
      case other           => other
    }
}

private object RealTimeRandomSuite {

  private def keyOf(row: Map[String, Any]): Seq[Any] = Seq(row("c"), row("p"))

  private def byKey(rows: Seq[Seq[Any]]): Map[Seq[Any], Seq[Seq[Any]]] = rows.groupBy(_.take(2))

  private def stored(value: Any): Any = value match {
    case number: Long => number.toInt
    case other        => other
  }

  /**
   * The rows in the order in which they arrive. The column `o` gets the time: rows of several keys
   * arrive at once.
   */
  private def arrived(random: Random, rows: Seq[Map[String, Any]]): Seq[Map[String, Any]] = {
    var time    = 0L
    var present = Set.empty[Seq[Any]]
    random.shuffle(rows).map { row =>
      if (present(keyOf(row)) || random.nextInt(3) == 0) {
        time += 1
        present = Set.empty
      }
      present += keyOf(row)
      row.updated("o", time)
    }
  }
}

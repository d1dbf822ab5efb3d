package org.matchrecognize.spark.execution.statements

import scala.collection.mutable
import scala.util.Random

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.execution.RangedMatchRecognizeExec
import org.matchrecognize.spark.reference.{
  Extensions,
  Query,
  RandomQueries,
  RandomSeed,
  RandomTables
}
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Random clauses by tasks that each search a range of the order: the rows, or the error, of one task.
 * Without PARTITION BY; and with it, over partitions of which one has most of the rows.
 */
class RangesRandomSuite extends SparkSuite {
  import RangesRandomSuite._

  private val seen = mutable.Map[String, Int]().withDefaultValue(0)

  private def register(random: Random): Unit = {
    val rows                    = new java.util.ArrayList[Row]
    val alphabet                = 1 + random.nextInt(4)
    var order                   = 0
    def orNull(value: Any): Any = if (random.nextInt(9) == 0) null else value
    for (_ <- 1 to 2 + random.nextInt(1 << 3 + random.nextInt(7))) {
      order += 1 + random.nextInt(3)
      val isHot = random.nextInt(4) > 0
      rows.add(
        Row(
          if (isHot) 1 else orNull(random.nextInt(3)),
          if (isHot) null else orNull(random.nextInt(2)),
          order,
          orNull(random.nextInt(5)),
          orNull(random.nextInt(7) - 3),
          orNull(RandomTables.letters(random.nextInt(alphabet)))
        ))
    }
    java.util.Collections.shuffle(rows, new java.util.Random(random.nextLong()))
    spark
      .createDataFrame(rows, StructType.fromDDL(RandomTables.schema))
      .createOrReplaceTempView("ordered")
  }

  /** The rows, or what the innermost error says; and how the ranges were joined. */
  private def run(sql: String, settings: (String, String)*): (Answer, String) =
    withSettings(settings: _*) {
      val frame  = spark.sql(sql)
      val answer =
        try Right(frame.collect().toSeq.map(row => keys(frame, row) -> row.toSeq))
        catch {
          case error: Exception =>
            val innermost = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null)
            Left(
              innermost
                .map(e => String.valueOf(e.getMessage).linesIterator.next())
                .filterNot(_.startsWith("Job aborted"))
                .toSeq
                .last)
        }
      val joined = operators(frame).collectFirst { case ranged: RangedMatchRecognizeExec =>
        if (ranged.metrics("inOneTask").value > 0) "in one task"
        else if (ranged.metrics("ranges").value == 0) "failed"
        else if (ranged.metrics("searchedTwice").value == 0) "without a search across a border"
        else "joined"
      }
      (answer, joined.getOrElse("not in ranges"))
    }

  private def check(seed: Long, query: Query): Unit = {
    val random = RandomSeed(seed, "ranges")
    val alone  = query.copy(partitionBy = Nil)
    // A clause that returns no column is refused.
    val keyed = random.nextInt(3) == 0 || alone.outputColumns.isEmpty
    val sql   =
      if (keyed) query.sql("ordered") else alone.sql("ordered").replace("PARTITION BY  ", "")
    val way = Seq(
      "spark.sql.matchRecognize.invalidSkip" -> (if (random.nextInt(4) > 0) "nextRow"
                                                 else "error"),
      "spark.sql.matchRecognize.matcher" -> (if (random.nextBoolean()) "auto" else "threads"),
      "spark.sql.codegen.wholeStage"     -> random.nextBoolean().toString,
      "spark.sql.adaptive.enabled"       -> random.nextBoolean().toString,
      "spark.sql.matchRecognize.spillThreshold" -> (if (random.nextInt(4) > 0) Int.MaxValue
                                                    else 7).toString
    )
    val ranges      = 2 + random.nextInt(1 << 1 + random.nextInt(5))
    val (whole, _)  = run(sql, way :+ "spark.sql.matchRecognize.ranges.minBytes" -> "1t": _*)
    val (parts, by) = run(
      sql,
      way :+ "spark.sql.matchRecognize.ranges.minBytes" -> "0" :+
        "spark.sql.matchRecognize.ranges.partitions"    -> "true" :+
        "spark.sql.matchRecognize.ranges.number"        -> ranges.toString: _*
    )
    seen(if (keyed) s"$by, keyed" else by) += 1
    whole.foreach(rows => if (by == "joined") seen("joined rows") += rows.size)
    assert(
      inPartitions(parts, keyed) == inPartitions(whole, keyed),
      s"seed $seed, $ranges ranges, $by, $way:\n$sql")
  }

  test("random clauses find in ranges what one task finds") {
    val (_, seeds) = Fuzz.batches(inGate = 4, size = 10, nightly = 100) { batch =>
      register(RandomSeed(batch.head, "ordered rows"))
      batch.foreach(seed => check(seed, RandomQueries.query(seed, extensions = drawn(seed))))
    }
    info(s"$seeds: $seen")
    if (!Fuzz.isAsked)
      assert(
        seen("joined") > 8 && seen("joined rows") > 100 && seen("in one task") > 0 &&
          seen("joined, keyed") > 1)
  }
}

private object RangesRandomSuite {

  /** The rows, each with its partition; or the error. */
  private type Answer = Either[String, Seq[(Seq[Any], Seq[Any])]]

  private def keys(frame: DataFrame, row: Row): Seq[Any] =
    Seq("c", "p").filter(frame.columns.contains).map(row.getAs[Any])

  /** The rows by partition, or the error. Partitions come in any order, so of several any can fail. */
  private def inPartitions(
      answer: Answer,
      several: Boolean): Either[String, Map[Seq[Any], Seq[Seq[Any]]]] =
    answer match {
      case Left(error) => Left(if (several) "error" else error)
      case Right(rows) => Right(rows.groupBy(_._1).map { case (key, of) => key -> of.map(_._2) })
    }

  private def drawn(seed: Long): Extensions = seed % 4 match {
    case 0 => Extensions(time = true, everyMatch = true)
    case 1 => Extensions(contiguity = true)
    case _ => Extensions.none
  }
}

package org.matchrecognize.spark.execution.statements

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.{
  Dialect,
  Extensions,
  QueryEngine,
  QueryEngineChecks,
  RandomSeed,
  RandomTables,
  Weighted
}
import org.matchrecognize.spark.robustness.Fuzz

/** Spark SQL against the reference evaluator on random clauses, by every way to run them. */
abstract class RandomQueriesInSparkTest extends SparkSuite {
  import RandomQueriesInSparkSuite._

  /** How many batches the gate checks, of the standard and of each group of extensions. */
  protected def inGate: (Int, Int)

  /** How many batches the nightly run checks. */
  protected def nightly: (Int, Int) = (20, 4)

  /** The first seed of the gate, relative to those of its number. */
  protected def first: Long

  private def check(batch: Seq[Long], extensions: Extensions): QueryEngineChecks.Report = {
    val name = extensions.dialect match {
      case Dialect.Standard => "standard"
      case Dialect.Flink    => "flink"
    }
    val way = drawnWay(batch.head) + (dialect -> name)
    try QueryEngineChecks.check(new SparkEngine(spark, way), batch, extensions = extensions)
    catch {
      case wrong: AssertionError =>
        throw new AssertionError(s"$way, $settings: ${wrong.getMessage}", wrong)
    }
  }

  private def report(reports: Seq[QueryEngineChecks.Report], seeds: String): Unit = {
    val rows = reports.map(_.rows).sum
    info(
      s"$seeds: ${reports.map(_.queries).sum} queries over " +
        s"${reports.map(_.tables).sum} tables, $rows rows")
    assert(rows > 0)
  }

  test("random queries, run in ways drawn by seed") {
    val (reports, seeds) =
      Fuzz.batches(inGate._1, size = 20, share = 1.0 / 4, first, nightly._1)(
        check(_, Extensions.none))
    report(reports, seeds)
  }

  extensions.foreach { case (name, extensions) =>
    test(s"random queries, run in ways drawn by seed, $name") {
      val (reports, seeds) =
        Fuzz.batches(inGate._2, size = 20, share = 1.0 / 16, first, nightly._2)(
          check(_, extensions))
      report(reports, seeds)
    }
  }
}

class RandomQueriesInSparkSuite extends RandomQueriesInSparkTest {
  import RandomQueriesInSparkSuite._

  override protected def inGate: (Int, Int) = (4, 1)
  override protected def first: Long        = 1000000L

  /** How many queries a way is tried on. */
  private val queries = Integer.getInteger("matchRecognize.randomQueries", 10).toLong

  ways.zipWithIndex.foreach { case ((name, settings), i) =>
    test(s"random queries, $name") {
      val engine = new SparkEngine(spark, settings)
      val first  = i * queries + 1
      val report = QueryEngineChecks.check(engine, first until first + queries)
      info(report.toString)
      assert(report.rows > queries && report.tables > queries)
    }
  }
}

/**
 * The same with rows off the heap: memory is chosen when a session starts. `make fuzz` divides one
 * suite's time between the two.
 */
class OffHeapRandomQueriesInSparkSuite extends RandomQueriesInSparkTest {
  override protected def settings: Map[String, String] =
    Map("spark.memory.offHeap.enabled" -> "true", "spark.memory.offHeap.size" -> "256m")

  override protected def inGate: (Int, Int) = (2, 1)
  override protected def first: Long        = 2000000L
}

private[spark] object RandomQueriesInSparkSuite {

  /** Beyond the standard. */
  val extensions: Seq[(String, Extensions)] = Seq(
    "time"       -> Extensions(time = true, everyMatch = true),
    "contiguity" -> Extensions(contiguity = true),
    "both"       -> Extensions(time = true, everyMatch = true, contiguity = true),
    "flink"      -> Extensions(
      time = true,
      everyMatch = true,
      contiguity = true,
      dialect = Dialect.Flink)
  )

  /** Settings that change how a query runs and must not change what it gives. */
  val ways: Seq[(String, Map[String, String])] = Seq(
    "generated code, adaptive" -> Map(
      "spark.sql.codegen.wholeStage" -> "true",
      "spark.sql.adaptive.enabled"   -> "true"),
    "generated code, not adaptive, rows spilled" -> Map(
      "spark.sql.codegen.wholeStage"            -> "true",
      "spark.sql.codegen.methodSplitThreshold"  -> "1",
      "spark.sql.adaptive.enabled"              -> "false",
      "spark.sql.matchRecognize.spillThreshold" -> "2"
    ),
    "iterator" -> Map(
      "spark.sql.codegen.wholeStage" -> "false",
      "spark.sql.adaptive.enabled"   -> "true"),
    "iterator, nothing generated" -> Map(
      "spark.sql.codegen.wholeStage"  -> "false",
      "spark.sql.codegen.factoryMode" -> "NO_CODEGEN",
      "spark.sql.adaptive.enabled"    -> "false")
  )

  /** A way to run the queries of a seed. */
  def drawnWay(seed: Long): Map[String, String] = {
    val random                       = RandomSeed(seed, "way")
    def either(a: String, b: String) = if (random.nextBoolean()) a else b
    Map(
      "spark.sql.codegen.wholeStage"            -> either("true", "false"),
      "spark.sql.codegen.factoryMode"           -> either("FALLBACK", "NO_CODEGEN"),
      "spark.sql.codegen.methodSplitThreshold"  -> either("1", "1024"),
      "spark.sql.adaptive.enabled"              -> either("true", "false"),
      "spark.sql.shuffle.partitions"            -> either("1", "3"),
      "spark.sql.matchRecognize.spillThreshold" ->
        Weighted.pick(random, Seq(2 -> Int.MaxValue, 1 -> 1, 1 -> 2, 1 -> 7)).toString
    )
  }

  /** Spark SQL, under some settings. */
  final class SparkEngine(spark: SparkSession, settings: Map[String, String])
      extends QueryEngine {
    private val schema = StructType.fromDDL(RandomTables.schema)

    override def register(view: String, rows: Seq[Map[String, Any]]): Unit = {
      val list = new java.util.ArrayList[Row]
      rows.foreach(row => list.add(Row.fromSeq(RandomTables.columns.map(row).map(asColumn))))
      spark.createDataFrame(list, schema).createOrReplaceTempView(view)
    }

    private def asColumn(value: Any): Any = value match {
      case number: Long => number.toInt
      case other        => other
    }

    override def answers(
        sql: String,
        nextRowOnInvalidSkip: Boolean): Seq[(String, Either[String, Seq[Seq[Any]]])] = {
      val all = settings + ("spark.sql.matchRecognize.invalidSkip" ->
        (if (nextRowOnInvalidSkip) "nextRow" else "error"))
      all.foreach { case (key, value) => spark.conf.set(key, value) }
      try
        matchers
          .map(matcher => matcher -> answer(matcher, sql))
          .filterNot(_._2 == Left(notApplicable))
      finally all.keys.foreach(spark.conf.unset)
    }

    private def answer(matcher: String, sql: String): Either[String, Seq[Seq[Any]]] = {
      spark.conf.set("spark.sql.matchRecognize.matcher", matcher)
      try Right(spark.sql(sql).collect().toSeq.map(_.toSeq))
      catch { case error: Throwable => Left(condition(error)) }
      finally spark.conf.unset("spark.sql.matchRecognize.matcher")
    }

    /** The condition leads the message of whichever exception in the chain is ours. */
    private def condition(error: Throwable): String =
      Iterator
        .iterate(error)(_.getCause)
        .takeWhile(_ != null)
        .flatMap(e => conditionInMessage.findFirstMatchIn(String.valueOf(e.getMessage)))
        .map(_.group(1))
        .find(_ => true)
        .getOrElse(error.toString)
  }

  private val matchers      = Seq("auto", "fused", "automaton", "threads")
  private val notApplicable = "MATCH_RECOGNIZE.MATCHER_NOT_APPLICABLE"
  val dialect               = "spark.sql.matchRecognize.dialect"

  private val conditionInMessage = """\[(MATCH_RECOGNIZE\.\w+)\]""".r
}

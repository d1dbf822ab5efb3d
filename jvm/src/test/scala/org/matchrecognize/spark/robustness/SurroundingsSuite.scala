package org.matchrecognize.spark.robustness

import java.nio.file.Files

import scala.util.{Failure, Random, Success, Try}

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.streaming.Trigger

import org.matchrecognize.spark.SparkSuite

/**
 * What may be under a clause and around it. A random clause over an input that two or three of
 * Spark's constructs make, inside of others, has the rows that it has over a materialized table. So
 * have the constructs around it over its materialized result.
 */
class SurroundingsSuite extends SparkSuite {
  import SurroundingsSuite._

  // The catalog is a class of the tests of Spark 4.1 and later.
  override protected def settings: Map[String, String] = Map(
    "spark.sql.scripting.enabled" -> "true",
    "spark.sql.catalog.memory"    -> "org.matchrecognize.spark.MergeCatalog")

  private lazy val version: (Int, Int) = {
    val numbers = spark.version.split('.').take(2).map(_.toInt)
    (numbers(0), numbers(1))
  }

  private lazy val prepared: Unit = {
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark
      .sql("""SELECT CASE WHEN id % 9 > 0 THEN CONCAT('k', id % 4) END AS k, CAST(id AS INT) AS o,
                |  CAST(pmod(xxhash64(id), 20) AS INT) AS v,
                |  NULLIF(SUBSTRING('abcAB', 1 + CAST(pmod(xxhash64(id, 7), 5) AS INT), 1), 'c') AS s
                |FROM range(1, 90, 1, 3)""".stripMargin)
      .localCheckpoint()
      .createOrReplaceTempView("things")
    spark.sql("CACHE TABLE cached_things AS SELECT * FROM things")
    withSettings("spark.sql.ansi.enabled" -> "false") {
      spark.sql("CREATE TEMP VIEW lax_things AS SELECT *, v / 0 AS none FROM things")
    }
    spark.sql("CREATE TABLE padded_things (k CHAR(4), o INT, v INT, s VARCHAR(3)) USING parquet")
    spark.sql("INSERT INTO padded_things SELECT * FROM things")
  }

  /** The rows of the table, as a stream of several micro-batches. */
  private lazy val arriving: Unit = {
    prepared
    val folder = Files.createTempDirectory("things").resolve("files").toString
    spark.table("things").repartition(3).write.parquet(folder)
    spark.readStream
      .schema(spark.table("things").schema)
      .option("maxFilesPerTrigger", "1")
      .parquet(folder)
      .createOrReplaceTempView("arriving")
  }

  override def afterAll(): Unit = {
    spark.sql("DROP TABLE IF EXISTS padded_things")
    super.afterAll()
  }

  private def since[T](of: (Int, Int), items: T*): Seq[T] =
    if (Ordering[(Int, Int)].gteq(version, of)) items else Nil

  /** What has the columns k, o, v and s, for FROM. */
  private def source(random: Random, depth: Int): String = {
    def below = source(random, depth - 1)
    if (depth == 0) one(random, sources)
    else
      one(
        random,
        Seq(
          s"(SELECT * FROM $below TABLESAMPLE (100 PERCENT))",
          s"(SELECT k, o, v, s FROM (SELECT *, 'x' AS c FROM $below) " +
            "PIVOT (MAX(v) FOR c IN ('x' AS v)))",
          s"(SELECT k, o, x AS v, s FROM $below UNPIVOT INCLUDE NULLS (x FOR name IN (v)))",
          s"(SELECT t.k, t.o, l.v, t.s FROM $below AS t, LATERAL (SELECT t.v AS v) AS l)",
          s"(SELECT k, o, v, s FROM $below LATERAL VIEW explode(array(o, o + 1000)) AS twice " +
            "WHERE twice < 1000)",
          s"(SELECT /*+ REPARTITION(3) */ * FROM $below)",
          s"(SELECT /*+ BROADCAST(b) */ a.* FROM $below AS a JOIN things AS b ON a.o = b.o)",
          s"(WITH w AS (SELECT * FROM $below) SELECT * FROM w WHERE v > 3 UNION ALL " +
            "SELECT * FROM w WHERE v <= 3)",
          s"(SELECT k, o, MAX(v) AS v, MIN(s) AS s FROM $below GROUP BY k, o)",
          s"(SELECT k, o, SUM(v) OVER (PARTITION BY k ORDER BY o) % 20 AS v, s FROM $below)",
          // Another clause, one row for each.
          s"(SELECT k, o, v, s FROM $below MATCH_RECOGNIZE (PARTITION BY s ORDER BY o " +
            "MEASURES 1 AS one ALL ROWS PER MATCH PATTERN (A) DEFINE A AS v <> 7))"
        ) ++ since(
          (4, 0),
          s"(FROM $below |> WHERE v <> 11 |> EXTEND v + 1 AS w |> SELECT k, o, w AS v, s)",
          s"(SELECT k COLLATE UTF8_LCASE AS k, o, v, s COLLATE UNICODE_CI AS s FROM $below)"
        ) ++ since(
          (4, 1),
          s"(WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2) " +
            s"SELECT t.* FROM $below AS t JOIN r ON r.n = 1 + t.o % 2)"
        )
      )
  }

  private val sources = Seq(
    "things",
    "cached_things",
    "(SELECT k, o, v, s FROM lax_things)",
    "padded_things",
    "(TABLE things)",
    "(SELECT k, o, TRY_DIVIDE(v, 1) AS v, s FROM things)",
    "(SELECT k, o, make_dt_interval(0, 0, 0, v) AS v, s FROM things)"
  )

  /** Statements over the result, of which each has the text for FROM by its alias. */
  private def around(random: Random): Around = {
    val all = Seq[Around](
      m => Seq(s"SELECT * FROM ${m("m")}"),
      m => Seq(s"SELECT c, COUNT(*), SUM(n) FROM ${m("m")} GROUP BY ROLLUP (c)"),
      m => Seq(s"SELECT * FROM ${m("m")} WHERE n > 1 AND m.f > 3 AND c IS NOT NULL"),
      m => Seq(s"SELECT a.f, b.n FROM ${m("a")} JOIN ${m("b")} ON a.f = b.f AND a.n <= b.n"),
      m =>
        Seq(s"SELECT * FROM things AS t WHERE EXISTS (SELECT 1 FROM ${m("m")} WHERE m.f = t.o)"),
      m => Seq(s"SELECT * FROM things WHERE o NOT IN (SELECT f FROM ${m("m")})"),
      m => Seq(s"SELECT f, n, RANK() OVER (PARTITION BY c ORDER BY f, n) FROM ${m("m")}"),
      m =>
        Seq(s"SELECT * FROM (SELECT c, n, f FROM ${m("m")}) PIVOT (SUM(n) FOR c IN ('A', 'B'))"),
      m => Seq(s"SELECT * FROM (SELECT f, z FROM ${m("m")}) UNPIVOT (x FOR name IN (f, z))"),
      m => Seq(s"SELECT f, e FROM ${m("m")} LATERAL VIEW explode(sequence(1L, n)) AS e"),
      m => Seq(s"SELECT m.f, l.x FROM ${m("m")}, LATERAL (SELECT m.z + 1 AS x) AS l"),
      m => Seq(s"SELECT * FROM (SELECT * FROM ${m("m")}) TABLESAMPLE (100 PERCENT)"),
      m => Seq(s"WITH q AS (SELECT * FROM ${m("m")}) SELECT * FROM q UNION ALL TABLE q"),
      m => Seq(s"SELECT f FROM ${m("m")} INTERSECT ALL SELECT o FROM things"),
      m =>
        Seq(s"SELECT /*+ SHUFFLE_MERGE(a) */ a.n, b.v FROM ${m("a")} JOIN things AS b ON f = o"),
      m => Seq(s"SELECT (SELECT MAX(n) FROM ${m("m")}) AS x, (SELECT COUNT(*) FROM ${m("m")})"),
      m =>
        Seq(
          s"CREATE OR REPLACE TEMP VIEW of_matches AS SELECT * FROM ${m("m")}",
          "SELECT * FROM of_matches WHERE n >= 1"),
      m =>
        Seq(
          "DROP VIEW IF EXISTS kept_matches",
          s"CACHE TABLE kept_matches AS SELECT * FROM ${m("m")}",
          "SELECT * FROM kept_matches AS a JOIN kept_matches AS b ON a.f = b.f"
        )
    ) ++ since[Around](
      (4, 0),
      m => Seq(s"FROM ${m("m")} |> WHERE n > 0 |> AGGREGATE SUM(n) AS total GROUP BY c"),
      m => Seq(s"EXECUTE IMMEDIATE ${quoted(s"SELECT f, n FROM ${m("m")} WHERE n > ?")} USING 1"),
      m =>
        Seq(
          "CREATE OR REPLACE TEMPORARY FUNCTION matches_of(least BIGINT) " +
            s"RETURNS TABLE (f INT, n BIGINT) RETURN SELECT f, n FROM ${m("m")} WHERE n >= least",
          "SELECT * FROM matches_of(1)"
        ),
      m =>
        Seq(s"BEGIN DECLARE most BIGINT DEFAULT 2; SELECT * FROM ${m("m")} WHERE n < most; END"),
      m =>
        Seq(
          s"BEGIN IF EXISTS (SELECT 1 FROM ${m("m")} WHERE n > 2) THEN SELECT * FROM ${m("m")}; " +
            s"ELSE SELECT COUNT(*) FROM ${m("m")}; END IF; END"),
      m =>
        Seq(
          // A few rows: each is a statement.
          "BEGIN DECLARE total BIGINT DEFAULT 0; FOR r AS " +
            s"SELECT f, n FROM ${m("m")} WHERE f < 9 DO " +
            "SET total = total + r.f * r.n; END FOR; SELECT total; END")
    ) ++ since[Around](
      (4, 1),
      m =>
        Seq(
          s"WITH RECURSIVE r(x) AS (SELECT f FROM ${m("m")} UNION ALL " +
            "SELECT x - 40 FROM r WHERE x > 40) SELECT x FROM r")
    )
    one(random, all)
  }

  /** Changes of a table, from the result. */
  private def changes(random: Random): Around = {
    val change = one(
      random,
      Seq[(String => String) => String](
        m =>
          s"MERGE INTO memory.falls AS target USING ${m("m")} ON target.until = m.f " +
            "WHEN MATCHED AND m.n > 2 THEN DELETE WHEN MATCHED THEN UPDATE SET lowest = m.n",
        m =>
          s"MERGE INTO memory.falls AS target USING (SELECT c, z, MAX(n) AS n FROM ${m("m")} " +
            "GROUP BY c, z) AS m ON target.until = m.z AND target.symbol = 'k1' " +
            "WHEN MATCHED THEN UPDATE SET lowest = m.n " +
            "WHEN NOT MATCHED THEN INSERT (symbol, until, lowest) VALUES (m.c, m.z, m.n) " +
            "WHEN NOT MATCHED BY SOURCE AND target.lowest < 5 THEN DELETE",
        m => s"UPDATE memory.falls SET lowest = -1 WHERE until IN (SELECT f FROM ${m("m")})",
        m =>
          "UPDATE memory.falls AS target SET symbol = 'x' WHERE NOT EXISTS " +
            s"(SELECT 1 FROM ${m("m")} WHERE m.z = target.until AND m.n > 1)",
        m => s"DELETE FROM memory.falls WHERE until IN (SELECT z FROM ${m("m")})"
      )
    )
    m =>
      Seq(
        "INSERT OVERWRITE memory.falls SELECT k, o, v FROM things WHERE o % 3 <> 0",
        change(m),
        "SELECT * FROM memory.falls")
  }

  /** Statements that join the result, which is a table, with a streaming table. */
  private def joins(random: Random): Around = {
    arriving
    one(
      random,
      Seq[Around](
        m => Seq(s"SELECT s.o, s.v, m.n, m.c FROM arriving AS s JOIN ${m("m")} ON m.f = s.o"),
        m => Seq(s"SELECT s.o, m.n FROM ${m("m")} JOIN arriving AS s ON m.z = s.o AND m.n > 1"),
        m => Seq(s"SELECT s.o, m.n FROM arriving AS s LEFT JOIN ${m("m")} ON m.f = s.o"),
        m => Seq(s"SELECT s.o, m.n FROM ${m("m")} RIGHT JOIN arriving AS s ON m.z = s.o"),
        m => Seq(s"SELECT * FROM arriving AS s LEFT SEMI JOIN ${m("m")} ON m.f = s.o"),
        m => Seq(s"SELECT * FROM arriving AS s LEFT ANTI JOIN ${m("m")} ON m.f = s.o"),
        m =>
          Seq(s"SELECT k, o FROM arriving WHERE EXISTS (SELECT 1 FROM ${m("m")} WHERE m.z = o)"),
        m => Seq(s"SELECT s.o, (SELECT MAX(n) FROM ${m("m")}) AS most FROM arriving AS s"),
        m =>
          Seq(
            s"WITH q AS (SELECT * FROM ${m("m")}) SELECT s.k, a.n, b.c FROM arriving AS s " +
              "JOIN q AS a ON a.f = s.o JOIN q AS b ON b.z = s.o")
      )
    )
  }

  private def quoted(text: String): String =
    "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

  private def run(statements: Seq[String]): DataFrame = {
    statements.init.foreach(spark.sql(_))
    val last = spark.sql(statements.last)
    if (last.isStreaming) {
      last.writeStream
        .format("memory")
        .queryName("joined_things")
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination()
      spark.table("joined_things")
    } else last
  }

  private def answer(frame: DataFrame): (Seq[String], Seq[String]) =
    (
      frame.schema.map(_.dataType.sql),
      frame.collect().toSeq.map(row => ProjectedSuite.canonical(row)).sorted)

  private def check(around: Random => Around)(seed: Long): Boolean = {
    prepared
    val random = new Random(seed)
    val names  = one(random, namings)
    val from   = source(random, random.nextInt(3))
    val input  =
      s"(SELECT k AS ${names(0)}, o AS ${names(1)}, v AS ${names(2)}, s AS ${names(3)} " +
        s"FROM $from)"
    val clause = this.clause(random, names)
    check(seed, input, clause, around(random))
  }

  private def check(
      seed: Long,
      input: String,
      clause: (String, String) => String,
      outer: Around): Boolean =
    // Spark refuses some of these, such as a recursive query within another.
    Try(spark.sql(s"SELECT * FROM $input").localCheckpoint()) match {
      case Failure(_)    => false
      case Success(rows) =>
        rows.createOrReplaceTempView("input_rows")
        spark
          .sql(s"SELECT * FROM ${clause("input_rows", "m")}")
          .localCheckpoint()
          .createOrReplaceTempView("clause_rows")
        // A streaming table has the rows of the table.
        val settled =
          outer(alias => s"clause_rows AS $alias").map(_.replace("arriving", "things"))
        val wanted  = Try(answer(run(settled)))
        val written = outer(alias => clause(input, alias))
        val found   = Try(answer(run(written)))
        isOfSpark(found) || {
          assert(
            found.isSuccess == wanted.isSuccess,
            s"seed $seed: ${written.mkString("; ")}\n$found\n$wanted")
          assert(found.toOption == wanted.toOption, s"seed $seed: ${written.mkString("; ")}")
          wanted.isSuccess
        }
    }

  /** The clause next to the words for time travel. */
  private def checkEarlier(seed: Long): Boolean = {
    prepared
    val random = new Random(seed)
    // What is earlier, and what is there now.
    spark.sql("INSERT OVERWRITE memory.falls SELECT k, o, v FROM things WHERE o % 4 <> 1")
    spark.sql("INSERT OVERWRITE memory.falls SELECT k, o, v + 1 FROM things WHERE o % 3 <> 0")
    val input = one(
      random,
      Seq(
        "memory.falls VERSION AS OF 1",
        "memory.falls FOR VERSION AS OF '1'",
        "memory.falls FOR SYSTEM_VERSION AS OF 1",
        "memory.falls TIMESTAMP AS OF '2026-01-01 10:00:00'",
        "memory.falls FOR SYSTEM_TIME AS OF DATE'2026-01-01'",
        "(SELECT * FROM memory.falls VERSION AS OF 1)",
        "(TABLE memory.falls)"
      )
    )
    val clause = this.clause(random, Seq("symbol", "until", "lowest", "symbol"))
    check(seed, input, clause, around(random))
  }

  /**
   * Spark 3.5 cannot plan IN over a subquery above an aggregation: so fails SUM(IF(b, 1, 0)) OVER
   * (...) over SELECT o IN (SELECT v FROM things) AS b FROM (SELECT o FROM things GROUP BY o), too.
   */
  private def isOfSpark(found: Try[Any]): Boolean = found match {
    case Failure(e) => spark.version < "4" && e.getMessage.contains("Couldn't find exists#")
    case _          => false
  }

  private def clause(random: Random, names: Seq[String]): (String, String) => String = {
    val (k, o, v, s) = (names(0), names(1), names(2), names(3))
    val conditions   = Map(
      "A" -> one(random, Seq("TRUE", s"$v IS NOT NULL", s"$s = 'a'", s"A.$o % 3 > 0")),
      "B" -> one(
        random,
        Seq(
          s"$v > PREV($v)",
          s"$v < A.$v",
          s"B.$s <> PREV(B.$s)",
          s"$o IN (SELECT v FROM things)")),
      "C" -> one(random, Seq(s"$v >= PREV($v)", s"COUNT(C.$o) <= 2", s"NEXT($s) IS NULL"))
    )
    val pattern = one(random, Seq("A B", "A B+", "A (B | C)* B", "A B? C*", "PERMUTE(A, B)"))
    val rows    = one(random, Seq("", "", "ALL ROWS PER MATCH"))
    val skip    = one(random, Seq("", "AFTER MATCH SKIP TO NEXT ROW"))
    val define  = conditions
      .filter { case (variable, _) => pattern.contains(variable) }
      .map { case (variable, condition) => s"$variable AS $condition" }
    (table, alias) =>
      s"""$table MATCH_RECOGNIZE (PARTITION BY $k ORDER BY $o
         |  MEASURES FIRST($o) AS f, LAST($o) AS z, COUNT(*) AS n, CLASSIFIER() AS c, LAST($s) AS t
         |  $rows $skip PATTERN ($pattern) DEFINE ${define.mkString(
          ", ")}) AS $alias""".stripMargin
  }

  test("random surroundings: the rows of materialized tables") {
    val (valid, seeds) =
      Fuzz.batches(inGate = 2, size = 20, share = 1.0 / 2, nightly = 15)(_.map(check(around)))
    assertMostAre(valid.flatten, seeds)
  }

  test("random changes of a table: as from materialized tables") {
    assume(Fuzz.isNightly || Fuzz.isAsked, "a test of the nightly run")
    assume(Ordering[(Int, Int)].gteq(version, (4, 1)), "there is no table that takes changes")
    val (valid, seeds) =
      Fuzz.batches(inGate = 0, size = 20, share = 1.0 / 4, nightly = 5)(_.map(check(changes)))
    assertMostAre(valid.flatten, seeds)
  }

  test("random joins of a streaming table with the rows of a table") {
    assume(Fuzz.isNightly || Fuzz.isAsked, "a test of the nightly run")
    val (valid, seeds) =
      Fuzz.batches(inGate = 0, size = 10, share = 1.0 / 8, nightly = 4)(_.map(check(joins)))
    assertMostAre(valid.flatten, seeds)
  }

  test("earlier versions of a table: as from materialized tables") {
    assume(Fuzz.isNightly || Fuzz.isAsked, "a test of the nightly run")
    assume(Ordering[(Int, Int)].gteq(version, (4, 1)), "there is no table with versions")
    val (valid, seeds) =
      Fuzz.batches(inGate = 0, size = 20, share = 1.0 / 8, nightly = 2)(_.map(checkEarlier))
    assertMostAre(valid.flatten, seeds)
  }

  private def assertMostAre(valid: Seq[Boolean], seeds: String): Unit = {
    info(s"$seeds: ${valid.count(identity)} of ${valid.size} statements are valid")
    assert(valid.count(identity) > valid.size / 2)
    ()
  }
}

private object SurroundingsSuite {

  /** Statements around a table, of which the text in FROM is given by its alias. */
  private type Around = (String => String) => Seq[String]

  /** Names of the key, the order, the value and the text. */
  private val namings = Seq(
    Seq("k", "o", "v", "s"),
    Seq("`a.b`", "`o o`", "`v``x`", "`select`"),
    Seq("`列`", "`größe`", "`date`", "`измерение`")
  )

  private def one[A](random: Random, of: Seq[A]): A = of(random.nextInt(of.size))
}

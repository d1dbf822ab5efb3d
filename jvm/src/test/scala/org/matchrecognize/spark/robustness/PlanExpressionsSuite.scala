package org.matchrecognize.spark.robustness

import java.util.Locale

import scala.util.{Failure, Random, Success, Try}

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference.RandomSeed

/**
 * Expressions that Spark computes by other operators, from outside of the rows, or differently each
 * time. The examples of functions leave them out. Each has the value that it has in a projection, or
 * is refused. In a random clause, they are what columns with their values are.
 */
class PlanExpressionsSuite extends SparkSuite {
  import PlanExpressionsSuite._

  private lazy val prepared: Unit = {
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.udf.register("jvm_twice", (n: Integer) => if (n == null) null else Int.box(n * 2))
    spark.sql("CREATE TABLE plan_rows (o INT, at TIMESTAMP, s STRING, j STRING) USING parquet")
    spark.sql(
      "INSERT INTO plan_rows VALUES (1, TIMESTAMP'2024-01-31 10:11:12', 'x', '{\"a\": 1}')")
    // Some times and numbers are NULL, some times are before 1970.
    spark.sql("CREATE TABLE plan_events (k STRING, o INT, at TIMESTAMP, n INT) USING parquet")
    spark.sql("""INSERT INTO plan_events SELECT CONCAT('k', id % 3), CAST(id AS INT),
                |  IF(pmod(xxhash64(id), 5) > 0,
                |    timestamp_seconds(pmod(xxhash64(id, 1), 40000) * 10 - 90000), NULL),
                |  NULLIF(CAST(pmod(xxhash64(id, 2), 5) AS INT), 4)
                |FROM range(40)""".stripMargin)
  }

  override def afterAll(): Unit = {
    spark.sql("DROP TABLE IF EXISTS plan_rows")
    spark.sql("DROP TABLE IF EXISTS plan_events")
    super.afterAll()
  }

  private def measure(e: String): String =
    s"SELECT * FROM plan_rows MATCH_RECOGNIZE (ORDER BY o MEASURES $e AS r PATTERN (A))"

  private def condition(e: String): String =
    "SELECT * FROM plan_rows MATCH_RECOGNIZE (ORDER BY o MEASURES A.o AS o PATTERN (A) " +
      s"DEFINE A AS ($e) IS NOT NULL)"

  /** Spark 3.5 has no variables of sessions. */
  private lazy val hasVariables =
    Try(spark.sql("DECLARE OR REPLACE VARIABLE plan_limit INT DEFAULT 2")).isSuccess

  /** What this Spark lacks, the clause lacks, too. */
  private def isKnown(e: String): Boolean = {
    val name      = "^\\w+(?=\\()".r.findFirstIn(e).map(_.toLowerCase(Locale.ROOT))
    val functions = FunctionRegistry.builtin.listFunction().map(_.funcName).toSet + "jvm_twice"
    name.forall(functions) && (e != "plan_limit" || hasVariables)
  }

  for (e <- asInProjection)
    test(s"$e has the value of a projection") {
      prepared
      if (!isKnown(e)) cancel("this Spark does not have it")
      val wanted = rows(s"SELECT $e FROM plan_rows").map(_.map(ProjectedSuite.canonical))
      assert(rows(measure(e)).map(_.map(ProjectedSuite.canonical)) == wanted)
      val isTrue = rows(s"SELECT o FROM plan_rows WHERE ($e) IS NOT NULL")
      assert(rows(condition(e)) == isTrue)
    }

  for ((error, es) <- refused; e <- es)
    test(s"$e is refused: $error") {
      prepared
      if (!isKnown(e)) cancel("this Spark does not have it")
      for (sql <- Seq(measure(e), condition(e)))
        assert(failure(rows(sql)).contains(s"[MATCH_RECOGNIZE.$error]"), sql)
    }

  test("values of parameters") {
    prepared
    val found = spark.sql(measure("A.o + :more"), Map[String, Any]("more" -> 5))
    assert(found.collect().map(_.getInt(0)).toSeq == Seq(6))
  }

  private def answer(frame: DataFrame): (Seq[String], Seq[String]) =
    (frame.columns.toSeq, values(frame).map(_.map(ProjectedSuite.canonical).mkString("|")).sorted)

  /** Whether the statement has an answer. */
  private def checkClause(seed: Long): Boolean = {
    prepared
    val random = RandomSeed(seed, "plan expressions")
    val all    = random.shuffle(placed.filter(_.text != "plan_limit + %s" || hasVariables))
    // In half of them, one window of the column itself: Spark refuses some clauses with several.
    val isPlain            = random.nextBoolean()
    val (ofTimes, numbers) = all.partition(_.column == "at")
    val drawn  = if (isPlain) random.shuffle(Seq(ofTimes.head, numbers.head)) else all.take(2)
    val clause = RandomClause(random, isPlain)
    if (random.nextInt(5) == 0) {
      val (error, text) = refusedWindows(random.nextInt(refusedWindows.size))
      val sql           =
        clause.sql("plan_events", Seq(Placed(text, "at", ""), numbers.head).map(e => e.written _))
      assert(failure(rows(sql)).contains(s"[MATCH_RECOGNIZE.$error]"), s"seed $seed\n$sql")
      true
    } else {
      val columns = drawn.zipWithIndex.map { case (e, i) =>
        s"${e.plain.replace("%s", e.column)} AS e$i"
      }
      val input  = s"(SELECT *, ${columns.mkString(", ")} FROM plan_events)"
      val ofRows = clause.sql(
        input,
        drawn.indices.map(i => (navigation: String) => navigation.replace("%s", s"e$i")))
      val wanted = Try(answer(spark.sql(ofRows).drop("e0", "e1")))
      val sql    = clause.sql("plan_events", drawn.map(e => e.written _))
      val found  = Try(answer(spark.sql(sql)))
      (wanted, found) match {
        case (Success(rows), Success(others)) =>
          assert(others == rows, s"seed $seed\n$sql\n$ofRows")
          true
        case (Failure(_), Failure(_)) => false
        case _                        => fail(s"seed $seed\n$sql\n$ofRows\n$found\n$wanted")
      }
    }
  }

  test("in random clauses, as columns of the input") {
    val (reports, seeds) = Fuzz.batches(inGate = 1, size = 6, nightly = 20)(_.map(checkClause))
    val all              = reports.flatten
    info(s"$seeds: ${all.count(identity)} of ${all.size} statements have an answer")
    assert(all.count(identity) > all.size / 2)
  }
}

private object PlanExpressionsSuite {

  private val asInProjection = Seq(
    "window(at, '1 hour').start",
    "window_time(window(at, '1 hour'))",
    "(SELECT MAX(o) FROM plan_rows)",
    "o IN (SELECT o FROM plan_rows)",
    "EXISTS (SELECT 1 FROM plan_rows)",
    "jvm_twice(o)",
    "plan_limit",
    "current_date() = current_date()",
    "current_timestamp() IS NULL",
    "now() = current_timestamp()",
    "localtimestamp() IS NULL",
    "current_timezone()",
    "current_user()",
    "session_user()",
    "current_database()",
    "current_catalog()",
    "version()",
    "unix_timestamp() > 0",
    "_metadata.file_size > 0"
  )

  private val refused = Seq(
    "SLIDING_WINDOW"  -> Seq("window(at, '2 hours', '1 hour').start"),
    "SESSION_WINDOW"  -> Seq("session_window(at, '1 hour').start"),
    "WINDOW_FUNCTION" -> Seq("RANK() OVER (ORDER BY o)", "MAX(o) OVER ()"),
    "GENERATOR"       -> Seq(
      "explode(array(1))",
      "posexplode(array(1))",
      "stack(1, 2)",
      "json_tuple(j, 'a')",
      "inline(array(struct(1)))"),
    "NONDETERMINISTIC" -> Seq(
      "rand()",
      "java_method('java.lang.Math', 'abs', -5)",
      "randn(1)",
      "uuid()",
      "shuffle(array(1, 2))",
      "monotonically_increasing_id()",
      "spark_partition_id()",
      "input_file_name()",
      "input_file_block_start()",
      "input_file_block_length()"
    )
  )

  /**
   * An expression of one column, NULL where that is.
   *
   * @param text
   *   with %s where the column is
   * @param plain
   *   the same value by arithmetic alone
   */
  final case class Placed(text: String, column: String, plain: String) {

    /** In a clause, with a navigation over the column. */
    def written(navigation: String): String =
      text.replace("%s", navigation.replace("%s", column))
  }

  private val hour = 3600000000L

  /** The start of the window of a size with an offset, in microseconds, that %s is in. */
  private def start(size: Long, offset: Long): String =
    s"(unix_micros(%s) - pmod(unix_micros(%s) - $offset, $size))"

  private val placed = Seq(
    Placed("window(%s, '1 hour').start", "at", s"timestamp_micros(${start(hour, 0)})"),
    Placed(
      "window(%s, '1 day', '1 day', '90 minutes').start",
      "at",
      s"timestamp_micros(${start(24 * hour, 3 * hour / 2)})"),
    Placed(
      "window(%s, '90 minutes').end",
      "at",
      s"timestamp_micros(${start(3 * hour / 2, 0)} + ${3 * hour / 2})"),
    Placed(
      "window(%s, '2 hours')",
      "at",
      s"IF(%s IS NULL, NULL, named_struct('start', timestamp_micros(${start(2 * hour, 0)}), " +
        s"'end', timestamp_micros(${start(2 * hour, 0)} + ${2 * hour})))"
    ),
    Placed(
      "window_time(window(%s, '3 hours'))",
      "at",
      s"timestamp_micros(${start(3 * hour, 0)} + ${3 * hour - 1})"),
    Placed("jvm_twice(%s)", "n", "%s * 2"),
    Placed("(SELECT MAX(o) FROM plan_rows) + %s", "n", "%s + 1"),
    Placed("plan_limit + %s", "n", "%s + 2")
  )

  private val refusedWindows = Seq(
    "SLIDING_WINDOW" -> "window(%s, '2 hours', '1 hour').start",
    "SLIDING_WINDOW" -> "window(%s, '1 hour', '30 minutes')",
    "SESSION_WINDOW" -> "session_window(%s, '3 hours').end",
    "SESSION_WINDOW" -> "session_window(%s, '20 minutes')"
  )

  /** A clause, of which two expressions are written later. */
  final private case class RandomClause(sql: (String, Seq[String => String]) => String)

  private object RandomClause {

    /**
     * @param isPlain
     *   whether navigations are columns
     */
    def apply(random: Random, isPlain: Boolean): RandomClause = {
      def one[A](of: A*): A                 = of(random.nextInt(of.size))
      def navigationOf(of: String*): String = if (isPlain) "%s" else one(of: _*)
      def navigation: String                = navigationOf(
        "%s",
        "A.%s",
        "LAST(%s)",
        "FIRST(B.%s)",
        "PREV(%s)",
        "NEXT(%s)",
        "LAST(A.%s, 1)",
        "PREV(LAST(A.%s), 2)")

      /** A condition over a value and another one. */
      def condition: (String => String) => String = {
        val (first, other) = (navigation, navigationOf("%s", "A.%s", "PREV(%s)"))
        val format         =
          one(
            "%1$s IS NOT NULL",
            "%1$s IS NULL OR o %% 3 = 0",
            "%1$s = %2$s",
            "%1$s >= %2$s",
            "%1$s <=> %2$s")
        e => format.format(e(first), e(other))
      }
      val first    = random.nextInt(2)
      val pattern  = one("A B*", "(A | B)+", "A B? A", "A+? B")
      val a        = condition
      val b        = condition
      val measures = Seq(navigation, navigation)
      val total    = one("MAX", "COUNT", "MIN")
      val key      = random.nextInt(4)
      val order    = one("o", "o", "o DESC", "%s, o")
      val show     = one(
        "",
        "ALL ROWS PER MATCH",
        "ALL ROWS PER MATCH",
        "ALL ROWS PER MATCH WITH UNMATCHED ROWS")
      RandomClause { (input, es) =>
        val (e, f)    = (es(first), es(1 - first))
        val partition = key match {
          case 0 => s"PARTITION BY ${es(0)("%s")} AS key"
          case 1 => s"PARTITION BY k, ${f("%s")} AS key"
          case _ => "PARTITION BY k"
        }
        s"""SELECT * FROM $input MATCH_RECOGNIZE (
           |  $partition ORDER BY ${order.replace("%s", es(0)("%s"))}
           |  MEASURES ${es(0)(measures(0))} AS m0, ${es(1)(measures(1))} AS m1,
           |    $total(${e("%s")}) AS total, COUNT(*) AS size, FIRST(o) AS f
           |  $show PATTERN ($pattern) DEFINE A AS ${a(e)}, B AS ${b(f)})""".stripMargin
      }
    }
  }
}

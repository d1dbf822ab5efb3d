package org.matchrecognize.spark.robustness

import java.util.Locale

import scala.util.Try

import org.apache.spark.sql.catalyst.analysis.FunctionRegistry

import org.matchrecognize.spark.SparkSuite

/**
 * Expressions that Spark computes by other operators, from outside of the rows, or differently each
 * time. The examples of functions leave them out. Each has the value that it has in a projection, or
 * is refused.
 */
class PlanExpressionsSuite extends SparkSuite {
  import PlanExpressionsSuite._

  private lazy val prepared: Unit = {
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.udf.register("jvm_twice", (n: Integer) => if (n == null) null else Int.box(n * 2))
    spark.sql("CREATE TABLE plan_rows (o INT, at TIMESTAMP, s STRING, j STRING) USING parquet")
    spark.sql(
      "INSERT INTO plan_rows VALUES (1, TIMESTAMP'2024-01-31 10:11:12', 'x', '{\"a\": 1}')")
  }

  override def afterAll(): Unit = {
    spark.sql("DROP TABLE IF EXISTS plan_rows")
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
}

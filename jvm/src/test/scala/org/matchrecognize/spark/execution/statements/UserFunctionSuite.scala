package org.matchrecognize.spark.execution.statements

import org.apache.spark.sql.{Encoder, Encoders}
import org.apache.spark.sql.expressions.Aggregator
import org.apache.spark.sql.functions.udaf

import org.matchrecognize.spark.SparkSuite

/** Functions of users, written for the JVM. */
class UserFunctionSuite extends SparkSuite {
  import UserFunctionSuite._

  private val ticks =
    "(SELECT * FROM VALUES (1, 12), (2, 17), (3, 19), (4, 12), (5, 15) AS t(day, price))"

  private def clause(measures: String, rowsPerMatch: String = "ONE ROW PER MATCH"): String =
    s"""SELECT * FROM $ticks MATCH_RECOGNIZE (
       |  ORDER BY day MEASURES $measures $rowsPerMatch
       |  PATTERN (A B+) DEFINE B AS rises(price, PREV(price)))""".stripMargin

  private def register(): Unit = {
    spark.udf.register("rises", (now: Int, before: Int) => now > before)
    spark.udf.register("spread", (a: Int, b: Int) => a - b)
    val _ = spark.udf.register("range_of", udaf(RangeOf, Encoders.scalaInt))
  }

  test("a function may take values of several rows") {
    register()
    assert(rows(clause("spread(LAST(B.price), A.price) AS s")) == Seq(Seq(7), Seq(3)))
  }

  test("a function of numbers that cannot be NULL is NULL in an empty match") {
    register()
    val sql = """SELECT * FROM VALUES (1), (2) AS t(day) MATCH_RECOGNIZE (
                |  ORDER BY day MEASURES spread(day, 5) AS s
                |  PATTERN (A*) DEFINE A AS day = 2)""".stripMargin
    assert(rows(sql) == Seq(Seq(null), Seq(-3)))
  }

  test("an Aggregator: final, running, over one variable, distinct, with FILTER") {
    register()
    assert(
      rows(clause("range_of(price) AS r, range_of(B.price) AS b")) == Seq(Seq(7, 2), Seq(3, 0)))
    val running =
      rows(s"SELECT r, f FROM (${clause(
          "range_of(price) AS r, FINAL range_of(DISTINCT price) FILTER (WHERE price > 12) AS f",
          "ALL ROWS PER MATCH")})")
    assert(running == Seq(Seq(0, 2), Seq(5, 2), Seq(7, 2), Seq(0, 0), Seq(3, 0)))
  }

  test("an Aggregator in DEFINE sees the rows mapped so far, the tested one among them") {
    register()
    val sql = s"""SELECT * FROM $ticks MATCH_RECOGNIZE (
                 |  ORDER BY day MEASURES FIRST(A.day) AS first, COUNT(*) AS n
                 |  PATTERN (A+) DEFINE A AS range_of(A.price) <= 5)""".stripMargin
    // 12 17 | 19 alone: 19 - 12 is 7 | 12 15
    assert(rows(sql) == Seq(Seq(1, 2), Seq(3, 1), Seq(4, 2)))
  }

  test("an Aggregator that returns text, for several threads") {
    spark.udf.register("joined", udaf(Joined, Encoders.STRING))
    // Other threads have an A at 3, and at 3 and 4, when A at 1 and 2 has its last B.
    val sql = """SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e') AS t(i, s)
                |  MATCH_RECOGNIZE (ORDER BY i MEASURES FIRST(i) AS f, LAST(i) AS l
                |  PATTERN (A+ B B B) DEFINE B AS joined(A.s) = 'ba')""".stripMargin
    assert(rows(sql) == Seq(Seq(1, 5)))
  }
}

private object UserFunctionSuite {

  /** The strings, the newest first. */
  object Joined extends Aggregator[String, String, String] {
    override def zero: String                               = ""
    override def reduce(buffer: String, in: String): String = in + buffer
    override def merge(a: String, b: String): String        = b + a
    override def finish(all: String): String                = all
    override def bufferEncoder: Encoder[String]             = Encoders.STRING
    override def outputEncoder: Encoder[String]             = Encoders.STRING
  }

  /** The difference between the greatest and the smallest value; 0 of none. */
  object RangeOf extends Aggregator[Int, Seq[Int], Int] {
    override def zero: Seq[Int]                              = Nil
    override def reduce(buffer: Seq[Int], in: Int): Seq[Int] = buffer :+ in
    override def merge(a: Seq[Int], b: Seq[Int]): Seq[Int]   = a ++ b
    override def finish(all: Seq[Int]): Int       = if (all.isEmpty) 0 else all.max - all.min
    override def bufferEncoder: Encoder[Seq[Int]] = Encoders.kryo[Seq[Int]]
    override def outputEncoder: Encoder[Int]      = Encoders.scalaInt
  }
}

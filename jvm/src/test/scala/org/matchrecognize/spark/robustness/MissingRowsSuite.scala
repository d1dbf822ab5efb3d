package org.matchrecognize.spark.robustness

import scala.util.{Failure, Random, Success, Try}

import org.matchrecognize.spark.reference.RandomSeed

/**
 * Every function of Spark, with one argument after the other from a row that does not exist: from
 * before the partition, or of a variable that no row is mapped to. The value is that of a column
 * that is NULL, although Spark has resolved the call for a column that never is.
 */
class MissingRowsSuite extends ProjectedSuite {
  import MissingRowsSuite._
  import ProjectedSuite.canonical

  private lazy val prepared: Unit = {
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.timeType.enabled", "true")
  }

  /** Calls over columns of one row; of call i, the argument at hand is NULL in column n{i}. */
  private def createTable(calls: Seq[Call]): Unit = {
    val columns = calls.zipWithIndex.flatMap { case (call, i) =>
      call.values.zipWithIndex.map { case (value, j) => s"$value AS p${i}_$j" } :+
        s"IF(id > 1, ${call.values(call.argument)}, NULL) AS n$i"
    }
    sql(s"SELECT id, ${columns.mkString(", ")} FROM VALUES (1) AS t(id)")
      .localCheckpoint()
      .createOrReplaceTempView(table)
  }

  private def isKnown(call: Call): Boolean = Try(createTable(Seq(call))).isSuccess

  /** The call, with its argument from a row that does not exist. */
  private def texts(call: Call, i: Int, prev: String, unmapped: String): Seq[String] =
    Seq(s"PREV(p${i}_${call.argument}$prev)", s"$unmapped.p${i}_${call.argument}", s"n$i")
      .map(call.text(i, _))

  private def measures(calls: Seq[(Call, Int)]): String =
    s"SELECT * FROM $table MATCH_RECOGNIZE (ORDER BY id MEASURES " +
      named(calls.flatMap { case (call, i) => texts(call, i, "", "B") }) + " PATTERN (A B??))"

  /** Row i of the copies of the row is a P if the call of its number is NULL. */
  private def conditions(calls: Seq[(Call, Int)]): String = {
    val all = calls.flatMap { case (call, i) => texts(call, i, ", 1000000", "Z") }
    s"""SELECT copy_ FROM
       |(SELECT * FROM $table CROSS JOIN VALUES ${all.indices
        .map(i => s"($i)")
        .mkString(", ")} AS c(copy_))
       |MATCH_RECOGNIZE (ORDER BY copy_ MEASURES CLASSIFIER() AS label_ ALL ROWS PER MATCH
       |PATTERN (${all.indices.map(i => s"(P$i | Q$i)").mkString(" ")} Z??)
       |DEFINE ${all.zipWithIndex.map { case (e, i) => s"P$i AS ($e) IS NULL" }.mkString(",\n")})
       |WHERE label_ LIKE 'P%'""".stripMargin
  }

  /** Whether the clause takes what Spark takes; if not, the call must be on the list. */
  private def isTaken(call: Call, i: Int): Boolean = Try(
    spark.sql(measures(Seq(call -> i)))) match {
    case Success(_) => true
    case Failure(e) =>
      assert(refused.contains(call.function), s"${call.example}: ${e.getMessage}")
      false
  }

  private def check(seed: Long): Seq[Outcome] = {
    prepared
    val isAnsi = RandomSeed(seed, "ANSI").nextBoolean()
    withSettings("spark.sql.ansi.enabled" -> isAnsi.toString)(check(new Random(seed)))
  }

  private def check(random: Random): Seq[Outcome] = {
    val drawn = random.shuffle(all).take(30).filter(isKnown)
    createTable(drawn)
    val numbered = drawn.zipWithIndex
    val plain    = numbered.map { case (call, i) => SqlExpression(_ => call.text(i, s"n$i")) }
    val valid    = plain.map(isValid(_, table))
    val taken    = numbered.zip(valid).filter { case ((call, i), ok) => ok && isTaken(call, i) }
    val (known, failing) = steadyBaseline(taken.map { case ((_, i), _) => plain(i) }, table)
    val callOf           = plain.zip(numbered).toMap[SqlExpression, (Call, Int)]
    val interpreted      = random.nextBoolean()
    val path             =
      if (interpreted)
        Seq(
          "spark.sql.codegen.wholeStage"  -> "false",
          "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")
      else Nil
    withSettings(path: _*) {
      def shown(k: Known)  = measures(Seq(callOf(k.e)))
      def answer(k: Known) = if (callOf(k.e)._1.hasNoIndex) "null" else k.values(1)
      forAll(known, shown) { some =>
        val row = spark.sql(measures(some.map(k => callOf(k.e)))).collect().head.toSeq
        assert(row.map(canonical).grouped(3).toSeq == some.map(k => Seq.fill(3)(answer(k))))
      }
      forAll(known, k => conditions(Seq(callOf(k.e)))) { some =>
        val found =
          spark.sql(conditions(some.map(k => callOf(k.e)))).collect().map(_.get(0)).toSet
        val wanted = some.zipWithIndex.flatMap { case (k, i) =>
          if (answer(k) == "null") Seq(3 * i, 3 * i + 1, 3 * i + 2) else Nil
        }
        assert(found == wanted.toSet)
      }
      // An error without a name is one of Spark's generated code only.
      failing.filter(_._2 != unnamed).foreach { case (e, name) =>
        val (call, i) = callOf(e)
        texts(call, i, "", "B").foreach { text =>
          val statement =
            s"SELECT * FROM $table MATCH_RECOGNIZE (MEASURES $text AS r PATTERN (A B??))"
          assert(
            Try(spark.sql(statement).collect()).failed.map(condition(_)) == Success(name),
            statement)
        }
      }
    }
    val agreed = (known.map(_.e) ++ failing.map(_._1)).map(callOf(_)._1.function)
    numbered.zip(valid).map { case ((call, _), ok) =>
      Outcome(call.function, ok, agreed.contains(call.function))
    }
  }

  test("functions of Spark with arguments from rows that do not exist") {
    val (outcomes, seeds) = Fuzz.batches(inGate = 2, size = 1, nightly = 90)(_.flatMap(check))
    val all               = outcomes.flatten
    def count(some: Seq[Outcome]) =
      s"${some.size} calls of ${some.map(_.function).distinct.size} functions"
    info(
      s"$seeds: ${count(all)}; agreed: ${count(all.filter(_.agreed))}; refused by Spark: " +
        s"${count(all.filter(!_.valid))}; other: ${count(all.filter(o => o.valid && !o.agreed))}")
    val open = all.groupBy(_.function).filter(!_._2.exists(_.agreed)).toSeq.sortBy(_._1)
    info(
      "no call agreed: " + open
        .map { case (function, some) =>
          function + (if (some.exists(_.valid)) " (valid)" else "")
        }
        .mkString(", "))
    info("refused by the clause: " + refused.map { case (f, why) => s"$f: $why" }.mkString("; "))
    assert(all.count(_.agreed) > all.size / 4)
  }
}

private object MissingRowsSuite {
  private val table = "missing_rows"

  /**
   * A call of a function.
   *
   * @param argument
   *   which of the literals in its example comes from a row that does not exist
   * @param overColumns
   *   whether the others are columns; otherwise they stay constants
   */
  final case class Call(example: String, argument: Int, overColumns: Boolean) {
    val values: Seq[String] = FunctionExamples.literals(example)
    def function: String    = "^\\w+".r.findFirstIn(example).getOrElse(example)

    /** Whether it is the [[fieldOfElement]] without its index. */
    def hasNoIndex: Boolean = example == fieldOfElement && argument == values.size - 1

    /** The text of call number i, with an expression in the place of the argument. */
    def text(i: Int, argument: String): String =
      FunctionExamples.replace(
        example,
        j =>
          if (j == this.argument) Some(argument)
          else if (overColumns) Some(s"p${i}_$j")
          else None)
  }

  /** What has become of a call. */
  final case class Outcome(function: String, valid: Boolean, agreed: Boolean)

  /**
   * With ANSI, Spark says of it that it is never NULL, as the array has no NULL. Where the index is
   * NULL, a projection of Spark then writes 0; it is NULL.
   */
  private val fieldOfElement = "array(named_struct('a', 7), named_struct('a', 8)).a[1]"

  /** Operators, of which Spark documents no such examples. */
  private val operators = Seq(
    "array(10, 20, 30)[1]",
    "map(1, 'a', 2, 'b')[2]",
    "array(array(1), array(2))[1][0]",
    "element_at(array(array(1)), 1)[0]",
    "named_struct('a', array(7, 8)).a[1]",
    fieldOfElement
  )

  lazy val all: Seq[Call] = for {
    example     <- FunctionExamples.all ++ operators
    argument    <- FunctionExamples.literals(example).indices
    overColumns <- Seq(true, false)
  } yield Call(example, argument, overColumns)

  /** Functions that Spark takes in a projection and the clause refuses, with the reason. */
  private val refused: Map[String, String] = Map(
    "window"         -> "with a slide, a row is in several windows",
    "session_window" -> "it depends on other rows"
  )
}

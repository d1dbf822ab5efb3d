package org.matchrecognize.spark.optimizer

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.logical.MatchRecognize
import org.matchrecognize.spark.pattern.{AfterMatch, RowPattern}
import org.matchrecognize.spark.reference._

/** Random clauses under random filters: the rows are the same with and without the rules. */
class PushedFiltersRandomSuite extends SparkSuite {

  private val rules = Seq(
    PushKeyFilters,
    PushStartFilters,
    StopAfterMatch,
    PruneMeasures,
    LeaveOutRowsOutOfReach,
    LeaveOutGapRows).map(_.ruleName).mkString(",")

  /** A random clause, mostly with a variable in front and measures that the first row gives. */
  private def drawn(random: Random, seed: Long, extensions: Extensions): Query = {
    val plain = RandomQueries.query(seed, extensions = extensions)
    val first = plain.variables.size
    val ahead = Seq(
      "f1" -> Expression.Column("x", Some("FF")),
      "f2" -> Expression.Logical(first = true, Expression.Column("y", None), 0, Prefix.None),
      "f3" -> Expression.Column("o", Some("FF"))
    )
    val numbers = if (random.nextInt(3) == 0) Seq("num" -> Expression.MatchNumber) else Nil
    val bound   = Expression.Binary(
      Weighted.pick(random, Seq(1 -> ">", 1 -> ">=", 1 -> "<")),
      Expression.Column("o", Some("FF")),
      Expression.Literal(2L + random.nextInt(6)))
    val definition = Weighted.pick(
      random,
      Seq(
        2 -> Nil,
        1 -> Seq(first -> bound),
        1 -> Seq(first -> Expression
          .Binary("AND", Expression.Not(Expression.IsNull(Expression.Column("x", None))), bound)))
    )
    val query = plain.copy(
      variables = plain.variables :+ "FF",
      pattern = RowPattern.Concatenation(Seq(RowPattern.Variable(first), plain.pattern)),
      definitions = plain.definitions ++ definition,
      measures = plain.measures ++ ahead ++ numbers,
      afterMatch =
        if (random.nextInt(4) > 0 && plain.afterMatch != AfterMatch.NoSkip) AfterMatch.ToNextRow
        else plain.afterMatch
    )
    if (query.isValid) query else plain
  }

  /** Filters on the columns of the clause, some of which can go beneath it. */
  private def filter(random: Random, query: Query): String = {
    val names   = query.measures.map(_._1)
    val columns = Seq("f1", "f2", "f3").filter(names.contains)
    def value   = random.nextInt(6)
    def one()   = Weighted.pick(
      random,
      Seq(
        2 -> s"p ${Weighted.pick(random, Seq(1 -> "=", 1 -> ">", 1 -> "<="))} $value",
        2 -> s"${names(random.nextInt(names.size))} IS NOT NULL"
      ) ++ columns.flatMap(c =>
        Seq(
          3 -> s"$c ${Weighted.pick(random, Seq(1 -> "=", 2 -> ">", 2 -> ">=", 1 -> "<"))} $value",
          1 -> s"($c IS NULL OR $c > $value)",
          1 -> s"$c IN (1, $value, 7)"
        )) ++ names
        .filter(_ == "num")
        .flatMap(n => Seq(6 -> s"$n <= ${1 + value}", 6 -> s"$n = 1", 6 -> s"2 > $n"))
    )
    Seq.fill(1 + random.nextInt(2))(one()).mkString(" AND ")
  }

  private def register(rows: Seq[Map[String, Any]]): Unit = {
    val list = new java.util.ArrayList[Row]
    rows.foreach(row =>
      list.add(Row.fromSeq(RandomTables.columns.map(row).map {
        case number: Long => number.toInt
        case other        => other
      })))
    spark
      .createDataFrame(list, StructType.fromDDL(RandomTables.schema))
      .createOrReplaceTempView("random_tables")
  }

  /** Rows in any order, or the error's condition. */
  private def answer(sql: String): Either[String, Seq[String]] =
    try Right(rows(sql).map(_.mkString("|")).sorted)
    catch { case e: Exception => Left(e.getMessage.takeWhile(_ != ']')) }

  for ((name, extensions, first) <- Seq(
      ("standard", Extensions.none, 1L),
      ("time", Extensions(time = true, everyMatch = true), 1001L),
      ("contiguity", Extensions(contiguity = true), 2001L)
    ))
    test(s"random queries, $name") {
      var (queries, starts, early, last, found) = (0, 0, 0, 0, 0)
      for (batch <- (first until first + 100).grouped(25)) {
        register(RandomTables.random(batch.head, 20, nullKeys = extensions.time))
        for (seed <- batch) {
          val random = RandomSeed(seed, "filters")
          val query  = drawn(random, seed, extensions)
          val sql    =
            s"SELECT * FROM (${query.sql("random_tables")}) WHERE ${filter(random, query)}"
          withSettings("spark.sql.matchRecognize.invalidSkip" -> "nextRow") {
            val expected = withSettings("spark.sql.optimizer.excludedRules" -> rules)(answer(sql))
            val pushed   = spark
              .sql(sql)
              .queryExecution
              .optimizedPlan
              .collectFirst { case m: MatchRecognize => m.pushed }
            // An error of a match that is not wanted need not come.
            if (expected.isRight) {
              for (matcher <- Seq("auto", "threads"))
                withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
                  assert(answer(sql) == expected, s"seed $seed, $matcher\n$sql")
                }
              queries += 1
              found += expected.map(_.size).getOrElse(0)
              pushed.foreach { p =>
                starts += math.min(1, p.starts.size)
                early += math.min(1, p.rows.size)
                last += p.lastMatch.size
              }
            }
          }
        }
      }
      info(s"$queries queries, $found rows; pushed: $starts starts, $early rows, $last numbers")
      assert(queries > 80 && found > 1000 && starts > 10 && early > 2 && last > 3)
    }
}

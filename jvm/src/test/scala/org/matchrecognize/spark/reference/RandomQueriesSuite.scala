package org.matchrecognize.spark.reference

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.RowsPerMatch

/** The random queries are worth running, and their driver finds and shrinks differences. */
class RandomQueriesSuite extends AnyFunSuite {
  private val seeds = 1L to 300L

  private def drawn(seed: Long): QueryCase =
    QueryCase(
      RandomQueries.query(seed),
      RandomTables.random(seed, 8),
      nextRowOnInvalidSkip = true
    )

  test("queries are valid, mostly return rows, and rarely take too long") {
    val cases = seeds.map(drawn)
    assert(cases.forall(_.query.isValid))
    assert(cases.forall(_.failures.isEmpty))
    val withRows = cases.count(_.expected.nonEmpty)
    val skipped  = cases.map(_.skipped.size).sum
    val values   = cases.flatMap(c =>
      c.expected.flatMap(row => c.query.outputColumns.zip(row).filter(_._1.startsWith("m"))))
    info(
      s"$withRows of ${cases.size} have rows; $skipped tables skipped; " +
        s"${values.count(_._2 == null)} of ${values.size} measured values are NULL"
    )
    assert(withRows > cases.size * 3 / 4)
    assert(skipped < cases.size * 8 / 50)
    assert(values.count(_._2 != null) > values.size / 2)
  }

  test("invalid skips are errors of single tables") {
    val failing    = seeds.map(seed => drawn(seed).copy(nextRowOnInvalidSkip = false))
    val conditions = failing.flatMap(_.failures.flatMap(_._2)).toSet
    assert(
      conditions == Set(ReferenceEvaluator.skipTargetMissing, ReferenceEvaluator.skipToFirstRow)
    )
    val one = failing.find(_.failures.nonEmpty).get
    val c   = one.failures.head._1
    assert(one.sql("t").contains("WHERE c NOT IN ("))
    assert(one.sqlOf("t", c).contains(s"WHERE c = $c)"))
  }

  test("an answer of the reference is not wrong, a changed one is") {
    val one = seeds.map(drawn).find(_.expected.size > 3).get
    assert(one.wrong(one.expected).isEmpty)
    assert(one.wrong(one.expected.drop(1)).get.contains("MATCH_RECOGNIZE"))
  }

  test("a failing case is shrunk") {
    // As if an engine were wrong whenever a query of ALL ROWS gives a NULL measure.
    def fails(c: QueryCase): Boolean =
      c.query.rowsPerMatch != RowsPerMatch.OneRow() && c.skipped.isEmpty &&
        c.expected.exists(row =>
          c.query.outputColumns.zip(row).exists(v => v._1.startsWith("m") && v._2 == null))
    val large = seeds.map(drawn).find(fails).get
    val small = QueryShrinker.shrink(large)(fails)
    info(small.standalone)
    assert(small.rows.size == 1)
    assert(small.query.measures.size == 1)
    assert(small.query.definitions.size <= 1)
  }

  /** The reference as an engine; it knows the statements that a driver of the same seeds asks. */
  final private class Answers(seeds: Seq[Long], change: Seq[Seq[Any]] => Seq[Seq[Any]])
      extends QueryEngine {
    private var rows = Seq.empty[Map[String, Any]]

    override def register(view: String, registered: Seq[Map[String, Any]]): Unit =
      rows = registered

    override def answers(
        sql: String,
        nextRowOnInvalidSkip: Boolean): Seq[(String, Either[String, Seq[Seq[Any]]])] =
      Seq("reference" -> answer(sql, nextRowOnInvalidSkip))

    private def answer(
        sql: String,
        nextRowOnInvalidSkip: Boolean): Either[String, Seq[Seq[Any]]] = {
      val cases = seeds.map(s => QueryCase(RandomQueries.query(s), rows, nextRowOnInvalidSkip))
      cases.find(_.sql("random_tables") == sql) match {
        case Some(known) => Right(change(known.expected))
        case None        =>
          val singles = cases.flatMap(c => c.failures.map { case (t, e) => (c, t, e.head) })
          singles.find { case (c, t, _) => c.sqlOf("random_tables", t) == sql } match {
            case Some((_, _, condition)) => Left(condition)
            case None                    => Left("UNKNOWN")
          }
      }
    }
  }

  test("the driver accepts the reference's own answers and finds a missing row") {
    val few    = 1L to 8L
    val report = QueryEngineChecks.check(new Answers(few, identity), few, tablesPerQuery = 4)
    assert(report.queries == 8 && report.tables == 32 && report.rows > 0)
    val missing = new Answers(few, _.drop(1))
    val text    = intercept[AssertionError](QueryEngineChecks.check(missing, few, 4)).getMessage
    assert(text.contains("MATCH_RECOGNIZE"))
  }
}

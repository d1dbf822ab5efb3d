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

  test("queries are valid, mostly answer with rows, and seldom take too long") {
    val cases = seeds.map(drawn)
    assert(cases.forall(_.query.isValid))
    assert(cases.forall(_.failures.isEmpty))
    val withRows = cases.count(_.expected.nonEmpty)
    val skipped  = cases.map(_.skipped.size).sum
    val values   = cases.flatMap(c =>
      c.expected.flatMap(row => c.query.outputColumns.zip(row).filter(_._1.startsWith("m")))
    )
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
          c.query.outputColumns.zip(row).exists(v => v._1.startsWith("m") && v._2 == null)
        )
    val large = seeds.map(drawn).find(fails).get
    val small = QueryShrinker.shrink(large)(fails)
    info(small.standalone)
    assert(small.rows.size == 1)
    assert(small.query.measures.size == 1)
    assert(small.query.definitions.size <= 1)
  }
}

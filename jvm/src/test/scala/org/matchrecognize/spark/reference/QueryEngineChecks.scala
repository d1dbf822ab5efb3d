package org.matchrecognize.spark.reference

/**
 * Holds a [[QueryEngine]] against the reference on random queries, each over many small tables in
 * one statement.
 *
 * {{{
 *   QueryEngineChecks.check(engine, 1L to 200L)
 * }}}
 *
 * A wrong answer is shrunk to a small statement and raised as an AssertionError that shows the
 * seed, a self-contained statement, and both answers.
 */
object QueryEngineChecks {

  /**
   * What a run covered.
   *
   * @param queries
   *   clauses run
   * @param tables
   *   small tables answered, over all queries
   * @param rows
   *   rows compared
   * @param errors
   *   tables whose run-time error was compared
   * @param skipped
   *   tables that the reference gave up on
   */
  final case class Report(
      queries: Int = 0,
      tables: Int = 0,
      rows: Int = 0,
      errors: Int = 0,
      skipped: Int = 0)

  private val view = "random_tables"

  /** Queries of one table; a new table each time keeps the cases apart. */
  private val queriesPerTable = 20

  // A candidate is a run of the engine: enough for most cases, and an end for all.
  private val shrinkRuns = 200

  /**
   * Compares on the query of each seed.
   *
   * @param distinct
   *   whether aggregates may be over DISTINCT values
   */
  def check(
      engine: QueryEngine,
      seeds: Seq[Long],
      tablesPerQuery: Int = 40,
      distinct: Boolean = true,
      extensions: Extensions = Extensions.none): Report =
    seeds.grouped(queriesPerTable).foldLeft(Report()) { (report, batch) =>
      val rows = RandomTables.random(
        batch.head,
        tablesPerQuery,
        nullKeys = extensions.time,
        singleRows = true)
      engine.register(view, rows)
      batch.foldLeft(report)((sofar, seed) =>
        checkQuery(engine, seed, RandomQueries.query(seed, distinct, extensions), rows, sofar))
    }

  private def checkQuery(
      engine: QueryEngine,
      seed: Long,
      query: Query,
      rows: Seq[Map[String, Any]],
      before: Report): Report = {
    // Every other query runs with each setting of invalidSkip.
    val drawn = QueryCase(query, rows, nextRowOnInvalidSkip = seed % 2 == 0)
    if (wrong(engine, drawn, drawn.sql(view)).nonEmpty) report(engine, seed, drawn)
    val failing = drawn.failures.headOption
    failing.foreach { case (c, conditions) =>
      val found = engine.answers(drawn.sqlOf(view, c), drawn.nextRowOnInvalidSkip)
      if (!found.forall(_._2.left.exists(conditions))) {
        throw new AssertionError(
          s"seed $seed: expected ${conditions.mkString(" or ")}, found $found\n" +
            drawn.only(c).standalone)
      }
    }
    before.copy(
      queries = before.queries + 1,
      tables = before.tables + drawn.answers.size - drawn.skipped.size,
      rows = before.rows + drawn.expected.size,
      errors = before.errors + failing.size,
      skipped = before.skipped + drawn.skipped.size
    )
  }

  private def wrong(engine: QueryEngine, drawn: QueryCase, sql: String): Option[String] =
    engine
      .answers(sql, drawn.nextRowOnInvalidSkip)
      .flatMap {
        case (way, Right(found))    => drawn.wrong(found).map(w => s"$way: $w")
        case (way, Left(condition)) => Some(s"$way fails with $condition\n$sql")
      }
      .headOption

  /** Raises the smallest case that is still wrong. */
  private def report(engine: QueryEngine, seed: Long, drawn: QueryCase): Unit = {
    var runs                                 = 0
    def fails(candidate: QueryCase): Boolean = {
      runs += 1
      runs <= shrinkRuns && candidate.skipped.isEmpty && candidate.failures.isEmpty &&
      wrong(engine, candidate, candidate.standalone).nonEmpty
    }
    val answered = drawn.answers.collect { case (c, Some(Right(_))) => c }.toSeq.sorted
    val smallest = answered.map(drawn.only).find(fails).map { one =>
      Shrinker.shrink(one)(QueryShrinker.smaller)(fails)
    }
    val shown   = smallest.flatMap(s => wrong(engine, s, s.standalone))
    val whole   = wrong(engine, drawn, drawn.sql(view))
    val setting = s"invalidSkip = ${if (drawn.nextRowOnInvalidSkip) "nextRow" else "error"}"
    throw new AssertionError(
      s"seed $seed ($setting), shrunk: " +
        shown.orElse(whole).getOrElse("the second run of the same statement was right"))
  }
}

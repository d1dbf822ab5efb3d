package org.matchrecognize.spark.streaming

/** Restarts of a query from its checkpoint, also with a clause that has changed. */
class ResumedClauseSuite extends StreamedTicks {

  test("a query goes on from its checkpoint") {
    val run        = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    val sql        = vShape(more = ", MATCH_NUMBER() AS m")
    val (first, _) = run.run(sql)
    run.add(Seq(row("a", 3, 8), row("a", 4, 5), row("a", 5, 6), row("a", 6, 1)))
    run.add(Seq(row("b", 50, 0)))
    val (second, _) = run.run(sql)
    assert(first.flatten.isEmpty)
    assert(second.flatten == Seq(Seq[Any]("a", 1, 3L)))
  }

  /** A clause whose parts can be changed one by one. */
  private def changeable(change: (String, String)): String =
    """SELECT a, n FROM (SELECT *, 'all' AS one FROM ticks) MATCH_RECOGNIZE (
      |  PARTITION BY k ORDER BY t MEASURES FIRST(k) AS a, FIRST(one) AS b, COUNT(*) AS n
      |  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A DOWN+ UP+)
      |  WITHIN INTERVAL 90 SECONDS DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin
      .replace(change._1, change._2)

  test("a clause that has changed cannot go on from a checkpoint, and says what has changed") {
    for ((part, change) <- Seq(
        "PARTITION BY has changed from k STRING to one STRING" ->
          ("PARTITION BY k" -> "PARTITION BY one"),
        "ORDER BY has changed" -> ("ORDER BY t" -> "ORDER BY t, x"),
        "the columns read has changed" -> ("SELECT *, 'all'" -> "SELECT k, t, bigint(x) AS x, 'all'"),
        "ROWS PER MATCH has changed" -> ("ONE ROW PER MATCH" -> "ALL ROWS PER MATCH"),
        "AFTER MATCH has changed"    -> ("PAST LAST ROW"     -> "TO NEXT ROW"),
        "PATTERN has changed"        -> ("UP+"               -> "UP+ DOWN"),
        "WITHIN has changed"         -> ("90 SECONDS"        -> "91 SECONDS"),
        "DEFINE has changed"         -> ("x < PREV(x)"       -> "x <= PREV(x)"),
        "what MEASURES and DEFINE keep has changed from count(1) of all rows to count(x) of DOWN" ->
          ("COUNT(*)"           -> "COUNT(DOWN.x)"),
        "to count(1) of all rows, MATCH_NUMBER()"                                        ->
          ("COUNT(*)"           -> "COUNT(*) + MATCH_NUMBER()"),
        "to count(1) of all rows, rows before a match: 1"                                ->
          ("FIRST(k) AS a"      -> "PREV(A.k) AS a"),
        "the filter above the clause has changed from none to partitions (k = 'a')"      ->
          ("UP AS x > PREV(x))" -> "UP AS x > PREV(x)) WHERE k = 'a'")
      ))
      assertRefused(changeable("" -> ""), changeable(change), part)
  }

  /** That the second query does not go on from the checkpoint of the first, which this says. */
  private def assertRefused(before: String, after: String, says: String): Unit = {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(before)
    run.add(Seq(row("a", 3, 8)))
    val error = failure(run.run(after))
    assert(error.contains("STATE_UNREADABLE") && error.contains(says), error)
  }

  test("an aggregate is another one with another FILTER, DISTINCT or union variable, or unread") {
    def measure(aggregate: String) = changeable("COUNT(*)" -> aggregate)
    def union(members: String)     =
      measure("COUNT(U.x)").replace("DEFINE", s"SUBSET U = ($members) DEFINE")
    def filter(least: Int) = measure(s"COUNT(*) FILTER (WHERE x > $least)")
    for ((before, after, says) <- Seq(
        (filter(1), filter(2), "(WHERE (x > 1)) of all rows to count(1) FILTER (WHERE (x > 2))"),
        (measure("COUNT(x)"), measure("COUNT(DISTINCT x)"), "to DISTINCT count(x) of all rows"),
        (union("DOWN, UP"), union("A, UP"), "count(x) of DOWN, UP to count(x) of A, UP"),
        (changeable("" -> ""), changeable("a, n" -> "a"), "from count(1) of all rows to none")
      ))
      assertRefused(before, after, says)
  }

  test("a condition does not go on with the rows of a union variable that had other members") {
    def condition(members: String) = changeable("UP AS x > PREV(x)" -> "UP AS x > LAST(U.x)")
      .replace("DEFINE", s"SUBSET U = ($members) DEFINE")
    assertRefused(condition("DOWN, UP"), condition("A, DOWN"), "another clause wrote it")
  }

  test("measures that need no other state may change") {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(changeable("" -> ""))
    run.add(Seq(row("a", 3, 8), row("a", 4, 1)))
    run.add(Seq(row("b", 50, 0)))
    val (found, _) = run.run(changeable("COUNT(*) AS n" -> "10 * COUNT(*) AS n"))
    assert(found.flatten == Seq(Seq[Any]("a", 30L)))
  }

  test("aggregates over the current time go on, which is another one in each micro-batch") {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    val sql =
      changeable("COUNT(*) AS n" -> "COUNT(*) FILTER (WHERE t < current_timestamp()) AS n")
    run.run(sql)
    run.add(Seq(row("a", 3, 8), row("a", 4, 1)))
    run.add(Seq(row("b", 50, 0)))
    assert(run.run(sql)._1.flatten == Seq(Seq[Any]("a", 3L)))
  }

  test("the number of shuffle partitions is that of the checkpoint") {
    val run        = streamOf(Seq(row("a", 1, 9), row("b", 1, 9), row("c", 1, 9)))
    val (first, _) = run.run(vShape())
    run.add(Seq("a", "b", "c").flatMap(k => Seq(row(k, 2, 4), row(k, 3, 8), row(k, 4, 1))))
    run.add(Seq(row("d", 50, 0)))
    val before      = spark.conf.get("spark.sql.shuffle.partitions")
    val (second, _) =
      try {
        spark.conf.set("spark.sql.shuffle.partitions", before.toInt + 3)
        run.run(vShape())
      } finally spark.conf.set("spark.sql.shuffle.partitions", before)
    assert(first.flatten.isEmpty)
    assert(second.flatten.toSet == Set("a", "b", "c").map(Seq[Any](_, 1, 3L)))
  }
}

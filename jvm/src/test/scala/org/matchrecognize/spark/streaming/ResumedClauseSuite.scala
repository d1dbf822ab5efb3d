package org.matchrecognize.spark.streaming

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.scalatest.Tag

import org.apache.spark.sql.functions.{array, col, element_at, transform}

import org.matchrecognize.spark.robustness.Fuzz

/** Restarts of a query from its checkpoint, also with a clause that has changed. */
class ResumedClauseSuite extends StreamedTicks with StoreTurns {

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
        "ORDER BY has changed"                       -> ("ORDER BY t" -> "ORDER BY t, x"),
        "the column x has changed from x to (2 * x)" ->
          ("SELECT *, 'all'" -> "SELECT k, t, 2 * x AS x, 'all'"),
        "the column x has changed from x to CAST(x AS DOUBLE)" ->
          ("SELECT *, 'all'" -> "SELECT k, t, double(x) AS x, 'all'"),
        "ROWS PER MATCH has changed" -> ("ONE ROW PER MATCH" -> "ALL ROWS PER MATCH"),
        "AFTER MATCH has changed"    -> ("PAST LAST ROW"     -> "TO NEXT ROW"),
        "PATTERN has changed"        -> ("UP+"               -> "UP+ DOWN"),
        "WITHIN has changed"         -> ("90 SECONDS"        -> "91 SECONDS"),
        "DEFINE has changed"         -> ("x < PREV(x)"       -> "x <= PREV(x)"),
        "what MEASURES and DEFINE keep has changed from count(1) of all rows to count(x) of DOWN" ->
          ("COUNT(*)"      -> "COUNT(DOWN.x)"),
        "to count(1) of all rows, MATCH_NUMBER()"              ->
          ("COUNT(*)"      -> "COUNT(*) + MATCH_NUMBER()"),
        "to count(1) of all rows, rows before a match: 1"      ->
          ("FIRST(k) AS a" -> "PREV(A.k) AS a")
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
    assertRefused(condition("DOWN, UP"), condition("A, DOWN"), "DEFINE has changed from")
  }

  test("measures that need no other state may change") {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(changeable("" -> ""))
    run.add(Seq(row("a", 3, 8), row("a", 4, 1)))
    run.add(Seq(row("b", 50, 0)))
    val (found, _) = run.run(changeable("COUNT(*) AS n" -> "10 * COUNT(*) AS n"))
    assert(found.flatten == Seq(Seq[Any]("a", 30L)))
  }

  test("of the same name, another expression is another key, order or column", AboutColumns) {
    def clause(key: String, order: String = "-x", x: String = "x + 1") =
      s"""SELECT n FROM (SELECT k, t, x AS raw, $x AS x, $key AS k2 FROM ticks) MATCH_RECOGNIZE (
         |  PARTITION BY k2, $key AS k3 ORDER BY t, $order AS o MEASURES COUNT(*) AS n
         |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin
    for ((order, after, says) <- Seq(
        (
          "-x",
          clause("lower(k)"),
          "k2 STRING (upper(k)), k3 STRING (upper(k)) to k2 STRING (lower(k))"),
        (
          "-x",
          clause("upper(k)", order = "-raw"),
          "o INT ((- (1 + x))) ASC NULLS FIRST to t TIMESTAMP"),
        (
          "-raw",
          clause("upper(k)", "-raw", "x + 2"),
          "the column x has changed from (1 + x) to (2 + x)")
      ))
      assertRefused(clause("upper(k)", order), after, says)
  }

  /** That the second query finds the match that began in the first. */
  private def assertGoesOn(
      before: String,
      after: String,
      expected: Seq[Any],
      schema: String = "k STRING, o INT, x INT"): Unit = {
    val run = streamOf(Seq(row("a", 1, -9), row("a", 2, -14)))
    run.run(before)
    run.add(Seq(row("a", 3, -8) + ("z" -> 7), row("a", 4, -11)))
    run.add(Seq(row("b", 50, 0)))
    run.createViews("ticks", "table_of_ticks", as = schema)
    val (found, _) = run.run(after)
    assert(found.flatten == Seq(expected), after)
  }

  test("a clause with the same meaning goes on, whatever its text") {
    def clause(define: String, pattern: String, measures: String = "COUNT(*) AS n") =
      s"""SELECT a, n FROM ticks MATCH_RECOGNIZE (
         |  PARTITION BY k ORDER BY t MEASURES FIRST(k) AS a, $measures
         |  PATTERN ($pattern) DEFINE $define)""".stripMargin
    val before =
      clause("DOWN AS x < PREV(x) AND x + 3 < 0, UP AS x > PREV(x) OR x = 0", "A DOWN+ UP+")
    for (after <- Seq(
        clause("UP AS 0 = x OR PREV(x) < x, DOWN AS 3 + x < 0 AND PREV(x) > x", "A DOWN+ UP+"),
        clause("D AS x < PREV(x) AND x + 3 < 0, U AS x > PREV(x) OR x = 0", "S D+ U+"),
        clause(
          "DOWN AS bigint(x) < PREV(x) AND x + 3 < 0, UP AS x > PREV(x) OR x = 0L",
          "A DOWN+ UP+",
          "1 * COUNT(*) AS n")
      ))
      assertGoesOn(before, after, Seq("a", 3L))
  }

  test("columns belong by their names", AboutColumns) {
    val sql = changeable("" -> "")
    assertGoesOn(sql, sql, Seq("a", 3L), "x INT, z INT, k STRING, o INT")
  }

  test("a column has the same name in upper and lower case", AboutColumns) {
    assertGoesOn(
      changeable("" -> ""),
      changeable("SELECT *, 'all' AS one" -> "SELECT K, T, X, 'all' AS One")
        .replace("BY k ORDER BY t", "BY K ORDER BY T"),
      Seq("a", 3L))
    assertGoesOn(
      changeable(""                -> ""),
      changeable("BY k ORDER BY t" -> "BY K ORDER BY T"),
      Seq("a", 3L))
  }

  test("a lambda function of the DataFrame API has the same meaning in each build") {
    def view() = spark
      .table("ticks")
      .select(col("k"), col("t"), element_at(transform(array(col("x")), x => x + 1), 1).as("x"))
      .createOrReplaceTempView("shifted")
    val sql =
      changeable("SELECT *, 'all' AS one FROM ticks" -> "SELECT *, 'all' AS one FROM shifted")
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    view()
    run.run(sql)
    run.add(Seq(row("a", 3, 8), row("a", 4, 1), row("b", 50, 0)))
    view()
    assert(run.run(sql)._1.flatten == Seq(Seq[Any]("a", 3L)))
  }

  test("a view keeps its time zone, and what is outside has that of the first start") {
    val zone   = "spark.sql.session.timeZone"
    val before = spark.conf.get(zone)
    val run    = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    spark.conf.set(zone, "Asia/Kolkata")
    try
      spark.sql("""CREATE OR REPLACE TEMPORARY VIEW falls AS SELECT * FROM ticks MATCH_RECOGNIZE (
          |  PARTITION BY k ORDER BY t MEASURES LAST(t) AS l, hour(LAST(t)) AS h
          |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x) AND hour(t) = 5, UP AS x > PREV(x))
          |""".stripMargin)
    finally spark.conf.set(zone, before)
    val sql = "SELECT h, hour(l) AS outside FROM falls"
    run.run(sql)
    run.add(Seq(row("a", 3, 8), row("a", 4, 1), row("b", 50, 0)))
    assert(run.run(sql)._1.flatten == Seq(Seq[Any](5, 0)))
    run.add(Seq(row("b", 51, -1), row("b", 52, 3), row("b", 53, 0), row("c", 100, 0)))
    spark.conf.set(zone, "America/New_York")
    try assert(run.run(sql)._1.flatten == Seq(Seq[Any](5, 0)))
    finally spark.conf.set(zone, before)
  }

  test("the time zone is that of the first start, also if its first micro-batch failed") {
    val zone   = "spark.sql.session.timeZone"
    val before = spark.conf.get(zone)
    val run    = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    val sql    = changeable("" -> "")
    intercept[Exception](
      run.run(spark.sql(sql), look = _ => throw new IllegalStateException("no sink")))
    try
      for ((other, i) <- Seq("Asia/Kolkata", "Asia/Kolkata", "UTC").zipWithIndex) {
        spark.conf.set(zone, other)
        run.run(sql)
        run.add(Seq(row("b", 3 + i, 1)))
      }
    finally spark.conf.set(zone, before)
  }

  test("the time zone of the first start holds") {
    def clause(hour: Int) =
      s"""SELECT hour, n FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
         |  MEASURES hour(LAST(t)) AS hour, COUNT(*) AS n PATTERN (A DOWN+ UP+)
         |  WITHIN INTERVAL 2 DAYS DEFINE DOWN AS x < PREV(x) AND hour(t) = $hour, UP AS x > PREV(x))
         |""".stripMargin
    val zone   = "spark.sql.session.timeZone"
    val before = spark.conf.get(zone)
    val run    = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(clause(0))
    run.add(Seq(row("a", 3, 8), row("a", 4, 1), row("b", 50, 0)))
    spark.conf.set(zone, "Asia/Kolkata")
    try assert(run.run(clause(0))._1.flatten == Seq(Seq[Any](0, 3L)))
    finally spark.conf.set(zone, before)
  }

  test("a text that another zone reads as another time is another condition") {
    val sql  = changeable("x > PREV(x)" -> "x > PREV(x) AND t > TIMESTAMP'1970-01-01 00:00:00'")
    val zone = "spark.sql.session.timeZone"
    val run  = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(sql)
    run.add(Seq(row("a", 3, 8)))
    val before = spark.conf.get(zone)
    spark.conf.set(zone, "Asia/Kolkata")
    val error =
      try failure(run.run(sql))
      finally spark.conf.set(zone, before)
    assert(error.contains("TIMESTAMP '1969-12-31T18:30:00Z'"), error)
  }

  test("a column that was there and not read has no values for the rows of before", AboutColumns) {
    assertRefused(
      changeable(""              -> ""),
      changeable("FIRST(k) AS a" -> "string(LAST(o)) AS a"),
      "the column o is read now, but earlier rows were kept without it")
  }

  test("a checkpoint of an older format is refused in words") {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(changeable("" -> ""))
    // The files of clauses had no number before.
    rewrite(run.clauseFile)(_.replaceFirst("\"format\" : \"\\d+\",", ""))
    run.add(Seq(row("a", 3, 8)))
    val error = failure(run.run(changeable("" -> "")))
    assert(error.contains("its format is 9, and this version of the library reads"), error)
  }

  /** Changes the file that says which clause wrote a checkpoint. */
  private def rewrite(file: Path)(change: String => String): Unit = {
    Files.write(file, change(new String(Files.readAllBytes(file), UTF_8)).getBytes(UTF_8))
    Files.deleteIfExists(file.resolveSibling(s".${file.getFileName}.crc"))
  }

  /** The file, as if another release had written it, with other texts for all expressions. */
  private def byAnotherRelease(text: String): String = {
    val texts = "(\"[^\"]* means\" : \")(?!standard|UTC|\\\\\"string)[^\\n]*(\",?\\n)"
    text
      .replaceFirst("\"written by\" : \"[^\"]*\"", "\"written by\" : \"0.0.9 on Spark 3.4.0\"")
      .replaceAll(texts, "$1another text$2")
      .replaceAll("definition(\\\\\":\\\\\")[^\"]*(\\\\\")", "definition$1another text$2")
  }

  test("after an upgrade, the statement goes on whatever texts its expressions had") {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    val sql = changeable("" -> "")
    run.run(sql)
    val before = new String(Files.readAllBytes(run.clauseFile), UTF_8)
    rewrite(run.clauseFile)(byAnotherRelease)
    run.add(Seq(row("a", 3, 8), row("a", 4, 1)))
    run.add(Seq(row("b", 50, 0)))
    assert(run.run(sql)._1.flatten == Seq(Seq[Any]("a", 3L)))
    // Once it has gone on, its texts are those of this release.
    val after = new String(Files.readAllBytes(run.clauseFile), UTF_8)
    assert(after.linesIterator.toSet == before.linesIterator.toSet)
  }

  test("after an upgrade, another statement is refused, with the way to go on") {
    for ((change, says) <- Seq(
        ("x > PREV(x)" -> "x >= PREV(x)", "start the query once with the unchanged statement"),
        (
          "PARTITION BY k" -> "PARTITION BY k ",
          "start the query once with the unchanged statement")
      )) {
      val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
      run.run(changeable("" -> ""))
      rewrite(run.clauseFile)(byAnotherRelease)
      run.add(Seq(row("a", 3, 8)))
      val error = failure(run.run(changeable(change)))
      assert(error.contains("STATE_UNREADABLE") && error.contains(says), error)
      assert(error.contains("0.0.9 on Spark 3.4.0 wrote the checkpoint"), error)
    }
  }

  test("after an upgrade, the types of columns and keys and the dialect are those of before") {
    def refusal(sql: String, schema: String): String = {
      val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
      run.run(sql)
      rewrite(run.clauseFile)(byAnotherRelease)
      run.createViews("ticks", "table_of_ticks", as = schema)
      run.add(Seq(row("a", 3, 8)))
      failure(run.run(sql))
    }
    val types = refusal(changeable("" -> ""), "k STRING, o INT, x STRING")
    assert(types.contains("the column x has changed from INT to STRING"), types)
    val keys =
      refusal(changeable("PARTITION BY k" -> "PARTITION BY x"), "k STRING, o INT, x BIGINT")
    assert(keys.contains("the type of the key has changed from x INT to x BIGINT"), keys)
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

  /** Whether the state store takes other columns in a checkpoint that exists. */
  protected def takesOtherColumns: Boolean = true

  /** That the second query goes on, or is refused with these words by a store that takes none. */
  private def assertTaken(
      before: String,
      after: String,
      expected: Seq[Any],
      schema: String,
      says: String): Unit =
    if (takesOtherColumns) assertGoesOn(before, after, expected, schema)
    else {
      val run = streamOf(Seq(row("a", 1, -9), row("a", 2, -14)))
      run.run(before)
      run.createViews("ticks", "table_of_ticks", as = schema)
      run.add(Seq(row("a", 3, -8)))
      val error = failure(run.run(after))
      assert(error.contains(says) && error.contains("encodingFormat = avro"), error)
    }

  test("whole numbers may become wider, in rows and in what aggregates keep", AboutColumns) {
    def clause(measure: String) =
      s"""SELECT m FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t MEASURES $measure AS m
         |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin
    val kept = Seq("MIN(x)" -> -14L, "FIRST(x)" -> -9L, "element_at(array_agg(x), 2)" -> -14L)
    val more = Seq(
      "SUM(x)"                      -> -31L,
      "COUNT(DISTINCT x)"           -> 3L,
      "MAX(x - 1)"                  -> -9L,
      "size(array_agg(DISTINCT x))" -> 3
    )
    for ((measure, expected) <- if (Fuzz.isNightly) kept ++ more else kept)
      assertTaken(
        clause(measure),
        clause(measure),
        Seq(expected),
        "k STRING, o INT, x BIGINT",
        "the column x has changed from INT to BIGINT")
  }

  test("a key does not become wider: it would be another key", AboutColumns) {
    def sql = changeable("PARTITION BY k" -> "PARTITION BY x % 5 AS rest")
    val run = streamOf(Seq(row("a", 1, 9)))
    run.run(sql)
    run.createViews("ticks", "table_of_ticks", as = "k STRING, o INT, x BIGINT")
    run.add(Seq(row("a", 3, 8)))
    val error = failure(run.run(sql))
    assert(
      error.contains("PARTITION BY has changed from rest INT ((x % 5)) to rest BIGINT"),
      error)
  }

  test(
    "a measure may read a column that the source did not have: it is NULL in rows of before",
    AboutColumns) {
    def clause(measure: String) =
      s"""SELECT n, m FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
         |  MEASURES COUNT(*) AS n, $measure AS m PATTERN (A DOWN+ UP+)
         |  DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin
    for ((measure, expected) <- Seq("LAST(z)" -> 7, "coalesce(FIRST(z), -1)" -> -1))
      assertTaken(
        clause("LAST(x) + FIRST(x)"),
        clause(measure),
        Seq(3L, expected),
        "z INT, k STRING, o INT, x INT",
        "the column z is new")
  }
}

/** What depends on how the columns of rows are kept. */
private[streaming] object AboutColumns extends Tag("org.matchrecognize.spark.AboutColumns")

package org.matchrecognize.spark.streaming

import scala.util.Random
import scala.util.matching.Regex

import org.matchrecognize.spark.reference.RandomSeed
import org.matchrecognize.spark.robustness.Fuzz

/**
 * A random clause, a change, a restart: a query with the same meaning returns what the table has,
 * and one with another meaning is refused.
 */
class ResumedRandomSuite extends StreamedTicks with StoreTurns {
  import ResumedRandomSuite._

  /** Whether the state store takes other columns in a checkpoint that exists. */
  protected def takesOtherColumns: Boolean = true

  test("a clause, a change and a restart") {
    val (reports, seeds) =
      Fuzz.batches(inGate = 1, size = kinds.size, first = 4000L, nightly = 6)(_.map(check))
    val all = reports.flatten
    info(s"$seeds: ${all.count(_.goesOn)} went on, with ${all.map(_.rows).sum} rows")
    // Changes take turns, so that few seeds have those of both kinds.
    if (!Fuzz.isAsked)
      assert(all.exists(_.goesOn) && all.exists(!_.goesOn) && all.exists(_.rows > 0))
  }

  private def check(seed: Long): Checked = {
    val random  = RandomSeed(seed, "resumed")
    val clause  = Clause.random(random, spark.version)
    val changes = kinds.filter(_.appliesTo(clause))
    val change  = changes(Math.floorMod(seed, changes.size.toLong).toInt)
    val goesOn  = change.isSame && (takesOtherColumns || !change.isOfColumns)
    val changed = change(clause)
    val rows    = randomRows(random)
    val cut     = 1 + random.nextInt(rows.size - 1)
    val run     = new StreamRun(spark, schema, "timestamp_seconds(o)", "2 seconds")
    def add(some: Seq[Map[String, Any]]) = some.grouped(25).foreach(run.add)
    val text     = s"seed $seed, ${change.name}:\n${clause.sql("ticks")}\n${changed.sql("ticks")}"
    val settings = "spark.sql.session.timeZone"
    val zone     = spark.conf.get(settings)
    try {
      add(rows.take(cut))
      run.createViews("ticks", "table_of_ticks")
      val before = run.run(clause.sql("ticks"))._1.flatten
      // What is found later has the columns of the second query.
      add(rows.drop(cut).map(_ ++ change.values) :+ flush)
      run.createViews("ticks", "table_of_ticks", as = change.schema)
      change.zone.foreach(spark.conf.set(settings, _))
      if (goesOn) {
        val after = run.run(changed.sql("ticks"))._1.flatten
        spark.conf.set(settings, zone)
        // The change keeps the results, but for those of its measure.
        val table = values(spark.sql(changed.sql("table_of_ticks"))).groupBy(_.head)
        val first = before.groupBy(_.head)
        val last  = after.groupBy(_.head)
        table.foreach { case (key, expected) =>
          val (early, late) = (first.getOrElse(key, Nil), last.getOrElse(key, Nil))
          assert(early.size + late.size == expected.size, s"$key in $text")
          assert(late == expected.drop(early.size), s"$key in $text")
        }
        Checked(goesOn, after.size)
      } else {
        val error = failure(run.run(changed.sql("ticks")))
        assert(error.contains("STATE_UNREADABLE"), s"$error\n$text")
        assert(error.contains(change.says), s"$error\n$text")
        Checked(goesOn, 0)
      }
    } catch {
      case e: Exception => throw new AssertionError(text, e)
    } finally spark.conf.set(settings, zone)
  }
}

private object ResumedRandomSuite {

  final case class Checked(goesOn: Boolean, rows: Int)

  private val schema = "k STRING, o INT, x INT, y INT"

  /** Rows of a few keys in the order of time. */
  private def randomRows(random: Random): Seq[Map[String, Any]] =
    (1 to 50).map(i =>
      Map[String, Any](
        "k" -> Seq("a", "b", "c")(random.nextInt(3)),
        "o" -> i,
        "x" -> (random.nextInt(9) - 4),
        "y" -> random.nextInt(3)))

  /** A row of another key that moves the watermark past all others. */
  private val flush = Map[String, Any]("k" -> "z", "o" -> 1000, "x" -> 0, "y" -> 0)

  /**
   * @param names
   *   of the variables
   * @param naming
   *   which names the columns k, o, x, y and t have
   * @param alias
   *   what follows the key
   * @param typed
   *   how a column of any type is computed
   * @param isKey
   *   whether that one is a key, too
   * @param y
   *   how a column of the input is computed
   * @param last
   *   the last measure
   */
  final case class Clause(
      key: String,
      tie: String,
      names: Seq[String],
      quantifier: String,
      b: String,
      c: String,
      measure: String,
      aggregate: String,
      after: String,
      within: String,
      naming: Map[String, String],
      alias: String,
      typed: String,
      isKey: Boolean,
      y: String = "y + 1",
      columns: String = "k, t, o, x",
      last: String = "FIRST(typed)") {

    def sql(table: String): String = {
      val (first, second, third) = (names.head, names(1), names(2))
      val input                  =
        columns.split(", ").map(c => c -> c) ++ Seq("y" -> y, "typed" -> typed)
      val computed = input.map { case (name, value) =>
        s"$value AS ${naming.getOrElse(name, name)}"
      }
      val clause =
        s"""PARTITION BY $key$alias${if (isKey) ", typed" else ""} ORDER BY t, $tie
           |  MEASURES FIRST(o) AS f, LAST(o) AS l, $measure AS m, $aggregate AS g,
           |    CAST($last AS STRING) AS v
           |  AFTER MATCH $after PATTERN ($first $second$quantifier $third)
           |  WITHIN INTERVAL $within SECONDS
           |  DEFINE $second AS ${b.replace("B.", second + ".")}, $third AS $c""".stripMargin
      val named = column.replaceAllIn(
        clause,
        found => Regex.quoteReplacement(naming.getOrElse(found.matched, found.matched)))
      s"SELECT * FROM (SELECT ${computed.mkString(", ")} FROM $table) MATCH_RECOGNIZE (\n$named)"
    }
  }

  private val column = """\b(k|o|x|y|t|typed)\b""".r

  object Clause {
    def random(random: Random, version: String): Clause = {
      def one[A](of: A*)       = of(random.nextInt(of.size))
      val (typed, isSameInKey) = one(types ++ (if (version >= "4") typesOfSpark4 else Nil): _*)
      Clause(
        one("upper(k)", "concat(k, '-')", "trim(k)"),
        one("x", "y DESC", "x + y"),
        Seq("A", "B", "C"),
        one("*", "+", "{1,3}", "?"),
        one("x < PREV(x)", "x > PREV(x) AND y > 0", "x < 3 OR y = 2", "B.x >= FIRST(A.x)"),
        one("x > PREV(x)", "y >= PREV(y)", "x + y > 0"),
        one("LAST(x) + FIRST(y)", "FIRST(x)", "LAST(y)"),
        one("COUNT(*)", "SUM(x)", "MAX(x)", "COUNT(DISTINCT x)", "size(array_agg(x))"),
        one("SKIP PAST LAST ROW", "SKIP TO NEXT ROW", "SKIP TO LAST C"),
        one("5", "9", "30"),
        one(namings: _*),
        one(" AS key", ""),
        typed,
        isSameInKey && random.nextBoolean()
      )
    }

    private val namings = Seq(
      Map.empty[String, String],
      Map("k" -> "`order id`", "o" -> "c0__x", "x" -> "`a.b`", "y" -> "`1`", "typed" -> "`-`"),
      Map("k" -> "`列`", "o" -> "`цена`", "x" -> "`größe`", "t" -> "`時刻`", "typed" -> "`a``b`")
    )

    /** Columns of types that Avro lacks and of others; whether they are equal in all rows. */
    private val types = Seq(
      "o"                                           -> false,
      "tinyint(o % 9)"                              -> false,
      "decimal(o) / 3"                              -> false,
      "make_dt_interval(0, 0, 0, o)"                -> false,
      "make_ym_interval(0, o % 1)"                  -> true,
      "named_struct('a b', o % 1)"                  -> true,
      "date_add(DATE'2026-01-01', o)"               -> false,
      "CAST(timestamp_seconds(o) AS TIMESTAMP_NTZ)" -> false,
      "binary(string(o))"                           -> false,
      "array(named_struct('a', o))"                 -> false,
      "map(o, string(o))"                           -> false,
      "nullif(o, o)"                                -> true,
      "make_interval(0, 0, 0, o)"                   -> false
    )

    private val typesOfSpark4 = Seq(
      "concat('K', o % 1) COLLATE UTF8_LCASE"             -> true,
      "IF(o % 3 > 0, string(o) COLLATE UNICODE_CI, NULL)" -> false,
      "parse_json(concat('[', o, ']'))"                   -> false
    )
  }

  /**
   * @param isSame
   *   whether the meaning stays
   * @param says
   *   what the error says otherwise
   * @param isOfColumns
   *   whether the columns of the state differ
   * @param values
   *   of the rows that come after it
   */
  final case class Change(
      name: String,
      isSame: Boolean,
      says: String = "",
      isOfColumns: Boolean = false,
      schema: String = schema,
      values: Map[String, Any] = Map.empty,
      zone: Option[String] = None,
      appliesTo: Clause => Boolean = _ => true)(change: Clause => Clause) {
    def apply(clause: Clause): Clause = change(clause)
  }

  /** The same condition in other words. */
  private def flipped(condition: String): String = condition match {
    case "x < PREV(x)"           => "PREV(x) > x"
    case "x > PREV(x) AND y > 0" => "0 < y AND PREV(x) < bigint(x)"
    case "x < 3 OR y = 2"        => "2 = y OR 3 > x"
    case "B.x >= FIRST(A.x)"     => "FIRST(A.x) <= B.x"
    case "x > PREV(x)"           => "PREV(x) < x"
    case "y >= PREV(y)"          => "PREV(y) <= y"
    case "x + y > 0"             => "0 < y + x"
  }

  /** Another condition with the same columns. */
  private def other(condition: String): String =
    if (condition.contains(">")) condition.replaceFirst(">=?", "<") else s"NOT ($condition)"

  private val columns = "the column"
  private val wider   = "k STRING, o INT, x BIGINT, y INT"

  private val kinds: Seq[Change] = Seq(
    Change("nothing", isSame = true)(identity),
    Change("another key", isSame = false, "PARTITION BY has changed")(c =>
      c.copy(key = if (c.key == "upper(k)") "lower(k)" else "upper(k)")),
    Change("conditions in other words", isSame = true)(c =>
      c.copy(b = flipped(c.b), c = flipped(c.c))),
    Change("another condition", isSame = false, "DEFINE has changed")(c =>
      c.copy(c = other(c.c))),
    Change("other names of variables", isSame = true)(c =>
      c.copy(
        names = Seq("S", "T", "U"),
        b = c.b.replace("A.", "S."),
        after = c.after.replace("LAST C", "LAST U"))),
    Change("another order", isSame = false, "ORDER BY has changed")(c =>
      c.copy(tie = s"-(${c.tie.stripSuffix(" DESC")})")),
    Change("columns in another order", isSame = true, schema = "y INT, x INT, o INT, k STRING")(
      c => c.copy(columns = "x, o, t, k")),
    Change("another pattern", isSame = false, "PATTERN has changed")(c =>
      c.copy(quantifier = if (c.quantifier == "{0,4}") "{0,5}" else "{0,4}")),
    Change("another measure over what is kept", isSame = true)(c =>
      c.copy(measure = s"10 * (${c.measure})")),
    Change("another aggregate", isSame = false, "what MEASURES and DEFINE keep has changed")(c =>
      c.copy(aggregate = if (c.aggregate == "SUM(x)") "MIN(x)" else "SUM(x)")),
    Change("wider numbers", isSame = true, columns, isOfColumns = true, schema = wider)(identity),
    Change("another bound", isSame = false, "WITHIN has changed")(c => c.copy(within = "11")),
    Change("another time zone", isSame = true, zone = Some("Asia/Kolkata"))(identity),
    Change(
      "another definition of a column",
      isSame = false,
      "has changed",
      appliesTo = c => (c.tie + c.b + c.c + c.measure).contains("y"))(_.copy(y = "y + 2")),
    Change(
      "a column of the source that is new",
      isSame = true,
      "the column z is new",
      isOfColumns = true,
      schema = schema + ", z INT",
      values = Map("z" -> 5))(c => c.copy(measure = "LAST(z)", columns = s"${c.columns}, z")),
    Change(
      "a column that is no longer read",
      isSame = true,
      "is no longer read",
      isOfColumns = true,
      appliesTo = !_.isKey)(_.copy(last = "'none'")),
    Change("other letters", isSame = true)(c =>
      c.copy(naming = ("k, o, x, t, typed".split(", ").map(n => n -> n).toMap ++ c.naming)
        .map { case (name, shown) => name -> shown.map(l => if (l < 128) l.toUpper else l) })),
    Change("another skip", isSame = false, "AFTER MATCH has changed")(c =>
      c.copy(after = "SKIP TO FIRST C"))
  )
}

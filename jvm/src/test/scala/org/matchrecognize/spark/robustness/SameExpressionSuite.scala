package org.matchrecognize.spark.robustness

import scala.util.{Random, Success, Try}

import org.matchrecognize.spark.robustness.SqlExpression.Style

/**
 * An expression over one row has the value in MEASURES that it has in SELECT, and a condition is
 * true in DEFINE exactly where it is true in WHERE. Expressions are random ones over columns of
 * every type, and the examples of Spark's own functions, whichever this Spark has.
 */
class SameExpressionSuite extends ProjectedSuite {
  import ProjectedSuite.canonical
  import SameExpressionSuite._

  private lazy val prepared: Unit = {
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    // Off by default; Sparks without the type do not know the setting.
    spark.conf.set("spark.sql.timeType.enabled", "true")
    spark.udf.register("jvm_twice", (n: Integer) => if (n == null) null else Int.box(n * 2))
    RandomSqlExpressions.statements(version).foreach(spark.sql(_))
  }

  private def measures(
      texts: Seq[String],
      table: String,
      rows: String,
      pattern: String = "A"): String =
    s"""SELECT id, ${texts.indices.map(i => s"r$i").mkString(", ")} FROM $table MATCH_RECOGNIZE (
       |PARTITION BY id MEASURES ${named(texts)} $rows PATTERN ($pattern))""".stripMargin

  private def checkMeasures(
      known: Seq[Known],
      table: String,
      style: Style,
      around: String => String,
      rows: String): Unit =
    forAll(known, k => measures(Seq(around(k.e.text(style))), table, rows)) { some =>
      val frame = spark.sql(measures(some.map(k => around(k.e.text(style))), table, rows))
      val found = frame.collect()
      some.indices.foreach { i =>
        val values = found.map(row => row.get(0) -> canonical(row.get(i + 1))).toMap
        assert(values == some(i).values)
        assert(frame.schema(i + 1).dataType == some(i).dataType)
      }
    }

  /**
   * In an empty match, an expression has the value that it has on a row of NULLs, also where no
   * column of the table can be NULL.
   */
  private def checkEmptyMatches(known: Seq[Known], notNull: String, ofNulls: Any): Unit = {
    def statement(some: Seq[Known]) =
      measures(some.map(_.e.text(styles.head._1("A"))), notNull, "", pattern = "A??")
    forAll(known, k => statement(Seq(k))) { some =>
      spark.sql(statement(some)).collect().foreach { row =>
        some.indices.foreach(i => assert(canonical(row.get(i + 1)) == some(i).values(ofNulls)))
      }
    }
  }

  /** Row i of the copies of a row is tested by variable i. */
  private def definitions(texts: Seq[String => String], table: String): String = {
    val n = texts.indices
    s"""SELECT id, copy_ FROM
       |(SELECT * FROM $table CROSS JOIN VALUES ${n.map(i => s"($i)").mkString(", ")} AS c(copy_))
       |MATCH_RECOGNIZE (PARTITION BY id ORDER BY copy_ MEASURES CLASSIFIER() AS label_
       |ALL ROWS PER MATCH PATTERN (${n.map(i => s"(P$i | Q$i)").mkString(" ")})
       |DEFINE ${n.map(i => s"P$i AS ${texts(i)(s"P$i")}").mkString(",\n")})
       |WHERE label_ LIKE 'P%'""".stripMargin
  }

  private def checkConditions(
      known: Seq[Known],
      table: String,
      style: String => Style,
      around: String => String): Unit = {
    def text(k: Known)(variable: String) = around(k.e.text(style(variable)))
    forAll(known, k => definitions(Seq(text(k)), table)) { some =>
      val found = spark.sql(definitions(some.map(k => text(k)(_)), table)).collect()
      some.indices.foreach { i =>
        val ids = found.filter(_.get(1) == i).map(_.get(0)).toSet
        assert(ids == some(i).values.collect { case (id, "true") => id }.toSet)
      }
    }
  }

  private def checkWhere(known: Seq[Known], table: String): Unit =
    known.foreach { k =>
      val text  = s"SELECT id FROM $table WHERE ${k.e.text(SqlExpression.outside)}"
      val query = Try(spark.sql(text)).filter(q => Try(q.queryExecution.executedPlan).isSuccess)
      // Spark refuses some subqueries in WHERE that it plans in SELECT.
      query.foreach { planned =>
        val ids = planned.collect().map(_.get(0)).toSet
        assert(ids == k.values.collect { case (id, "true") => id }.toSet, text)
      }
    }

  private def checkFailure(e: SqlExpression, condition: String, table: String): Unit = {
    val text  = measures(Seq(e.text(styles.head._1("A"))), table, "")
    val error = Try(spark.sql(text).collect())
    assert(error.isFailure, s"no $condition: $text")
    assert(error.failed.map(this.condition(_)) == Success(condition), text)
  }

  /** Conditions over what has another type. */
  private def tests(k: Known, random: Random): SqlExpression =
    if (k.isCondition) k.e
    else if (random.nextBoolean()) k.e.map(text => s"($text) IS NULL")
    else k.e.map(text => s"crc32(CAST(($text) AS STRING)) % 2 = 0")

  /**
   * Checks expressions in all places, written in one of some styles; returns how many.
   *
   * @param more
   *   what else to check of those that have values
   */
  private def check(
      drawn: Seq[SqlExpression],
      table: String,
      random: Random,
      styles: Seq[(String => Style, String => String)],
      more: Seq[Known] => Unit = _ => ()): Int = {
    val (known, failing) = steadyBaseline(drawn.filter(isValid(_, table)), table)
    val interpreted      = random.nextBoolean()
    val paths            =
      if (interpreted) {
        Seq(
          "spark.sql.codegen.wholeStage"  -> "false",
          "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")
      } else Seq("spark.sql.codegen.wholeStage" -> "true")
    withSettings(paths: _*) {
      val (style, around) = styles(random.nextInt(styles.size))
      checkMeasures(known, table, style("A"), around, "ONE ROW PER MATCH")
      val (other, aroundOther) = styles(random.nextInt(styles.size))
      checkMeasures(known, table, other("A"), aroundOther, "ALL ROWS PER MATCH")
      more(known)
      val conditions   = known.map(tests(_, random)).filter(isValid(_, table))
      val (truths, _)  = steadyBaseline(conditions, table)
      val (third, all) = styles(random.nextInt(styles.size))
      checkWhere(random.shuffle(truths).take(5), table)
      checkConditions(truths, table, third, all)
      // An error without a name is one of Spark's generated code only: it does not compile, or the
      // interpreter names the error, as for `regexp_like(s, '[')`.
      failing
        .filter { case (_, name) => name != unnamed }
        .take(3)
        .foreach { case (e, name) => checkFailure(e, name, table) }
    }
    known.size + failing.size
  }

  private def checkTypes(seed: Long): Int = {
    prepared
    val random  = new Random(seed)
    val draw    = new RandomSqlExpressions(random, version)
    val padding = random.nextInt(4) > 0
    withSettings("spark.sql.readSideCharPadding" -> padding.toString) {
      check(Seq.fill(40)(draw.draw()), RandomSqlExpressions.view, random, styles)
    }
  }

  /** Examples of some functions, over a table of their arguments. */
  private def checkFunctions(seed: Long): Int = {
    prepared
    val random   = new Random(seed)
    val examples =
      random.shuffle(FunctionExamples.all).take(40).map(FunctionExamples.withColumns(_, random))
    val valid = examples.zipWithIndex.filter { case ((text, arguments), i) =>
      val columns = "1 AS id" +: arguments.zipWithIndex.map { case (a, j) => s"$a AS p${i}_$j" }
      Try(
        spark.sql(
          s"SELECT ${text(i)(identity)} FROM (SELECT ${columns.mkString(", ")})")).isSuccess
    }
    val columns = valid.flatMap { case ((_, arguments), i) =>
      arguments.zipWithIndex.map { case (a, j) => (a, s"p${i}_$j") }
    }
    val (table, notNull) = ("example_rows", "example_row")
    val row              =
      s"SELECT 1 AS id, ${(("0", "z") +: columns).map(c => s"${c._1} AS ${c._2}").mkString(", ")}"
    val nulls = s"SELECT 2, ${(("0", "z") +: columns).map(_ => "NULL").mkString(", ")}"
    sql(row).localCheckpoint().createOrReplaceTempView(notNull)
    sql(s"$row UNION ALL $nulls").localCheckpoint().createOrReplaceTempView(table)
    check(
      valid.map { case ((text, _), i) => SqlExpression(style => text(i)(style.column)) },
      table,
      random,
      // Fields of structs are named after columns, but an expression gives no name.
      plainStyles,
      checkEmptyMatches(_, notNull, ofNulls = 2)
    )
  }

  private def checkSeeds(check: Long => Int): Unit = {
    val (counts, seeds) = Fuzz.batches(inGate = 3, size = 1, share = 1.0 / 2)(_.map(check).sum)
    info(s"$seeds: ${counts.sum} expressions")
    // Of 40 drawn with each seed, most are valid.
    assert(counts.sum > counts.size * 15)
  }

  test("random expressions over columns of every type")(checkSeeds(checkTypes))

  test("examples of Spark's functions")(checkSeeds(checkFunctions))
}

private object SameExpressionSuite {

  /** How columns are written, by the variable; and what is written around the expression. */
  val styles: Seq[(String => Style, String => String)] = Seq(
    ((_: String) => Style(identity, subqueries = true), identity[String] _),
    ((v: String) => Style(c => s"$v.$c", subqueries = true), identity[String] _),
    ((_: String) => Style(c => s"PREV($c, 0)", subqueries = true), identity[String] _),
    ((v: String) => Style(c => s"LAST($v.$c)", subqueries = true), identity[String] _),
    ((_: String) => Style(identity, subqueries = true), (e: String) => s"PREV($e, 0)"),
    ((v: String) => Style(c => s"$v.$c", subqueries = true), (e: String) => s"LAST($e)")
  )

  /** Those in which a column is a column. */
  val plainStyles: Seq[(String => Style, String => String)] =
    styles.filter(_._1("A").column("c") == "c")
}

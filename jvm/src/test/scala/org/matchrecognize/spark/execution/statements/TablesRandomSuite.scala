package org.matchrecognize.spark.execution.statements

import scala.util.{Random, Try}

import org.apache.spark.sql.Row

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.reference._
import org.matchrecognize.spark.robustness.Fuzz

/**
 * Random clauses over tables of all kinds, with columns, partition keys and order keys of all
 * types, give what the reference evaluator gives over the same rows.
 *
 * Generated columns are not drawn: none of the sources that Spark brings has them.
 */
class TablesRandomSuite extends SparkSuite {
  import TablesRandomSuite._

  private val table = "random_table"

  /** The rank of each value of a type, as Spark returns it. */
  private lazy val ranks: Map[String, Map[Any, Long]] =
    (RandomType.flat ++ RandomType.deep).map { kind =>
      val all = (0 until kind.size).map(kind.literals(_).head)
      kind.ddl -> rows(s"SELECT ${all.mkString(", ")}").head
        .map(comparable)
        .zipWithIndex
        .map { case (value, rank) => value -> rank.toLong }
        .toMap
    }.toMap

  private def rankOf(kind: RandomType, value: Any): Any =
    if (value == null) null
    else ranks(kind.ddl).getOrElse(comparable(value), fail(s"no ${kind.ddl}: $value"))

  private def attempt(sql: String): Boolean = Try(spark.sql(sql)).isSuccess

  /** Makes the table; gives a word on it. */
  private def create(drawn: Drawn, random: Random): String = {
    spark.sql(s"DROP TABLE IF EXISTS $table")
    val values = drawn.rows.map { row =>
      (plain.map(name => plainLiteral(name, row(name))) ++
        drawn.typed.map { case (name, kind) => kind.literal(row(name), random.nextInt(2)) })
        .mkString("(", ", ", ")")
    }
    val names  = plain ++ drawn.typed.map(_._1)
    val order  = random.shuffle(names.toList)
    val layout = random.nextInt(8) match {
      case 0 => s"PARTITIONED BY (${drawn.partitions(random).mkString(", ")})"
      case 1 => "CLUSTERED BY (c) INTO 3 BUCKETS"
      case 2 => "CLUSTERED BY (c, p) SORTED BY (c, p, o) INTO 2 BUCKETS"
      case 3 => "CLUSTERED BY (c, p) SORTED BY (c, p) INTO 2 BUCKETS"
      // The rows of one partition of a clause are in several buckets.
      case 4 => "CLUSTERED BY (c, o) SORTED BY (c, p, o) INTO 3 BUCKETS"
      case _ => ""
    }
    val types   = plainTypes(drawn.number) ++ drawn.typed.map { case (n, kind) => n -> kind.ddl }
    val columns = order.map(name => s"$name ${types(name)}").mkString(", ")
    spark.sql(s"CREATE TABLE $table ($columns) USING ${drawn.format} $layout")
    // Two commits: more than one file. Of one file to a bucket Spark knows the order.
    val (parts, hint) = if (random.nextBoolean()) (2, "") else (1, "/*+ COALESCE(1) */ ")
    values.grouped(values.size / parts + 1).foreach { part =>
      spark.sql(
        s"INSERT INTO $table (${names.mkString(", ")}) SELECT $hint* FROM VALUES " +
          part.mkString(", "))
    }
    s"${drawn.format} $layout ($columns)"
  }

  /** The table, or something that shows it: eight batches one after the other have all. */
  private def source(batch: Long): (String, String) = batch % 8 match {
    case 0 =>
      spark.sql(s"CACHE TABLE $table")
      ("cached", table)
    case 1 =>
      spark.sql(s"CREATE OR REPLACE VIEW ${table}_v AS SELECT * FROM $table")
      ("view", s"${table}_v")
    case 2 =>
      // Only the newer ones know the words; literals in the view would have the collation.
      val made = attempt(
        s"CREATE OR REPLACE VIEW ${table}_v DEFAULT COLLATION UTF8_LCASE AS SELECT * FROM $table")
      if (made) ("view with a collation", s"${table}_v") else ("table", table)
    case 3 => ("metadata", s"(SELECT *, _metadata.file_size > 0 AS meta FROM $table)")
    case 4 =>
      // Not LAZY: Spark fails where a reader's settings change between its plan and its run.
      spark.sql(s"CACHE TABLE ${table}_k AS SELECT * FROM $table")
      ("cached query", s"${table}_k")
    case 5 => ("subquery", s"(SELECT * FROM $table WHERE c >= 0)")
    case _ => ("table", table)
  }

  private def drop(): Unit = {
    spark.catalog.clearCache()
    attempt(s"DROP VIEW IF EXISTS ${table}_v")
    attempt(s"DROP VIEW IF EXISTS ${table}_k")
    spark.sql(s"DROP TABLE IF EXISTS $table")
    ()
  }

  private def checkBatch(seeds: Seq[Long]): (Int, Int, Set[String]) = {
    val random = RandomSeed(seeds.head, "typed table")
    val batch  = seeds.head / seeds.size
    val drawn  = Drawn(seeds.head, formats((batch % formats.size).toInt), random)
    val layout = create(drawn, random)
    try {
      val (kind, from) = source(batch)
      val found        = seeds.map(check(_, drawn, from, s"$kind of $layout"))
      (seeds.size, found.sum, Set(drawn.format, kind))
    } finally drop()
  }

  private def check(seed: Long, drawn: Drawn, from: String, what: String): Int = {
    val random = RandomSeed(seed, "typed query")
    val types  = drawn.typed.toMap
    val byKey  = random.nextBoolean()
    // WITHIN and MATCH_ROWTIME look at the order key's own value.
    val extensions = random.nextInt(3) match {
      case 0 if !byKey => Extensions(time = true, everyMatch = true)
      case 1           => Extensions(contiguity = true)
      case _           => Extensions.none
    }
    val conditions = Seq.fill(2)(Condition(drawn, random))
    val query      = withTypes(RandomQueries.query(seed, extensions = extensions), drawn, random)
    val packed     = QueryCase(
      query,
      drawn.rows.map(conditions.zipWithIndex.foldLeft(_) { case (row, (condition, i)) =>
        row.updated(s"h$i", condition.of(row))
      }),
      nextRowOnInvalidSkip = true)

    // Equal maps, whose entries come in another order.
    val map       = "IF(o % 2 = 0, map('k', pk, 'z', pk), map('z', pk, 'k', pk)) AS mk"
    val partition = random.nextInt(4) match {
      case 0                            => "c, p"
      case 1                            => "c, pk"
      case 2 if spark.version(0) >= '4' => s"c, $map"
      case _                            => "pk, c"
    }
    val clause = conditions.zipWithIndex
      .foldLeft(packed.sql(from)) { case (sql, (condition, i)) =>
        sql.replaceAll(
          s"(\\b[A-Z]\\d*\\.)?\\bh$i\\b",
          java.util.regex.Matcher.quoteReplacement(condition.sql).replace("COLUMN", "$1"))
      }
      .replaceFirst("PARTITION BY c, p ", s"PARTITION BY $partition ")
      .replaceFirst("ORDER BY o", if (byKey) "ORDER BY ok" else "ORDER BY o")
    val isMap   = partition.endsWith("mk")
    val keyed   = partition.contains("pk") && !isMap
    val columns = query.outputColumns.filter(name => !isMap || name != "p").map {
      case "p" if keyed => "pk"
      case "o" if byKey => "ok"
      case other        => other
    }
    val kept       = columns.filter(name => name == "c" || random.nextInt(4) > 0)
    val c          = random.nextInt(8).toLong
    val (only, is) = random.nextInt(4) match {
      case 0 => (s"WHERE c = $c", (v: Long) => v == c)
      case 1 => (s"WHERE c IN (1, $c)", (v: Long) => v == 1 || v == c)
      case 2 => (s"WHERE c < $c", (v: Long) => v < c)
      case _ => ("", (_: Long) => true)
    }
    val beside =
      if (from == table && random.nextInt(3) == 0)
        s", (SELECT count(_metadata.file_name) AS n FROM $table) WHERE n > 0" +
          only.replace("WHERE", " AND")
      else only
    val sql = s"SELECT ${kept.mkString(", ")} FROM ($clause) $beside"

    /** What a column of the result is compared by. */
    def found(name: String, value: Any): Any =
      query.measures.toMap.get(name) match {
        case Some(Expression.Logical(_, Expression.Column(t, _), _, _)) if types.contains(t) =>
          rankOf(types(t), value)
        case None if types.contains(name) => rankOf(types(name), value)
        case _                            => number(value)
      }
    def wanted(name: String, row: Map[String, Any]): Any = name match {
      case "pk"  => drawn.partitionRanks(row("p"))
      case "ok"  => drawn.orderRanks(row("o"))
      case other => number(row(other))
    }
    val expected = packed.expected
      .map(query.outputColumns.zip(_).toMap)
      .filter(row => is(row("c").asInstanceOf[Long]))
      .map(row => kept.map(wanted(_, row)).mkString("|"))
      .sorted
    val way = drawnWay(random)
    withSettings(way: _*) {
      val present =
        try
          rows(sql)
            .map(row => kept.zip(row).map { case (n, v) => found(n, v) }.mkString("|"))
            .sorted
        catch { case error: Exception => fail(s"seed $seed, $what, $way\n$sql", error) }
      if (present != expected)
        fail(s"seed $seed, $what, $way\n$sql\n" +
          s"missing ${expected.diff(present).take(5)}\nbeyond ${present.diff(expected).take(5)}")
      present.size
    }
  }

  test("random clauses over tables of all kinds, with keys and columns of all types") {
    val (reports, seeds) = Fuzz.batches(inGate = 8, size = 8, nightly = 12)(checkBatch)
    info(
      s"$seeds: ${reports.map(_._1).sum} queries, ${reports.map(_._2).sum} rows, over " +
        reports.flatMap(_._3).distinct.sorted.mkString(", "))
    assert(reports.map(_._2).sum > 0)
    // Four formats, and six sources; Spark 3.5 knows no views with a collation.
    assert(Fuzz.isAsked || reports.flatMap(_._3).distinct.size >= 10)
  }
}

private object TablesRandomSuite {

  val formats: Seq[String] = Seq("parquet", "orc", "json", "parquet", "csv")

  /** The columns that the reference computes with, beside those of drawn types. */
  val plain: Seq[String] = RandomTables.columns

  def plainTypes(number: String): Map[String, String] =
    plain.map(name => name -> "INT").toMap ++ Map("x" -> number, "y" -> number, "s" -> "STRING")

  def plainLiteral(column: String, value: Any): String = value match {
    case null         => s"CAST(NULL AS ${if (column == "s") "STRING" else "INT"})"
    case text: String => s"'$text'"
    case other        => other.toString
  }

  /** A value that can be looked up. */
  def comparable(value: Any): Any = value match {
    case bytes: Array[Byte]             => bytes.toSeq
    case text: String                   => text.replaceAll(" +$", "")
    case number: Double                 => if (number == 0) "0.0" else number.toString
    case number: java.math.BigDecimal   => number.stripTrailingZeros.toPlainString
    case row: Row                       => row.toSeq.map(comparable)
    case items: scala.collection.Seq[_] => items.map(comparable).toList
    case other                          => other
  }

  /** Numbers that are equal are the same. */
  def number(value: Any): Any = value match {
    case double: Double if double == math.rint(double) && !double.isInfinite => double.toLong
    case other => QueryCase.canonical(Seq(other)).head
  }

  /**
   * A table's rows, in which columns of drawn types are ranks.
   *
   * @param number
   *   the type of x and y
   * @param typed
   *   the columns: pk is p in other values, ok is o
   */
  final case class Drawn(
      format: String,
      number: String,
      typed: Seq[(String, RandomType)],
      rows: Seq[Map[String, Any]],
      partitionRanks: Map[Any, Any],
      orderRanks: Map[Any, Any]) {

    /** Columns to divide files by. */
    def partitions(random: Random): Seq[String] = {
      val more = typed.collect {
        case (name, kind) if divides(kind.ddl) => name
      }
      val first = (Seq("c", "p", "s") ++ more.filter(_ == "pk"))
      Seq(first(random.nextInt(first.size)))
    }

    private def divides(ddl: String) =
      Seq("INT", "BIGINT", "STRING", "DATE", "BOOLEAN", "CHAR(6)").contains(ddl)
  }

  object Drawn {
    def apply(seed: Long, format: String, random: Random): Drawn = {
      val kinds = if (format == "csv") RandomType.flat else RandomType.flat ++ RandomType.deep
      def kind(least: Int) = {
        val enough = kinds.filter(_.size >= least)
        enough(random.nextInt(enough.size))
      }
      // p is 1 to 3 or NULL; o rises within 1 to 22.
      val (ofP, ofO)                            = (kind(3), kind(24))
      def ascending(from: Seq[Long], size: Int) = {
        val chosen = random.shuffle((0 until size).toList).take(from.size).sorted.map(_.toLong)
        from
          .zip(chosen)
          .map { case (k, r) => (k: Any) -> (r: Any) }
          .toMap + ((null: Any) -> (null: Any))
      }
      val (p, o) = (ascending(1L to 3L, ofP.size), ascending(1L to 24L, ofO.size))
      val others = (1 to 2 + random.nextInt(4)).map(i => s"t$i" -> kind(0))
      val rows   = RandomTables.random(seed, 8, nullKeys = true, singleRows = true).map { row =>
        others.foldLeft(row ++ Map("pk" -> p(row("p")), "ok" -> o(row("o")))) {
          case (sofar, (name, of)) =>
            // Few values, so that some are equal.
            val rank = (of.size - 1) * random.nextInt(6) / 5
            sofar.updated(name, if (random.nextInt(6) == 0) null else rank.toLong)
        }
      }
      val number = Seq("INT", "BIGINT", "DOUBLE")(random.nextInt(3))
      Drawn(format, number, Seq("pk" -> ofP, "ok" -> ofO) ++ others, rows, p, o)
    }
  }

  /** A comparison of a column of a drawn type; in `sql`, COLUMN stands for a qualifier. */
  final case class Condition(column: String, operator: String, rank: Long, sql: String) {
    def of(row: Map[String, Any]): Any =
      if (operator == "<=>") row(column) == rank
      else Values.binary(operator, row(column), rank)
  }

  object Condition {
    def apply(drawn: Drawn, random: Random): Condition = {
      val (name, kind) = drawn.typed(random.nextInt(drawn.typed.size))
      val operator     = Seq("=", "<>", "<", "<=", ">", ">=", "<=>")(random.nextInt(7))
      val rank         = (kind.size - 1).toLong * random.nextInt(6) / 5
      val literal      = kind.literal(rank, random.nextInt(2))
      Condition(name, operator, rank, s"(COLUMN$name $operator $literal)")
    }
  }

  /** The query with measures of typed columns, and conditions on them. */
  def withTypes(query: Query, drawn: Drawn, random: Random): Query = {
    val used   = query.used.toSeq.sorted.map(query.variables).filterNot(_.startsWith("X"))
    val typed  = drawn.typed.map(_._1)
    def any()  = used(random.nextInt(used.size))
    def more() = Expression.Logical(
      random.nextBoolean(),
      Expression.Column(typed(random.nextInt(typed.size)), Some(any())),
      random.nextInt(2),
      if (random.nextBoolean()) Prefix.None else Prefix.Final
    )
    query.copy(
      columns = query.columns ++ typed,
      measures =
        query.measures ++ (if (used.isEmpty) Nil else Seq("v1" -> more(), "v2" -> more())),
      definitions = query.definitions.map { case (id, e) =>
        val own = Expression.Column(
          s"h${random.nextInt(2)}",
          if (random.nextBoolean()) Some(query.variables(id)) else None)
        id -> (random.nextInt(3) match {
          case 0 => Expression.Binary("AND", e, Expression.Not(own))
          case 1 => Expression.Binary("OR", e, own)
          case _ => e
        })
      }
    )
  }

  /** Settings of the readers and of how a query runs. */
  def drawnWay(random: Random): Seq[(String, String)] = {
    def either(key: String)                = key -> random.nextBoolean().toString
    def pick(key: String, values: String*) = key -> values(random.nextInt(values.size))
    Seq(
      "spark.sql.matchRecognize.invalidSkip" -> "nextRow",
      either("spark.sql.parquet.enableVectorizedReader"),
      either("spark.sql.parquet.enableNestedColumnVectorizedReader"),
      either("spark.sql.parquet.filterPushdown"),
      either("spark.sql.orc.enableVectorizedReader"),
      either("spark.sql.orc.filterPushdown"),
      either("spark.sql.json.filterPushdown.enabled"),
      either("spark.sql.csv.filterPushdown.enabled"),
      either("spark.sql.optimizer.nestedSchemaPruning.enabled"),
      either("spark.sql.inMemoryColumnarStorage.enableVectorizedReader"),
      either("spark.sql.inMemoryColumnarStorage.partitionPruning"),
      either("spark.sql.optimizer.dynamicPartitionPruning.enabled"),
      either("spark.sql.sources.bucketing.enabled"),
      either("spark.sql.sources.bucketing.autoBucketedScan.enabled"),
      either("spark.sql.legacy.bucketedTableScan.outputOrdering"),
      either("spark.sql.adaptive.enabled"),
      either("spark.sql.codegen.wholeStage"),
      pick("spark.sql.files.maxPartitionBytes", "4000", "128MB"),
      pick("spark.sql.shuffle.partitions", "1", "3"),
      pick("spark.sql.matchRecognize.matcher", "auto", "auto", "threads"),
      pick("spark.sql.matchRecognize.spillThreshold", Int.MaxValue.toString, "2")
    )
  }
}

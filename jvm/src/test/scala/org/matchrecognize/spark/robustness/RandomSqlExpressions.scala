package org.matchrecognize.spark.robustness

import scala.util.Random

/**
 * A SQL expression, to be written in several places.
 *
 * @param text
 *   the expression in a style
 */
final case class SqlExpression(text: SqlExpression.Style => String) {
  def map(f: String => String): SqlExpression = SqlExpression(style => f(text(style)))
}

object SqlExpression {

  /**
   * How an expression is written.
   *
   * @param column
   *   a column, from its name
   * @param subqueries
   *   whether tests of membership are subqueries; otherwise comparisons that mean the same
   */
  final case class Style(column: String => String, subqueries: Boolean)

  /** For Spark alone, where the answer comes from. */
  val outside: Style = Style(identity, subqueries = false)

  def sequence(parts: Seq[SqlExpression])(f: Seq[String] => String): SqlExpression =
    SqlExpression(style => f(parts.map(_.text(style))))
}

/** Draws expressions over the columns of [[RandomSqlExpressions.view]]. */
final class RandomSqlExpressions(random: Random, version: (Int, Int)) {
  import RandomSqlExpressions._
  import SqlExpression.sequence

  private val kinds = Kinds.filter(_.since.forall(Ordering[(Int, Int)].lteq(_, version)))

  def draw(): SqlExpression =
    if (random.nextInt(4) > 0) condition(2) else value(pick(kinds), 2)

  private def pick[T](from: Seq[T]): T = from(random.nextInt(from.size))

  private def column(name: String) = SqlExpression(_.column(name))

  private def fixed(text: String) = SqlExpression(_ => text)

  private def value(kind: Kind, depth: Int): SqlExpression =
    random.nextInt(if (depth > 0) 7 else 4) match {
      case 0 | 1 | 2 => column(pick(kind.columns))
      case 3         => fixed(pick(kind.literals))
      case 4         =>
        sequence(Seq(condition(depth - 1), value(kind, depth - 1), value(kind, depth - 1)))(v =>
          s"CASE WHEN ${v(0)} THEN ${v(1)} ELSE ${v(2)} END")
      case 5 =>
        val otherwise = pick(kind.literals)
        value(kind, depth - 1).map(v => s"coalesce($v, $otherwise)")
      case _ =>
        val function = pick(kind.functions :+ "%s")
        value(kind, depth - 1).map(v => function.replace("%s", v))
    }

  private def condition(depth: Int): SqlExpression =
    random.nextInt(if (depth > 0) 16 else 9) match {
      case 0 | 1 | 2 => comparison(pick(kinds.filter(_.comparable)))
      case 3         => comparison(pick(kinds.filter(_.name == "char")))
      case 4         =>
        val kind = pick(kinds.filter(_.comparable))
        val in   = pick(Seq("IN", "NOT IN"))
        sequence(value(kind, 1) +: Seq.fill(2)(fixed(pick(kind.literals))))(v =>
          s"${v.head} $in (${v.tail.mkString(", ")})")
      case 5 | 6 => membership(pick(kinds.filter(_.listed)))
      case 7     => pairs()
      case 8     =>
        val not = pick(Seq("", "NOT "))
        value(pick(kinds), 0).map(v => s"$v IS ${not}NULL")
      case 9  => condition(depth - 1).map(c => s"NOT ($c)")
      case 10 =>
        val operator = pick(Seq("=", "<=>", "<>"))
        condition(depth - 1).map(c => s"($c) $operator FALSE")
      case 11 =>
        val truth = pick(Seq("NULL", "TRUE", "NOT FALSE"))
        condition(depth - 1).map(c => s"($c) IS $truth")
      case 12 =>
        val kind = pick(kinds.filter(_.comparable))
        sequence(Seq.fill(3)(value(kind, 0)))(v => s"${v(0)} BETWEEN ${v(1)} AND ${v(2)}")
      case 13 =>
        sequence(Seq(condition(depth - 1), condition(depth - 1), condition(depth - 1)))(c =>
          s"CASE WHEN ${c(0)} THEN ${c(1)} ELSE ${c(2)} END")
      case _ =>
        val word = pick(Seq("AND", "OR"))
        sequence(Seq(condition(depth - 1), condition(depth - 1)))(c => s"(${c(0)} $word ${c(1)})")
    }

  private def comparison(kind: Kind): SqlExpression = {
    val operator = pick(Seq("=", "<", ">=", "<>", "<=>", "="))
    sequence(Seq(value(kind, 1), value(kind, 1)))(v => s"${v(0)} $operator ${v(1)}")
  }

  /** IN over a list, and what it means. */
  private def membership(kind: Kind): SqlExpression = {
    val list = Seq.fill(random.nextInt(4))(pick(kind.literals :+ "NULL"))
    val not  = pick(Seq("", "NOT "))
    val in   = value(kind, 1)
    SqlExpression { style =>
      val v = in.text(style)
      if (style.subqueries) {
        // The first gives the column its type. No UNION: Spark itself cannot always run one there.
        val rows = s"(${kind.literals.head}, FALSE)" +: list.map(l => s"($l, TRUE)")
        s"($v ${not}IN (SELECT y FROM VALUES ${rows.mkString(", ")} AS t(y, k) WHERE k))"
      } else if (list.isEmpty) s"(${not}FALSE)"
      else s"($not(${list.map(l => s"($v) = ($l)").mkString(" OR ")}))"
    }
  }

  /** IN over pairs, and what it means. */
  private def pairs(): SqlExpression = {
    val numbers = kinds.filter(k => k.name == "int" || k.name == "string")
    val list    = Seq.fill(random.nextInt(3))(numbers.map(k => pick(k.literals :+ "NULL")))
    val not     = pick(Seq("", "NOT "))
    val in      = numbers.map(value(_, 0))
    SqlExpression { style =>
      val v = in.map(_.text(style))
      if (style.subqueries) {
        val rows =
          if (list.isEmpty) "SELECT 1, 'a' WHERE FALSE"
          else s"SELECT * FROM VALUES ${list.map(_.mkString("(", ", ", ")")).mkString(", ")}"
        s"((${v.mkString(", ")}) ${not}IN ($rows))"
      } else if (list.isEmpty) s"(${not}FALSE)"
      else {
        val rows =
          list.map(_.zip(v).map { case (l, e) => s"($e) = $l" }.mkString("(", " AND ", ")"))
        s"($not(${rows.mkString(" OR ")}))"
      }
    }
  }
}

object RandomSqlExpressions {

  val view = "typed_rows"

  /**
   * Values of one type.
   *
   * @param comparable
   *   whether it has an order
   * @param listed
   *   whether IN over a subquery takes it as it is
   */
  final case class Kind(
      name: String,
      columns: Seq[String],
      literals: Seq[String],
      functions: Seq[String] = Nil,
      comparable: Boolean = true,
      listed: Boolean = true,
      since: Option[(Int, Int)] = None)

  val Kinds: Seq[Kind] = Seq(
    Kind(
      "int",
      Seq("i", "id"),
      Seq("1", "2", "9"),
      Seq("jvm_twice(%s)", "(%s + (SELECT 1))", "-(%s)", "(%s % 3)")),
    Kind("long", Seq("l"), Seq("1L", "3000000000L"), Seq("(%s div 2)", "abs(%s)")),
    Kind(
      "double",
      Seq("g"),
      Seq("1.5D", "double('NaN')", "-0.0D"),
      Seq("(%s * 2)", "sqrt(abs(%s))")),
    Kind(
      "decimal",
      Seq("n"),
      Seq("1.50BD", "2.00BD"),
      Seq("round(%s, 1)", "(%s * 3)"),
      listed = false),
    Kind(
      "string",
      Seq("s"),
      Seq("'k1'", "'K1'", "''"),
      Seq("upper(%s)", "concat(%s, 'x')", "nullif(%s, 'k1')")),
    Kind(
      "char",
      Seq("c", "c8"),
      Seq("'k1'", "'k2'", "'k1   '"),
      Seq("trim(%s)", "length(%s) || 'k1'"),
      listed = false),
    Kind("varchar", Seq("v"), Seq("'k1'", "'k2 '"), Seq("rtrim(%s)"), listed = false),
    Kind("binary", Seq("x"), Seq("X'0A'", "X''"), Seq("substr(%s, 1, 1)")),
    Kind(
      "date",
      Seq("d"),
      Seq("DATE'2024-01-31'", "DATE'1969-12-31'"),
      Seq("date_add(%s, 1)", "last_day(%s)")),
    Kind(
      "timestamp",
      Seq("ts"),
      Seq("TIMESTAMP'2024-01-31 10:00:00'"),
      Seq("date_trunc('DAY', %s)", "(%s + INTERVAL '1' HOUR)")),
    Kind(
      "ntz",
      Seq("nz"),
      Seq("TIMESTAMP_NTZ'2024-01-31 10:00:00'"),
      Seq("(%s + INTERVAL '1' DAY)")),
    Kind("months", Seq("ym"), Seq("INTERVAL '1-2' YEAR TO MONTH"), Seq("(%s * 2)")),
    Kind("days", Seq("ds"), Seq("INTERVAL '1 02:03:04' DAY TO SECOND"), Seq("-(%s)")),
    Kind(
      "array",
      Seq("a"),
      Seq("array(1, 2)", "array(CAST(NULL AS INT))"),
      Seq("transform(%s, e -> e + 1)", "filter(%s, e -> e > 1)")),
    Kind("struct", Seq("st"), Seq("named_struct('p', 1, 'q', 'k1')"), Nil),
    Kind(
      "map",
      Seq("m"),
      Seq("map('k', 1)"),
      Seq("map_filter(%s, (k, e) -> e > 0)"),
      comparable = false,
      listed = false),
    Kind(
      "collated",
      Seq("co"),
      Seq("'K1' COLLATE UTF8_LCASE"),
      Seq("lower(%s)"),
      listed = false,
      since = Some((4, 0))),
    Kind(
      "variant",
      Seq("va"),
      Seq("parse_json('{\"p\": 1}')"),
      Nil,
      comparable = false,
      listed = false,
      since = Some((4, 0))),
    Kind(
      "variable",
      Seq("i"),
      Seq("number_of_session", "(number_of_session + 1)"),
      Nil,
      listed = false,
      since = Some((4, 0))),
    Kind("time", Seq("t"), Seq("TIME'10:00:00'"), Nil, listed = false, since = Some((4, 1)))
  )

  /** The table, a Parquet file since only a table has CHAR. */
  def statements(version: (Int, Int)): Seq[String] = {
    val since4 =
      if (version._1 >= 4)
        ", CAST(s AS STRING) COLLATE UTF8_LCASE AS co, parse_json(concat('{\"p\": ', i, '}')) AS va"
      else ""
    val time =
      if (Ordering[(Int, Int)].lt(version, (4, 1))) ""
      else ", CASE WHEN nz IS NOT NULL THEN TIME'10:00:00' END AS t"
    Seq(
      "DROP TABLE IF EXISTS typed_table",
      """CREATE TABLE typed_table (id INT, i INT, l BIGINT, g DOUBLE, n DECIMAL(12,2), s STRING,
        |  c CHAR(6), c8 CHAR(8), v VARCHAR(8), x BINARY, d DATE, ts TIMESTAMP, nz TIMESTAMP_NTZ,
        |  ym INTERVAL YEAR TO MONTH, ds INTERVAL DAY TO SECOND, a ARRAY<INT>,
        |  st STRUCT<p: INT, q: STRING>, m MAP<STRING, INT>) USING parquet""".stripMargin,
      """INSERT INTO typed_table VALUES
        |(1, 1, 1, 1.5, 1.50, 'k1', 'k1', 'k1', 'k1', X'0A', DATE'2024-01-31',
        |  TIMESTAMP'2024-01-31 10:00:00', TIMESTAMP_NTZ'2024-01-31 10:00:00', INTERVAL '1-2' YEAR TO MONTH,
        |  INTERVAL '1 02:03:04' DAY TO SECOND, array(1, 2), named_struct('p', 1, 'q', 'k1'), map('k', 1)),
        |(2, 2, 3000000000, double('NaN'), 2.00, 'K1', 'k2', 'k1', 'k2 ', X'', DATE'1969-12-31',
        |  TIMESTAMP'1969-12-31 23:59:59', TIMESTAMP_NTZ'1969-12-31 23:59:59', INTERVAL '-1' MONTH,
        |  INTERVAL '-1' SECOND, array(CAST(NULL AS INT)), named_struct('p', NULL, 'q', 'k2'), map('k', NULL)),
        |(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        |(4, 9, -1, -0.0, -1.50, '', 'k1', 'k2', 'k1', X'0AFF', DATE'2024-02-29',
        |  TIMESTAMP'2024-02-29 10:00:00', TIMESTAMP_NTZ'2024-02-29 10:00:00', INTERVAL '0' MONTH,
        |  INTERVAL '0' SECOND, array(), named_struct('p', 9, 'q', NULL), map())""".stripMargin,
      s"CREATE OR REPLACE TEMP VIEW $view AS SELECT *$since4$time FROM typed_table"
    ) ++ (if (version._1 >= 4) Seq("DECLARE OR REPLACE VARIABLE number_of_session INT DEFAULT 2")
          else Nil)
  }
}

package org.matchrecognize.spark.reference

/**
 * One clause over many small tables at once, the column `c` telling them apart: a single Spark
 * job answers them all. Column names and order are the query's `outputColumns`.
 *
 * {{{
 *   val rows = RandomTables.random(seed, 40)            // as the view t, RandomTables.schema
 *   val packed = QueryCase(RandomQueries.query(seed), rows)
 *   val found = spark.sql(packed.sql("t")).collect().toSeq.map(_.toSeq)
 *   assert(packed.wrong(found).isEmpty)                 // the message shows the first difference
 * }}}
 *
 * @param nextRowOnInvalidSkip
 *   what spark.sql.matchRecognize.invalidSkip is set to: nextRow, else error
 */
final case class QueryCase(
    query: Query,
    rows: Seq[Map[String, Any]],
    nextRowOnInvalidSkip: Boolean = false
) {

  /** The reference's answer to each table; None where enumeration takes too long. */
  lazy val answers: Map[Long, Option[Either[Set[String], Seq[Seq[Any]]]]] = {
    val evaluator = new ReferenceEvaluator(query, nextRowOnInvalidSkip)
    rows.groupBy(_("c").asInstanceOf[Long]).map { case (c, table) =>
      c -> (try
        Some(evaluator.answer(table))
      catch {
        case _: TooManySteps => None
      })
    }
  }

  /** Tables that cannot be packed: the reference gave up on them. */
  def skipped: Seq[Long] = answers.collect { case (c, None) => c }.toSeq.sorted

  /** Tables over which the query must fail, with the conditions of which one is raised. */
  def failures: Seq[(Long, Set[String])] =
    answers.collect { case (c, Some(Left(conditions))) => (c, conditions) }.toSeq.sortBy(_._1)

  /** The rows over all tables that give rows, as a bag; within `c` and `p` in search order. */
  def expected: Seq[Seq[Any]] =
    answers.toSeq.sortBy(_._1).collect { case (_, Some(Right(found))) => found }.flatten

  /** The query over the tables that give rows; `table` is the view that holds `rows`. */
  def sql(table: String): String = {
    val left  = (skipped ++ failures.map(_._1)).sorted
    val input =
      if (left.isEmpty) table
      else s"(SELECT * FROM $table WHERE c NOT IN (${left.mkString(", ")}))"
    query.sql(input)
  }

  /** The query over one table of them. */
  def sqlOf(table: String, c: Long): String =
    query.sql(s"(SELECT * FROM $table WHERE c = $c)")

  /** This case with one table only. */
  def only(c: Long): QueryCase = copy(rows = rows.filter(_("c") == c))

  /** A self-contained statement. */
  def standalone: String = query.sql(RandomTables.values(rows))

  /**
   * What is wrong with the rows that an engine gives, if anything. Order counts within a
   * partition; that is more than SQL promises (semantics.md: Output order).
   */
  def wrong(found: Seq[Seq[Any]]): Option[String] = {
    val byTable      = (all: Seq[Seq[Any]]) => all.map(QueryCase.canonical).groupBy(_.take(2))
    val (is, should) = (byTable(found), byTable(expected))
    val differing    = (is.keySet ++ should.keySet).filter(k => is.get(k) != should.get(k))
    differing.headOption.map { key =>
      def show(answer: Map[Seq[Any], Seq[Seq[Any]]]): String =
        answer.getOrElse(key, Nil).map(_.mkString("  ", " | ", "")).mkString("\n")
      s"""${differing.size} partitions differ; the first is (c, p) = ${key.mkString(", ")}
         |${only(key.head.asInstanceOf[Long]).standalone}
         |${query.outputColumns.mkString("  ", " | ", "")}
         |expected
         |${show(should)}
         |found
         |${show(is)}""".stripMargin
    }
  }
}

object QueryCase {

  /** Integers of every width are one type in a comparison. */
  def canonical(row: Seq[Any]): Seq[Any] = row.map {
    case byte: Byte   => byte.toLong
    case short: Short => short.toLong
    case int: Int     => int.toLong
    case other        => other
  }
}

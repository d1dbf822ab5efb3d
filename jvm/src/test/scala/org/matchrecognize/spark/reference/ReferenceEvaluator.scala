package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowVariable, RowsPerMatch}

/**
 * The rows that a clause gives, by docs/semantics.md and by nothing else (Output, After a match,
 * Event extensions).
 *
 * @param nextRowOnInvalidSkip
 *   spark.sql.matchRecognize.invalidSkip = nextRow
 */
final class ReferenceEvaluator(query: Query, nextRowOnInvalidSkip: Boolean = false) {
  import ReferenceEvaluator._

  private val definitions = query.definitions.toMap

  /**
   * The answer over a table: the partitions in any order, the rows of each in the order of the
   * search; or the conditions of which one must be raised.
   */
  def answer(rows: Seq[Map[String, Any]]): Either[Set[String], Seq[Seq[Any]]] = {
    val keys    = rows.map(key).distinct
    val answers = keys.map { k =>
      val partition = query.order.sort(rows.filter(key(_) == k), query.orderBy)
      new Search(partition.toIndexedSeq).answer()
    }
    val failures = answers.collect { case Left(condition) => condition }
    if (failures.nonEmpty) {
      Left(failures.toSet)
    } else {
      Right(answers.collect { case Right(found) => found }.flatten)
    }
  }

  /** The search of one partition, whose rows are given in any order. */
  def search(rows: Seq[Map[String, Any]]): SearchedPartition = {
    val partition = query.order.sort(rows, query.orderBy).toIndexedSeq
    val search    = new Search(partition)
    val failure   = search.answer().left.toOption
    SearchedPartition(partition, search.found, search.starts, failure)
  }

  /**
   * All tests that a search from a start row can make, preferred first: of rows for variables, after
   * each possible mapping of the rows before.
   */
  def tests(partition: IndexedSeq[Map[String, Any]], start: StartRow): Seq[ReferenceTest] = {
    val all = Vector.newBuilder[ReferenceTest]
    new Search(partition)
      .enumeration(start.row, start.number - 1, all += _)
      .matches(query.pattern, start.row)
      .foreach(_ => ())
    all.result()
  }

  /**
   * The value of a variable's condition for a row.
   *
   * @param before
   *   the variables of the rows before it from the start row on, -1 where one is passed over
   */
  def condition(
      partition: IndexedSeq[Map[String, Any]],
      start: StartRow,
      variable: Int,
      before: IndexedSeq[Int]): Any =
    new Search(partition).condition(start.row, start.number, variable, before)

  private def key(row: Map[String, Any]): Seq[Any] = query.partitionBy.map(row)

  private def orderKey(row: Map[String, Any]): Option[Long] =
    Option(row(query.orderBy)).map(_.asInstanceOf[Long])

  /** The search through one partition. */
  final private class Search(partition: IndexedSeq[Map[String, Any]]) {

    /** What was found so far, and the rows at which it was searched for. */
    var found  = Vector.empty[ReferenceMatch]
    var starts = Vector.empty[StartRow]

    private var output  = Vector.empty[Seq[Any]]
    private var matches = 0L
    // The row after the last one that a match covers.
    private var covered = 0

    def answer(): Either[String, Seq[Seq[Any]]] = {
      var start   = 0
      var failure = Option.empty[String]
      while (failure.isEmpty && start < partition.size) {
        val before = matches
        if (isWithinBounds(start)) starts :+= StartRow(start, before + 1)
        val here = matchesAt(start)
        here.foreach(emit(start, _, timedOut = false))
        if (showsTimeouts && isWithinBounds(start)) {
          timeouts(start, before, here).foreach(emit(start, _, timedOut = true))
        }
        if (matches == before && showsUnmatched && start >= covered) {
          output :+= row(start, _ => null)
        }
        // A time-out does not ask the skip clause, and neither do matches of NO SKIP.
        val first = if (query.afterMatch == AfterMatch.NoSkip) None else here.headOption
        first.map(next(start, _)).getOrElse(Right(start + 1)) match {
          case Right(row)      => start = row
          case Left(condition) => failure = Some(condition)
        }
      }
      failure.toLeft(output)
    }

    /** The match, or with NO SKIP every one that is not empty, each set of mappings once. */
    private def matchesAt(start: Int): Seq[IndexedSeq[Mapping]] =
      if (!isWithinBounds(start)) Nil
      else if (query.afterMatch == AfterMatch.NoSkip) {
        val all = enumeration(start, matches).matches(query.pattern, start)
        PatternEnumeration.distinct(all.filter(_.nonEmpty).toVector)
      } else enumeration(start, matches).firstMatch(query.pattern, start).toSeq

    /** The partial matches of a start row that time out, `before` being the matches before it. */
    private def timeouts(
        start: Int,
        before: Long,
        found: Seq[IndexedSeq[Mapping]]): Seq[IndexedSeq[Mapping]] = {
      val partials = enumeration(start, before).livePartials(query.pattern, start)
      def empty    = enumeration(start, before).matches(query.pattern, start).exists(_.isEmpty)
      query.dialect match {
        case Dialect.Flink if query.afterMatch == AfterMatch.NoSkip => partials
        case _ if found.nonEmpty || empty                           => Nil
        case Dialect.Flink                                          => partials
        case Dialect.Standard                                       => partials.take(1)
      }
    }

    /** A row with a NULL key starts no match of a clause with WITHIN. */
    private def isWithinBounds(start: Int): Boolean =
      query.within.isEmpty || orderKey(partition(start)).nonEmpty

    /** The first row that is beyond the bound; one with a NULL key is. */
    private def horizon(start: Int): Int = query.within match {
      case None         => partition.size
      case Some(within) =>
        val end   = orderKey(partition(start)).get + within
        val first = partition.indexWhere(row => orderKey(row).forall(_ > end), start)
        if (first < 0) partition.size else first
    }

    /** @param onTest is told of each test */
    def enumeration(
        start: Int,
        before: Long,
        onTest: ReferenceTest => Unit = _ => ()): PatternEnumeration =
      new PatternEnumeration(
        partition.size,
        (variable, row, labels) => {
          val value = condition(start, before + 1, variable, labels)
          onTest(ReferenceTest(variable, row, labels, value))
          value == true
        },
        isDefined = definitions.contains,
        horizon = horizon,
        dialect = query.dialect
      )

    def condition(start: Int, number: Long, variable: Int, before: IndexedSeq[Int]): Any =
      definitions.get(variable).fold[Any](true) {
        evaluation(start, before :+ variable, number, timedOut = false)
          .value(_, before.size + 1)
      }

    private def evaluation(start: Int, labels: IndexedSeq[Int], number: Long, timedOut: Boolean) =
      new ExpressionEvaluation(
        partition,
        start,
        labels,
        number,
        query.variables,
        query.members,
        query.orderBy,
        timedOut)

    private def emit(start: Int, mappings: IndexedSeq[Mapping], timedOut: Boolean): Unit = {
      matches += 1
      found :+= ReferenceMatch(start, mappings, timedOut)
      covered = math.max(covered, start + mappings.size)
      val measures = evaluation(start, mappings.map(_.variable), matches, timedOut)
      query.rowsPerMatch match {
        case _: RowsPerMatch.OneRow =>
          output :+= row(start, measures.value(_, mappings.size))
        case RowsPerMatch.AllRows(empty, _) if mappings.isEmpty =>
          if (empty != EmptyMatches.Omit) output :+= row(start, measures.value(_, 0))
        case _: RowsPerMatch.AllRows =>
          for (i <- mappings.indices if !mappings(i).excluded)
            output :+= row(start + i, measures.value(_, i + 1))
      }
    }

    private def row(at: Int, measure: Expression => Any): Seq[Any] = {
      val values = query.measures.map { case (name, expression) => name -> measure(expression) }
      query.outputColumns.map((partition(at) ++ values)(_))
    }

    /** The start row after a match; an empty match does not ask the skip clause. */
    private def next(start: Int, mappings: IndexedSeq[Mapping]): Either[String, Int] =
      query.afterMatch match {
        case _ if mappings.isEmpty           => Right(start + 1)
        case AfterMatch.PastLastRow          => Right(start + mappings.size)
        case AfterMatch.ToNextRow            => Right(start + 1)
        case AfterMatch.ToFirst(variable, _) =>
          target(start, mappings.indexWhere(isMapped(_, variable)))
        case AfterMatch.ToLast(variable, _) =>
          target(start, mappings.lastIndexWhere(isMapped(_, variable)))
        case AfterMatch.NoSkip => Right(start + 1)
      }

    private def isMapped(mapping: Mapping, variable: RowVariable): Boolean =
      variable.contains(mapping.variable)

    private def target(start: Int, offset: Int): Either[String, Int] = offset match {
      case later if later > 0        => Right(start + later)
      case _ if nextRowOnInvalidSkip => Right(start + 1)
      case 0                         => Left(skipToFirstRow)
      case _                         => Left(skipTargetMissing)
    }
  }

  private val showsTimeouts = query.rowsPerMatch.showTimeouts

  private val showsUnmatched = query.rowsPerMatch match {
    case RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows, _) => true
    case _                                                       => false
  }
}

/** A row at which matches are searched for, and the number that the first of them gets. */
final case class StartRow(row: Int, number: Long)

/** A match from a start row, or a partial match that timed out. */
final case class ReferenceMatch(start: Int, mappings: IndexedSeq[Mapping], timedOut: Boolean) {
  def rows: Range = start until start + mappings.size

  /** The rows that are mapped to a variable. */
  def rowsOf(variable: Int): Seq[Int] = rows.filter(r => mappings(r - start).variable == variable)
}

/**
 * A test of a row for a variable.
 *
 * @param before
 *   the variables of the rows before it from the start row on, -1 where one is passed over
 * @param value
 *   of the condition; null is neither true nor false
 */
final case class ReferenceTest(variable: Int, row: Int, before: IndexedSeq[Int], value: Any)

/**
 * What the search of a partition came to.
 *
 * @param failure
 *   the condition of the error that ended it
 */
final case class SearchedPartition(
    rows: IndexedSeq[Map[String, Any]],
    matches: Seq[ReferenceMatch],
    starts: Seq[StartRow],
    failure: Option[String])

object ReferenceEvaluator {
  val skipTargetMissing: String = "MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH"
  val skipToFirstRow: String    = "MATCH_RECOGNIZE.SKIP_TO_FIRST_ROW_OF_MATCH"
}

package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{AfterMatch, EmptyMatches, RowVariable, RowsPerMatch}

/**
 * The rows that a clause gives, by the contract and by nothing else (rules 10 to 15).
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
      val partition = rows.filter(key(_) == k).sortBy(_(query.orderBy).asInstanceOf[Long])
      new Search(partition.toIndexedSeq).answer()
    }
    val failures = answers.collect { case Left(condition) => condition }
    if (failures.nonEmpty) {
      Left(failures.toSet)
    } else {
      Right(answers.collect { case Right(found) => found }.flatten)
    }
  }

  private def key(row: Map[String, Any]): Seq[Any] = query.partitionBy.map(row)

  /** The search through one partition. */
  final private class Search(partition: IndexedSeq[Map[String, Any]]) {
    private var output  = Vector.empty[Seq[Any]]
    private var matches = 0L
    // Behind the last row that a match covers.
    private var covered = 0

    def answer(): Either[String, Seq[Seq[Any]]] = {
      var start   = 0
      var failure = Option.empty[String]
      while (failure.isEmpty && start < partition.size)
        findMatch(start) match {
          case None =>
            if (showsUnmatched && start >= covered) output :+= row(start, _ => null)
            start += 1
          case Some(mappings) =>
            matches += 1
            emit(start, mappings)
            covered = math.max(covered, start + mappings.size)
            next(start, mappings) match {
              case Right(row)      => start = row
              case Left(condition) => failure = Some(condition)
            }
        }
      failure.toLeft(output)
    }

    private def findMatch(start: Int): Option[IndexedSeq[Mapping]] =
      new PatternEnumeration(
        partition.size,
        (variable, _, labels) =>
          definitions.get(variable).forall { condition =>
            evaluation(start, labels :+ variable, matches + 1)
              .value(condition, labels.size + 1) == true
          }
      ).firstMatch(query.pattern, start)

    private def evaluation(start: Int, labels: IndexedSeq[Int], number: Long) =
      new ExpressionEvaluation(partition, start, labels, number, query.variables, query.members)

    private def emit(start: Int, mappings: IndexedSeq[Mapping]): Unit = {
      val measures = evaluation(start, mappings.map(_.variable), matches)
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
        case AfterMatch.NoSkip => throw new IllegalArgumentException("not in the standard")
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

  private val showsUnmatched =
    query.rowsPerMatch == RowsPerMatch.AllRows(EmptyMatches.WithUnmatchedRows)
}

object ReferenceEvaluator {
  val skipTargetMissing: String = "MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH"
  val skipToFirstRow: String    = "MATCH_RECOGNIZE.SKIP_TO_FIRST_ROW_OF_MATCH"
}

package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}

import org.matchrecognize.spark.expressions.SameExpression

/**
 * What the optimizer has taken from the filters above a clause, and from its own conditions, to
 * save work below. EXPLAIN shows it in SQL.
 *
 * @param keys
 *   filters on partition keys below the clause
 * @param starts
 *   filters on the first row of a match that are part of its variable's condition
 * @param rows
 *   filters below the clause that drop rows which no match can show, as they were pushed: by these
 *   a rule knows what it has done
 * @param lastMatch
 *   the last MATCH_NUMBER that is needed
 */
final case class Pushed(
    keys: Seq[Expression] = Nil,
    starts: Seq[Expression] = Nil,
    rows: Seq[Expression] = Nil,
    lastMatch: Option[Long] = None) {

  def upTo(matchNumber: Long): Pushed =
    copy(lastMatch = Some(lastMatch.fold(matchNumber)(math.min(_, matchNumber))))

  /** Whether rows are filtered by this condition, in this form or another with the same meaning. */
  def holds(condition: Expression): Boolean = rows.exists(SameExpression(_, condition))

  /**
   * What of this makes a difference to the result. Everything else is in the conditions and below
   * the clause, too.
   */
  def canonicalized: Pushed = Pushed(lastMatch = lastMatch)

  /** By kind, for EXPLAIN. */
  def texts: Seq[String] = described.map(_.shown)

  /** The same, as a checkpoint has it. */
  def described: Seq[Described] = {
    def all(kind: String, conditions: Seq[Expression]) =
      conditions.map(c =>
        Described(s"$kind ${Pushed.sql(c)}", s"$kind ${Meaning.ofColumns.of(c)}"))
    all("partitions", keys) ++ all("starts", starts) ++ all("rows", rows) ++
      lastMatch.map(n => Described(s"matches up to number $n"))
  }
}

object Pushed {

  /** In SQL, without the names of tables and views: Spark drops these in some plans. */
  def sql(condition: Expression): String = condition.transform {
    case column: AttributeReference =>
      column.withQualifier(Nil)
  }.sql
}

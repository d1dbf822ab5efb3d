package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  Expression,
  ExpressionSet,
  SortOrder
}
import org.apache.spark.sql.catalyst.plans.logical.{
  LogicalPlan,
  Statistics,
  SupportsNonDeterministicExpression,
  UnaryNode
}
import org.apache.spark.sql.catalyst.util.truncatedString

import org.matchrecognize.spark.pattern.{
  AfterMatch,
  PrimaryVariable,
  RowPattern,
  RowVariable,
  RowsPerMatch
}
import org.matchrecognize.spark.pattern.flink.FlinkCompiler
import org.matchrecognize.spark.pattern.program.{Program, ProgramCompiler}

/**
 * The settings of a session that a clause was analyzed under: part of the plan, so that views keep
 * theirs and executors need no session.
 *
 * @param relaxedSkip
 *   `invalidSkip = nextRow`
 * @param maxSteps
 *   budget of thread steps
 * @param maxMatchesPerStart
 *   budget of matches of one start row, with AFTER MATCH NO SKIP
 * @param spillThreshold
 *   rows of a partition held in memory
 * @param matcher
 *   how to search: auto, fused, automaton or threads
 * @param zone
 *   the session's time zone
 */
final case class MatchSettings(
    relaxedSkip: Boolean,
    maxSteps: Long,
    maxMatchesPerStart: Long,
    spillThreshold: Int,
    matcher: String,
    zone: String)

/**
 * MATCH_RECOGNIZE, resolved: what the user means. It emits the partition columns and the
 * measures with ONE ROW PER MATCH, all input columns and the measures with ALL ROWS PER MATCH; the
 * projection above it, made with it, gives the columns their order and names.
 *
 * @param partition
 *   partition keys, columns of the child
 * @param order
 *   ORDER BY over columns of the child
 * @param conditions
 *   by variable; a true literal for an undefined one
 * @param measures
 *   expressions, in parallel with `measureOutput`
 * @param clause
 *   PATTERN and the options
 * @param pushed
 *   what the optimizer took from above
 * @param eventTimes
 *   columns of the output that have a watermark in a streaming query: all that can have one, and
 *   once the query is written the one that the next operator with state uses; their metadata is that
 *   of the output
 * @param handsOn
 *   the number of the clause in its streaming query, if an operator with state follows it
 */
case class MatchRecognize(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    measures: Seq[Expression],
    measureOutput: Seq[Attribute],
    clause: ResolvedClause,
    child: LogicalPlan,
    pushed: Pushed = Pushed(),
    eventTimes: Seq[Attribute] = Nil,
    handsOn: Option[Int] = None)
    extends UnaryNode
    with SupportsNonDeterministicExpression {

  /**
   * In MEASURES over a stream Spark writes the current time as an expression that is not
   * deterministic, until it plans a micro-batch. Other such expressions are refused before.
   */
  override def allowNonDeterministicExpression: Boolean = child.isStreaming

  override def output: Seq[Attribute] =
    MatchRecognize.output(clause.rows, partition, child.output, measureOutput).map { column =>
      eventTimes.find(_.exprId == column.exprId) match {
        case Some(time)                     => column.withMetadata(time.metadata)
        case None if Watermarks.has(column) =>
          column.withMetadata(Watermarks.remove(column.metadata))
        case None => column
      }
    }

  override def producedAttributes: AttributeSet = AttributeSet(measureOutput)

  override protected lazy val validConstraints: ExpressionSet = child.constraints

  /** With ALL ROWS, a row can be in many matches: it is not known how many rows there are. */
  override def stats: Statistics =
    clause.rows match {
      case _: RowsPerMatch.AllRows if clause.afterMatch != AfterMatch.PastLastRow =>
        Statistics(sizeInBytes = conf.defaultSizeInBytes)
      case _ => super.stats
    }

  // The child's hidden columns (_metadata) do not pass through.
  override def metadataOutput: Seq[Attribute] = Nil

  override def simpleString(maxFields: Int): String =
    s"MatchRecognize ${clause.describe(partition, order)}" +
      truncatedString(pushed.texts, " pushed: [", ", ", "]", maxFields)

  override protected def doCanonicalize(): LogicalPlan = super.doCanonicalize() match {
    case m: MatchRecognize => m.copy(pushed = pushed.canonicalized)
    case other             => other
  }

  override protected def withNewChildInternal(newChild: LogicalPlan): MatchRecognize =
    copy(child = newChild)
}

object MatchRecognize {

  /** The columns of the node, logical and physical. */
  def output(
      rows: RowsPerMatch,
      partition: Seq[Attribute],
      input: Seq[Attribute],
      measures: Seq[Attribute]): Seq[Attribute] = rows match {
    case _: RowsPerMatch.OneRow  => partition ++ measures
    case _: RowsPerMatch.AllRows => input ++ measures
  }
}

/**
 * The parts of a resolved clause that hold no expressions.
 *
 * @param conditionTexts
 *   DEFINE's conditions by variable, as the user wrote them; None for a variable without one
 * @param meaning
 *   what the clause means, over a streaming table
 * @param isByArrival
 *   whether the rows of a stream are searched in the order in which they arrive
 */
final case class ResolvedClause(
    pattern: RowPattern,
    variables: Seq[PrimaryVariable],
    conditionTexts: Seq[Option[String]],
    meaning: Option[ClauseMeaning],
    rows: RowsPerMatch,
    afterMatch: AfterMatch,
    within: Option[Within],
    flinkDialect: Boolean,
    isByArrival: Boolean,
    settings: MatchSettings) {

  /** The pattern, compiled by the rules of the dialect: once on the driver, and once in a task. */
  @transient lazy val program: Program =
    if (flinkDialect) FlinkCompiler.compile(pattern) else ProgramCompiler.compile(pattern)

  /** PATTERN's content in SQL. */
  def patternSql: String = RowPattern.sql(pattern, variables(_).name)

  /** The same with variables by their ids, which they have by their places in the pattern. */
  def patternMeaning: String = RowPattern.sql(pattern, id => s"v$id")

  /** AFTER MATCH in the same way. */
  def skipMeaning: String = {
    def to(place: String, variable: RowVariable) = s"$place ${variable.members.mkString(", ")}"
    afterMatch match {
      case AfterMatch.ToFirst(variable, _) => to("first", variable)
      case AfterMatch.ToLast(variable, _)  => to("last", variable)
      case other                           => other.sql
    }
  }

  /** One line for EXPLAIN. */
  def describe(partition: Seq[Attribute], order: Seq[SortOrder]): String = {
    val by     = if (partition.isEmpty) "" else partition.mkString("PARTITION BY ", ", ", " ")
    val sorted = if (order.isEmpty) "" else order.mkString("ORDER BY ", ", ", " ")
    val bound  = within.map(w => s" WITHIN ${w.sql}").mkString
    s"[$by$sorted${rows.sql} AFTER MATCH ${afterMatch.sql} PATTERN ($patternSql)$bound] " +
      s"dialect: ${if (flinkDialect) "flink" else "standard"}"
  }
}

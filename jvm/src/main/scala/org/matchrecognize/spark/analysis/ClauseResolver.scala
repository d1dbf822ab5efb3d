package org.matchrecognize.spark.analysis

import java.util.Locale

import scala.collection.mutable

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Ascending,
  Attribute,
  AttributeMap,
  AttributeReference,
  CurrentTimestamp,
  ExprId,
  Expression,
  Literal,
  NamedExpression,
  OuterReference,
  RowOrdering,
  SortOrder,
  WindowExpression
}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.SessionSettings
import org.apache.spark.sql.types.{BooleanType, DataType, Metadata, NullType}

import org.matchrecognize.spark.errors.{AnalysisErrors, DialectErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.{
  ArrivalNumber,
  MatchNumber,
  MatchProctime,
  MatchTimedOut,
  RowAggregate,
  TumblingWindow
}
import org.matchrecognize.spark.logical.{
  ClauseMeaning,
  ColumnDefinitions,
  MatchRecognize,
  ResolvedClause,
  UnresolvedMatchRecognize,
  Watermarks
}
import org.matchrecognize.spark.pattern.{AfterMatch, NameIndex, RowPattern, RowsPerMatch}
import org.matchrecognize.spark.pattern.flink.FlinkCompiler
import org.matchrecognize.spark.pattern.program.{
  PermuteTooLarge,
  Program,
  ProgramCompiler,
  ProgramTooLarge
}

/**
 * Resolves one clause.
 *
 * @param ctes
 *   the common tables of the statement, by Spark's numbers
 */
final private[analysis] class ClauseResolver(
    written: UnresolvedMatchRecognize,
    ctes: Map[Long, LogicalPlan])
    extends Logging {

  private val clause = CharPadding.pad(written)

  /**
   * A key: the column that holds it, and whether the user sees it. The column has the entries of
   * maps in place of them if `withMaps` is the type of the key.
   */
  private case class Key(
      column: Attribute,
      computed: Option[Alias],
      visible: Boolean,
      withMaps: Option[DataType] = None)

  private val flinkDialect = SessionSettings.flinkDialect(SQLConf.get)

  private val allRows = clause.rows.isInstanceOf[RowsPerMatch.AllRows]

  def resolve(): LogicalPlan = {
    checkKeys()
    warnOfSkip()
    warnOfOperators()
    val columnsBelow = new ColumnsBelow
    val partition    = clause.partition.zip(clause.partitionNames).map { case (e, name) =>
      MapKeys.entries(e) match {
        case Some(entries) =>
          key(entries, name.orElse(Some(nameOf(e))), visible = true, columnsBelow)
            .copy(withMaps = Some(e.dataType))
        case None => key(e, name, visible = true, columnsBelow)
      }
    }
    val isByArrival = new ArrivalOrder(clause, flinkDialect, ctes).isAsked
    val order       = clause.order.zip(clause.orderNames).map { case (item, name) =>
      item.child match {
        case time: MatchProctime =>
          val column = Alias(CurrentTimestamp(), name.getOrElse(toPrettySQL(time)))()
          Key(column.toAttribute, Some(column), visible = name.isDefined)
        case other => key(other, name, visible = name.isDefined, columnsBelow)
      }
    } ++ (if (isByArrival) Seq(arrival) else Nil)
    val within = new WithinResolver(clause).resolve()
    val scope  =
      LoweringScope.InMeasures(allRows, order.headOption.map(_.column), clause.rows.showTimeouts)
    val lowering = new ExpressionLowering(scope, columnsBelow)
    val pattern  = dialectPattern()

    val (conditions, lowered) =
      (conditionsWith(columnsBelow), clause.measures.map(lowering.measure))
    // Conditions and measures that can find their rows in matches of the pattern.
    val named: Expression => Expression =
      if (program(pattern).passesOver) AnyVariable.named(_, clause.variables) else identity
    val (tests, measures) = (conditions.map(named), lowered.map(named))
    val keys              = (partition ++ order).flatMap(_.computed)
    val input             = columnsBelow.addTo(clause.child)
    val child             = if (keys.isEmpty) input else Project(input.output ++ keys, input)

    val node = MatchRecognize(
      distinct(partition.map(_.column)),
      clause.order.zip(order).map { case (item, key) => item.copy(child = key.column) } ++
        order.drop(clause.order.size).map(key => SortOrder(key.column, Ascending)),
      tests,
      measures,
      measures.indices.map { i =>
        AttributeReference(
          clause.measureNames(i),
          measures(i).dataType,
          nullable = clause.rows.showUnmatched || !isNeverNull(clause.measures(i), measures(i)),
          // As a column of that name in a SELECT has it: CHAR(n) and comments.
          CharPadding
            .columnOf(clause.measures(i))
            .fold(Metadata.empty)(column => Watermarks.remove(Alias(column, "")().metadata))
        )()
      },
      ResolvedClause(
        pattern,
        clause.variables,
        clause.variables.indices.map(conditionTextOf.get),
        if (child.isStreaming) Some(meaning(tests, measures, child)) else None,
        clause.rows,
        clause.afterMatch.getOrElse(
          if (flinkDialect) AfterMatch.ToNextRow else AfterMatch.PastLastRow),
        within,
        flinkDialect,
        isByArrival,
        Settings.current()
      ),
      child
    )
    if (clause.child.isStreaming) new StreamRules(clause, node, ctes).check()
    val timed  = node.copy(eventTimes = EventTimes.of(node, clause.measures, ctes))
    val typeOf = AttributeMap(partition.flatMap(key => key.withMaps.map(key.column -> _)))
    val output = timed.output.map(column => column.exprId -> column).toMap
    Project(
      columns(timed, partition, order).map { column =>
        val shown =
          typeOf.get(column).fold[Expression](output(column.exprId))(MapKeys.maps(column, _))
        Alias(shown, column.name)()
      },
      timed
    )
  }

  /** On an empty match all measures can be NULL but these (semantics.md: Row pattern functions). */
  private def isNeverNull(written: Expression, lowered: Expression): Boolean =
    (written, lowered) match {
      case (MatchTimedOut(), _)                    => true
      case (_, MatchNumber())                      => true
      case (_, RowAggregate(_, _, _: Count, _, _)) => true
      case _                                       => false
    }

  /** Returns a key as a column. If it is none, a projection below the node computes it. */
  private def key(
      e: Expression,
      name: Option[String],
      visible: Boolean,
      columnsBelow: ColumnsBelow): Key = {
    def computed(as: String, visible: Boolean): Key = {
      val alias = Alias(columnsBelow.extractMembership(e), as)()
      Key(alias.toAttribute, Some(alias), visible)
    }
    (e, name) match {
      case (column: Attribute, None) => Key(column, None, visible = true)
      case (Alias(child, as), None)  => key(child, Some(as), visible, columnsBelow)
      case (_, Some(as))             => computed(as, visible = true)
      case (_, None)                 => computed(nameOf(e), visible)
    }
  }

  /** The key by which rows of one time are in the order of arrival. */
  private def arrival: Key = {
    val column = Alias(ArrivalNumber(), "arrival()")()
    Key(column.toAttribute, Some(column), visible = false)
  }

  /** As GROUP BY names it. */
  private def nameOf(key: Expression): String = key match {
    case column: NamedExpression => column.name
    case window: TumblingWindow  => window.prettyName
    case other                   => toPrettySQL(other)
  }

  /** The first aggregate that is no window function. */
  private def aggregate(key: Expression): Option[Expression] = key match {
    case _: WindowExpression    => None
    case _: AggregateExpression => Some(key)
    case other                  => other.children.flatMap(aggregate).headOption
  }

  /** Keys are computed below the clause, row by row, and must be orderable. */
  private def checkKeys(): Unit = {
    val keys =
      clause.partition.map(_ -> "PARTITION BY") ++ clause.order.map(_.child -> "ORDER BY")
    keys.zip(clause.keySpans).foreach { case ((key, place), span) =>
      key.foreach {
        case outer: OuterReference =>
          throw MatchRecognizeErrors.analysis(
            AnalysisErrors.OuterReference,
            outer.origin,
            "column" -> outer.name)
        case _ =>
      }
      aggregate(key).foreach(found =>
        throw MatchRecognizeErrors.analysis(
          AnalysisErrors.AggregateInKey,
          found.origin,
          "aggregate" -> toPrettySQL(found),
          "place"     -> place))
      val sorted = if (place == "PARTITION BY") MapKeys.entries(key).getOrElse(key) else key
      if (!RowOrdering.isOrderable(sorted.dataType)) {
        throw MatchRecognizeErrors.analysisAt(
          AnalysisErrors.KeyNotOrderable,
          clause.origin,
          span,
          "key"   -> toPrettySQL(key),
          "type"  -> key.dataType.sql,
          "place" -> place)
      }
    }
  }

  /** Conditions by variable. */
  private lazy val conditionOf: Map[Int, Expression] =
    clause.defined.zip(clause.conditions).toMap
  private lazy val conditionTextOf: Map[Int, String] =
    clause.defined.zip(clause.conditionTexts).toMap

  private def meaning(
      conditions: Seq[Expression],
      measures: Seq[Expression],
      input: LogicalPlan): ClauseMeaning =
    ClauseMeaning.of(
      clause.origin,
      clause.variables,
      clause.variables.indices.map(conditionOf.get),
      conditions,
      measures,
      new ColumnDefinitions(input, ctes),
      input)

  private def conditionsWith(columnsBelow: ColumnsBelow): Seq[Expression] = {
    val lowering = new ExpressionLowering(LoweringScope.InDefine, columnsBelow)
    clause.variables.zipWithIndex.map { case (variable, id) =>
      conditionOf.get(id).fold[Expression](Literal.TrueLiteral) { condition =>
        condition.dataType match {
          case BooleanType => lowering.condition(condition)
          case NullType    => Literal.FalseLiteral
          case other       =>
            throw MatchRecognizeErrors.analysis(
              AnalysisErrors.ConditionNotBoolean,
              condition.origin,
              "variable" -> variable.name,
              "type"     -> other.sql)
        }
      }
    }
  }

  /** Who wrote the query for Flink, and forgot the dialect, gets other matches. */
  private def warnOfSkip(): Unit =
    if (clause.afterMatch.isEmpty && clause.within.nonEmpty &&
      !SessionSettings.isDialectSet(SQLConf.get)) {
      logWarning(
        "MATCH_RECOGNIZE has WITHIN, but no AFTER MATCH. The default of the SQL standard is SKIP " +
          "PAST LAST ROW, that of Flink is SKIP TO NEXT ROW. Write AFTER MATCH (in Python " +
          "after_match), or set spark.sql.matchRecognize.dialect to standard or flink.")
    }

  /** In PATTERN every word is a variable, those that were meant as operators, too. */
  private def warnOfOperators(): Unit =
    clause.variables.zipWithIndex.foreach { case (variable, id) =>
      // In back quotes, a name is longer in the text than by itself.
      val quoted = variable.span.stop - variable.span.start + 1 != variable.name.length
      ClauseResolver.operators.get(variable.name.toUpperCase(Locale.ROOT)).foreach { suggestion =>
        if (!quoted && !clause.defined.contains(id)) {
          logWarning(
            s"MATCH_RECOGNIZE: ${variable.name} in PATTERN is a variable without a condition, " +
              s"which every row satisfies. $suggestion If you mean a variable, write " +
              s"DEFINE ${variable.name} AS TRUE.")
        }
      }
    }

  private def dialectPattern(): RowPattern = {
    val pattern = GapRules.resolve(clause, new QuantifierParameters(clause).bound)
    if (flinkDialect) FlinkRules.resolve(clause, pattern) else pattern
  }

  private def program(pattern: RowPattern): Program =
    try
      if (flinkDialect) FlinkCompiler.compile(pattern)
      else ProgramCompiler.compile(pattern)
    catch {
      case PermuteTooLarge(size, limit, span) =>
        throw MatchRecognizeErrors.analysisAt(
          AnalysisErrors.PermuteTooLarge,
          clause.origin,
          span,
          "size"  -> size.toString,
          "limit" -> limit.toString)
      case ProgramTooLarge(limit) =>
        throw MatchRecognizeErrors.analysisAt(
          DialectErrors.PatternTooLarge,
          clause.origin,
          pattern.span,
          "limit" -> limit.toString)
    }

  /** The output columns in their order (semantics.md: Output columns), with no name twice. */
  private def columns(
      node: MatchRecognize,
      partition: Seq[Key],
      order: Seq[Key]): Seq[Attribute] = {
    val keys = partition.map(_.column -> "PARTITION BY") ++
      (if (allRows) order.filter(_.visible).map(_.column -> "ORDER BY") else Nil)
    val measures = node.measureOutput.map(_ -> "MEASURES")
    val seen     = mutable.HashSet[ExprId]()
    // The entries of these show them.
    clause.partition.foreach {
      case key: Attribute if MapKeys.entries(key).nonEmpty => seen += key.exprId
      case _                                               =>
    }
    val first = (keys ++ measures).filter { case (column, _) => seen.add(column.exprId) }
    // The input may have a column twice.
    val rest    = if (allRows) clause.child.output.filterNot(c => seen(c.exprId)) else Nil
    val columns = first ++ rest.map(_ -> "the input")
    if (columns.isEmpty) {
      throw MatchRecognizeErrors.analysis(AnalysisErrors.NoOutputColumn, clause.origin)
    }
    checkNames(columns)
    columns.map(_._1)
  }

  private def checkNames(columns: Seq[(Attribute, String)]): Unit = {
    val before = new NameIndex(SQLConf.get.resolver)
    columns.foreach { case (column, source) =>
      before.find(column.name).foreach { other =>
        throw MatchRecognizeErrors.analysis(
          AnalysisErrors.DuplicateOutputColumn,
          measureOrigin(column),
          "name"    -> s"`${column.name}`",
          "sources" -> s"one from ${columns(other)._2}, one from $source"
        )
      }
      before.add(column.name)
    }
  }

  private def measureOrigin(column: Attribute) = {
    val resolver = SQLConf.get.resolver
    clause.measureNames.indexWhere(resolver(_, column.name)) match {
      case -1    => clause.origin
      case index => clause.measures(index).origin
    }
  }

  private def distinct(columns: Seq[Attribute]): Seq[Attribute] =
    columns.foldLeft(Vector.empty[Attribute]) { (seen, column) =>
      if (seen.exists(_.exprId == column.exprId)) seen else seen :+ column
    }
}

private object ClauseResolver {

  /** Words that are operators elsewhere, and what to write for them in a pattern. */
  private val operators: Map[String, String] = Map(
    "OR"  -> "For an alternative, write A | B.",
    "AND" -> "For a sequence, write A B, and for any order PERMUTE(A, B).",
    "NOT" -> "For a row that is not a B, write [^B], or define a variable with NOT."
  )
}

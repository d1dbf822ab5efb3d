package org.matchrecognize.spark.parser

import org.apache.spark.QueryContext
import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.parser.{
  HybridParameterContext,
  NamedParameterContext,
  ParameterContext,
  ParameterHandler,
  ParameterLocation,
  ParserInterface,
  PositionMapper,
  PositionalParameterContext,
  Substitution
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, SQLQueryContext}
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.parser.grammar.QuantifierGrammar
import org.matchrecognize.spark.text.Span

/**
 * What Spark 4.1 and later ask of a parser beyond 4.0: parameters of statements with a clause.
 *
 * Spark writes the parameters' literals into the statement before it parses it, so that a marker may
 * occur wherever a literal may: `INTERVAL :n MINUTE`, `IDENTIFIER(:t)`, `{:low,:high}`, in the text
 * of a view. To find the markers it uses a parser of its own, which does not know the clause. Here
 * our grammar finds them; literals, errors and the map from the new positions to the user's are
 * Spark's.
 */
abstract private[parser] class ParameterizedParser(delegate: ParserInterface)
    extends SparkSqlParser {

  override def parseRoutineParam(sqlText: String): StructType =
    delegate.parseRoutineParam(sqlText)

  override def parsePlanWithParameters(
      sqlText: String,
      parameters: ParameterContext): LogicalPlan =
    whole(sqlText) { statement =>
      if (hasClause(statement)) parseSubstituted(statement, parameters)
      else delegate.parsePlanWithParameters(statement, parameters)
    }

  /** Parses a statement, or that which EXPLAIN MATCH_RECOGNIZE explains. */
  protected def whole(sqlText: String)(parse: String => LogicalPlan): LogicalPlan

  /** True if the statement holds a clause. */
  protected def hasClause(sqlText: String): Boolean

  /** The statement with its variables `${x}` replaced. */
  protected def substituted(sqlText: String): String

  private def parseSubstituted(sqlText: String, context: ParameterContext): LogicalPlan =
    if (SQLConf.get.legacyParameterSubstitutionConstantsOnly) parsePlan(sqlText)
    else {
      val statement = substituted(sqlText)
      val found     = markersIn(statement)
      val markers   = found.all
      if (markers.isEmpty) parsePlan(sqlText)
      else {
        checkBound(statement, markers, context)
        val substitutions = markers.zip(literals(statement, markers, context)).map {
          case (marker, literal) => Substitution(marker.location, literal)
        }
        checkBounds(statement, found.bounded, substitutions)
        parseWith(statement, substitutions)
      }
    }

  /**
   * Between the braces of a bound other literals than integers would be read as something else:
   * `{NULL}` as a stop, `{-1}` as an exclusion.
   */
  private def checkBounds(
      statement: String,
      bounded: Map[Int, Span],
      substitutions: Seq[Substitution]): Unit =
    for {
      substitution <- substitutions
      element      <- bounded.get(substitution.start)
      if !QuantifierGrammar.isBound(substitution.replacement)
    } throw MatchRecognizeErrors.parse(
      AnalysisErrors.InvalidBound,
      statement,
      element,
      "bound" -> substitution.replacement)

  /** The markers in and outside the clauses, in the order of the text. */
  private def markersIn(statement: String): ParameterMarkers =
    if (!statement.exists(c => c == '?' || c == ':')) ParameterMarkers.none
    else
      parse(statement) { parser =>
        ParameterMarkers.in(parser.compoundOrSingleStatement())
      }

  private def parseWith(statement: String, substitutions: Seq[Substitution]): LogicalPlan = {
    val text   = ParameterMarkers.replace(statement, substitutions)
    val mapper = PositionMapper(statement, text, substitutions.toList)
    val origin = CurrentOrigin.get.copy(
      startIndex = Some(0),
      stopIndex = Some(text.length - 1),
      sqlText = Some(text),
      positionMapper = Some(mapper))
    CurrentOrigin.withOrigin(origin)(withoutVariables(substitutions)(parsePlan(text)))
  }

  /** A literal is no place for variables: `'${x}'` given as a parameter stays as it is. */
  private def withoutVariables[T](substitutions: Seq[Substitution])(body: => T): T =
    if (!substitutions.exists(_.replacement.contains("${"))) body
    else {
      val conf = SQLConf.get.clone()
      conf.setConf(SQLConf.VARIABLE_SUBSTITUTE_ENABLED, false)
      SQLConf.withExistingConf(conf)(body)
    }

  /** The literals by Spark's own conversion, taken from a statement of nothing but the markers. */
  private def literals(
      statement: String,
      markers: Seq[ParameterMarker],
      context: ParameterContext): Seq[String] = {
    val list        = markers.map(_.in(statement)).mkString(", ")
    val (_, mapper) = ParameterHandler.substituteParameters(s"SELECT $list", context)
    mapper.substitutions.sortBy(_.start).map(_.replacement)
  }

  /** Spark's own error, with the marker underlined in the user's statement. */
  private def checkBound(
      statement: String,
      markers: Seq[ParameterMarker],
      context: ParameterContext): Unit = {
    val (names, count) = context match {
      case NamedParameterContext(parameters)      => (parameters.keySet, 0)
      case PositionalParameterContext(parameters) => (Set.empty[String], parameters.size)
      case HybridParameterContext(arguments, parameterNames) =>
        (parameterNames.filter(_.nonEmpty).toSet, arguments.size)
    }
    val (named, positional) = markers.partition(_.name.isDefined)
    // Both kinds in one statement: Spark says so when it converts the literals.
    if (named.isEmpty || positional.isEmpty) {
      named.find(marker => !names(marker.name.get)).foreach { marker =>
        unbound(statement, marker.location, marker.name.get)
      }
      positional.drop(count).headOption.foreach { marker =>
        unbound(statement, marker.location, s"_${marker.location.start}")
      }
    }
  }

  private def unbound(statement: String, place: ParameterLocation, name: String): Nothing = {
    val context: QueryContext = SQLQueryContext(
      line = None,
      startPosition = None,
      originStartIndex = Some(place.start),
      originStopIndex = Some(place.end - 1),
      sqlText = Some(statement),
      originObjectType = None,
      originObjectName = None
    )
    throw new AnalysisException(
      errorClass = "UNBOUND_SQL_PARAMETER",
      messageParameters = Map("name" -> name),
      context = Array(context),
      cause = None)
  }
}

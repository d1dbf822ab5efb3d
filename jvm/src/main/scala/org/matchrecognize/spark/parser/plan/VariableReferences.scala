package org.matchrecognize.spark.parser.plan

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{
  ExpressionWithUnresolvedIdentifier,
  Star,
  UnresolvedAttribute,
  UnresolvedFunction,
  UnresolvedStar
}
import org.apache.spark.sql.catalyst.expressions.{
  ArraysZip,
  Expression,
  LambdaFunction,
  Literal,
  NamedExpression,
  UnresolvedNamedLambdaVariable
}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

import org.matchrecognize.spark.errors.{
  ClauseErrors,
  ErrorCondition,
  MatchRecognizeErrors,
  VariableErrors
}
import org.matchrecognize.spark.expressions.{
  Classifier,
  ColumnPath,
  Navigation,
  QualifiedReference,
  WrittenColumn
}
import org.matchrecognize.spark.parser.clause.MatchRecognizeClause
import org.matchrecognize.spark.pattern.RowVariable
import org.matchrecognize.spark.text.Span

/**
 * In DEFINE and MEASURES `v.` is a variable before it is anything else: `A.price` becomes a reference
 * to price with variable A, `A.s.f` one to field f of s. Done before Spark resolves names, so that no
 * column or alias called like the variable captures it; for `IDENTIFIER('A.price')` as soon as Spark
 * has computed the name. Subqueries are not touched: their plans are no children of the expression.
 */
final private[parser] class VariableReferences(clause: MatchRecognizeClause) {

  private val scope = clause.scope

  def inCondition(expression: Expression): Expression =
    written(qualified(expression, Set.empty))

  def inMeasure(expression: Expression): Expression = expression match {
    case star: Star =>
      refuse(
        star,
        "Write an entry for each column. ALL ROWS PER MATCH returns all columns of the input.")
    case value => written(mapped(qualified(value, Set.empty)))
  }

  /** In PARTITION BY and ORDER BY there are no variables. */
  def inKey(expression: Expression): Expression = {
    expression.foreach {
      case star: Star => refuse(star, oneByOne)
      case _          =>
    }
    expression
  }

  /** A column alone in its place keeps the place. */
  private def written(expression: Expression): Expression = expression match {
    case column @ (_: UnresolvedAttribute | _: ColumnPath) =>
      CurrentOrigin.withOrigin(column.origin)(WrittenColumn(column))
    case identifier: ExpressionWithUnresolvedIdentifier =>
      IdentifierClause.andThen(identifier)(written)
    case other => other
  }

  /** Refuses references to variables that no row is ever mapped to. */
  private def mapped(expression: Expression): Expression = expression.transform {
    case reference: QualifiedReference =>
      checkMapped(reference.variable, reference.origin)
      reference
    case classifier @ Classifier(Some(variable)) =>
      checkMapped(variable, classifier.origin)
      classifier
    case identifier: ExpressionWithUnresolvedIdentifier =>
      IdentifierClause.andThen(identifier)(mapped)
  }

  /** `lambda` holds the names that lambda functions around bind: they hide variables. */
  private def qualified(expression: Expression, lambda: Set[String]): Expression =
    expression match {
      case attribute: UnresolvedAttribute =>
        reference(attribute.nameParts, attribute.origin).getOrElse(attribute)
      // Spark's builder makes every name in a lambda function's body one of these.
      case name: UnresolvedNamedLambdaVariable if !lambda(normal(name.nameParts.head)) =>
        reference(name.nameParts, name.origin).getOrElse(name)
      case LambdaFunction(_, arguments, _) =>
        val bound = arguments.map((argument: NamedExpression) => normal(argument.name))
        expression.mapChildren(qualified(_, lambda ++ bound))
      // Its fields have the names of its arguments, which are looked for before those are resolved.
      case zip: UnresolvedFunction if isArraysZip(zip) =>
        CurrentOrigin
          .withOrigin(zip.origin)(ArraysZip(zip.arguments))
          .mapChildren(qualified(_, lambda))
      case function: UnresolvedFunction =>
        function.mapChildren {
          case star: Star => countedStar(star, function)
          case argument   => qualified(argument, lambda)
        }
      case star: Star                                    => refuse(star, oneByOne)
      case Navigation(kind, semantics, argument, offset) =>
        CurrentOrigin.withOrigin(expression.origin) {
          val rows = written(qualified(offset, lambda))
          Navigation(kind, semantics, qualified(argument, lambda), rows)
        }
      case identifier: ExpressionWithUnresolvedIdentifier =>
        IdentifierClause
          .andThen(identifier)(qualified(_, lambda))
          .mapChildren(qualified(_, lambda))
      case other => other.mapChildren(qualified(_, lambda))
    }

  private def isArraysZip(function: UnresolvedFunction): Boolean =
    function.nameParts.map(_.toLowerCase(Locale.ROOT)) == Seq("arrays_zip") &&
      !function.isDistinct && function.filter.isEmpty

  /** What a name of several parts means; None for a plain name. */
  private def reference(nameParts: Seq[String], origin: Origin): Option[Expression] =
    if (nameParts.size < 2) None
    else
      Some(CurrentOrigin.withOrigin(origin) {
        scope.find(nameParts.head) match {
          case Some(variable) => QualifiedReference(variable, column(nameParts.tail))
          case None           => column(nameParts)
        }
      })

  private def column(nameParts: Seq[String]): Expression =
    if (nameParts.size == 1) UnresolvedAttribute(nameParts) else ColumnPath(nameParts)

  /** `COUNT(A.*)` counts the rows mapped to A. Spark's parser has made a constant of `COUNT(*)`. */
  private def countedStar(star: Star, function: UnresolvedFunction): Expression = {
    val counts = !function.isDistinct && function.arguments.size == 1 &&
      function.nameParts.map(_.toLowerCase(Locale.ROOT)) == Seq("count")
    variableOf(star) match {
      case Some(variable) if counts =>
        CurrentOrigin.withOrigin(star.origin)(QualifiedReference(variable, Literal(1)))
      case None if counts =>
        val first = scope.variables.head.name
        refuse(
          star,
          s"Write COUNT(*) for all rows of the match, COUNT($first.*) for those mapped to $first.")
      case _ => refuse(star, oneByOne)
    }
  }

  private def variableOf(star: Star): Option[RowVariable] = star match {
    case UnresolvedStar(Some(Seq(name))) => scope.find(name)
    case _                               => None
  }

  private def oneByOne: String = "Write the columns one by one."

  private def refuse(star: Star, suggestion: String): Nothing =
    fail(
      ClauseErrors.StarNotAllowed,
      star.origin,
      "star"       -> star.toString,
      "suggestion" -> suggestion)

  private def checkMapped(variable: RowVariable, origin: Origin): Unit =
    if (!variable.members.exists(scope.mapped))
      fail(VariableErrors.NeverMapped, origin, "variable" -> variable.name)

  private def normal(name: String): String =
    if (scope.caseSensitive) name else name.toLowerCase(Locale.ROOT)

  private def fail(
      condition: ErrorCondition,
      origin: Origin,
      parameters: (String, String)*): Nothing =
    throw MatchRecognizeErrors.parse(
      condition,
      clause.text,
      Span(origin.startIndex.getOrElse(0), origin.stopIndex.getOrElse(0)),
      parameters: _*)
}

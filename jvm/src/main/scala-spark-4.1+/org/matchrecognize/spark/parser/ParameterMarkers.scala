package org.matchrecognize.spark.parser

import scala.collection.mutable.ArrayBuffer

import org.antlr.v4.runtime.ParserRuleContext
import org.antlr.v4.runtime.tree.ParseTree

import org.apache.spark.sql.catalyst.parser.{
  ParameterLocation,
  SubstituteParmsAstBuilder,
  Substitution
}

import org.matchrecognize.spark.parser.clause.{ClauseToken, MatchRecognizeClause}
import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.text.Span

/**
 * `:name` or `?` in a statement.
 *
 * @param name
 *   None for a question mark
 */
final private[parser] case class ParameterMarker(
    name: Option[String],
    location: ParameterLocation) {

  /** As written. */
  def in(statement: String): String = {
    val start = statement.offsetByCodePoints(0, location.start)
    statement.substring(start, statement.offsetByCodePoints(0, location.end))
  }
}

/**
 * The markers of a statement and of the clauses that are hidden in it.
 *
 * @param all
 *   by place
 * @param bounded
 *   the elements of row patterns that markers bound, by the marker's start
 */
final private[parser] case class ParameterMarkers(
    all: Seq[ParameterMarker],
    bounded: Map[Int, Span])

private[parser] object ParameterMarkers {

  val none: ParameterMarkers = ParameterMarkers(Nil, Map.empty)

  def in(tree: ParserRuleContext): ParameterMarkers = {
    val clauses = clausesIn(tree)
    val bounded = for {
      clause      <- clauses
      (marker, i) <- clause.bounds.zipWithIndex
      element     <- RowPattern.boundedBy(clause.pattern, i)
    } yield marker.getStart.getStartIndex -> element.span
    ParameterMarkers(
      (tree +: clauses.flatMap(_.trees)).flatMap(markers).sortBy(_.location.start),
      bounded.toMap)
  }

  private def markers(tree: ParseTree): Seq[ParameterMarker] = {
    val found = new SubstituteParmsAstBuilder().extractParameterLocations(tree)
    val named = for {
      (name, locations) <- found.namedParameterLocations.toSeq
      location          <- locations
    } yield ParameterMarker(Some(name), location)
    named ++ found.positionalParameterLocations.map(ParameterMarker(None, _))
  }

  /** The clauses at a tree's tokens, and those within them. */
  private def clausesIn(tree: ParserRuleContext): Seq[MatchRecognizeClause] = {
    val clauses = scala.collection.mutable.LinkedHashSet.empty[ClauseToken]
    val pending = ArrayBuffer[ParseTree](tree)
    while (pending.nonEmpty)
      pending.remove(pending.size - 1) match {
        case context: ParserRuleContext if !isCursor(context) =>
          context.getStop match {
            case token: ClauseToken => clauses += token
            case _                  =>
          }
          var i = 0
          while (i < context.getChildCount) {
            pending += context.getChild(i)
            i += 1
          }
        case _ =>
      }
    val found = clauses.toSeq.flatMap(_.content.toOption)
    found ++ found.flatMap(_.trees).flatMap(clausesIn)
  }

  /** A cursor's query is given its parameters when the cursor is opened (4.3). */
  private def isCursor(context: ParserRuleContext): Boolean =
    context.getClass.getSimpleName == "DeclareCursorStatementContext"

  /** The statement with literals for markers, as Spark writes it. */
  def replace(statement: String, substitutions: Seq[Substitution]): String =
    substitutions.sortBy(-_.start).foldLeft(statement) { (text, substitution) =>
      val before = text.substring(0, text.offsetByCodePoints(0, substitution.start))
      val after  = text.substring(text.offsetByCodePoints(0, substitution.end))
      // Two strings side by side are one, a quote doubled is a quote within, and -- a comment.
      val joins = before.endsWith("'") || before.endsWith("\"") ||
        before.endsWith("-") && substitution.replacement.startsWith("-")
      before + (if (joins) " " else "") + substitution.replacement + after
    }
}

package org.matchrecognize.spark.parser.hiding

import scala.collection.JavaConverters._
import scala.collection.mutable

import org.antlr.v4.runtime.{ParserRuleContext, Token}
import org.antlr.v4.runtime.tree.{ParseTree, TerminalNode}

import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.{
  JoinCriteriaContext,
  MergeIntoTableContext,
  RelationPrimaryContext
}

import org.matchrecognize.spark.errors.{ClauseErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.parser.clause.ClauseToken
import org.matchrecognize.spark.parser.tokens.TokenCursor

/**
 * Whether each hidden clause follows a table. Asked of Spark's finished parse tree, not while
 * the plan is built: Spark does not build all that it parses (the body of a CREATE FUNCTION).
 */
private[parser] object ClausePositions {

  /** Throws the first error of the clauses in the text's order, then lets the trees cover them. */
  def check(trees: Seq[ParseTree], clauses: Seq[ClauseToken], statement: String): Unit =
    if (clauses.nonEmpty) {
      val positions = new ClausePositions(trees)
      clauses.foreach { clause =>
        def misplaced(condition: ErrorCondition): ParseException =
          MatchRecognizeErrors.parse(condition, statement, clause.span)
        if (positions.joins(clause)) throw misplaced(ClauseErrors.AfterJoin)
        positions.cut.get(clause).foreach { word =>
          throw MatchRecognizeErrors.parse(
            ClauseErrors.TablePartAfterClause,
            statement,
            TokenCursor.span(word),
            "found" -> word.getText)
        }
        if (!positions.tables(clause)) throw misplaced(ClauseErrors.NotAfterTable)
        clause.content.left.foreach(error => throw error)
      }
      clauses.foreach(_.extendOverClause())
    }

  /** The clause after the source of a MERGE, which to Spark's grammar is no table but a name or query. */
  def ofMergeSource(merge: MergeIntoTableContext): Option[ClauseToken] =
    // Where there is no alias, the rule ends with the token before it.
    merge.sourceAlias.getStop match {
      case clause: ClauseToken if !clause.afterPipe => Some(clause)
      case _                                        => None
    }
}

final private class ClausePositions(trees: Seq[ParseTree]) {

  /** The clauses that end tables or pipes. */
  val tables: mutable.Set[ClauseToken] = mutable.Set.empty

  /** The clauses that end what a join is on. */
  val joins: mutable.Set[ClauseToken] = mutable.Set.empty

  /** The clauses inside of a table, with the word that continues it: `t <> TABLESAMPLE (...)`. */
  val cut: mutable.Map[ClauseToken, Token] = mutable.Map.empty

  visit()

  private def visit(): Unit = {
    // A stack of our own: trees of long expressions are deep.
    val pending = mutable.ArrayBuffer(trees: _*)
    while (pending.nonEmpty) {
      val tree = pending.remove(pending.size - 1)
      tree match {
        case merge: MergeIntoTableContext => tables ++= ClausePositions.ofMergeSource(merge)
        case context: ParserRuleContext   =>
          context.getStop match {
            case clause: ClauseToken => place(context, clause)
            case _                   =>
          }
          context match {
            case table: RelationPrimaryContext => findCut(table)
            case _                             =>
          }
        case _ =>
      }
      var i = 0
      while (i < tree.getChildCount) {
        pending += tree.getChild(i)
        i += 1
      }
    }
  }

  private def place(context: ParserRuleContext, clause: ClauseToken): Unit = context match {
    case _: RelationPrimaryContext if !clause.afterPipe      => tables += clause
    case _: JoinCriteriaContext                              => joins += clause
    case _ if PipeSyntax.isPipe(context) && clause.afterPipe => tables += clause
    case _                                                   =>
  }

  private def findCut(table: RelationPrimaryContext): Unit = {
    val parts = table.children.asScala.filter(_.getText.nonEmpty)
    for ((part, next) <- parts.zip(parts.drop(1))) (last(part), next) match {
      case (clause: ClauseToken, more: ParserRuleContext) if !clause.afterPipe =>
        cut(clause) = more.getStart
      case _ =>
    }
  }

  private def last(part: ParseTree): Token = part match {
    case leaf: TerminalNode         => leaf.getSymbol
    case context: ParserRuleContext => context.getStop
    case other => throw new IllegalStateException(s"${other.getClass} in a table")
  }
}

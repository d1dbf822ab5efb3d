package org.matchrecognize.spark.parser.hiding

import scala.collection.mutable

import org.antlr.v4.runtime.ParserRuleContext
import org.antlr.v4.runtime.tree.ParseTree

import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.{
  JoinCriteriaContext,
  MergeIntoTableContext,
  RelationPrimaryContext
}

import org.matchrecognize.spark.errors.{ClauseErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.parser.clause.AnchorToken

/**
 * Whether each hidden clause follows a table. Asked of Spark's finished parse tree, not while
 * the plan is built: Spark does not build all that it parses (the body of a CREATE FUNCTION).
 */
private[parser] object AnchorPlaces {

  /** Throws the first error of the clauses in the text's order, then lets the trees cover them. */
  def check(trees: Seq[ParseTree], anchors: Seq[AnchorToken], statement: String): Unit =
    if (anchors.nonEmpty) {
      val (tables, joins) = ends(trees)
      anchors.foreach { anchor =>
        def misplaced(condition: ErrorCondition): ParseException =
          MatchRecognizeErrors.parse(condition, statement, anchor.place)
        if (joins(anchor)) throw misplaced(ClauseErrors.AfterJoin)
        if (!tables(anchor)) throw misplaced(ClauseErrors.NotAfterTable)
        anchor.content.left.foreach(error => throw error)
      }
      anchors.foreach(_.extendOverClause())
    }

  /** The clause after the source of a MERGE, which to Spark's grammar is no table but a name or query. */
  def ofMergeSource(merge: MergeIntoTableContext): Option[AnchorToken] =
    // Where there is no alias, the rule ends with the token before it.
    merge.sourceAlias.getStop match {
      case anchor: AnchorToken if !anchor.afterPipe => Some(anchor)
      case _                                        => None
    }

  /** The anchors that end tables or pipes, and those that end what a join is on. */
  private def ends(
      trees: Seq[ParseTree]): (mutable.Set[AnchorToken], mutable.Set[AnchorToken]) = {
    val tables = mutable.Set.empty[AnchorToken]
    val joins  = mutable.Set.empty[AnchorToken]
    // A stack of our own: trees of long expressions are deep.
    val pending = mutable.ArrayBuffer(trees: _*)
    while (pending.nonEmpty) {
      val tree = pending.remove(pending.size - 1)
      tree match {
        case merge: MergeIntoTableContext => tables ++= ofMergeSource(merge)
        case context: ParserRuleContext   =>
          context.getStop match {
            case anchor: AnchorToken =>
              context match {
                case _: RelationPrimaryContext if !anchor.afterPipe      => tables += anchor
                case _: JoinCriteriaContext                              => joins += anchor
                case _ if PipeSyntax.isPipe(context) && anchor.afterPipe => tables += anchor
                case _                                                   =>
              }
            case _ =>
          }
        case _ =>
      }
      var i = 0
      while (i < tree.getChildCount) {
        pending += tree.getChild(i)
        i += 1
      }
    }
    (tables, joins)
  }
}

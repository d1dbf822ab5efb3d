package org.matchrecognize.spark.parser.grammar

import java.util.Locale

import scala.collection.mutable

import org.apache.spark.sql.catalyst.parser.SqlBaseParser.ExpressionContext

import org.matchrecognize.spark.errors.{ClauseErrors, VariableErrors}
import org.matchrecognize.spark.parser.clause.{ClauseScope, DefinitionSyntax}
import org.matchrecognize.spark.parser.tokens.{Name, TokenCursor}
import org.matchrecognize.spark.pattern.{AfterMatch, NameIndex, RowVariable, UnionVariable}
import org.matchrecognize.spark.text.Spelling

/** SUBSET name = (members), not yet compared with PATTERN. */
final private[parser] case class SubsetSyntax(name: Name, members: Seq[Name])

/** AFTER MATCH, not yet compared with PATTERN. */
sealed private[parser] trait SkipSyntax

private[parser] object SkipSyntax {

  /** Where no variable is named. */
  final case class Fixed(afterMatch: AfterMatch) extends SkipSyntax

  /** SKIP TO [FIRST|LAST] variable. */
  final case class ToVariable(variable: Name, first: Boolean) extends SkipSyntax
}

/** Holds SUBSET, DEFINE and AFTER MATCH against the variables of PATTERN. */
final private[parser] class VariableAgreement(cursor: TokenCursor, scope: ClauseScope) {

  /** SUBSET: members are variables of PATTERN, names are new. */
  def checkSubsets(subsets: Seq[SubsetSyntax]): Unit = {
    val names  = subsets.map(_.name)
    val before = new NameIndex(scope.same)
    scope.unions = subsets.map { case SubsetSyntax(name, members) =>
      if (scope.primary(name.value).isDefined)
        cursor.fail(VariableErrors.SubsetNameTaken, name.span, "subset" -> name.value)
      if (before.find(name.value).isDefined)
        cursor.fail(VariableErrors.SubsetTwice, name.span, "subset" -> name.value)
      before.add(name.value)
      val ids = members.map { member =>
        scope.primary(member.value).getOrElse {
          if (names.exists(other => scope.same(other.value, member.value)))
            cursor.fail(
              VariableErrors.SubsetNested,
              member.span,
              "subset" -> name.value,
              "member" -> member.value)
          else
            cursor.fail(
              VariableErrors.SubsetUnknownMember,
              member.span,
              "subset"    -> name.value,
              "member"    -> member.value,
              "variables" -> scope.knownPrimary)
        }
      }
      val seen = mutable.Set.empty[Int]
      ids.zip(members).find { case (id, _) => !seen.add(id) }.foreach { case (_, member) =>
        cursor.fail(
          VariableErrors.SubsetMemberTwice,
          member.span,
          "subset" -> name.value,
          "member" -> member.value)
      }
      UnionVariable(scope.shown(name), ids.sorted, name.span)
    }
  }

  /** DEFINE: each entry is for a variable of PATTERN, and none for the same twice. */
  def checkDefinitions(definitions: Seq[(Name, ExpressionContext)]): Seq[DefinitionSyntax] = {
    val seen = mutable.Set.empty[Int]
    val all  = definitions.map { case (name, condition) =>
      val id = scope.primary(name.value).getOrElse {
        if (scope.union(name.value).isDefined)
          cursor.fail(VariableErrors.DefineOfSubset, name.span, "variable" -> name.value)
        else
          cursor.fail(
            VariableErrors.DefineNotInPattern,
            name.span,
            "variable"  -> name.value,
            "variables" -> scope.knownPrimary)
      }
      if (!seen.add(id))
        cursor.fail(VariableErrors.DefinedTwice, name.span, "variable" -> name.value)
      DefinitionSyntax(id, condition)
    }
    scope.lookedAt.foreach { case (id, span) =>
      if (!seen(id))
        cursor.fail(
          VariableErrors.LookedAtUndefined,
          span,
          "variable" -> scope.variables(id).name)
    }
    all
  }

  private def insteadOf(name: Name, first: Boolean): String = {
    val upper    = name.value.toUpperCase(Locale.ROOT)
    val keywords = if (name.quoted) None else SkipWords.insteadOf(upper, first)
    val names    = scope.variables.map(_.name) ++ scope.unions.map(_.name)
    keywords
      .orElse(Spelling.meant(upper, names))
      .fold(s"Write one of the variables ${scope.known}.")(other => s"Did you mean $other?")
  }

  /** AFTER MATCH SKIP TO v: v is mapped by PATTERN, or a union of such. */
  def afterMatch(skip: SkipSyntax): AfterMatch = skip match {
    case SkipSyntax.Fixed(fixed)            => fixed
    case SkipSyntax.ToVariable(name, first) =>
      val variable: RowVariable = scope
        .find(name.value)
        .getOrElse(
          cursor.fail(
            ClauseErrors.UnknownSkipTarget,
            name.span,
            "variable"   -> name.value,
            "suggestion" -> insteadOf(name, first)))
      if (!variable.members.exists(scope.mapped))
        cursor.fail(ClauseErrors.UnmappedSkipTarget, name.span, "variable" -> name.value)
      if (first) AfterMatch.ToFirst(variable, name.span)
      else AfterMatch.ToLast(variable, name.span)
  }
}

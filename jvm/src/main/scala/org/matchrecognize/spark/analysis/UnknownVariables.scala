package org.matchrecognize.spark.analysis

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedFunction}
import org.apache.spark.sql.catalyst.expressions.{Expression, InSubquery}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.UnresolvedColumns

import org.matchrecognize.spark.errors.{AnalysisErrors, FunctionErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/**
 * Says what a name in a clause was probably meant to be, where Spark could only say that there is no
 * such column: `X.price` of an X that is no variable, a variable alone, a function without its
 * parentheses. Of other names it says what Spark says, without the plan that Spark's check prints
 * with it: the clause's node in it is none of the user's business. After resolution, so that
 * whatever else the name can mean comes first. IN over a subquery that returns other columns than
 * it compares with is refused here as well: of that node, Spark would say that it cannot have one.
 */
object UnknownVariables extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case clause: UnresolvedMatchRecognize if clause.childrenResolved =>
        new UnknownNames(clause).check()
      case _ =>
    }
    plan
  }
}

final private class UnknownNames(clause: UnresolvedMatchRecognize) {

  private val columns   = clause.child.output
  private val resolver  = SQLConf.get.resolver
  private val variables = clause.variables.map(_.name) ++ clause.unions.map(_.name)

  def check(): Unit = {
    (clause.partition ++ clause.order ++ clause.within).foreach(_.foreach {
      case name: UnresolvedAttribute => unknownColumn(name)
      case in: InSubquery            => MembershipTest.checkTypes(in)
      case _                         =>
    })
    (clause.measures ++ clause.conditions).foreach(check(_, None))
  }

  /** `call` is the function that takes the expression as its argument. */
  private def check(e: Expression, call: Option[UnresolvedFunction]): Unit = e match {
    case name: UnresolvedAttribute    => refuse(name, call)
    case function: UnresolvedFunction => function.children.foreach(check(_, Some(function)))
    case other                        =>
      other.children.foreach(check(_, None))
      other match {
        case in: InSubquery => MembershipTest.checkTypes(in)
        case _              =>
      }
  }

  private def refuse(name: UnresolvedAttribute, call: Option[UnresolvedFunction]): Nothing = {
    val head = name.nameParts.head
    if (name.nameParts.size > 1) {
      if (isKnown(head)) unknownColumn(name) else unknownVariable(name)
    } else {
      val upper = head.toUpperCase(Locale.ROOT)
      if (variables.exists(resolver(_, head))) variableAlone(name, call)
      else if (ClauseFunctions.withoutArguments.contains(upper)) {
        throw MatchRecognizeErrors.analysis(
          FunctionErrors.WithoutParentheses,
          name.origin,
          "function" -> upper)
      } else unknownColumn(name)
    }
  }

  private def isKnown(name: String): Boolean =
    columns.exists(c => resolver(c.name, name) || c.qualifier.exists(resolver(_, name)))

  private def unknownVariable(name: UnresolvedAttribute): Nothing =
    throw MatchRecognizeErrors.analysis(
      AnalysisErrors.UnknownVariable,
      name.origin,
      "variable"  -> name.nameParts.head,
      "variables" -> variables.mkString(", "))

  /** `COUNT(A)` counts the rows of A in other products' dialects. */
  private def variableAlone(
      name: UnresolvedAttribute,
      call: Option[UnresolvedFunction]): Nothing = {
    val variable   = name.sql
    val column     = columns.headOption.fold("column")(_.name)
    val suggestion = call match {
      case Some(f) if f.nameParts.last.equalsIgnoreCase("count") && !f.isDistinct =>
        s"Write COUNT($variable.*) for the number of rows mapped to it."
      case _ => s"Write a column of its rows, such as $variable.$column."
    }
    throw MatchRecognizeErrors.analysis(
      AnalysisErrors.VariableAlone,
      name.origin,
      "variable"   -> name.nameParts.head,
      "suggestion" -> suggestion)
  }

  private def unknownColumn(name: UnresolvedAttribute): Nothing =
    throw UnresolvedColumns.error(name, columns)
}

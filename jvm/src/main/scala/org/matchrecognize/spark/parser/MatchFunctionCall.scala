package org.matchrecognize.spark.parser

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{
  UnresolvedAttribute,
  UnresolvedFunction,
  UnresolvedStar
}
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.parser.SqlBaseParser.FunctionCallContext
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.types.BooleanType

import org.matchrecognize.spark.errors.{ErrorCondition, FunctionErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.{
  Classifier,
  ExtensionFunction,
  MatchNumber,
  MatchSequenceNumber,
  Navigation,
  NavigationKind,
  WithSemantics
}
import org.matchrecognize.spark.pattern.Span

/** From a call, as Spark's builder made it, to what it means in DEFINE and MEASURES. */
private[parser] object MatchFunctionCall {

  /** Refuses DISTINCT, FILTER and the like, which only aggregates take. */
  def checkPlain(ctx: FunctionCallContext, token: FunctionToken): Unit = {
    def refuse(condition: ErrorCondition, option: String): Nothing =
      throw MatchRecognizeErrors.parse(
        condition,
        TokenCursor.statement(ctx.getStart),
        Span(ctx.getStart.getStartIndex, ctx.getStop.getStopIndex),
        "function" -> token.function.word,
        "option"   -> option,
        "name"     -> token.getText)
    if (ctx.nullsOption != null)
      refuse(FunctionErrors.IgnoreNulls, s"${TokenCursor.word(ctx.nullsOption)} NULLS")
    if (ctx.setQuantifier != null)
      refuse(FunctionErrors.NotPlainCall, TokenCursor.word(ctx.setQuantifier.getStart))
    if (ctx.where != null) refuse(FunctionErrors.NotPlainCall, "FILTER")
    if (ctx.windowSpec != null) refuse(FunctionErrors.NotPlainCall, "OVER")
    if (!ctx.getChild(ctx.getChildCount - 1).getText.equals(")") || ctx.RIGHT_PAREN.size > 1)
      refuse(FunctionErrors.NotPlainCall, "WITHIN GROUP")
  }

  def build(call: Expression, token: FunctionToken): Expression = call match {
    case function: UnresolvedFunction =>
      CurrentOrigin.withOrigin(originWith(call.origin, token.written)) {
        build(function.arguments, token)
      }
    case other =>
      throw new IllegalStateException(s"Spark reads ${token.getText}(...) as ${other.getClass}")
  }

  /** `RUNNING aggregate(...)`, `FINAL aggregate(...)` */
  def withSemantics(call: Expression, token: AggregateToken): Expression =
    token.written.fold(call) { written =>
      CurrentOrigin.withOrigin(originWith(call.origin, token.written)) {
        WithSemantics(written.semantics, call)
      }
    }

  private def build(arguments: Seq[Expression], token: FunctionToken): Expression = {
    token.function match {
      case MatchFunctionWord.First => navigation(NavigationKind.First, arguments, token)
      case MatchFunctionWord.Last => navigation(NavigationKind.Last, arguments, token)
      case MatchFunctionWord.Prev | MatchFunctionWord.Lag =>
        navigation(NavigationKind.Prev, arguments, token)
      case MatchFunctionWord.Next | MatchFunctionWord.Lead =>
        navigation(NavigationKind.Next, arguments, token)
      case MatchFunctionWord.Classifier => classifier(arguments, token)
      case MatchFunctionWord.MatchNumber => withoutArguments(arguments, token)(MatchNumber())
      case MatchFunctionWord.MatchSequenceNumber =>
        withoutArguments(arguments, token)(MatchSequenceNumber())
      case extension @ (MatchFunctionWord.MatchTimedOut | MatchFunctionWord.MatchRowtime |
          MatchFunctionWord.MatchProctime) =>
        withoutArguments(arguments, token)(
          ExtensionFunction(extension.word.toLowerCase(Locale.ROOT)))
    }
  }

  /** `FIRST(e [, n])`, `LAST(e [, n])`, `PREV(e [, n])`, `NEXT(e [, n])` */
  private def navigation(
      kind: NavigationKind,
      arguments: Seq[Expression],
      token: FunctionToken): Expression = {
    val logical = kind == NavigationKind.First || kind == NavigationKind.Last
    if (!logical) refuseSemantics(token)
    arguments match {
      case Seq(_: UnresolvedStar, _*) => wrongArguments(token)
      case Seq(argument) =>
        Navigation(kind, token.written.map(_.semantics), argument, Literal(if (logical) 0 else 1))
      case Seq(argument, flag: Literal) if flag.dataType == BooleanType =>
        fail(
          FunctionErrors.BooleanOffset,
          flag.origin,
          "function"  -> token.function.word,
          "aggregate" -> (if (kind == NavigationKind.First) "first_value" else "last_value"),
          "argument"  -> argument.sql,
          "flag"      -> flag.sql)
      case Seq(argument, offset) =>
        Navigation(kind, token.written.map(_.semantics), argument, offset)
      case Seq(argument, offset, default) if !logical =>
        fail(
          FunctionErrors.DefaultArgument,
          default.origin,
          "function" -> token.function.word,
          "call"     -> s"${token.function.word}(${argument.sql}, ${offset.sql})",
          "default"  -> default.sql)
      case _ => wrongArguments(token)
    }
  }

  /** `CLASSIFIER([variable or subset])` */
  private def classifier(arguments: Seq[Expression], token: FunctionToken): Expression = {
    refuseSemantics(token)
    arguments match {
      case Seq() => Classifier(None)
      case Seq(name: UnresolvedAttribute) if name.nameParts.size == 1 =>
        val variable = token.scope.find(name.nameParts.head)
        if (variable.isEmpty) notAVariable(name, name.nameParts.head, token)
        Classifier(variable)
      case Seq(other) => notAVariable(other, other.sql, token)
      case _ => wrongArguments(token)
    }
  }

  private def notAVariable(at: Expression, found: String, token: FunctionToken): Nothing =
    fail(FunctionErrors.NotAVariable, at.origin, "found" -> found, "known" -> token.scope.known)

  private def withoutArguments(arguments: Seq[Expression], token: FunctionToken)(
      function: => Expression): Expression = {
    refuseSemantics(token)
    if (arguments.nonEmpty) wrongArguments(token)
    function
  }

  private def wrongArguments(token: FunctionToken): Nothing = {
    val word = token.function.word
    val (expected, example) = token.function match {
      case MatchFunctionWord.First | MatchFunctionWord.Last | MatchFunctionWord.Prev |
          MatchFunctionWord.Next | MatchFunctionWord.Lag | MatchFunctionWord.Lead =>
        ("a value and, if you like, a number of rows", s"$word(A.x, 1)")
      case MatchFunctionWord.Classifier => ("one variable or nothing", "CLASSIFIER(A)")
      case _ => ("no argument", s"$word()")
    }
    fail(
      FunctionErrors.WrongArguments,
      CurrentOrigin.get,
      "function" -> word,
      "expected" -> expected,
      "example"  -> example)
  }

  private def refuseSemantics(token: FunctionToken): Unit =
    token.written.foreach { written =>
      val word = token.function.word
      val cure = token.function match {
        case MatchFunctionWord.Prev | MatchFunctionWord.Next | MatchFunctionWord.Lag |
            MatchFunctionWord.Lead =>
          s"Write it inside: $word(${written.semantics.sql} LAST(...))."
        case _ => "Remove it."
      }
      fail(
        FunctionErrors.SemanticsNotAllowed,
        CurrentOrigin.get,
        "semantics" -> written.semantics.sql,
        "found"     -> word,
        "cure"      -> cure)
    }

  /** A call's place, from the word before it on. */
  private def originWith(origin: Origin, written: Option[WrittenSemantics]): Origin =
    written.fold(origin) { case WrittenSemantics(_, keyword) =>
      origin.copy(
        line = Some(keyword.getLine),
        startPosition = Some(keyword.getCharPositionInLine),
        startIndex = Some(keyword.getStartIndex))
    }

  private def fail(
      condition: ErrorCondition,
      origin: Origin,
      parameters: (String, String)*): Nothing =
    throw MatchRecognizeErrors.parse(
      condition,
      origin.sqlText.getOrElse(""),
      Span(origin.startIndex.getOrElse(0), origin.stopIndex.getOrElse(0)),
      parameters: _*)
}

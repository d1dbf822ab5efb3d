package org.matchrecognize.spark.parser.plan

import org.antlr.v4.runtime.Token

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
  MatchNumber,
  MatchProctime,
  MatchRowtime,
  MatchSequenceNumber,
  MatchTimedOut,
  Navigation,
  NavigationKind,
  WithSemantics
}
import org.matchrecognize.spark.parser.clause.{
  AggregateToken,
  FunctionToken,
  MatchFunctionWord,
  WrittenSemantics
}
import org.matchrecognize.spark.parser.tokens.TokenCursor
import org.matchrecognize.spark.text.Span

/** What a call of one of our functions means, held against its arguments. */
final private[parser] class MatchFunctionCall(token: FunctionToken, ctx: FunctionCallContext) {

  def build(arguments: Seq[Expression]): Expression = {
    token.function match {
      case MatchFunctionWord.First => navigation(NavigationKind.First, arguments)
      case MatchFunctionWord.Last  => navigation(NavigationKind.Last, arguments)
      case MatchFunctionWord.Prev | MatchFunctionWord.Lag =>
        navigation(NavigationKind.Prev, arguments)
      case MatchFunctionWord.Next | MatchFunctionWord.Lead =>
        navigation(NavigationKind.Next, arguments)
      case MatchFunctionWord.Classifier          => classifier(arguments)
      case MatchFunctionWord.MatchNumber         => withoutArguments(arguments)(MatchNumber())
      case MatchFunctionWord.MatchSequenceNumber =>
        withoutArguments(arguments)(MatchSequenceNumber())
      case MatchFunctionWord.MatchTimedOut => withoutArguments(arguments)(MatchTimedOut())
      case MatchFunctionWord.MatchRowtime  => withoutArguments(arguments)(MatchRowtime(Nil))
      case MatchFunctionWord.MatchProctime => withoutArguments(arguments)(MatchProctime())
    }
  }

  /** `FIRST(e [, n])`, `LAST(e [, n])`, `PREV(e [, n])`, `NEXT(e [, n])` */
  private def navigation(kind: NavigationKind, arguments: Seq[Expression]): Expression = {
    val logical = kind == NavigationKind.First || kind == NavigationKind.Last
    if (!logical) refuseSemantics()
    arguments match {
      case Seq(_: UnresolvedStar, _*) => wrongArguments()
      case Seq(value)                 =>
        Navigation(kind, token.written.map(_.semantics), value, Literal(if (logical) 0 else 1))
      case Seq(_, flag: Literal) if flag.dataType == BooleanType =>
        fail(
          FunctionErrors.BooleanOffset,
          argument(1),
          "function"  -> token.function.word,
          "aggregate" -> (if (kind == NavigationKind.First) "first_value" else "last_value"),
          "argument"  -> text(0),
          "flag"      -> text(1)
        )
      case Seq(value, offset) =>
        Navigation(kind, token.written.map(_.semantics), value, offset)
      case Seq(_, _, _) if !logical =>
        fail(
          FunctionErrors.DefaultArgument,
          argument(2),
          "function" -> token.function.word,
          "call"     -> s"${token.function.word}(${text(0)}, ${text(1)})",
          "default"  -> text(2)
        )
      case _ => wrongArguments()
    }
  }

  /** `CLASSIFIER([variable or subset])` */
  private def classifier(arguments: Seq[Expression]): Expression = {
    refuseSemantics()
    arguments match {
      case Seq()                                                      => Classifier(None)
      case Seq(name: UnresolvedAttribute) if name.nameParts.size == 1 =>
        val variable = token.scope.find(name.nameParts.head)
        if (variable.isEmpty) notAVariable()
        Classifier(variable)
      case Seq(_) => notAVariable()
      case _      => wrongArguments()
    }
  }

  private def notAVariable(): Nothing =
    fail(
      FunctionErrors.NotAVariable,
      argument(0),
      "found"     -> text(0),
      "variables" -> token.scope.known)

  private def withoutArguments(
      arguments: Seq[Expression])(function: => Expression): Expression = {
    refuseSemantics()
    if (arguments.nonEmpty) wrongArguments()
    function
  }

  private def wrongArguments(): Nothing = {
    val word                = token.function.word
    val (expected, example) = token.function match {
      case MatchFunctionWord.First | MatchFunctionWord.Last | MatchFunctionWord.Prev |
          MatchFunctionWord.Next | MatchFunctionWord.Lag | MatchFunctionWord.Lead =>
        ("a value and optionally a number of rows", s"$word(A.x, 1)")
      case MatchFunctionWord.Classifier => ("one variable or no argument", "CLASSIFIER(A)")
      case _                            => ("no argument", s"$word()")
    }
    fail(
      FunctionErrors.WrongArguments,
      whole,
      "function" -> word,
      "expected" -> expected,
      "example"  -> example)
  }

  private def refuseSemantics(): Unit =
    token.written.foreach { written =>
      val word       = token.function.word
      val suggestion = token.function match {
        case MatchFunctionWord.Prev | MatchFunctionWord.Next | MatchFunctionWord.Lag |
            MatchFunctionWord.Lead =>
          s"Write it inside: $word(${written.semantics.sql} LAST(...))."
        case _ => s"Remove ${written.semantics.sql}."
      }
      fail(
        FunctionErrors.SemanticsNotAllowed,
        whole,
        "semantics"  -> written.semantics.sql,
        "found"      -> word,
        "suggestion" -> suggestion)
    }

  private def whole: Span = {
    val first = token.written.fold[Token](token)(_.token)
    Span(first.getStartIndex, ctx.getStop.getStopIndex)
  }

  /** From the parse tree: Spark shares its TRUE and FALSE, whose origin is that of any statement. */
  private def argument(i: Int): Span = {
    val context = ctx.argument.get(i)
    Span(context.getStart.getStartIndex, context.getStop.getStopIndex)
  }

  /** An argument as the user wrote it. */
  private def text(i: Int): String = TokenCursor.fragment(token, argument(i))

  private def fail(
      condition: ErrorCondition,
      span: Span,
      parameters: (String, String)*): Nothing =
    throw MatchRecognizeErrors.parse(
      condition,
      TokenCursor.statement(token),
      span,
      parameters: _*)
}

/** From a call, as Spark's builder made it, to what it means in DEFINE and MEASURES. */
private[parser] object MatchFunctionCall {

  /** Refuses DISTINCT, FILTER and the like, which only aggregates take. */
  def checkPlain(ctx: FunctionCallContext, token: FunctionToken): Unit = {
    def refuse(condition: ErrorCondition, option: String, more: (String, String)*): Nothing =
      throw MatchRecognizeErrors.parse(
        condition,
        TokenCursor.statement(ctx.getStart),
        Span(ctx.getStart.getStartIndex, ctx.getStop.getStopIndex),
        Seq("function" -> token.function.word, "option" -> option) ++ more: _*
      )
    def notPlain(option: String): Nothing =
      refuse(FunctionErrors.NotPlainCall, option, "name" -> token.getText)
    if (ctx.nullsOption != null)
      refuse(FunctionErrors.IgnoreNulls, s"${TokenCursor.word(ctx.nullsOption)} NULLS")
    if (ctx.setQuantifier != null) notPlain(TokenCursor.word(ctx.setQuantifier.getStart))
    if (ctx.where != null) notPlain("FILTER")
    if (ctx.windowSpec != null) notPlain("OVER")
    if (!ctx.getChild(ctx.getChildCount - 1).getText.equals(")") || ctx.RIGHT_PAREN.size > 1)
      notPlain("WITHIN GROUP")
  }

  def build(call: Expression, token: FunctionToken, ctx: FunctionCallContext): Expression =
    call match {
      case function: UnresolvedFunction =>
        CurrentOrigin.withOrigin(originWith(call.origin, token.written)) {
          new MatchFunctionCall(token, ctx).build(function.arguments)
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

  /** A call's place, from the word before it on. */
  private def originWith(origin: Origin, written: Option[WrittenSemantics]): Origin =
    written.fold(origin) { case WrittenSemantics(_, keyword) =>
      origin.copy(
        line = Some(keyword.getLine),
        startPosition = Some(keyword.getCharPositionInLine),
        startIndex = Some(keyword.getStartIndex))
    }
}

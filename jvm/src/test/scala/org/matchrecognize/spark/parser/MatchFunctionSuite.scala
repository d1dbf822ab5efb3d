package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedFunction}
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}

import org.matchrecognize.spark.errors.{
  AnalysisErrors,
  ClauseErrors,
  ErrorCondition,
  FunctionErrors,
  VariableErrors
}
import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowVariable

/** Functions and references of DEFINE and MEASURES. */
class MatchFunctionSuite extends ParserTest {

  private val a = RowVariable("A", Seq(0))
  private val u = RowVariable("U", Seq(0, 1))

  private def sql(measure: String, condition: String) =
    s"SELECT * FROM t MATCH_RECOGNIZE (MEASURES $measure AS x PATTERN (A B [^C]) SUBSET U = (A, B) " +
      s"DEFINE A AS $condition, C AS v > 1)"

  private def measure(text: String): Expression = one(sql(text, "v > 1")).measures.head

  private def condition(text: String): Expression = one(sql("v", text)).conditions.head

  private def wrong(text: String, error: ErrorCondition, fragment: String): Refusal =
    refused(sql(text, "v > 1"), error, fragment)

  private def column(parts: String*) = UnresolvedAttribute(parts)

  test("navigations with their default offsets") {
    assert(
      measure("FIRST(v)") ==
        Navigation(NavigationKind.First, None, column("v"), Literal(0)))
    assert(
      measure("last(v, 2)") ==
        Navigation(NavigationKind.Last, None, column("v"), Literal(2)))
    assert(measure("PREV(v)") == Navigation(NavigationKind.Prev, None, column("v"), Literal(1)))
    assert(
      measure("NEXT(v, 0)") == Navigation(NavigationKind.Next, None, column("v"), Literal(0)))
  }

  test("LAG and LEAD are PREV and NEXT") {
    assert(condition("LAG(v) > 1") == condition("PREV(v) > 1"))
    assert(condition("LEAD(v, 3) > 1") == condition("NEXT(v, 3) > 1"))
  }

  test("RUNNING and FINAL before FIRST and LAST, inside PREV too") {
    assert(
      measure("FINAL LAST(v)") ==
        Navigation(NavigationKind.Last, Some(Semantics.Final), column("v"), Literal(0)))
    assert(
      measure("PREV(RUNNING FIRST(v, 1), 2)") == Navigation(
        NavigationKind.Prev,
        None,
        Navigation(NavigationKind.First, Some(Semantics.Running), column("v"), Literal(1)),
        Literal(2)))
    assert(condition("RUNNING LAST(v) > 1").exists(_.isInstanceOf[Navigation]))
  }

  test("RUNNING and FINAL before aggregates") {
    def semantics(e: Expression) = e.collect { case s: WithSemantics => s.semantics -> s.child }
    assert(measure("FINAL SUM(A.v) + RUNNING count(*)").collect { case s: WithSemantics =>
      s.semantics
    } == Seq(Semantics.Final, Semantics.Running))
    val Seq((Semantics.Final, call: UnresolvedFunction)) =
      semantics(measure("FINAL catalog.db.f(v)")): @unchecked
    assert(call.nameParts == Seq("catalog", "db", "f"))
    assert(semantics(measure("FINAL any_value(v)")).size == 1)
    assert(semantics(measure("FINAL COUNT(DISTINCT v) FILTER (WHERE v > 1)")).size == 1)
    assert(semantics(measure("(FINAL SUM(v)).x")).size == 1)
    assert(semantics(measure("coalesce(FINAL max(A.v), RUNNING min(v))")).size == 2)
  }

  test("FINAL and RUNNING are words like others elsewhere") {
    assert(measure("final") == WrittenColumn(column("final")))
    assert(
      measure("final IN (1, 2)").collect { case c: UnresolvedAttribute => c.name } == Seq(
        "final"))
    assert(
      measure("running + final(1)").collect { case f: UnresolvedFunction => f.nameParts.head } ==
        Seq("final"))
    assert(measure("t.final").sql == "t.final")
    assert(
      one("SELECT * FROM t MATCH_RECOGNIZE (MEASURES final f PATTERN (A))").measureNames == Seq(
        "f"))
  }

  test("A.x is a reference with variable A, all deeper parts remain") {
    assert(measure("A.v") == QualifiedReference(a, column("v")))
    assert(measure("a.s.f") == QualifiedReference(a, ColumnPath(Seq("s", "f"))))
    assert(measure("`A`.v") == QualifiedReference(a, column("v")))
    assert(measure("U.v") == QualifiedReference(u, column("v")))
    assert(
      measure("A.arr[1]").collect { case r: QualifiedReference => r.child } == Seq(column("arr")))
    assert(measure("A") == WrittenColumn(column("A")), "a variable alone is a column's name")
    assert(measure("t.v") == WrittenColumn(ColumnPath(Seq("t", "v"))))
    assert(
      condition("LAST(A.price * A.tax) > B.v").collect { case r: QualifiedReference =>
        r.variable.name
      } ==
        Seq("A", "A", "B"))
  }

  test("a lambda function's parameter hides a variable of its name") {
    assert(measure("transform(A.arr, x -> x + B.v)").collect { case r: QualifiedReference =>
      r.variable.name
    } == Seq("A", "B"))
    assert(measure("transform(arr, A -> A.f)").collect { case r: QualifiedReference => r } == Nil)
    assert(measure("transform(arr, (A, i) -> A.f + B.v)").collect { case r: QualifiedReference =>
      r.variable.name
    } == Seq("B"))
  }

  test("COUNT(A.*) counts the rows mapped to A, COUNT(*) is Spark's") {
    val counted = measure("COUNT(A.*)").asInstanceOf[UnresolvedFunction]
    assert(counted.arguments == Seq(QualifiedReference(a, Literal(1))))
    assert(measure("COUNT(*)").asInstanceOf[UnresolvedFunction].arguments == Seq(Literal(1)))
    assert(measure("FINAL COUNT(U.*)").exists(_ == QualifiedReference(u, Literal(1))))
  }

  test("any other star is refused at its place") {
    def star(text: String, fragment: String) = wrong(text, ClauseErrors.StarNotAllowed, fragment)
    star("COLLECT_LIST(A.*)", "A.*")
    star("COUNT(DISTINCT A.*)", "A.*")
    star("COUNT(DISTINCT *)", "*")
    star("COUNT(t.*)", "t.*")
    star("COUNT(A.s.*)", "A.s.*")
    star("COUNT(*, v)", "*")
    star("COUNT(COALESCE(*))", "*")
    star("1 + SUM(*)", "*")
    star("STRUCT(A.*)", "A.*")
    star("(v, *)", "*")
    star("v IN (*)", "*")
    star("transform(arr, x -> ARRAY(*))", "*")
    star("t.*", "t.*")
    refused(sql("v", "v > COUNT(t.*)"), ClauseErrors.StarNotAllowed, "t.*")
    refused(sql("v", "*"), ClauseErrors.StarNotAllowed, "*")
    Seq("PARTITION BY t.*", "ORDER BY t.* DESC", "PARTITION BY STRUCT(t.*)").foreach { key =>
      refused(
        s"SELECT * FROM t MATCH_RECOGNIZE ($key ALL ROWS PER MATCH PATTERN (A))",
        ClauseErrors.StarNotAllowed,
        "t.*")
    }
    assert(measure("(SELECT COUNT(DISTINCT u.*) FROM u)").resolved == false)
  }

  test("functions that describe the match") {
    assert(measure("CLASSIFIER()") == Classifier(None))
    assert(measure("classifier(u)") == Classifier(Some(u)))
    assert(measure("CLASSIFIER(`A`)") == Classifier(Some(a)))
    assert(measure("MATCH_NUMBER()") == MatchNumber())
    assert(measure("MATCH_SEQUENCE_NUMBER()") == MatchSequenceNumber())
    assert(measure("MATCH_TIMED_OUT()") == MatchTimedOut())
    assert(measure("match_proctime()") == MatchProctime())
    val timed = "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts, v MEASURES MATCH_ROWTIME() AS m " +
      "PATTERN (A))"
    assert(one(timed).measures == Seq(MatchRowtime(Seq(column("ts")))))
    assert(condition("CLASSIFIER() = 'A' AND MATCH_NUMBER() > 1").exists(_ == Classifier(None)))
    assert(measure("SUM(v) FILTER (WHERE CLASSIFIER() = 'A')").exists(_ == Classifier(None)))
  }

  test("back-quoted and qualified names are Spark's functions") {
    assert(measure("`prev`(v)").asInstanceOf[UnresolvedFunction].nameParts == Seq("prev"))
    assert(measure("`first`(v)").collect { case n: Navigation => n } == Nil)
    assert(measure("builtin.first(v)").collect { case n: Navigation => n } == Nil)
    assert(measure("`classifier`()").isInstanceOf[UnresolvedFunction])
  }

  test("everything within a subquery is Spark's, and the text around it is not") {
    val e = condition(
      "v > (SELECT max(A.v) FROM u AS A) AND FIRST(v) > (SELECT first(v) FROM u) AND A.v IN (SELECT last(w) FROM u)")
    assert(e.collect { case n: Navigation => n }.size == 1)
    assert(e.collect { case r: QualifiedReference => r.child.sql } == Seq("v"))
    assert(
      e.collect { case s: org.apache.spark.sql.catalyst.expressions.SubqueryExpression => s }
        .forall(s =>
          s.plan.expressions.flatMap(_.collect { case q: QualifiedReference => q }).isEmpty))
    assert(measure("(WITH c AS (SELECT 1) SELECT first(v) FROM c)").collect {
      case n: Navigation => n
    } == Nil)
    assert(measure("((SELECT last(v) FROM u))").collect { case n: Navigation => n } == Nil)
  }

  test("PARTITION BY and ORDER BY are Spark's") {
    val m = one(
      "SELECT * FROM t A MATCH_RECOGNIZE (PARTITION BY A.x, lag(y) ORDER BY A.ts PATTERN (A))")
    assert(m.partition.head == column("A", "x"))
    assert(m.partition(1).isInstanceOf[UnresolvedFunction])
    assert(m.order.head.child == column("A", "ts"))
  }

  test("wrong arguments") {
    wrong("FIRST()", FunctionErrors.WrongArguments, "FIRST()")
    wrong("PREV(v, 1, 2, 3)", FunctionErrors.WrongArguments, "PREV(v, 1, 2, 3)")
    wrong("LAST(v, 1, 2)", FunctionErrors.WrongArguments, "LAST(v, 1, 2)")
    wrong("FIRST(*)", FunctionErrors.WrongArguments, "FIRST(*)")
    wrong("FIRST(A.*)", FunctionErrors.WrongArguments, "FIRST(A.*)")
    wrong("MATCH_NUMBER(1)", FunctionErrors.WrongArguments, "MATCH_NUMBER(1)")
    wrong("CLASSIFIER(A, B)", FunctionErrors.WrongArguments, "CLASSIFIER(A, B)")
    wrong("LAG(v, 1, 0)", FunctionErrors.DefaultArgument, "0")
    assert(
      wrong("FIRST(v, true)", FunctionErrors.BooleanOffset, "true").message
        .contains("first_value(v, true)"))
  }

  test("what only aggregates and windows take") {
    wrong("FIRST(v) IGNORE NULLS", FunctionErrors.IgnoreNulls, "FIRST(v) IGNORE NULLS")
    wrong("LAST(v IGNORE NULLS)", FunctionErrors.IgnoreNulls, "IGNORE NULLS")
    wrong("LAG(v) IGNORE NULLS", FunctionErrors.IgnoreNulls, "LAG(v) IGNORE NULLS")
    wrong("LAG(v) RESPECT NULLS", FunctionErrors.IgnoreNulls, "LAG(v) RESPECT NULLS")
    wrong("FIRST(DISTINCT v)", FunctionErrors.NotPlainCall, "FIRST(DISTINCT v)")
    wrong("LAST(v) OVER ()", FunctionErrors.NotPlainCall, "LAST(v) OVER ()")
    wrong(
      "LAST(v) FILTER (WHERE v > 1)",
      FunctionErrors.NotPlainCall,
      "LAST(v) FILTER (WHERE v > 1)")
  }

  if (org.apache.spark.SPARK_VERSION >= "4.0")
    test("an aggregate's own ORDER BY and FILTER are the clause's") {
      val e = measure(
        "FINAL listagg(A.s) WITHIN GROUP (ORDER BY A.v, LAST(B.v)) FILTER (WHERE B.w > 1)")
      assert(
        e.collect { case r: QualifiedReference => r.variable.name }.sorted ==
          Seq("A", "A", "B", "B"))
      assert(e.exists(_.isInstanceOf[Navigation]) && e.isInstanceOf[WithSemantics])
    }

  test("CLASSIFIER takes a variable") {
    wrong("CLASSIFIER(X)", FunctionErrors.NotAVariable, "X")
    wrong("CLASSIFIER(A.v)", FunctionErrors.NotAVariable, "A.v")
    wrong("CLASSIFIER('A')", FunctionErrors.NotAVariable, "'A'")
    assert(
      wrong("CLASSIFIER(IDENTIFIER('A'))", FunctionErrors.NotAVariable, "IDENTIFIER('A')").message
        .contains("not IDENTIFIER('A')."))
  }

  test("RUNNING and FINAL before anything else") {
    val e = wrong("FINAL PREV(v)", FunctionErrors.SemanticsNotAllowed, "FINAL PREV(v)")
    assert(e.message.contains("PREV(FINAL LAST(...))"))
    wrong("FINAL A.v", FunctionErrors.SemanticsNotAllowed, "FINAL A.v")
    wrong("RUNNING v", FunctionErrors.SemanticsNotAllowed, "RUNNING v")
    wrong("FINAL CLASSIFIER()", FunctionErrors.SemanticsNotAllowed, "FINAL CLASSIFIER()")
    wrong("RUNNING MATCH_NUMBER()", FunctionErrors.SemanticsNotAllowed, "RUNNING MATCH_NUMBER()")
    wrong("FINAL CAST(v AS INT)", FunctionErrors.SemanticsNotAllowed, "FINAL CAST")
    refused(sql("v", "FINAL LAST(v) > 1"), AnalysisErrors.FinalInDefine, "FINAL")
    refused(sql("v", "A.v > FINAL SUM(v)"), AnalysisErrors.FinalInDefine, "FINAL")
    refused(sql("v", "RUNNING A.v > 1"), FunctionErrors.SemanticsNotAllowed, "RUNNING A.v")
  }

  test("MEASURES over a variable that no row is mapped to is refused, DEFINE may look at it") {
    wrong("C.v", VariableErrors.NeverMapped, "C.v")
    wrong("COUNT(C.*)", VariableErrors.NeverMapped, "C.*")
    wrong("CLASSIFIER(C)", VariableErrors.NeverMapped, "CLASSIFIER(C)")
    assert(condition("C.v > 1").exists(_.isInstanceOf[QualifiedReference]))
  }

  test("variables are compared by the session's case sensitivity") {
    withConf("spark.sql.caseSensitive" -> "true") {
      val m = one("SELECT * FROM t MATCH_RECOGNIZE (MEASURES a.v AS x, A.v AS y PATTERN (A))")
      assert(
        m.measures ==
          Seq(WrittenColumn(ColumnPath(Seq("a", "v"))), QualifiedReference(a, column("v"))))
    }
  }
}

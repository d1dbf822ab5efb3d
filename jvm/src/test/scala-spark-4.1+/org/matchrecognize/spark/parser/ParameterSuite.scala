package org.matchrecognize.spark.parser

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.analysis.{NamedParameter, UnresolvedRelation}
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.parser.{
  HybridParameterContext,
  NamedParameterContext,
  ParseException,
  PositionalParameterContext
}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import org.matchrecognize.spark.errors.{AnalysisErrors, PatternErrors, VariableErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.pattern.{QuantifierBound, RowPattern}

/** Parameters in and outside the clause, as Spark writes them into a statement. */
class ParameterSuite extends ParserTest {

  private def named(sql: String)(parameters: (String, Any)*): LogicalPlan =
    parser.parsePlanWithParameters(
      sql,
      NamedParameterContext(parameters.map { case (n, v) => n -> literal(v) }.toMap))

  private def positional(sql: String)(parameters: Any*): LogicalPlan =
    parser.parsePlanWithParameters(sql, PositionalParameterContext(parameters.map(literal)))

  private def literal(value: Any): Expression = Literal(value)

  private def clauseOf(plan: LogicalPlan): UnresolvedMatchRecognize = clauses(plan) match {
    case Seq(single) => single
    case other       => fail(s"${other.size} clauses")
  }

  private val sql =
    "SELECT *, :a AS a FROM IDENTIFIER(:t) MATCH_RECOGNIZE (" +
      "ORDER BY ts MEASURES LAST(v) + :b AS x " +
      "PATTERN (A{:lo,:hi} B{:hi}) WITHIN INTERVAL :n MINUTE DEFINE A AS v > :c, B AS s = :d) m " +
      "WHERE x > :a LIMIT :n"

  private val values = Seq(
    "a"  -> 1,
    "b"  -> 2,
    "c"  -> 3,
    "d"  -> "it's",
    "lo" -> 2,
    "hi" -> 3,
    "n"  -> 5,
    "t"  -> "db.t")

  test("named parameters, wherever Spark takes a literal") {
    val m = clauseOf(named(sql)(values: _*))
    assert(m.measures.head.sql == "(last(v, 0) + 2)" || m.measures.head.sql.endsWith("+ 2)"))
    assert(m.conditions.map(_.sql) == Seq("(v > 3)", "(s = 'it\\'s')"))
    assert(m.within.head.sql == "INTERVAL '05' MINUTE")
    assert(m.bounds.isEmpty)
    assert(RowPattern.sql(m.pattern, m.variables(_).name) == "A{2,3} B{3}")
    assert(m.exists {
      case relation: UnresolvedRelation => relation.tableName == "db.t"
      // Spark 4.1 makes the relation in analysis, of the name.
      case name => name.expressions.contains(Literal("db.t"))
    })
    assert(
      !named(sql)(values: _*).exists(
        _.expressions.exists(_.exists(_.isInstanceOf[NamedParameter]))))
  }

  test("positional parameters keep their order in and outside the clause") {
    val plan = positional(
      "SELECT ? AS a FROM t MATCH_RECOGNIZE (MEASURES ? AS x PATTERN (A??) " +
        "DEFINE A AS v > ?) WHERE x > ?")(1, 2, 3, 4)
    val m = clauseOf(plan)
    assert(m.measures == Seq(Literal(2)))
    assert(m.conditions.map(_.sql) == Seq("(v > 3)"))
    assert(plan.toString.contains("x > 4"), plan.toString)
    assert(plan.asInstanceOf[Project].projectList.head.sql.startsWith("1 AS"))
  }

  test("positional parameters are bounds between braces, and marks elsewhere") {
    def patternOf(text: String)(values: Any*) = {
      val m = clauseOf(
        positional(s"SELECT ? AS a FROM t MATCH_RECOGNIZE (MEASURES ? AS x " +
          s"PATTERN ($text) DEFINE A AS v > ?) WHERE x > ?")(values: _*))
      assert(m.bounds.isEmpty && m.measures.head.sql == "2" && m.conditions.head.sql == "(v > 3)")
      RowPattern.sql(m.pattern, m.variables(_).name)
    }
    assert(patternOf("A{?}")(1, 2, 5, 3, 4) == "A{5}")
    assert(patternOf("A{?}?")(1, 2, 5, 3, 4) == "A{5}")
    assert(patternOf("A? (A B{ ? , }?)??")(1, 2, 5, 3, 4) == "A? (A B{5,}?)??")
    assert(patternOf("A{,?} B?")(1, 2, 5L, 3, 4) == "A{0,5} B?")
    assert(patternOf("A{?,?}?? B{?}")(1, 2, 5, 6, 7, 3, 4) == "A{5,6}?? B{7}")
  }

  test("a bound that no integer is given for") {
    val text = "SELECT ? FROM t MATCH_RECOGNIZE (PATTERN (A B{?,?} C))"
    Seq[(Any, String)](
      (-1, "-1"),
      (null, "NULL"),
      ("x", "'x'"),
      ("B", "'B'"),
      (1.5, "1.5"),
      (true, "TRUE"))
      .foreach { case (value, shown) =>
        val e = intercept[ParseException](positional(text)(1, 1, value))
        assert(e.getCondition == AnalysisErrors.InvalidBound.condition, e)
        assert(e.getQueryContext.head.fragment == "B{?,?}")
        assert(e.getMessage.toUpperCase.contains(s"THE VALUE ${shown.toUpperCase}"), e.getMessage)
      }
    val named = intercept[ParseException](
      this.named("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A+ B{:n}))")("n" -> null))
    assert(named.getCondition == AnalysisErrors.InvalidBound.condition)
    val reversed = intercept[ParseException](positional(text)(1, 3, 2))
    assert(reversed.getCondition == PatternErrors.BoundsReversed.condition)
    assert(reversed.getQueryContext.head.fragment == "{?,?}")
    val few = intercept[AnalysisException](positional(text)(1, 3))
    assert(few.getCondition == "UNBOUND_SQL_PARAMETER")
    assert(few.getQueryContext.head.startIndex == text.lastIndexOf("?"))
  }

  test("a negative number after a minus begins no comment") {
    val m = clauseOf(
      named("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A)\nDEFINE A AS v > s -:d\n)")("d" -> -5))
    assert(m.conditions.map(_.sql) == Seq("(v > (s - -5))"))
  }

  test("the parameters of EXECUTE IMMEDIATE") {
    def hybrid(text: String, names: Seq[String], arguments: Any*) =
      parser.parsePlanWithParameters(text, HybridParameterContext(arguments.map(literal), names))
    val text = "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{:n}) DEFINE A AS v > :c)"
    assert(clauseOf(hybrid(text, Seq("n", "c"), 2, 3)).conditions.map(_.sql) == Seq("(v > 3)"))
    val questions = "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > ?)"
    assert(clauseOf(hybrid(questions, Seq(""), 3)).conditions.map(_.sql) == Seq("(v > 3)"))
  }

  test("a literal of Scala's Long is a bound") {
    val m = clauseOf(named("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{:n}))")("n" -> 4L))
    assert(
      m.pattern.asInstanceOf[RowPattern.Quantified].quantifier.upper == QuantifierBound.Count(4))
  }

  test("a clause in a subquery of DEFINE, and its parameters") {
    val plan = named(s"SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > " +
      s"(SELECT max(x) FROM u MATCH_RECOGNIZE (MEASURES :a AS x PATTERN (B) DEFINE B AS w > :b)))")(
      "a" -> 1,
      "b" -> 2)
    assert(clauses(plan).flatMap(_.conditions.map(_.sql)).contains("(w > 2)"))
  }

  test("a parameter that is not given, as Spark says it") {
    def error(body: => LogicalPlan) = intercept[AnalysisException](body)
    val e                           = error(named(sql)(values.filter(_._1 != "c"): _*))
    assert(e.getCondition == "UNBOUND_SQL_PARAMETER")
    assert(e.getMessageParameters.get("name") == "c")
    assert(e.getQueryContext.head.fragment == ":c")
    val p =
      error(positional("SELECT ? FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > ?)")(1))
    assert(p.getCondition == "UNBOUND_SQL_PARAMETER" && p.getQueryContext.head.fragment == "?")
    val mixed =
      error(named("SELECT ? FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > :a)")("a" -> 1))
    assert(
      mixed.getCondition == error(
        spark.parsePlanWithParameters(
          "SELECT ?, :a",
          NamedParameterContext(Map("a" -> Literal(1))))).getCondition)
    val plain = error(
      parser
        .parsePlanWithParameters(s"SELECT :a FROM t $clause", NamedParameterContext(Map.empty)))
    assert(plain.getCondition == "UNBOUND_SQL_PARAMETER")
  }

  test("parameters that are too many are ignored, as Spark does") {
    assert(clauses(named(s"SELECT :a FROM t $clause")("a" -> 1, "z" -> 2)).size == 1)
    assert(clauses(positional(s"SELECT ? FROM t $clause")(1, 2)).size == 1)
  }

  test("names may be parameters, too") {
    val plan = named(
      "SELECT * FROM t MATCH_RECOGNIZE (MEASURES v AS IDENTIFIER(:a), w x PATTERN (A)) " +
        "AS IDENTIFIER(:m) (IDENTIFIER(:c), d)")("a" -> "some_name", "m" -> "mm", "c" -> "cc")
    assert(clauseOf(plan).measureNames == Seq("some_name", "x"))
    assert(plan.toString.contains("SubqueryAlias mm"))
    assert(plan.toString.contains("[cc, d]"), plan.toString)
    assert(
      parse(s"SELECT * FROM t $clause identifier (a)").toString
        .contains("SubqueryAlias identifier"))
  }

  test("a view keeps the values, not the markers") {
    val plan = named(
      "CREATE VIEW w AS SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > :c) m")(
      "c" -> 3)
    assert(
      plan.productIterator.contains(
        Some("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > 3) m")))
  }

  test("errors underline the statement as the user wrote it") {
    val text =
      "SELECT :long_name_of_a AS a FROM t\nMATCH_RECOGNIZE (PATTERN (A{:n}) DEFINE B AS v > 1)"
    val e = intercept[ParseException](named(text)("long_name_of_a" -> 1, "n" -> 2))
    assert(e.getCondition == VariableErrors.DefineNotInPattern.condition)
    assert(e.getQueryContext.head.fragment == "B")
    val bad = intercept[ParseException](
      named("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{:lo,:hi}))")("lo" -> 3, "hi" -> 2))
    assert(bad.getCondition == PatternErrors.BoundsReversed.condition)
    val m = clauseOf(named(text.replace("B AS", "A AS"))("long_name_of_a" -> 1, "n" -> 2))
    assert(m.conditions.head.origin.context.fragment == "v > 1")
    assert(m.origin.context.fragment.startsWith("MATCH_RECOGNIZE (PATTERN (A{:n})"))
  }

  test("a value that looks like a variable or a marker stays a value") {
    withConf("my.x" -> "oops") {
      val text =
        "SELECT ${my.x} AS y FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS s = :d AND r = ':d ?')"
      val m = clauseOf(named(text)("d" -> "${my.x} :d"))
      assert(m.conditions.head.sql == "((s = '${my.x} :d') AND (r = ':d ?'))")
    }
  }

  test("in the legacy mode markers stay expressions, for the plan to bind") {
    withConf("spark.sql.legacy.parameterSubstitution.constantsOnly" -> "true") {
      val m = clauseOf(
        named("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A{:n}) DEFINE A AS v > :c)")(
          "n" -> 2,
          "c" -> 3))
      assert(m.bounds == Seq(NamedParameter("n")))
      assert(m.conditions.head.exists(_ == NamedParameter("c")))
    }
  }

  test("statements without the clause go to the parser below, parameters and all") {
    val context = NamedParameterContext(Map("a" -> Literal(1)))
    assert(
      parser.parsePlanWithParameters("SELECT * FROM t LIMIT :a", context)
        == spark.parsePlanWithParameters("SELECT * FROM t LIMIT :a", context))
  }
}

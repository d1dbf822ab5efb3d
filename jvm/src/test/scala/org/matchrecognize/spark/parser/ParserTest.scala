package org.matchrecognize.spark.parser

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.parser.{ParseException, ParserInterface}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreeNode
import org.apache.spark.sql.execution.SparkSqlParser
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.errors.ErrorCondition
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/** What the suites of the parser share: our parser around Spark's, and ways to look into plans. */
trait ParserTest extends AnyFunSuite {

  val spark: ParserInterface  = new SparkSqlParser
  val parser: ParserInterface = MatchRecognizeParser(spark)

  val clause =
    "MATCH_RECOGNIZE (ORDER BY ts MEASURES LAST(A.v) AS x PATTERN (A+) DEFINE A AS v > 1)"

  def parse(sql: String): LogicalPlan = parser.parsePlan(sql)

  /** Every clause in a plan, those within expressions and commands included. */
  def clauses(plan: LogicalPlan): Seq[UnresolvedMatchRecognize] = {
    def in(value: Any): Seq[UnresolvedMatchRecognize] = value match {
      case m: UnresolvedMatchRecognize    => m +: m.productIterator.toSeq.flatMap(in)
      case expression: SubqueryExpression =>
        in(expression.plan) ++ expression.children.flatMap(in)
      case node: TreeNode[_] => node.productIterator.toSeq.flatMap(in)
      case many: Iterable[_] => many.toSeq.flatMap(in)
      case Some(inner)       => in(inner)
      case pair: Product if pair.getClass.getName.startsWith("scala.Tuple") =>
        pair.productIterator.toSeq.flatMap(in)
      case _ => Nil
    }
    in(plan)
  }

  /** The aliases in a plan, without those that Spark gives to subqueries. */
  def aliases(plan: LogicalPlan): Seq[String] =
    "SubqueryAlias (\\w+)".r
      .findAllMatchIn(plan.toString)
      .map(_.group(1))
      .filterNot(_.startsWith("__auto_generated"))
      .toSeq

  /** The only clause of a statement. */
  def one(sql: String): UnresolvedMatchRecognize = clauses(parse(sql)) match {
    case Seq(single) => single
    case other       => fail(s"${other.size} clauses in $sql")
  }

  def withPattern(pattern: String, rest: String = ""): UnresolvedMatchRecognize =
    one(s"SELECT * FROM t MATCH_RECOGNIZE (PATTERN ($pattern) $rest)")

  /** The text that an expression's or plan's origin covers. */
  def fragment(origin: org.apache.spark.sql.catalyst.trees.Origin): String =
    origin.sqlText.get.substring(origin.startIndex.get, origin.stopIndex.get + 1)

  /** The error of a statement of ours: its condition, what it underlines, what it says. */
  def errorOf(sql: String): Refusal = {
    val e        = intercept[ParseException](parse(sql))
    val contexts = e.getQueryContext
    Refusal(
      ParserTest.condition(e),
      if (contexts.isEmpty) "" else contexts.head.fragment,
      e.getMessage,
      e)
  }

  /** Checks that a statement is refused with a condition of ours, which underlines `fragment`. */
  def refused(sql: String, condition: ErrorCondition, fragment: String): Refusal = {
    val refusal = errorOf(sql)
    assert(refusal.condition == condition.condition, s"\nfor $sql:\n${refusal.message}")
    assert(refusal.fragment == fragment, s"\nfor $sql:\n${refusal.message}")
    assert(!refusal.message.contains("<"), s"a parameter is missing in:\n${refusal.message}")
    refusal
  }

  def withConf[T](settings: (String, String)*)(body: => T): T = {
    val conf = SQLConf.get.clone()
    settings.foreach { case (key, value) => conf.setConfString(key, value) }
    SQLConf.withExistingConf(conf)(body)
  }
}

final case class Refusal(
    condition: String,
    fragment: String,
    message: String,
    error: ParseException)

object ParserTest {

  /** getCondition from 4.0 on, getErrorClass before. */
  def condition(e: Throwable): String = {
    val methods = e.getClass.getMethods.filter(_.getParameterCount == 0)
    val method  = methods
      .find(_.getName == "getCondition")
      .orElse(methods.find(_.getName == "getErrorClass"))
    method.get.invoke(e).asInstanceOf[String]
  }
}

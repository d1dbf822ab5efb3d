package org.matchrecognize.spark.parser

import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.Expression

/** Positions in the user's text, on which every error relies. */
class PositionSuite extends ParserTest {

  private val sql =
    """SELECT m.x
      |FROM t AS q MATCH_RECOGNIZE (
      |  PARTITION BY a
      |  ORDER BY ts DESC
      |  MEASURES FINAL LAST(A.v, 1) AS x,
      |           1 / COUNT(A.*) AS `y z`
      |  PATTERN (A+ B)
      |  DEFINE A AS v > PREV(v) + 1, B AS /* why */ A.s.f IS NULL
      |) m WHERE m.x > 1""".stripMargin

  private def check(e: Expression, text: String, line: Int): Unit = {
    assert(fragment(e.origin) == text)
    assert(e.origin.line.contains(line))
    val before = sql.substring(0, e.origin.startIndex.get)
    assert(e.origin.startPosition.contains(before.length - before.lastIndexOf('\n') - 1))
  }

  test("expressions of the clause have Spark's exact positions") {
    val m = one(sql)
    check(m.partition.head, "a", 3)
    check(m.order.head.child, "ts", 4)
    check(m.measures.head, "FINAL LAST(A.v, 1)", 5)
    check(m.measures.head.children.head, "A.v", 5)
    check(m.measures(1), "1 / COUNT(A.*)", 6)
    check(m.measures(1).children(1), "COUNT(A.*)", 6)
    check(m.conditions.head, "v > PREV(v) + 1", 8)
    check(m.conditions.head.children(1).children.head, "PREV(v)", 8)
    check(m.conditions(1), "IS NULL", 8) // as Spark has it for predicates
    check(m.conditions(1).children.head, "A.s.f", 8)
  }

  test("the clause's origin covers the clause, that of the table the table") {
    val m = one(sql)
    assert(fragment(m.origin).startsWith("MATCH_RECOGNIZE ("))
    assert(fragment(m.origin).endsWith("IS NULL\n)"))
    assert(m.origin.line.contains(2) && m.origin.startPosition.contains(12))
    val relation = m.child.collectFirst { case r: UnresolvedRelation => r }.get
    assert(fragment(relation.origin) == "t")
  }

  test("the text after the clause keeps its positions") {
    val filter = parse(sql).collectFirst {
      case f: org.apache.spark.sql.catalyst.plans.logical.Filter => f
    }.get
    assert(fragment(filter.condition.origin) == "m.x > 1")
  }

  test("positions count in the text after ${} substitution") {
    withConf("my.table" -> "some_longer_name") {
      val m = one("SELECT * FROM ${my.table} MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v > 1)")
      assert(fragment(m.origin).startsWith("MATCH_RECOGNIZE ("))
      assert(fragment(m.conditions.head.origin) == "v > 1")
      assert(m.child.asInstanceOf[UnresolvedRelation].tableName == "some_longer_name")
    }
  }

  test("a clause that a variable brings in is found") {
    withConf("my.clause" -> clause) {
      assert(clauses(parse("SELECT * FROM t ${my.clause} m")).size == 1)
    }
  }

  test("the text of a view, a function and a cached query holds the clause") {
    def texts(sql: String): Seq[String] = {
      def in(value: Any): Seq[String] = value match {
        case text: String     => Seq(text)
        case Some(inner)      => in(inner)
        case product: Product => product.productIterator.toSeq.flatMap(in)
        case _                => Nil
      }
      in(parse(sql))
    }
    val queries = Seq(
      s"SELECT * FROM t $clause",
      s"SELECT * FROM t $clause m",
      s"SELECT * FROM t x $clause AS `m n` (a)",
      s"SELECT * FROM (SELECT * FROM t $clause) $clause m WHERE a > 1",
      s"SELECT * FROM t AS `q` $clause",
      s"SELECT v FROM x $clause"
    )
    for (query <- queries) {
      assert(texts(s"CREATE VIEW w AS $query").contains(query))
      assert(texts(s"CREATE TEMPORARY VIEW w AS $query").contains(query))
      assert(texts(s"CACHE TABLE w AS $query").contains(query))
      assert(clauses(parser.parseQuery(query)).nonEmpty, "as Spark reads a view")
    }
  }

  test("an identifier that Spark's grammar knows as a keyword keeps its name before the clause") {
    val relation = one(s"SELECT * FROM x $clause").child
    assert(relation.asInstanceOf[UnresolvedRelation].tableName == "x")
    assert(parse(s"SELECT * FROM t x $clause").toString.contains("SubqueryAlias x"))
    assert(parse(s"SELECT * FROM t `x` $clause").toString.contains("SubqueryAlias x"))
  }

  test("an expression with a clause in a subquery parses as an expression") {
    assert(parser.parseExpression(s"(SELECT max(x) FROM t $clause)").nonEmpty)
  }

  implicit private class NonEmpty(e: Expression) { def nonEmpty: Boolean = e != null }
}

package org.apache.spark.sql.matchrecognize

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.parser.{ParseException, ParserInterface}
import org.apache.spark.sql.catalyst.plans.logical.{
  AlterViewAs,
  CreateView,
  LocalRelation,
  LogicalPlan,
  UnaryCommand
}
import org.apache.spark.sql.execution.SparkSqlParser

import org.matchrecognize.spark.Extensions
import org.matchrecognize.spark.parser.{MatchRecognizeParser, ParserTest}

/** Ours beside another extension, which changes plans that the parser below its own has built. */
class LowestParserSuite extends ParserTest {
  import LowestParserSuite._

  private val ours: SparkSessionExtensions => Unit  = new Extensions
  private val views: SparkSessionExtensions => Unit =
    _.injectParser((_, delegate) => new ViewParser(delegate))

  private val query = s"SELECT /* all */ *\nFROM t $clause  AS m"

  private val orders = Seq(
    "first" -> chain(ours, views),
    "last"  -> chain(views, ours),
    "twice" -> chain(ours, views, ours)
  )

  /** The parser of a session with extensions, in the order in which they are named. */
  private def chain(named: (SparkSessionExtensions => Unit)*): ParserInterface = {
    val extensions = new SparkSessionExtensions
    named.foreach(_(extensions))
    extensions.buildParser(null, new SparkSqlParser)
  }

  orders.foreach { case (order, parser) =>
    def kept(sql: String): KeptView = parser.parsePlan(sql) match {
      case view: KeptView => view
      case other          => fail(s"not the other extension's command:\n$other")
    }

    test(s"ours named $order: views with a clause become the other's commands, with their text") {
      Seq("CREATE VIEW ice.lows AS", "CREATE OR REPLACE VIEW lows (a) AS", "ALTER VIEW lows AS")
        .foreach { head =>
          val view = kept(s"$head $query")
          assert(view.text == query, head)
          assert(clauses(view.child).size == 1, head)
        }
    }

    test(s"ours named $order: the rest of the statements") {
      assert(kept("CREATE VIEW lows AS SELECT 1 AS a").text == "SELECT 1 AS a")
      assert(parser.parsePlan("KEPT VIEWS") == LocalRelation())
      assert(clauses(parser.parsePlan(query)).size == 1)
      assert(clauses(parser.parseQuery(query)).size == 1)
    }

    test(s"ours named $order: an error is ours, in the user's text") {
      val text = s"CREATE VIEW lows AS ${query.replace("(A+)", "(A+*)")}"
      assert(
        intercept[ParseException](parser.parsePlan(text)).getMessage == errorOf(text).message)
    }
  }

  test("below all others, and once") {
    val parsers = Iterator
      .iterate(chain(views, ours, views, ours)) {
        case view: ViewParser => view.delegate
        case _                => null
      }
      .takeWhile(_ != null)
      .map(_.getClass)
    val view = classOf[ViewParser]
    assert(parsers.toSeq == Seq(view, view, classOf[MatchRecognizeParser]))
  }
}

object LowestParserSuite {

  /** A command of another extension: the text of a view, and what it means. */
  case class KeptView(text: String, child: LogicalPlan) extends UnaryCommand {
    override protected def withNewChildInternal(newChild: LogicalPlan): KeptView =
      copy(child = newChild)
  }

  /** Has a statement of its own, and hands the rest on; of commands for views it makes its own. */
  class ViewParser(val delegate: ParserInterface) extends SparkSqlParser {
    override def parsePlan(sqlText: String): LogicalPlan =
      if (sqlText == "KEPT VIEWS") LocalRelation()
      else
        delegate.parsePlan(sqlText) match {
          case view: CreateView  => KeptView(view.originalText.get, view.query)
          case view: AlterViewAs => KeptView(view.originalText, view.query)
          case other             => other
        }
    override def parseQuery(sqlText: String): LogicalPlan = delegate.parseQuery(sqlText)
  }
}

package org.matchrecognize.spark.errors

import java.io.{
  ByteArrayInputStream,
  ByteArrayOutputStream,
  ObjectInputStream,
  ObjectOutputStream
}

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}

import org.matchrecognize.spark.parser.ParserTest
import org.matchrecognize.spark.text.Span

/** What users and programs read from an error of ours. */
class ErrorsSuite extends AnyFunSuite {

  private val condition = VariableErrors.DefinedTwice
  private val text      = "SELECT *\nFROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS v, A AS w)"
  private val span      = { val i = text.indexOf("A AS w"); Span(i, i) }
  private val clause    = Origin(
    line = Some(2),
    startPosition = Some(7),
    startIndex = Some(text.indexOf("MATCH")),
    stopIndex = Some(text.length - 1),
    sqlText = Some(text))

  private def check(e: Throwable with SparkThrowable, fragment: String): Unit = {
    assert(ParserTest.condition(e) == "MATCH_RECOGNIZE.DEFINED_TWICE")
    assert(e.getSqlState == "42601")
    assert(e.getMessageParameters == java.util.Collections.singletonMap("variable", "A"))
    assert(e.getQueryContext.map(_.fragment).toSeq == Seq(fragment))
    val message = e.getMessage.trim
    assert(
      message.startsWith(
        "[MATCH_RECOGNIZE.DEFINED_TWICE] A has two entries in DEFINE. Write one, "))
    assert(message.contains("conditions. SQLSTATE: 42601"))
    assert(message.matches("(?s).*== SQL ?\\(line 2, position .*"), "3.5 has no blank there")
    assert(message.endsWith("^"))
    assert(message.split("SQLSTATE").length == 2, "said once")
  }

  test("each stage's error has a condition, text, SQLSTATE and place") {
    check(MatchRecognizeErrors.parse(condition, text, span, "variable" -> "A"), "A")
    check(MatchRecognizeErrors.analysisAt(condition, clause, span, "variable" -> "A"), "A")
    check(
      MatchRecognizeErrors.analysis(condition, clause, "variable" -> "A"),
      text.substring(text.indexOf("MATCH")))
    check(MatchRecognizeErrors.runtime(condition, clause, Some(span), "variable" -> "A"), "A")
  }

  test("an error without the text of a statement still says what is wrong") {
    val e = MatchRecognizeErrors.analysis(condition, Origin(), "variable" -> "A")
    assert(e.getMessage.startsWith("[MATCH_RECOGNIZE.DEFINED_TWICE] A has two entries"))
    assert(e.getQueryContext.isEmpty)
    val r = MatchRecognizeErrors.runtime(condition, Origin(), None, "variable" -> "A")
    assert(r.getMessage.startsWith("[MATCH_RECOGNIZE.DEFINED_TWICE]"))
  }

  test("an error of a task survives its way to the driver") {
    val e     = MatchRecognizeErrors.runtime(condition, clause, Some(span), "variable" -> "A")
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(e)
    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject() match {
      case read: RuntimeException with SparkThrowable => check(read, "A")
      case other                                      => fail(s"$other")
    }
  }

  test("a place after a character beyond the basic plane is underlined") {
    val emoji = "SELECT '😀😀' FROM t MATCH_RECOGNIZE (PATTERN (A))"
    // The lexer counts each of the two as one.
    val start = emoji.codePointCount(0, emoji.indexOf("PATTERN"))
    val e = MatchRecognizeErrors.parse(ClauseErrors.NotAfterTable, emoji, Span(start, start + 6))
    assert(e.getQueryContext.head.fragment == "PATTERN")
  }

  test("an error in a view names the view") {
    val view = Origin(objectType = Some("VIEW"), objectName = Some("w"))
    val e    = CurrentOrigin.withOrigin(view)(
      MatchRecognizeErrors.parse(condition, text, span, "variable" -> "A"))
    assert(e.getMessage.contains("== SQL of VIEW w"))
    assert(e.getQueryContext.head.objectName == "w")
  }

  /** Calls the method that PySpark calls. */
  private def readerMessage(condition: String, parameters: Map[String, String]): String = {
    val values = new java.util.HashMap[String, String]
    parameters.foreach { case (name, value) => values.put(name, value) }
    Class
      .forName("org.apache.spark.SparkThrowableHelper")
      .getMethod("getMessage", classOf[String], classOf[java.util.Map[_, _]])
      .invoke(null, condition, values)
      .asInstanceOf[String]
  }

  test("Spark's own reader knows our conditions, for PySpark's getMessage") {
    ErrorCatalogue.register()
    assert(ErrorCatalogue.registered)
    ErrorCatalogue.all.foreach { c =>
      val parameters = ErrorExamples.parametersOf(c).map(_ -> "§").toMap
      val message    = readerMessage(c.condition, parameters)
      val text       = c.format(parameters).stripPrefix(s"[${c.condition}] ")
      assert(message.contains(text.stripSuffix(s" SQLSTATE: ${c.sqlState}")))
      assert(!message.contains("<"))
    }
    assert(readerMessage("DIVIDE_BY_ZERO", Map("config" -> "x")).contains("zero"))
  }

  test(
    "each condition in code has an entry in error-conditions.json, and each entry a condition") {
    val named   = ErrorCatalogue.all.map(_.name)
    val entries = ErrorResource.entries.map { case (name, _) => name }
    assert(named.diff(entries).isEmpty, "have no entry")
    assert(entries.diff(named).isEmpty, "have no condition in code")
    assert(named.distinct == named)
    entries.zip(entries.drop(1)).foreach { case (name, next) => assert(name < next, "is sorted") }
  }

  test("each entry says what is wrong and what to write, in one line each, with an SQLSTATE") {
    ErrorResource.entries.foreach { case (name, entry) =>
      assert(name.matches("[A-Z][A-Z_]*"), name)
      assert(entry.sqlState.matches("[0-9A-Z]{5}"), name)
      Seq(entry.problem, entry.fix).foreach { text =>
        assert(text.nonEmpty, name)
        assert(".?>".contains(text.last), text)
        assert(!text.contains("\n"), text)
      }
    }
  }

  test("each sentence has at most 25 words") {
    val sentence = "(?<=[.?]) (?=[A-Z<|])"
    for {
      (name, entry) <- ErrorResource.entries
      text          <- entry.message.split(sentence)
    } assert(text.split(' ').count(_.exists(_.isLetterOrDigit)) <= 25, s"$name: $text")
  }
}

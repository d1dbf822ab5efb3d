package org.matchrecognize.spark.errors

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import scala.collection.JavaConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.expressions.PythonUDAF
import org.apache.spark.sql.types.DoubleType

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.parser.ParserTest

/** Every condition is raised by the statement that docs/errors.md shows for it. */
class ErrorExamplesSuite extends SparkSuite {

  override def beforeAll(): Unit = {
    spark.sql(ErrorExamples.table)
    val events = spark.readStream.format("rate").load()
    events.createOrReplaceTempView(ErrorExamples.unmarkedStream)
    events.withWatermark("timestamp", "1 minute").createOrReplaceTempView(ErrorExamples.stream)
    registerPythonAggregate(ErrorExamples.pythonAggregate)
  }

  /** Registers it as PySpark registers a pandas UDF, without Python code: it is refused first. */
  private def registerPythonAggregate(name: String): Unit =
    spark.sessionState.functionRegistry.createOrReplaceTempFunction(
      name,
      arguments =>
        PythonUDAF(name, null, DoubleType, arguments, udfDeterministic = true)
          .toAggregateExpression(),
      "python_udf")

  private val version = {
    val numbers = org.apache.spark.SPARK_VERSION.split('.').map(_.takeWhile(_.isDigit).toInt)
    numbers(0) * 100 + numbers(1)
  }

  test("each condition has its example, in the catalogue's order") {
    val stated = ErrorCatalogue.all.filterNot(ErrorExamples.withoutStatement.contains)
    val shown  = ErrorExamples.all.map(_.condition)
    assert(stated.diff(shown).isEmpty, "have no example")
    assert(shown == stated)
  }

  ErrorExamples.all.filter(_.since <= version).foreach { example =>
    test(s"${example.condition.name} is raised and underlines its cause") {
      val e = withSettings(example.settings.toSeq: _*)(raisedBy(example))
      assert(ParserTest.condition(e) == example.condition.condition, e)
      assert(e.getSqlState == example.condition.sqlState)
      assert(e.getQueryContext.map(_.fragment).toSeq == Seq(example.underlined), e.getMessage)
      assert(
        e.getMessageParameters.keySet.asScala == ErrorExamples.parametersOf(example.condition))
      // Spark 3.5 refuses an operator with state for another reason.
      if (version >= 400) {
        val phrases = e.getMessageParameters.asScala.toMap
          .filter { case (name, _) => ErrorExamples.phraseNames(name) }
        assert(phrases == ErrorExamples.phrases.getOrElse(example.condition, Map.empty))
      }
      assert(e.getMessage.trim.startsWith(s"[${example.condition.condition}] "))
      assert(e.getMessage.contains("^"))
    }
  }

  private def raisedBy(example: ErrorExample): Throwable with SparkThrowable = {
    val error = intercept[Exception](spark.sql(example.sql, example.arguments).collect())
    Iterator
      .iterate[Throwable](error)(_.getCause)
      .takeWhile(_ != null)
      .collectFirst {
        // In Spark 3.5 the error of the job, around that of the task, has no condition.
        case e: SparkThrowable
            if Option(ParserTest.condition(e)).exists(_.startsWith(ErrorResource.Main)) =>
          e
      }
      .getOrElse(fail(s"not an error of ours: $error"))
  }

  test("docs/errors.md is as the catalogue and the examples say") {
    val written = new String(Files.readAllBytes(ErrorsPage.file), UTF_8)
    assert(written == ErrorsPage.text, s"\nRegenerate it: ${ErrorsPage.regenerate}")
  }
}

package org.matchrecognize.spark

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.JavaConverters._

import org.apache.logging.log4j.LogManager
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}

import org.matchrecognize.spark.execution.MatchRecognizeExec

/** A suite with a session that has the extension, as a user configures it. */
abstract class SparkSuite extends AnyFunSuite with BeforeAndAfterAll {

  /** Settings of the session beside those of every suite. */
  protected def settings: Map[String, String] = Map.empty

  protected lazy val spark: SparkSession = {
    // A session that another suite left would be taken as it is, without the extension.
    SparkSession.getDefaultSession.foreach(_.stop())
    val builder = SparkSession
      .builder()
      .master("local[2]")
      .config("spark.sql.extensions", "org.matchrecognize.spark.MatchRecognizeExtensions")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.sql.ansi.enabled", "true")
      .config("spark.sql.warehouse.dir", Warehouse.create())
      // Generated code that does not compile is an error, not a reason to go another way.
      .config("spark.sql.codegen.fallback", "false")
    (InProcessFiles.settings ++ settings).foreach { case (key, value) =>
      builder.config(key, value)
    }
    builder.getOrCreate()
  }

  override def afterAll(): Unit = spark.stop()

  /** The rows of a statement, as values, in the order in which they come. */
  protected def rows(sql: String): Seq[Seq[Any]] = values(spark.sql(sql))

  protected def values(frame: DataFrame): Seq[Seq[Any]] = frame.collect().toSeq.map(_.toSeq)

  /** The operators of a query. With AQE, its plan is the final one once it has run. */
  protected def operators(frame: DataFrame): Seq[SparkPlan] =
    operators(frame.queryExecution.executedPlan)

  private def operators(plan: SparkPlan): Seq[SparkPlan] = plan match {
    case adaptive: AdaptiveSparkPlanExec => operators(adaptive.executedPlan)
    case stage: QueryStageExec           => operators(stage.plan)
    case other                           => other +: other.children.flatMap(operators)
  }

  /** The first clause's operator. */
  protected def searchOf(frame: DataFrame): MatchRecognizeExec =
    operators(frame).collectFirst { case m: MatchRecognizeExec => m }.get

  /** What is logged about clauses while something runs. */
  protected def logged(run: => Any): Seq[String] = {
    val found    = new ConcurrentLinkedQueue[String]
    val logger   = LogManager.getRootLogger.asInstanceOf[Logger]
    val appender = new AbstractAppender("test", null, null, true, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = {
        val _ = found.add(event.getMessage.getFormattedMessage)
      }
    }
    appender.start()
    logger.addAppender(appender)
    try run
    finally logger.removeAppender(appender)
    found.asScala.toSeq.filter(_.contains("MATCH_RECOGNIZE"))
  }

  /** Runs with settings that are taken back afterwards. */
  protected def withSettings[T](settings: (String, String)*)(body: => T): T = {
    settings.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally settings.foreach { case (key, _) => spark.conf.unset(key) }
  }

  /** The message of the innermost error that is ours, with its condition. */
  protected def failure(body: => Any): String = {
    val error  = intercept[Exception](body)
    val causes = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).toSeq
    causes
      .map(e => String.valueOf(e.getMessage))
      .find(_.contains("[MATCH_RECOGNIZE."))
      .getOrElse(fail(s"not an error of ours: $error"))
  }
}

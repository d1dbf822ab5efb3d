package org.apache.spark.sql.matchrecognize

import scala.util.control.NonFatal

import com.fasterxml.jackson.core.`type`.TypeReference
import com.fasterxml.jackson.databind.DeserializationFeature
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.module.scala.DefaultScalaModule

import org.apache.spark.{
  ErrorClassesJsonReader,
  ErrorInfo,
  QueryContext,
  SparkRuntimeException,
  SparkThrowableHelper
}
import org.apache.spark.internal.Logging

/**
 * Adds error conditions to those that Spark's own reader knows.
 *
 * Why here and why by reflection: `SparkThrowableHelper.errorReader` is private[spark], and it
 * offers no way to add conditions. PySpark's `e.getMessage()` and the JSON error formats read only
 * it, and answer INTERNAL_ERROR for a condition that it does not have. If the field is not as
 * expected, only that answer changes.
 */
object ErrorsRegistration extends Logging {

  /**
   * @param conditions
   *   the content of a file in the form of Spark's error-conditions.json
   * @return
   *   true if Spark's reader knows them now
   */
  def register(conditions: String): Boolean =
    try {
      val reader = SparkThrowableHelper.errorReader
      val field  = classOf[ErrorClassesJsonReader].getDeclaredField("errorInfoMap")
      field.setAccessible(true)
      val ours = read(conditions)
      field.set(reader, reader.errorInfoMap ++ ours)
      ours.keys.forall(reader.getSqlState(_) != null)
    } catch {
      case NonFatal(e) =>
        logDebug("Spark's reader of error conditions does not take those of MATCH_RECOGNIZE", e)
        false
    }

  /** Reads as Spark does. Before Spark 4.3 its own reader fails on an SQLSTATE in a subclass. */
  private def read(conditions: String): Map[String, ErrorInfo] =
    JsonMapper
      .builder()
      .addModule(DefaultScalaModule)
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .build()
      .readValue(conditions, new TypeReference[Map[String, ErrorInfo]] {})
}

/**
 * A SparkRuntimeException whose message is complete as given. Here since that class is
 * private[spark]; it is what PySpark and Connect know how to show.
 */
abstract class ErrorsRuntimeException(
    condition: String,
    parameters: Map[String, String],
    contexts: Array[QueryContext],
    summary: String,
    message: String)
    extends SparkRuntimeException(condition, parameters, null, contexts, summary) {

  override def getMessage: String = message
}

package org.apache.spark.sql.matchrecognize

import org.apache.spark.{QueryContext, SparkRuntimeException}

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

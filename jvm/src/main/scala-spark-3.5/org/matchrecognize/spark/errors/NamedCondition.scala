package org.matchrecognize.spark.errors

import org.apache.spark.SparkThrowable

/** Names the condition of a Spark error: up to 3.5, it is the error class. */
private[errors] trait NamedCondition extends SparkThrowable {
  protected def conditionName: String
  override def getErrorClass: String = conditionName
}

private[errors] object NamedCondition {

  /** The condition of any of Spark's errors, or null. */
  def of(error: SparkThrowable): String = error.getErrorClass
}

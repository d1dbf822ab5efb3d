package org.matchrecognize.spark.errors

import org.apache.spark.SparkThrowable

/** Names the condition of a Spark error: from 4.0 on by getCondition; getErrorClass calls it. */
private[errors] trait NamedCondition extends SparkThrowable {
  protected def conditionName: String
  override def getCondition: String = conditionName
}

private[errors] object NamedCondition {

  /** The condition of any of Spark's errors, or null. */
  def of(error: SparkThrowable): String = error.getCondition
}

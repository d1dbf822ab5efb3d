package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, NullIntolerant}

/** Spark 3.5 says it by a trait. */
private[analysis] object NullIntolerance {
  def of(e: Expression): Boolean = e.isInstanceOf[NullIntolerant]
}

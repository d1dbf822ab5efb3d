package org.matchrecognize.spark.streaming

import org.apache.spark.sql.internal.SQLConf

/** Chooses the operator that runs a clause. */
private[streaming] object KeyedOperators {
  def of(conf: SQLConf): KeyedOperator = GroupsWithState
}

package org.matchrecognize.spark.streaming

import org.apache.spark.sql.internal.SQLConf

/** Chooses the operator that runs a clause. */
private[streaming] object KeyedOperators {

  /** TransformWithState refuses every state store but this. */
  private val rocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  def of(conf: SQLConf): KeyedOperator =
    if (conf.stateStoreProviderClass == rocksDb) WithEntries else GroupsWithState
}

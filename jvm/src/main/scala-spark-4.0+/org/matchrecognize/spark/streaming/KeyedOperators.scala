package org.matchrecognize.spark.streaming

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.matchrecognize.SessionSettings

import org.matchrecognize.spark.execution.rows.FewRows

/** Chooses the operator that runs a clause. */
private[streaming] object KeyedOperators {

  /** TransformWithState refuses every state store but this. */
  private val rocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  /** The format of entries, which is that of the checkpoint. */
  private val encoding = "spark.sql.streaming.stateStore.encodingFormat"

  /** Of the rows that a key has in its value. */
  private val inlineBytes = 8 * 1024

  def of(conf: SQLConf): KeyedOperator =
    if (conf.stateStoreProviderClass == rocksDb)
      new WithEntries(
        FewRows(conf.getConf(SessionSettings.inlineRows), inlineBytes),
        conf.getConfString(encoding, "unsaferow") == "avro")
    else GroupsWithState
}

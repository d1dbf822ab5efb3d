package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.SparkSuite

/** A suite whose streams keep their state in entries. */
trait RocksDbState extends SparkSuite {
  abstract override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.stateStore.providerClass" ->
      "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
}

class StreamedClauseInEntriesSuite extends StreamedClauseSuite with RocksDbState {

  /** The row, and where the search is. */
  override protected def entriesOfRetainedRow: Int = 2
}

class ResumedClauseInEntriesSuite extends ResumedClauseSuite with RocksDbState {
  override protected def takesOtherColumns: Boolean = false
}

/** Entries whose columns Spark finds by their names. */
trait AvroState extends RocksDbState {
  abstract override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.stateStore.encodingFormat" -> "avro")
}

class ResumedClauseInAvroSuite extends ResumedClauseSuite with AvroState

class ResumedRandomInEntriesSuite extends ResumedRandomSuite with RocksDbState {
  override protected def takesOtherColumns: Boolean = false
}

class StreamedQueriesInEntriesSuite extends StreamedQueriesSuite with RocksDbState {

  /** Without a snapshot of the store in each micro-batch, which would take most of the time. */
  override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> "true")
}

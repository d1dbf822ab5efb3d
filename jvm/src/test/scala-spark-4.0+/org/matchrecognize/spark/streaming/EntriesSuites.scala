package org.matchrecognize.spark.streaming

import org.scalatest.{Args, Status, SucceededStatus, Tag}

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.robustness.Fuzz

/** A suite whose streams keep their state in entries. */
trait RocksDbState extends SparkSuite {
  abstract override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.stateStore.providerClass" ->
      "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
}

/** In the merge gate only the tests that depend on the store. */
trait TaggedInGate extends SparkSuite {
  protected def inGate: Tag

  abstract override protected def runTest(name: String, args: Args): Status =
    if (Fuzz.isNightly || tags.get(name).exists(_.contains(inGate.name)))
      super.runTest(name, args)
    else SucceededStatus
}

class StreamedClauseInEntriesSuite
    extends StreamedClauseSuite
    with RocksDbState
    with TaggedInGate {
  override protected def inGate: Tag = AboutState
  override protected def store: Int  = 1
}

class ResumedClauseInEntriesSuite extends ResumedClauseSuite with RocksDbState {
  override protected def store: Int                 = 1
  override protected def takesOtherColumns: Boolean = false
}

/** Entries whose columns Spark finds by their names. */
trait AvroState extends RocksDbState {
  abstract override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.stateStore.encodingFormat" -> "avro")
}

class ResumedClauseInAvroSuite extends ResumedClauseSuite with AvroState with TaggedInGate {
  override protected def inGate: Tag = AboutColumns
  override protected def store: Int  = 1
}

class ArrivalOrderInEntriesSuite extends ArrivalOrderSuite with RocksDbState {
  override protected def store: Int  = 1
  override protected def first: Long = 6000L
}

class StreamedPipelinesInEntriesSuite extends StreamedPipelinesSuite with RocksDbState {
  override protected def first: Long = 500000L
}

class ResumedRandomInEntriesSuite extends ResumedRandomSuite with RocksDbState {
  override protected def store: Int                 = 1
  override protected def takesOtherColumns: Boolean = false
}

class StreamedQueriesInEntriesSuite extends StreamedQueriesSuite with RocksDbState {
  override protected def store: Int = 1

  /** Without a snapshot of the store in each micro-batch, which would take most of the time. */
  override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> "true")
}

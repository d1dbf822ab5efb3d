package org.matchrecognize.spark.streaming

import org.apache.spark.sql.Encoders
import org.apache.spark.sql.streaming.{MapState, StatefulProcessorHandle, TTLConfig, ValueState}

import org.matchrecognize.spark.execution.rows.{
  KeptRows,
  PartitionRows,
  RowEntries,
  RowStore,
  StorePlaces
}

/** Where Spark keeps the state of the key under way. */
final private[streaming] class StateEntries(val handle: StatefulProcessorHandle)
    extends StorePlaces {

  /** All that is no row. */
  val matcher: ValueState[Array[Byte]] =
    handle.getValueState[Array[Byte]]("matcher", Encoders.BINARY, TTLConfig.NONE)

  /** The rows that the matcher retains. */
  private val retained = entriesOf("retained")

  /** The labels of the match under way, in chunks. */
  private val chunks = entriesOf("labels")

  /** The rows after the watermark. */
  val waiting: RowEntries = entriesOf("waiting")

  override def rows(inTask: RowStore): PartitionRows   = new KeptRows(inTask, retained)
  override def labels(inTask: RowStore): PartitionRows = new KeptRows(inTask, chunks)

  private def entriesOf(name: String): RowEntries = new RowEntries {
    private val map: MapState[Long, Array[Byte]] =
      handle.getMapState[Long, Array[Byte]](
        name,
        Encoders.scalaLong,
        Encoders.BINARY,
        TTLConfig.NONE)

    override def get(number: Long): Array[Byte]            = map.getValue(number)
    override def put(number: Long, row: Array[Byte]): Unit = map.updateValue(number, row)
    override def remove(number: Long): Unit                = map.removeKey(number)
  }
}

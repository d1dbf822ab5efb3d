package org.matchrecognize.spark.streaming

import org.apache.spark.sql.Encoders
import org.apache.spark.sql.streaming.{MapState, StatefulProcessorHandle, TTLConfig, ValueState}

import org.matchrecognize.spark.execution.rows.RowEntries

/** Where Spark keeps the state of the key under way. */
final private[streaming] class StateEntries(val handle: StatefulProcessorHandle) {

  /** All that is no row. */
  val matcher: ValueState[Array[Byte]] =
    handle.getValueState[Array[Byte]]("matcher", Encoders.BINARY, TTLConfig.NONE)

  /** The rows that the matcher retains. */
  val retained: RowEntries = rows("retained")

  /** The rows after the watermark. */
  val waiting: RowEntries = rows("waiting")

  private def rows(name: String): RowEntries = new RowEntries {
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

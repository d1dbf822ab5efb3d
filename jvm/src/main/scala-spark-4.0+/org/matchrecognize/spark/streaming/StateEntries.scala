package org.matchrecognize.spark.streaming

import org.apache.spark.sql.{Encoder, Encoders}
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.streaming.{MapState, StatefulProcessorHandle, TTLConfig, ValueState}
import org.apache.spark.sql.types.{BinaryType, StructField, StructType}

import org.matchrecognize.spark.execution.rows.{
  KeptRows,
  PartitionRows,
  RowEntries,
  RowStore,
  StorePlaces
}

/**
 * Where Spark keeps the state of the key under way.
 *
 * @param input
 *   the columns of the rows
 */
final private[streaming] class StateEntries(
    val handle: StatefulProcessorHandle,
    input: Seq[Attribute])
    extends StorePlaces {

  /** All that is no row. */
  val matcher: ValueState[Array[Byte]] =
    handle.getValueState[Array[Byte]]("matcher", Encoders.BINARY, TTLConfig.NONE)

  /** The rows that the matcher retains. */
  private val retained = entriesOf("retained", RowEncoding.of(input))

  /** The labels of the match under way, in chunks. */
  private val chunks =
    entriesOf("labels", RowEncoding.of(StructType(Seq(StructField("chunk", BinaryType)))))

  /** The rows after the watermark. */
  val waiting: RowEntries = entriesOf("waiting", RowEncoding.of(input))

  override def rows(inTask: RowStore): PartitionRows   = new KeptRows(inTask, retained)
  override def labels(inTask: RowStore): PartitionRows = new KeptRows(inTask, chunks)

  private def entriesOf(name: String, rows: Encoder[UnsafeRow]): RowEntries = new RowEntries {
    private val map: MapState[Long, UnsafeRow] =
      handle.getMapState[Long, UnsafeRow](name, Encoders.scalaLong, rows, TTLConfig.NONE)

    override def get(number: Long): UnsafeRow            = map.getValue(number)
    override def put(number: Long, row: UnsafeRow): Unit = map.updateValue(number, row)
    override def remove(number: Long): Unit              = map.removeKey(number)
  }
}

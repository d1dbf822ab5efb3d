package org.matchrecognize.spark.streaming

import scala.reflect.ClassTag

import org.apache.spark.sql.{Encoder, Encoders}
import org.apache.spark.sql.catalyst.analysis.GetColumnByOrdinal
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BoundReference,
  CreateNamedStruct,
  GetStructField,
  Literal,
  UnsafeRow
}
import org.apache.spark.sql.streaming.{MapState, StatefulProcessorHandle, TTLConfig, ValueState}
import org.apache.spark.sql.types.{BinaryType, StructField, StructType}

import org.matchrecognize.spark.execution.rows.{
  FewRows,
  MatcherStorage,
  PartitionRows,
  RowEntries,
  RowStore,
  SavedRows
}

/**
 * Where Spark keeps the state of the current key.
 *
 * @param input
 *   the columns of the rows
 * @param few
 *   rows that are no entries
 */
final private[streaming] class StateEntries(
    val handle: StatefulProcessorHandle,
    input: Seq[Attribute],
    few: FewRows)
    extends MatcherStorage {

  /** All that is no entry. */
  val matcher: ValueState[Array[Byte]] =
    handle.getValueState[Array[Byte]]("matcher", Encoders.BINARY, TTLConfig.NONE)

  /** The rows that the matcher retains. */
  private val retained = entriesOf("retained", RowEncoding.of(input))

  /** The labels of the match under way, in chunks. */
  private val chunks =
    entriesOf("labels", RowEncoding.of(StructType(Seq(StructField("chunk", BinaryType)))))

  /** The rows after the watermark. */
  val waiting: RowEntries = entriesOf("waiting", RowEncoding.of(input))

  /**
   * Fewer than of the rows that wait, which are mostly written once. These can stay for long, and
   * each micro-batch that calls for the key writes them again.
   */
  private val fewRetained = few.atMost(16, 2 * 1024)

  override def rows(inTask: RowStore): PartitionRows =
    new SavedRows(inTask, retained, fewRetained)
  override def labels(inTask: RowStore): PartitionRows =
    new SavedRows(inTask, chunks, FewRows(0, 0))

  private def entriesOf(name: String, rows: Encoder[UnsafeRow]): RowEntries = new RowEntries {
    private val map: MapState[Long, UnsafeRow] =
      handle.getMapState[Long, UnsafeRow](name, Encoders.scalaLong, rows, TTLConfig.NONE)

    override def get(number: Long): UnsafeRow            = map.getValue(number)
    override def put(number: Long, row: UnsafeRow): Unit = map.updateValue(number, row)
    override def remove(number: Long): Unit              = map.removeKey(number)
  }
}

/**
 * Encodes UnsafeRows as rows of named columns, so that Spark's reader of the state store shows the
 * columns. A row that is decoded is a copy.
 */
private[streaming] object RowEncoding {

  def of(columns: Seq[Attribute]): ExpressionEncoder[UnsafeRow] =
    of(StructType(columns.zip(StateColumns.names(columns)).map { case (column, name) =>
      StructField(name, column.dataType)
    }))

  def of(schema: StructType): ExpressionEncoder[UnsafeRow] = {
    val row    = BoundReference(0, schema, nullable = false)
    val stored = StructType(schema.map(f => f.copy(dataType = StateColumns.typeOf(f.dataType))))
    val fields = schema.fields.toSeq.zip(stored.fields).zipWithIndex
    ExpressionEncoder(
      new RowsAsRows(stored),
      objSerializer = CreateNamedStruct(fields.flatMap { case ((field, inState), i) =>
        val value = GetStructField(row, i)
        Seq(
          Literal(field.name),
          if (inState.dataType == field.dataType) value else BytesOfValue(value))
      }),
      objDeserializer = RowObject(
        fields.map { case ((field, inState), i) =>
          val value = GetColumnByOrdinal(i, inState.dataType)
          if (inState.dataType == field.dataType) value else ValueOfBytes(value, field.dataType)
        },
        isCopied = true
      )
    )
  }

  final private class RowsAsRows(override val dataType: StructType)
      extends AgnosticEncoder[UnsafeRow] {
    override def isPrimitive: Boolean        = false
    override def schema: StructType          = dataType
    override def isStruct: Boolean           = true
    override def clsTag: ClassTag[UnsafeRow] = ClassTag(classOf[UnsafeRow])
  }
}

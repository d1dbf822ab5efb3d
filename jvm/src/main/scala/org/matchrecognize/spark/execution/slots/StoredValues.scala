package org.matchrecognize.spark.execution.slots

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BoundReference,
  Cast,
  Expression,
  Literal,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.Platform

import org.matchrecognize.spark.errors.RestoredError
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** Values of some types in a matcher's state: as an UnsafeRow, the same in every JVM. */
final private[spark] class StoredValues(types: Seq[DataType]) {
  private val project = UnsafeProjection.create(types.toArray)

  def write(values: InternalRow, out: StateOutput): Unit =
    StoredValues.writeRow(project(values), out)

  def read(in: StateInput): Array[Any] = values(StoredValues.readRow(types.size, in))

  /** The values of a row that stays as it is. */
  def values(row: UnsafeRow): Array[Any] =
    types.indices.map(i => if (row.isNullAt(i)) null else row.get(i, types(i))).toArray[Any]
}

private[spark] object StoredValues {

  def writeRow(row: UnsafeRow, out: StateOutput): Unit = {
    val bytes = row.getSizeInBytes
    val at    = out.beginBlock(bytes)
    Platform.copyMemory(
      row.getBaseObject,
      row.getBaseOffset,
      out.buffer,
      Platform.BYTE_ARRAY_OFFSET.toLong + at,
      bytes.toLong)
  }

  /** A row that is a copy: what is taken out of it stays. */
  def readRow(fields: Int, in: StateInput): UnsafeRow = {
    val bytes = in.readBlock()
    val row   = new UnsafeRow(fields)
    row.pointTo(bytes, bytes.length)
    row
  }
}

/**
 * What a state holds of the input, as it was when the state was written: columns in another order,
 * of narrower types, more or fewer. A column that did not exist is NULL in the rows of before.
 *
 * @param columns
 *   those that the input still has are the same attributes, of the type that they had
 * @param kept
 *   by aggregate, the types of what is kept for it
 * @param input
 *   the columns as they are
 */
final private[spark] class StoredInput(
    val columns: Seq[Attribute],
    val kept: Seq[Seq[DataType]],
    input: Seq[Attribute])
    extends Serializable {

  /** None if a row is as it was. */
  @transient private lazy val toInput: Option[UnsafeProjection] = {
    val values = input.map { a =>
      columns.find(_.exprId == a.exprId).fold[Expression](Literal(null, a.dataType)) { column =>
        StoredInput.as(column, a.dataType)
      }
    }
    if (values == columns) None else Some(UnsafeProjection.create(values, columns))
  }

  /** Reads a row; a copy. */
  def read(in: StateInput): UnsafeRow = {
    val row = StoredValues.readRow(columns.size, in)
    toInput.fold(row)(_(row).copy())
  }
}

private[execution] object StoredInput {

  private def as(value: Expression, dataType: DataType): Expression =
    if (value.dataType == dataType) value else Cast(value, dataType)

  /** Reads rows of values of some types as rows of values of wider types. */
  def reader(from: Seq[DataType], to: Seq[DataType], in: StateInput): () => UnsafeRow =
    if (from == to) () => StoredValues.readRow(to.size, in)
    else {
      val widened = UnsafeProjection.create(from.zip(to).zipWithIndex.map {
        case ((before, now), i) => as(BoundReference(i, before, nullable = true), now)
      })
      () => widened(StoredValues.readRow(from.size, in)).copy()
    }
}

/** An error that was met ahead of the search, in a matcher's state: what it says. */
private[execution] object StoredError {

  def write(error: Throwable, out: StateOutput): Unit = {
    val texts = RestoredError.texts(error)
    out.writeNumber(texts.size.toLong)
    texts.foreach(text => out.writeBlock(text.getBytes(UTF_8)))
  }

  def read(in: StateInput): Throwable = {
    val texts = Seq.fill(in.readInt())(new String(in.readBlock(), UTF_8))
    RestoredError.of(texts)
  }
}

package org.matchrecognize.spark.execution

import java.nio.ByteBuffer
import java.util.Arrays
import java.util.zip.CRC32

import org.apache.spark.sql.catalyst.trees.Origin

import org.matchrecognize.spark.errors.{MatchRecognizeErrors, RuntimeErrors}
import org.matchrecognize.spark.execution.rows.RowStore
import org.matchrecognize.spark.execution.slots.{
  SlotLayout,
  Slots,
  StoredSlotsReader,
  StoredSlotsWriter,
  StoredValues
}
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}

/**
 * The state of a [[PartitionMatcher]] in the middle of a partition, as bytes: what another matcher
 * of the same clause needs to go on, in another JVM too.
 *
 * {{{
 *   version | checksum | shape | rows retained | where the search stands, its threads
 * }}}
 *
 * It is as large as what is retained, not as what was seen. Nothing in it is a serialized object:
 * numbers, UnsafeRows, and of an error its text.
 *
 * @param keepLabels
 *   whether threads know their labels
 * @param options
 *   how the partition is searched
 */
final private[execution] class MatcherState(
    spec: MatchSpec,
    store: RowStore,
    search: PartitionSearch[Slots],
    layout: SlotLayout,
    keepLabels: Boolean,
    options: SearchOptions) {

  /** What the layout of a state depends on: states of matchers built differently are told apart. */
  private val shape: Int = {
    val slots = layout.rowSlots.map(s => s"${s.members}${s.firstDepth},${s.lastDepth}")
    StateSeal.shape(
      spec.clause.patternSql,
      s"${spec.clause.afterMatch.sql} ${spec.clause.within} ${spec.clause.flinkDialect}",
      spec.input.map(_.dataType.catalogString).mkString(","),
      s"${slots.mkString} ${layout.listCount} ${layout.keepHistory} ${layout.numbersRows}",
      layout.aggregates.map(_.stored).mkString(","),
      s"$keepLabels ${options.lookBack}"
    )
  }

  /** The search stands between two rows: [[PartitionSearch.write]]. */
  def write(limit: Int): Array[Byte] = {
    val out   = new StateOutput(limit)
    val row   = store.newRow()
    var index = store.firstIndex
    out.writeNumber(index)
    out.writeNumber(store.size - index)
    while (index < store.size) {
      store.get(index, row)
      StoredValues.writeRow(row, out)
      index += 1
    }
    search.write(out, new StoredSlotsWriter(layout, search.start, out))
    StateSeal.close(shape, out)
  }

  /** Fills the store and the search. */
  def read(bytes: Array[Byte]): Unit = {
    val in = StateSeal.open(shape, bytes, spec.origin)
    store.clear(in.readNumber())
    var left = in.readNumber()
    while (left > 0) {
      store.append(StoredValues.readRow(spec.input.size, in))
      left -= 1
    }
    search.read(in, start => new StoredSlotsReader(layout, start, in))
  }
}

/** What stands before every state, and says whether it can be read. */
private[execution] object StateSeal {

  /** The first byte. Another number means another format. */
  val version: Byte = 5

  private val headerBytes = 1 + 4 + 4

  /** A number that is the same in every JVM. */
  def shape(parts: String*): Int = parts.mkString("\n").hashCode

  /** Whole bytes of a state. */
  def close(shape: Int, out: StateOutput): Array[Byte] = {
    val body  = out.toByteArray
    val bytes = ByteBuffer.allocate(Math.addExact(headerBytes, body.length))
    bytes.put(version).putInt(checksum(body)).putInt(shape).put(body)
    bytes.array
  }

  /**
   * What [[close]] closed.
   *
   * @param clause
   *   for the error
   */
  def open(shape: Int, bytes: Array[Byte], clause: Origin): StateInput = {
    def unreadable(reason: String) =
      throw MatchRecognizeErrors.runtime(
        RuntimeErrors.StateUnreadable,
        clause,
        None,
        "reason" -> reason)
    if (bytes.isEmpty || bytes(0) != version) {
      val found = if (bytes.isEmpty) "none" else (bytes(0) & 0xff).toString
      unreadable(s"its format is $found, and this version of the library reads $version")
    }
    if (bytes.length < headerBytes) unreadable("it is damaged")
    val header = ByteBuffer.wrap(bytes, 1, headerBytes - 1)
    val sum    = header.getInt
    if (header.getInt != shape) unreadable("another clause wrote it, or one over other columns")
    val body = Arrays.copyOfRange(bytes, headerBytes, bytes.length)
    if (checksum(body) != sum) unreadable("it is damaged")
    new StateInput(body)
  }

  private def checksum(body: Array[Byte]): Int = {
    val sum = new CRC32
    sum.update(body, 0, body.length)
    sum.getValue.toInt
  }
}

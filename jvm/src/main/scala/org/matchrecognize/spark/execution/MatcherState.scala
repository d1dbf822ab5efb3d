package org.matchrecognize.spark.execution

import java.nio.ByteBuffer
import java.util.Arrays
import java.util.zip.CRC32

import org.apache.spark.sql.catalyst.expressions.{Attribute, GenericInternalRow}
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.errors.{MatchRecognizeErrors, RuntimeErrors}
import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.{
  LabelHistory,
  MappedRows,
  SlotLayout,
  Slots,
  StoredInput,
  StoredValues
}
import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  SharedReader,
  SharedWriter,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.search.PartitionSearch

/**
 * The state of a [[PartitionMatcher]] in the middle of a partition, as bytes: what another matcher
 * of the same clause needs to go on, in another JVM too.
 *
 * {{{
 *   version | checksum | shape | rows retained | position of the search, its threads
 * }}}
 *
 * It is as large as what is retained, not as what was seen; without the rows where these are kept
 * elsewhere ([[PartitionRows.save]]). Nothing in it is a serialized object:
 * numbers, UnsafeRows, and of an error its text.
 *
 * @param keepLabels
 *   whether threads know their labels
 */
final private[execution] class MatcherState(
    plan: MatchPlan,
    input: Seq[Attribute],
    store: PartitionRows,
    search: PartitionSearch[Slots],
    layout: SlotLayout,
    keepLabels: Boolean) {

  /**
   * Identifies the layout of a state, so that only a matcher of the same layout reads it. No text
   * of Spark's is in it but the names of types.
   *
   * @param columns
   *   of the rows in the state
   */
  private def shape(columns: Seq[Attribute]): Int = {
    val slots =
      layout.rowSlots.map(s => s"(${s.members.mkString(" ")})${s.firstDepth},${s.lastDepth}")
    val within = plan.clause.within.map(_.meaning).mkString
    StateSeal.shape(
      plan.clause.patternMeaning,
      s"${plan.clause.skipMeaning} $within ${plan.clause.flinkDialect}",
      columns.map(_.dataType.catalogString).mkString(","),
      s"${slots.mkString} ${layout.listCount} ${layout.keepHistory} ${layout.numbersRows}",
      layout.aggregates.map(_.stored).mkString(","),
      keepLabels.toString
    )
  }

  /** Requires that the search is between two rows: [[PartitionSearch.write]]. */
  def write(limit: Int): Array[Byte] = {
    val out   = new StateOutput(limit)
    val row   = store.newRow()
    val first = store.firstIndex
    var index = store.save()
    out.writeNumber(first)
    out.writeNumber(index - first)
    out.writeNumber(store.size - index)
    while (index < store.size) {
      store.get(index, row)
      StoredValues.writeRow(row, out)
      index += 1
    }
    search.write(out, new StoredSlotsWriter(layout, search.start, out))
    StateSeal.close(shape(input), out)
  }

  /**
   * Fills the store and the search.
   *
   * @param stored
   *   the columns of the rows in the state
   */
  def read(bytes: Array[Byte], stored: StoredInput): Unit = {
    val (_, in) = StateSeal.open(Map(shape(stored.columns) -> stored), bytes, plan.clauseOrigin)
    val first   = in.readNumber()
    store.resume(first, first + in.readNumber())
    var left = in.readNumber()
    while (left > 0) {
      store.append(stored.read(in))
      left -= 1
    }
    search.read(in, start => new StoredSlotsReader(layout, start, in, stored.kept))
    if (search.oldestNeeded < first)
      StateSeal.unreadable("the clause reads rows that it does not have", plan.clauseOrigin)
  }
}

/** The header of a state: it says whether this version and this clause can read the rest. */
private[spark] object StateSeal {

  /** The first byte. Another number means another format. */
  val version: Byte = 11

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
   * What [[close]] closed with one of some shapes, and what this shape stands for.
   *
   * @param clause
   *   for the error
   */
  def open[T](shapes: Map[Int, T], bytes: Array[Byte], clause: Origin): (T, StateInput) = {
    if (bytes.isEmpty || bytes(0) != version) {
      val found = if (bytes.isEmpty) "none" else (bytes(0) & 0xff).toString
      otherFormat(found, clause)
    }
    if (bytes.length < headerBytes) unreadable("it is damaged", clause)
    val header = ByteBuffer.wrap(bytes, 1, headerBytes - 1)
    val sum    = header.getInt
    val known  = shapes.getOrElse(
      header.getInt,
      unreadable("another clause wrote it, or this clause over other columns", clause))
    val body = Arrays.copyOfRange(bytes, headerBytes, bytes.length)
    if (checksum(body) != sum) unreadable("it is damaged", clause)
    (known, new StateInput(body))
  }

  /** Refuses a state of another version of the library. */
  def otherFormat(found: String, clause: Origin): Nothing =
    unreadable(
      s"its format is $found, and this version of the library reads format $version",
      clause)

  /** Refuses a state, for this reason. */
  def unreadable(reason: String, clause: Origin): Nothing =
    throw MatchRecognizeErrors.runtime(
      RuntimeErrors.StateUnreadable,
      clause,
      None,
      "reason" -> reason)

  private def checksum(body: Array[Byte]): Int = {
    val sum = new CRC32
    sum.update(body, 0, body.length)
    sum.getValue.toInt
  }
}

/**
 * Writes the slots of one search. Threads share slots, and slots share lists, histories and
 * buffers: each is written once. Rows are written as distances.
 *
 * @param start
 *   the first row of the match: no slot holds a row before it
 */
final private[execution] class StoredSlotsWriter(
    layout: SlotLayout,
    start: Long,
    out: StateOutput)
    extends SlotsWriter[Slots] {

  private val lists = Array.fill(layout.listCount) {
    new ChainWriter[MappedRows](out)(_.parent)(rows => {
      val before = if (rows.parent == null) start else Slots.row(rows.parent.entry)
      out.writeNumber(Slots.row(rows.entry) - before)
      out.writeNumber(Slots.variable(rows.entry).toLong)
    })
  }

  private val histories =
    new ChainWriter[LabelHistory](out)(_.parent)(h => {
      out.writeNumber(h.row - (if (h.parent == null) start else h.parent.row + 1))
      out.writeNumber(h.variable.toLong)
    })

  private val buffers: Array[GenericInternalRow => Unit] = layout.aggregates.map(_.writer(out))

  private val shared = new SharedWriter[Slots](out)({ slots =>
    slots.rows.foreach(writeEntry)
    lists.indices.foreach(i => lists(i).write(slots.lists(i)))
    buffers.indices.foreach(i => buffers(i)(slots.buffers(i)))
    if (layout.keepHistory) histories.write(slots.history)
  })

  private def writeEntry(entry: Long): Unit =
    if (entry < 0) out.writeNumber(0)
    else {
      out.writeNumber(Slots.row(entry) - start + 1)
      out.writeNumber(Slots.variable(entry).toLong)
    }

  override def write(slots: Slots): Unit = shared.write(slots)
}

/**
 * Reads what a [[StoredSlotsWriter]] wrote.
 *
 * @param kept
 *   by aggregate, the types of what was kept for it
 */
final private[execution] class StoredSlotsReader(
    layout: SlotLayout,
    start: Long,
    in: StateInput,
    kept: Seq[Seq[DataType]])
    extends SlotsReader[Slots] {

  private val lists = Array.fill(layout.listCount) {
    new ChainReader[MappedRows](in)(parent => {
      val before = if (parent == null) start else Slots.row(parent.entry)
      new MappedRows(parent, readEntry(before))
    })
  }

  private val histories = new ChainReader[LabelHistory](in)(parent => {
    val next = if (parent == null) start else parent.row + 1
    new LabelHistory(parent, next + in.readNumber(), in.readInt())
  })

  private val buffers: Array[() => GenericInternalRow] =
    layout.aggregates.zip(kept).map { case (aggregate, types) => aggregate.reader(in, types) }

  private val shared = new SharedReader[Slots](in)(
    new Slots(
      Array.fill(layout.entryCount)(readEntryOrNone()),
      lists.map(_.read()),
      buffers.map(_()),
      if (layout.keepHistory) histories.read() else null))

  private def readEntry(from: Long): Long = Slots.entry(from + in.readNumber(), in.readInt())

  private def readEntryOrNone(): Long = {
    val row = in.readNumber()
    if (row == 0) -1 else Slots.entry(start + row - 1, in.readInt())
  }

  override def read(): Slots = shared.read()
}

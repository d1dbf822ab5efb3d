package org.matchrecognize.spark.execution.slots

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types.DataType

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

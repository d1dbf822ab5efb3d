package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer
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

import org.matchrecognize.spark.execution.{PartitionMatcher, StateSeal}
import org.matchrecognize.spark.execution.rows.{
  FewRows,
  MatcherStorage,
  PartitionRows,
  RowEntries,
  RowStore,
  SavedRows
}
import org.matchrecognize.spark.execution.slots.StoredValues
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * The state of a key in entries of the state store, one for each row. What a micro-batch reads and
 * writes besides them is one small value:
 *
 * {{{
 *   header of StateSeal | timers | rows that wait, if few | which entries wait
 *     | state of the matcher, with the rows that are no entries
 * }}}
 *
 * One object serves all keys of a task, one after the other.
 */
final private[streaming] class StateInEntries(
    task: KeyedTask,
    few: FewRows,
    entries: StateEntries)
    extends KeyState {
  private val waiting = new WaitingRows(entries.waiting, task.time.due, few)

  private val timers = new KeyTimers(entries.handle.registerTimer, entries.handle.deleteTimer)

  private var clock   = 0L
  private var isTimer = false

  /** Whether the key has a value. */
  private var exists = false

  /** Another key is called: by a timer, or with rows. */
  def begin(clock: Long, isTimer: Boolean): Unit = {
    this.clock = clock
    this.isTimer = isTimer
    exists = false
    timers.clear()
    waiting.clear()
  }

  override def restore(matcher: PartitionMatcher): Unit =
    Option(entries.matcher.get()).foreach { bytes =>
      val (stored, in) = StateSeal.open(task.states, bytes, task.plan.clauseOrigin)
      exists = true
      timers.read(in)
      timers.begin(clock, isTimer)
      waiting.read(in, stored.read)
      matcher.restoreState(in.readBlock(), stored)
    }

  override def takeDue(clock: Long): Iterable[UnsafeRow] = {
    val due = new ArrayBuffer[UnsafeRow]
    waiting.advance(clock)(due += _)
    due
  }

  override def add(row: UnsafeRow, due: Long): Unit = waiting.add(row, due)
  override def size: Long                           = waiting.size
  override def earliest: Option[Long]               = waiting.earliest

  override def save(matcher: PartitionMatcher, wakeAt: Option[Long]): Unit = {
    wakeAt.foreach(millis => timers.await(millis, isRow = earliest.contains(millis)))
    val out = new StateOutput
    timers.write(out)
    waiting.write(out)
    out.writeBlock(matcher.saveState())
    entries.matcher.update(StateSeal.close(task.shape, out))
  }

  override def remove(): Unit = {
    timers.remove()
    if (exists) entries.matcher.clear()
  }
}

/**
 * The timers of a key, times of the [[Clock]] at which Spark calls for it: one for a row that
 * waits, and one for the end of WITHIN, which mostly stays the same while rows before it come and go.
 *
 * A timer that has become too early stays. Spark then calls once too often, and the key registers
 * the timer that it needs by then. Registering a timer takes a read and two writes of the state
 * store, and so does deleting it: a timer moved with each row would cost more.
 */
final private[streaming] class KeyTimers(register: Long => Unit, delete: Long => Unit) {

  /** Timers are later than the clock, which is not negative. */
  final private val noTimer = 0L

  private var ofRow = noTimer
  private var ofEnd = noTimer

  /** Begins another key, without timers. */
  def clear(): Unit = {
    ofRow = noTimer
    ofEnd = noTimer
  }

  /**
   * Spark calls for the key at this time.
   *
   * @param isTimer
   *   whether by a timer. Spark then calls for each timer that the clock has reached, and deletes
   *   it. If it calls with rows, it calls for timers later, which would be in vain.
   */
  def begin(clock: Long, isTimer: Boolean): Unit = {
    def left(timer: Long): Long =
      if (timer > clock) timer
      else {
        if (timer != noTimer && !isTimer) delete(timer)
        noTimer
      }
    ofRow = left(ofRow)
    ofEnd = left(ofEnd)
  }

  /**
   * Ensures that Spark calls at this time or earlier.
   *
   * @param isRow
   *   whether a row waits for it, or the end of WITHIN
   */
  def await(due: Long, isRow: Boolean): Unit = {
    def isCovered(timer: Long) = timer != noTimer && timer <= due
    if (!isCovered(ofRow) && !isCovered(ofEnd)) {
      val old = if (isRow) ofRow else ofEnd
      if (old != noTimer) delete(old)
      register(due)
      if (isRow) ofRow = due else ofEnd = due
    }
  }

  /** Deletes all timers. */
  def remove(): Unit = {
    Seq(ofRow, ofEnd).filter(_ != noTimer).foreach(delete)
    clear()
  }

  def write(out: StateOutput): Unit = {
    out.writeNumber(ofRow)
    out.writeNumber(ofEnd)
  }

  def read(in: StateInput): Unit = {
    ofRow = in.readNumber()
    ofEnd = in.readNumber()
  }
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

/**
 * The rows of a key that wait for the watermark. A few rows are part of the value that a
 * micro-batch reads and writes for the key in any case: most keys have no more, and each access to
 * an entry would cost more than those bytes.
 *
 * If there are more rows, all of them are entries ([[WaitingEntries]]). Those that a watermark makes
 * this read move back if they are few and no other is left.
 *
 * @param due
 *   the first watermark at which a row is due
 */
final private[streaming] class WaitingRows(
    entries: RowEntries,
    due: UnsafeRow => Long,
    limits: FewRows) {

  /** Empty unless `many` is. */
  private val few      = new ArrayBuffer[UnsafeRow]
  private var fewBytes = 0L
  private val many     = new WaitingEntries(entries)

  /** How many rows there are. */
  def size: Long = few.size + many.size

  /** When the first row is due. */
  def earliest: Option[Long] =
    if (few.isEmpty) many.earliest else Some(few.iterator.map(due).min)

  /** Adds a row that is first due at this time, which the watermark has not reached; copies it. */
  def add(row: UnsafeRow, time: Long): Unit =
    if (many.size == 0 && fits(row)) addToFew(row.copy())
    else {
      takeFew().foreach(moved => many.add(moved, due(moved)))
      many.add(row, time)
    }

  private def fits(row: UnsafeRow): Boolean =
    few.size < limits.rows && fewBytes + row.getSizeInBytes <= limits.bytes

  private def addToFew(row: UnsafeRow): Unit = {
    few += row
    fewBytes += row.getSizeInBytes
  }

  private def takeFew(): Seq[UnsafeRow] = {
    val rows = few.toList
    few.clear()
    fewBytes = 0
    rows
  }

  /** Moves the watermark, and takes out the rows that are due then, in no order. */
  def advance(to: Long)(take: UnsafeRow => Unit): Unit = {
    if (few.exists(due(_) <= to))
      takeFew().foreach(row => if (due(row) <= to) take(row) else addToFew(row))
    many.advance(to) { row =>
      val time = due(row)
      if (time <= to) take(row) else add(row, time)
    }
  }

  /** Begins another key, without rows. */
  def clear(): Unit = {
    takeFew()
    many.clear()
  }

  /** Writes the few rows, or which entries there are; [[read]] of another task continues. */
  def write(out: StateOutput): Unit = {
    out.writeNumber(few.size.toLong)
    few.foreach(StoredValues.writeRow(_, out))
    many.write(out)
  }

  /**
   * @param readRow
   *   reads one of the few rows; a copy
   */
  def read(in: StateInput, readRow: StateInput => UnsafeRow): Unit = {
    takeFew()
    (0 until in.readInt()).foreach(_ => addToFew(readRow(in)))
    many.read(in)
  }
}

/**
 * Rows of a key that wait for the watermark, as entries: a queue by the time at which they are due,
 * which reads none of the rows that are due much later (a radix heap).
 *
 * A row is in the box of the highest bit in which its time differs from the watermark. It is later,
 * so it has a 1 there and the watermark a 0. When the watermark moves, let `h` be the highest bit
 * that changes, from 0 to 1:
 *   - rows in boxes above `h` stay: they still differ from the watermark in the same bit;
 *   - rows in boxes below `h` are due: they have a 0 at `h`;
 *   - rows in box `h` are due, or move to a lower box.
 * A row is therefore read at most once for each bit of the time that it waits.
 */
final private[streaming] class WaitingEntries(entries: RowEntries) {
  import WaitingEntries._

  private var watermark = 0L

  /** By box, how many rows it has, and when the first of them is due. */
  private val counts = new Array[Int](boxCount)
  private val firsts = new Array[Long](boxCount)

  /** How many rows there are. */
  def size: Long    = total
  private var total = 0L

  /** When the first row is due. */
  def earliest: Option[Long] = counts.indices.find(counts(_) > 0).map(firsts(_))

  /** Adds a row that is first due at this time, which the watermark has not reached; copies it. */
  def add(row: UnsafeRow, time: Long): Unit = {
    val box = boxOf(time)
    entries.put(number(box, counts(box)), row)
    firsts(box) = if (counts(box) == 0) time else math.min(firsts(box), time)
    counts(box) += 1
    total += 1
  }

  /** The box of a time that differs from the watermark. */
  private def boxOf(time: Long): Int =
    boxCount - 1 - java.lang.Long.numberOfLeadingZeros(time ^ watermark)

  /**
   * Moves the watermark, and takes out, in no order, the rows that are due and those that must move
   * to a lower box. The caller may add the latter again while it takes them.
   */
  def advance(to: Long)(take: UnsafeRow => Unit): Unit = if (to > watermark) {
    val highest = boxOf(to)
    watermark = to
    // Upwards: rows of the highest box move to those below, which are empty by then.
    (0 to highest).foreach(open(_, take))
  }

  private def open(box: Int, take: UnsafeRow => Unit): Unit = {
    val count = counts(box)
    counts(box) = 0
    total -= count
    (0 until count).foreach { i =>
      val row = entries.get(number(box, i))
      entries.remove(number(box, i))
      take(row)
    }
  }

  /** Begins another key, without rows. */
  def clear(): Unit = {
    watermark = 0
    total = 0
    java.util.Arrays.fill(counts, 0)
  }

  /** Writes which entries there are; [[read]] of another task continues with them. */
  def write(out: StateOutput): Unit = {
    val used = counts.indices.filter(counts(_) > 0)
    out.writeNumber(watermark)
    out.writeNumber(used.size.toLong)
    used.foreach { box =>
      out.writeNumber(box.toLong)
      out.writeNumber(counts(box).toLong)
      out.writeNumber(firsts(box) - watermark)
    }
  }

  def read(in: StateInput): Unit = {
    clear()
    watermark = in.readNumber()
    var left = in.readNumber()
    while (left > 0) {
      val box = in.readInt()
      counts(box) = in.readInt()
      total += counts(box)
      firsts(box) = watermark + in.readNumber()
      left -= 1
    }
  }
}

private object WaitingEntries {

  /** Of the bits of a time. */
  val boxCount: Int = 64

  /** The number of an entry. */
  def number(box: Int, index: Int): Long = box.toLong << 32 | index.toLong
}

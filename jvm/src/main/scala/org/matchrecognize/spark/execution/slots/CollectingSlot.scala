package org.matchrecognize.spark.execution.slots

import scala.collection.immutable.HashSet

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Expression,
  GenericInternalRow,
  SpecificInternalRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate
import org.apache.spark.sql.types.DataType

import org.matchrecognize.spark.expressions.{AddedRow, RowAggregate}
import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  StateInput,
  StateOutput
}

/**
 * An aggregate that updates a buffer in place (collecting ones, percentiles, aggregates of users):
 * such a buffer cannot be shared. What is kept is the list of what it is given of each row, shared
 * between threads; the aggregate is computed over the list when it is read.
 */
final private[execution] class CollectingSlot(
    aggregate: RowAggregate,
    function: ImperativeAggregate,
    schema: Seq[Attribute])
    extends AggregateSlot(aggregate, schema) {

  /** The columns that the arguments use. */
  private val used: Seq[Attribute] = schema.filter(function.references.contains)
  private val take                 = UnsafeProjection.create(used, schema)
  private lazy val key             =
    if (aggregate.distinct) Some(DistinctKey.of(function.children, schema)) else None

  private val bound: ImperativeAggregate =
    BindReferences
      .bindReference[Expression](function, used)
      .asInstanceOf[ImperativeAggregate]
      .withNewMutableAggBufferOffset(0)
  private val bufferTypes = function.aggBufferAttributes.map(_.dataType)

  override val initial: CollectedRows = new CollectedRows(null, null, HashSet.empty)

  override protected def added(
      buffer: GenericInternalRow,
      addedRow: AddedRow): GenericInternalRow = {
    val old = buffer.asInstanceOf[CollectedRows]
    val row = addedRow.columns
    // Else all lists of a match would keep their values. That of `old` is often read again.
    if (old.parent != null) old.parent.forget()
    key match {
      case None           => new CollectedRows(old, take(row).copy(), HashSet.empty)
      case Some(distinct) =>
        val value = distinct(row)
        if (old.seen.contains(value)) old
        else new CollectedRows(old, take(row).copy(), old.seen + value.copy())
    }
  }

  /** The aggregate over the collected rows; computed once per buffer. */
  def evaluate(buffer: GenericInternalRow): Any = {
    val rows = buffer.asInstanceOf[CollectedRows]
    if (!rows.evaluated) {
      val values = new SpecificInternalRow(bufferTypes)
      bound.initialize(values)
      rows.inOrder.foreach(bound.update(values, _))
      // An aggregate of users returns the same row each time.
      rows.value = InternalRow.copyValue(bound.eval(values))
      rows.evaluated = true
    }
    rows.value
  }

  override protected def bufferWriter(out: StateOutput): GenericInternalRow => Unit = {
    val rows =
      new ChainWriter[CollectedRows](out)(r => if (r.parent.isEmpty) null else r.parent)(r =>
        StoredValues.writeRow(r.row, out))
    buffer => {
      val last = buffer.asInstanceOf[CollectedRows]
      rows.write(if (last.isEmpty) null else last)
    }
  }

  override def storedTypes: Seq[DataType] = used.map(_.dataType)

  override protected def bufferReader(
      in: StateInput,
      types: Seq[DataType]): () => GenericInternalRow = {
    val read = StoredInput.reader(types, storedTypes, in)
    val rows = new ChainReader[CollectedRows](in)(before => {
      val parent = if (before == null) initial else before
      val row    = read()
      new CollectedRows(parent, row, storedKey.fold(parent.seen)(parent.seen + _(row).copy()))
    })
    () => {
      val last = rows.read()
      if (last == null) initial else last
    }
  }

  /** What DISTINCT compares, of a row that was kept. */
  private lazy val storedKey =
    if (aggregate.distinct) Some(DistinctKey.of(function.children, used)) else None
}

/**
 * The rows given to an aggregate, the last first.
 *
 * @param parent
 *   the list without the last row; null if this is the empty list
 * @param seen
 *   the values in it, under DISTINCT
 */
final private[execution] class CollectedRows(
    val parent: CollectedRows,
    val row: UnsafeRow,
    val seen: HashSet[UnsafeRow])
    extends GenericInternalRow(new Array[Any](0)) {

  /** The aggregate over the list, once it was read. */
  var evaluated: Boolean = false
  var value: Any         = _

  def forget(): Unit = {
    evaluated = false
    value = null
  }

  override val hashCode: Int = if (parent == null) 17 else parent.hashCode * 31 + row.hashCode

  override def equals(other: Any): Boolean = other match {
    case that: CollectedRows =>
      var a = this
      var b = that
      while (!a.eq(b) && a.parent != null && b.parent != null && a.row == b.row) {
        a = a.parent
        b = b.parent
      }
      a.eq(b) || (a.parent == null && b.parent == null)
    case _ => false
  }

  def isEmpty: Boolean = parent == null

  def inOrder: Seq[UnsafeRow] = {
    var rows = List.empty[UnsafeRow]
    var node = this
    while (node.parent != null) {
      rows = node.row :: rows
      node = node.parent
    }
    rows
  }
}

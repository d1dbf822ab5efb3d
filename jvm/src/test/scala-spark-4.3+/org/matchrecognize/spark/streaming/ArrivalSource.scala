package org.matchrecognize.spark.streaming

import java.util
import java.util.{EnumSet, UUID}
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.catalyst.{CatalystTypeConverters, InternalRow}
import org.apache.spark.sql.connector.catalog.{
  SupportsRead,
  Table,
  TableCapability,
  TableProvider
}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read.{
  InputPartition,
  PartitionReader,
  PartitionReaderFactory,
  Scan,
  ScanBuilder
}
import org.apache.spark.sql.connector.read.streaming.{
  MicroBatchStream,
  Offset,
  PartitionOffset,
  SupportsRealTimeMode,
  SupportsRealTimeRead
}
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeRead.RecordStatus
import org.apache.spark.sql.matchrecognize.RealTimeClock
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Rows that a test appends while queries read them. A query that is started again continues in the
 * same log: for it, the log is durable.
 *
 * @param partitions
 *   of the source
 */
final private[streaming] class ArrivalLog(val schema: StructType, partitions: Int = 1) {
  private val toRow = CatalystTypeConverters.createToCatalystConverter(schema)
  private val rows  = Array.fill(partitions)(Vector.empty[InternalRow])
  private val asked = Array.fill(partitions)(-1)

  val name: String = UUID.randomUUID().toString
  ArrivalLog.all.put(name, this)

  /** The values of a row, in the order of the columns. */
  def append(values: Seq[Any], partition: Int = 0): Unit = synchronized {
    rows(partition) :+= toRow(org.apache.spark.sql.Row.fromSeq(values)).asInstanceOf[InternalRow]
    notifyAll()
  }

  def ends: Seq[Int] = synchronized(rows.map(_.size).toSeq)

  /** A query begins to read; from where, its checkpoint says. */
  def begin(): Unit = synchronized(asked.indices.foreach(asked(_) = -1))

  /** Whether readers wait for rows that are not there yet. */
  def isRead: Boolean = synchronized(rows.indices.forall(i => asked(i) >= rows(i).size))

  /** The row, once it is there; None if the batch ends before. */
  def await(partition: Int, index: Int, until: Long): Option[InternalRow] = synchronized {
    asked(partition) = index
    while (rows(partition).size <= index && RealTimeClock.millis < until) wait(5)
    rows(partition).lift(index)
  }
}

private[streaming] object ArrivalLog {
  private val all = new ConcurrentHashMap[String, ArrivalLog]

  def apply(name: String): ArrivalLog = all.get(name)

  final case class ArrivalOffset(ends: Seq[Int]) extends Offset {
    override def json: String = ends.mkString("[", ",", "]")
  }

  final case class ArrivalPartition(log: String, partition: Int, begin: Int, end: Int)
      extends InputPartition

  final case class EndOfPartition(partition: Int, end: Int) extends PartitionOffset
}

/** Reads a log: its option `log`. */
class ArrivalSource extends TableProvider {
  override def inferSchema(options: CaseInsensitiveStringMap): StructType =
    ArrivalLog(options.get("log")).schema

  override def getTable(
      schema: StructType,
      partitioning: Array[Transform],
      properties: util.Map[String, String]): Table = new ArrivalTable(properties.get("log"))
}

final private class ArrivalTable(log: String) extends Table with SupportsRead {
  override def name(): String                            = log
  override def schema(): StructType                      = ArrivalLog(log).schema
  override def capabilities(): util.Set[TableCapability] =
    EnumSet.of(TableCapability.MICRO_BATCH_READ)

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = () =>
    new Scan {
      override def readSchema(): StructType                                 = schema()
      override def toMicroBatchStream(checkpoint: String): MicroBatchStream = new ArrivalStream(
        log)
    }
}

final private class ArrivalStream(log: String)
    extends MicroBatchStream
    with SupportsRealTimeMode {
  import ArrivalLog._

  override def initialOffset(): Offset = ArrivalOffset(ArrivalLog(log).ends.map(_ => 0))
  override def latestOffset(): Offset  = ArrivalOffset(ArrivalLog(log).ends)

  override def deserializeOffset(json: String): Offset =
    ArrivalOffset(json.stripPrefix("[").stripSuffix("]").split(",").map(_.toInt).toSeq)

  override def planInputPartitions(begin: Offset, end: Offset): Array[InputPartition] =
    endsOf(begin)
      .zip(endsOf(end))
      .zipWithIndex
      .map { case ((from, to), i) => ArrivalPartition(log, i, from, to): InputPartition }
      .toArray

  override def planInputPartitions(begin: Offset): Array[InputPartition] =
    planInputPartitions(begin, ArrivalOffset(endsOf(begin).map(_ => Int.MaxValue)))

  override def mergeOffsets(offsets: Array[PartitionOffset]): Offset =
    ArrivalOffset(
      offsets
        .collect { case EndOfPartition(partition, end) => partition -> end }
        .sorted
        .map(_._2)
        .toSeq)

  override def createReaderFactory(): PartitionReaderFactory = new ArrivalReaders

  override def commit(end: Offset): Unit = ()
  override def stop(): Unit              = ()

  private def endsOf(offset: Offset) = offset match {
    case ArrivalOffset(ends) => ends
    case other               => throw new IllegalArgumentException(s"$other is of another source")
  }
}

final private class ArrivalReaders extends PartitionReaderFactory {
  override def createReader(partition: InputPartition): PartitionReader[InternalRow] =
    partition match {
      case part: ArrivalLog.ArrivalPartition => new ArrivalReader(part)
      case other => throw new IllegalArgumentException(s"$other is of another source")
    }
}

final private class ArrivalReader(part: ArrivalLog.ArrivalPartition)
    extends PartitionReader[InternalRow]
    with SupportsRealTimeRead[InternalRow] {
  private val log              = ArrivalLog(part.log)
  private var index            = part.begin
  private var row: InternalRow = _

  private def next(until: Long): Boolean =
    index < part.end && log.await(part.partition, index, until).exists { found =>
      row = found
      index += 1
      true
    }

  override def next(): Boolean = next(Long.MaxValue)

  override def nextWithTimeout(now: java.lang.Long, millis: java.lang.Long): RecordStatus =
    RecordStatus.newStatusWithoutArrivalTime(next(now + millis))

  override def get(): InternalRow         = row
  override def getOffset: PartitionOffset = ArrivalLog.EndOfPartition(part.partition, index)
  override def close(): Unit              = ()
}

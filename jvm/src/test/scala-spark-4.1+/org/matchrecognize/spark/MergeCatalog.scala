package org.matchrecognize.spark

import java.util.{Set => JavaSet}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.types.{IntegerType, StringType, StructType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A catalog with one table, [[MergeTable]]. */
class MergeCatalog extends TableCatalog {
  private var catalogName = ""

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit =
    catalogName = name
  override def name: String                                            = catalogName
  override def listTables(namespace: Array[String]): Array[Identifier] = Array.empty
  override def loadTable(identifier: Identifier): Table                = MergeTable

  // Time travel to any version and to any time is a step back.
  override def loadTable(identifier: Identifier, version: String): Table = MergeTable.Earlier
  override def loadTable(identifier: Identifier, time: Long): Table      = MergeTable.Earlier

  override def alterTable(identifier: Identifier, changes: TableChange*): Table = unsupported
  override def dropTable(identifier: Identifier): Boolean                       = unsupported
  override def renameTable(from: Identifier, to: Identifier): Unit              = unsupported
  private def unsupported: Nothing = throw new UnsupportedOperationException
}

/**
 * A table in memory that takes MERGE in the simplest way that Spark knows: it is read as a whole
 * and written anew as a whole. An INSERT OVERWRITE writes it as a whole, too.
 */
object MergeTable
    extends Table
    with SupportsRead
    with SupportsWrite
    with SupportsRowLevelOperations {

  private val structure =
    new StructType()
      .add("symbol", StringType)
      .add("until", IntegerType)
      .add("lowest", IntegerType)

  @volatile private var rows    = Seq.empty[InternalRow]
  @volatile private var earlier = Seq.empty[InternalRow]

  /** The table before it was last written. */
  object Earlier extends Table with SupportsRead {
    override def name: String                           = MergeTable.name
    override def columns: Array[Column]                 = MergeTable.columns
    override def capabilities: JavaSet[TableCapability] =
      JavaSet.of(TableCapability.BATCH_READ)
    override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
      () => new WholeScan(earlier)
  }

  override def name: String           = "falls"
  override def columns: Array[Column] =
    structure.fields.map(field => Column.create(field.name, field.dataType))
  override def capabilities: JavaSet[TableCapability] =
    JavaSet.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE)

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
    () => new WholeScan(rows)

  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder = new WholeWrite

  override def newRowLevelOperationBuilder(
      info: RowLevelOperationInfo): RowLevelOperationBuilder =
    () =>
      new RowLevelOperation {
        override def command: RowLevelOperation.Command                             = info.command
        override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
          MergeTable.newScanBuilder(options)
        override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder =
          MergeTable.newWriteBuilder(info)
      }

  /** Rows on their way into a task or out of it. */
  private case class Rows(rows: Seq[InternalRow]) extends InputPartition with WriterCommitMessage

  private class WholeScan(rows: Seq[InternalRow]) extends Scan with Batch {
    override def readSchema: StructType                      = structure
    override def toBatch: Batch                              = this
    override def planInputPartitions: Array[InputPartition]  = Array(Rows(rows))
    override def createReaderFactory: PartitionReaderFactory = {
      case Rows(rows) =>
        new PartitionReader[InternalRow] {
          private val left                 = rows.iterator
          private var current: InternalRow = _
          override def next(): Boolean     = left.hasNext && { current = left.next(); true }
          override def get: InternalRow    = current
          override def close(): Unit       = ()
        }
      case other => throw new IllegalArgumentException(s"$other")
    }
  }

  private class WholeWrite extends WriteBuilder with SupportsTruncate with Write with BatchWrite {
    override def truncate(): WriteBuilder = this
    override def build(): Write           = this
    override def toBatch: BatchWrite      = this

    override def createBatchWriterFactory(info: PhysicalWriteInfo): DataWriterFactory =
      (_, _) => new RowsWriter
    override def commit(messages: Array[WriterCommitMessage]): Unit = {
      earlier = rows
      rows = messages.toSeq.collect { case Rows(written) => written }.flatten
    }
    override def abort(messages: Array[WriterCommitMessage]): Unit = ()
  }

  private class RowsWriter extends DataWriter[InternalRow] {
    private val written                        = ArrayBuffer.empty[InternalRow]
    override def write(row: InternalRow): Unit = written += row.copy()
    override def commit(): WriterCommitMessage = Rows(written.toSeq)
    override def abort(): Unit                 = ()
    override def close(): Unit                 = ()
  }
}

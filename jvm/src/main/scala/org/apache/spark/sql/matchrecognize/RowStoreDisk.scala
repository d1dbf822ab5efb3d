package org.apache.spark.sql.matchrecognize

import java.io.{
  BufferedInputStream,
  DataInputStream,
  File,
  FileInputStream,
  IOException,
  OutputStream
}

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.memory.TaskMemoryManager
import org.apache.spark.network.util.LimitedInputStream
import org.apache.spark.serializer.{DummySerializerInstance, SerializerManager}
import org.apache.spark.storage.{BlockId, DiskBlockManager, DiskBlockObjectWriter}

/**
 * Temporary files of this executor.
 *
 * Lives in Spark's package because DiskBlockManager (which knows the local folders and cleans
 * them up), SerializerManager (which encrypts and compresses) and DiskBlockObjectWriter (which
 * counts, and takes back half a write) are private[spark]: without them spark.local.dir,
 * spark.io.encryption.enabled and spark.shuffle.spill.compress would not be honoured.
 */
final class RowStoreDisk(disk: DiskBlockManager, serializers: SerializerManager) {

  def create(): RowStoreFile = {
    val (id, file) = disk.createTempLocalBlock()
    new RowStoreFile(id, file, serializers)
  }
}

object RowStoreDisk {

  /** Those of the executor that runs the calling task. */
  def ofExecutor: RowStoreDisk = {
    val env = SparkEnv.get
    new RowStoreDisk(env.blockManager.diskBlockManager, env.serializerManager)
  }

  /**
   * TaskContext.taskMemoryManager is private[spark]; a memory consumer cannot be made without.
   */
  def memoryOf(context: TaskContext): TaskMemoryManager = context.taskMemoryManager()

  /** The counters of the task table of Spark's UI are private[spark]; a spill shows there. */
  def countSpilledMemory(bytes: Long): Unit = {
    val context = TaskContext.get()
    if (context != null) context.taskMetrics().incMemoryBytesSpilled(bytes)
  }
}

/** A file of blocks, each a stream of its own: it is read without those before it. */
final class RowStoreFile(id: BlockId, file: File, serializers: SerializerManager) {
  final private val BufferBytes = 32 * 1024

  /** Bytes written, whole blocks only: where the next block begins. */
  private var written = 0L

  def length: Long = written

  /**
   * Adds what `body` writes (in arrays, not byte by byte) as a block from `length` on.
   *
   * @return
   *   its bytes on disk; when `body` or the disk throws, the file is as before
   */
  def append(body: OutputStream => Unit): Long = {
    val metrics = new ShuffleWriteMetrics
    val writer  = new DiskBlockObjectWriter(
      file,
      serializers,
      DummySerializerInstance.INSTANCE,
      BufferBytes,
      false,
      metrics,
      id
    )
    val length =
      try {
        body(writer)
        val segment = writer.commitAndGet()
        writer.close()
        segment.length
      } catch {
        case failure: Throwable =>
          writer.revertPartialWritesAndClose()
          throw failure
      }
    written += length
    val context = TaskContext.get()
    if (context != null) context.taskMetrics().incDiskBytesSpilled(length)
    length
  }

  /** Fills `into` from the block of `length` bytes on disk at `position`. */
  def read(position: Long, length: Long, into: Array[Byte]): Unit = {
    val raw = new FileInputStream(file)
    try {
      raw.getChannel.position(position)
      val block = new LimitedInputStream(raw, length, false)
      val plain = serializers.wrapStream(id, new BufferedInputStream(block, BufferBytes))
      try new DataInputStream(plain).readFully(into)
      finally plain.close()
    } catch {
      case failure: IOException =>
        throw new IOException(s"cannot read spilled rows back from $file at $position", failure)
    } finally raw.close()
  }

  def delete(): Unit = {
    // A file that remains is removed with its folder when the executor ends.
    file.delete()
    ()
  }
}

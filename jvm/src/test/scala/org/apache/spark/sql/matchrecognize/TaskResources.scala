package org.apache.spark.sql.matchrecognize

import java.io.File
import java.nio.file.Files

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.memory.{MemoryConsumer, TaskMemoryManager, UnifiedMemoryManager}
import org.apache.spark.security.CryptoStreamUtils
import org.apache.spark.serializer.{JavaSerializer, SerializerManager}
import org.apache.spark.storage.DiskBlockManager
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.memory.MemoryBlock

/**
 * Memory and disk of a task, without a task. Here because UnifiedMemoryManager, SerializerManager
 * and DiskBlockManager are private[spark].
 *
 * @param memoryBytes
 *   what the task gets at most
 */
final class TaskResources(
    memoryBytes: Long,
    offHeap: Boolean = false,
    encrypted: Boolean = false,
    compressed: Boolean = true
) {

  private val folder = Files.createTempDirectory("row-store").toFile

  private val conf = new SparkConf(false)
    .set("spark.local.dir", folder.getPath)
    .set("spark.memory.offHeap.enabled", offHeap.toString)
    .set("spark.memory.offHeap.size", memoryBytes.toString)
    .set("spark.shuffle.spill.compress", compressed.toString)
    .set("spark.io.encryption.enabled", encrypted.toString)

  private val key         = if (encrypted) Some(CryptoStreamUtils.createKey(conf)) else None
  private val serializers = new SerializerManager(new JavaSerializer(conf), conf, key)
  private val local       = new DiskBlockManager(conf, true, true)

  val disk: RowStoreDisk = new RowStoreDisk(local, serializers)

  val memory: RowStoreTestMemory =
    new RowStoreTestMemory(new UnifiedMemoryManager(conf, memoryBytes, 0L, 1))

  /** The files that exist. */
  def files: Seq[File] = local.getAllFiles().toSeq

  def close(): Unit = {
    local.stop()
    folder.delete()
    ()
  }
}

object TaskResources {

  /** The temporary files of the executor in this JVM. */
  def executorFiles(sc: SparkContext): Set[File] =
    sc.env.blockManager.diskBlockManager.getAllFiles().toSet
}

/**
 * Counts pages, and fills those given back with rubbish: whoever still reads them shall see it.
 */
final class RowStoreTestMemory(manager: UnifiedMemoryManager)
    extends TaskMemoryManager(manager, 0L) {
  var pagesAllocated: Long = 0L
  var pagesHeld: Int       = 0

  override def allocatePage(size: Long, consumer: MemoryConsumer): MemoryBlock = {
    val page = super.allocatePage(size, consumer)
    if (page != null) {
      pagesAllocated += 1
      pagesHeld += 1
    }
    page
  }

  override def freePage(page: MemoryBlock, consumer: MemoryConsumer): Unit = {
    Platform.setMemory(page.getBaseObject, page.getBaseOffset, page.size, 0x5a.toByte)
    pagesHeld -= 1
    super.freePage(page, consumer)
  }
}

/** Another operator of the same task, which cannot spill. */
final class RowStoreNeighbour(memory: TaskMemoryManager)
    extends MemoryConsumer(memory, 64L, memory.getTungstenMemoryMode) {
  def take(bytes: Long): MemoryBlock                            = allocatePage(bytes)
  def giveBack(page: MemoryBlock): Unit                         = freePage(page)
  override def spill(size: Long, trigger: MemoryConsumer): Long = 0L
}

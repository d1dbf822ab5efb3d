package org.matchrecognize.spark

import java.net.URI

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{
  DelegateToFileSystem,
  FileStatus,
  LocalFileSystem,
  Path,
  RawLocalFileSystem
}
import org.apache.hadoop.fs.permission.FsPermission

/**
 * Local files without the processes that Hadoop starts for them. Without its native library, it
 * starts `chmod` for each file and folder that it creates, and `readlink` four times for each file
 * that it renames. For a streaming query of five micro-batches these are 200 processes, which take
 * half of its time.
 */
final class InProcessFiles(raw: RawLocalFileSystem) extends LocalFileSystem(raw) {
  def this() = this(new InProcessFiles.Raw)
}

/** The same for Hadoop's newer interface, in which checkpoints are written. */
class InProcessFileContext(uri: URI, conf: Configuration, raw: RawLocalFileSystem)
    extends DelegateToFileSystem(uri, new InProcessFiles(raw), conf, "file", false) {
  def this(uri: URI, conf: Configuration) = this(uri, conf, new InProcessFiles.Raw)
}

object InProcessFiles {

  /** What decides on the class of [[InProcessFileContext]]. */
  val ofContext = "fs.AbstractFileSystem.file.impl"

  val settings: Map[String, String] = Map(
    "spark.hadoop.fs.file.impl" -> classOf[InProcessFiles].getName,
    s"spark.hadoop.$ofContext"  -> classOf[InProcessFileContext].getName)

  class Raw extends RawLocalFileSystem {
    override def setPermission(path: Path, permission: FsPermission): Unit = ()

    /** Tests have no links. */
    override def getFileLinkStatus(path: Path): FileStatus = getFileStatus(path)
  }
}

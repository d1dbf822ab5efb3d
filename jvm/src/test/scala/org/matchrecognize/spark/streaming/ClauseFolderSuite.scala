package org.matchrecognize.spark.streaming

import java.net.URI

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.fs.permission.FsPermission

import org.apache.spark.sql.streaming.StreamingQueryException

import org.matchrecognize.spark.{InProcessFileContext, InProcessFiles}

/** What the clause writes into the checkpoint of a query. */
class ClauseFolderSuite extends StreamedTicks {
  import ClauseFolderSuite._

  /** Why a query ends whose checkpoint is written by this class. */
  private def failure(files: Class[_ <: InProcessFileContext]): Throwable =
    withSettings(InProcessFiles.ofContext -> files.getName) {
      intercept[StreamingQueryException](streamOf(Seq(row("a", 1, 1))).run(vShape())).getCause
    }

  test("files are written with the session's Hadoop settings") {
    assert(failure(classOf[ReadOnly]).getMessage == "read only")
  }

  test("an interrupt that comes while a file is written is not lost") {
    assert(failure(classOf[Interrupted]).isInstanceOf[InterruptedException])
  }
}

object ClauseFolderSuite {

  /** Local files, where something happens before one of the clause is written. */
  abstract class Files(uri: URI, conf: Configuration, happens: () => Unit)
      extends InProcessFileContext(
        uri,
        conf,
        new InProcessFiles.Raw {
          override def setPermission(path: Path, permission: FsPermission): Unit =
            if (path.toString.contains("match_recognize")) happens()
        }
      )

  final class ReadOnly(uri: URI, conf: Configuration)
      extends Files(uri, conf, () => throw new UnsupportedOperationException("read only"))

  /** As Hadoop's, which runs `chmod`, waits for it, and goes on when it is interrupted. */
  final class Interrupted(uri: URI, conf: Configuration)
      extends Files(
        uri,
        conf,
        () => {
          Thread.currentThread.interrupt()
          try Thread.sleep(1)
          catch { case _: InterruptedException => }
        })
}

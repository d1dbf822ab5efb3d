package org.matchrecognize.spark

import java.nio.file.{Files, Path}
import java.util.Comparator

/** Folders for the tables of sessions; they are gone after the run, and none is in the checkout. */
object Warehouse {
  private lazy val root: Path = {
    val folder = Files.createTempDirectory("warehouse")
    sys.addShutdownHook(delete(folder))
    folder
  }

  /** Makes an empty folder, and returns its value of `spark.sql.warehouse.dir`. */
  def create(): String = Files.createTempDirectory(root, "session").toUri.toString

  private def delete(folder: Path): Unit = {
    val files = Files.walk(folder)
    try files.sorted(Comparator.reverseOrder[Path]()).forEach(file => Files.delete(file))
    finally files.close()
  }
}

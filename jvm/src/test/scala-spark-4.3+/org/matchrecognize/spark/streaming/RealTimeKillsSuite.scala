package org.matchrecognize.spark.streaming

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.robustness.Fuzz

/** Processes that run a clause in real-time mode are killed: no match is lost, and no other is found. */
class RealTimeKillsSuite extends AnyFunSuite {
  import RealTimeProcess._

  private val kills = 8

  test("a process is killed at random moments, and the query started again") {
    assume(Fuzz.isNightly || Fuzz.isAsked, "a test of the nightly run")
    Fuzz.batches(inGate = 0, size = 1, nightly = 1)(_.foreach(check))
  }

  private def check(seed: Long): Unit = {
    val random  = new Random(seed)
    val folder  = Files.createTempDirectory("real-time-kills")
    var batches = 0
    (1 to kills).foreach { _ =>
      val process = start(folder)
      try {
        // It has begun to return rows; then it is killed in this batch or in one of the next.
        val seen = size(folder)
        await(process, folder)(size(folder) > seen)
        Thread.sleep(random.nextInt(3000).toLong)
      } finally kill(process)
      batches = folder.resolve("checkpoint/commits").toFile.list.count(!_.startsWith("."))
    }
    assert(batches > kills / 2)
    Files.createFile(enoughFile(folder))
    val process = start(folder)
    try await(process, folder)(Files.exists(doneFile(folder)))
    finally kill(process)
    val found    = Files.readAllLines(rowsFile(folder)).asScala.toSeq
    val expected = matches(shown(folder))
    val missing  = expected.toSet -- found
    val others   = found.toSet -- expected
    assert(missing.isEmpty && others.isEmpty, s"${missing.size} and ${others.size}, see $folder")
    info(s"seed $seed: ${expected.size} matches, ${found.size - expected.size} came again")
    // A batch without an end is run again.
    assert(found.size > expected.size && expected.size > 100)
  }

  /** The rows of the statement, worked out row by row. */
  private def matches(rows: Int): Seq[String] = (0 until rows)
    .groupBy(row(_)._1)
    .toSeq
    .flatMap { case (key, ids) =>
      val values = ids.map(row(_)._2)
      val found  = Seq.newBuilder[String]
      var start  = 0
      while (start < ids.size) {
        val rising =
          (start + 1).until(ids.size).iterator.takeWhile(i => values(i) > values(i - 1)).size
        // B+ gives rows back to C, which may rise, too, only if it is below the first row: never.
        val end = start + rising + 1
        if (rising > 0 && end < ids.size && values(end) < values(start)) {
          found += s"$key,${ids(start)},${ids(end)},${rising + 2}"
          start = end + 1
        } else start += 1
      }
      found.result()
    }

  private def start(folder: Path): Process = {
    val arguments = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala
    val own       = classOf[RealTimeKillsSuite].getPackage.getName
    val command   =
      Paths.get(System.getProperty("java.home"), "bin", "java").toString +:
        (arguments.filter(a => a.startsWith("--add-") || a.startsWith("-XX:")).toSeq ++
          Seq(
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            s"$own.RealTimeProcess",
            folder.toString))
    new ProcessBuilder(command: _*)
      .redirectErrorStream(true)
      .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile))
      .start()
  }

  private def kill(process: Process): Unit = {
    process.destroyForcibly()
    process.waitFor()
    ()
  }

  private def size(folder: Path): Long =
    if (Files.exists(rowsFile(folder))) Files.size(rowsFile(folder)) else 0

  private def await(process: Process, folder: Path)(condition: => Boolean): Unit = {
    val end = System.nanoTime() + 300L * 1000 * 1000 * 1000
    while (!condition) {
      assert(process.isAlive && System.nanoTime() < end, s"see ${folder.resolve("log")}")
      Thread.sleep(20)
    }
  }
}

import java.io.{File, FileWriter}

import sbt._
import sbt.testing.Status

/**
 * Notes the suites for build/parts.py, as build/suite_log.py does for Python: prints how many there
 * are, and adds each that has ended to suites.tsv in the folder PART_LOG: the suite, its tests, how
 * many failed and how many were skipped, and its seconds.
 *
 * @param suites
 *   how many there are, where all run
 */
final class SuiteLog(suites: Option[Int], log: Logger) extends TestsListener {
  private val folder: Option[String] = sys.env.get("PART_LOG")

  // Suites end in several threads, one for each JVM.
  private var events = Map.empty[Long, Seq[TestEvent]]

  override def doInit(): Unit = suites.foreach(number => log.info(s"suites: $number"))

  override def startGroup(name: String): Unit            = ()
  override def doComplete(finalResult: TestResult): Unit = ()

  override def testEvent(event: TestEvent): Unit = synchronized {
    val thread = Thread.currentThread.getId
    events += thread -> (events.getOrElse(thread, Nil) :+ event)
  }

  override def endGroup(name: String, error: Throwable): Unit = end(name, failures = 1)

  override def endGroup(name: String, result: TestResult): Unit = end(name, failures = 0)

  private def end(name: String, failures: Int): Unit = synchronized {
    val thread = Thread.currentThread.getId
    val tests  = events.getOrElse(thread, Nil).flatMap(_.detail)
    events -= thread
    val failed =
      failures + tests.count(e => e.status == Status.Failure || e.status == Status.Error)
    val skipped = tests.count(e =>
      e.status == Status.Ignored || e.status == Status.Skipped || e.status == Status.Canceled)
    val seconds = tests.map(_.duration.max(0L)).sum / 1000.0
    val suite   = name.split('.').last
    if (failed > 0) log.error(s"suite failed: $suite, $failed of ${tests.size} tests")
    folder.foreach { folder =>
      val file = new FileWriter(new File(folder, "suites.tsv"), true)
      try file.write(s"$suite\t${tests.size + failures}\t$failed\t$skipped\t$seconds\n")
      finally file.close()
    }
  }
}

package org.matchrecognize.spark.robustness

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths, StandardOpenOption}

import scala.collection.JavaConverters._
import scala.util.control.NonFatal

import org.scalactic.source.Position
import org.scalatest.Assertions

/**
 * Random cases of every generator.
 *
 * The merge gate checks a fixed number of batches, and the nightly run on the newest Spark a larger
 * one. Their seeds follow from the number in tests/seeds.txt, so the outcome depends neither on luck
 * nor on the machine's speed. `make fuzz` checks batches of new seeds for a time.
 *
 * {{{
 *   val (reports, seeds) = Fuzz.batches(inGate = 12, size = 20, share = 1.0 / 4)(check)
 * }}}
 */
object Fuzz extends Assertions {

  /** The seconds that each suite gets from `make fuzz`, and the seed that it starts with. */
  private val asked: Option[(Long, Long)] =
    sys.props.get("matchRecognize.fuzzSeconds").map { seconds =>
      (seconds.toLong, sys.props("matchRecognize.fuzzSeed").toLong)
    }

  /** Whether `make fuzz` runs. */
  val isAsked: Boolean = asked.nonEmpty

  /** Whose seeds the nightly run draws: its own, or those of the gate. */
  private val draws: Option[String] = sys.env.get("MATCH_RECOGNIZE_DRAWS")

  /** Whether the tests of the nightly run are run, too. */
  val isNightly: Boolean = draws.nonEmpty

  /** The number in tests/seeds.txt, or the one that `make fuzz` tries before it writes it there. */
  val number: Long = sys.env
    .getOrElse(
      "MATCH_RECOGNIZE_SEEDS",
      Files
        .readAllLines(Paths.get("tests", "seeds.txt"))
        .asScala
        .filterNot(_.startsWith("#"))
        .mkString)
    .trim
    .toLong

  /**
   * Whether one of several variants of a test runs. In the merge gate a test runs in one variant, and
   * in another one under the next number.
   *
   * @param test
   *   the name of the test, the same for all variants
   */
  def hasTurn(test: String, variant: Int, of: Int): Boolean =
    isAsked || isNightly || Math.floorMod(test.hashCode + number, of.toLong) == variant

  /** The seeds of a number are its own: no test draws so many. */
  private val seedsOfNumber = 100000000L

  /**
   * Checks batch after batch of consecutive seeds. Any failure is raised with the command that
   * repeats it.
   *
   * @param inGate
   *   how many batches the merge gate checks
   * @param size
   *   how many seeds a batch has
   * @param share
   *   the test's part of its suite's time under `make fuzz`; the shares of a suite add up to 1
   * @param first
   *   the first seed, relative to those of the number, outside `make fuzz`
   * @param nightly
   *   how many batches the nightly run checks, at least as many as the gate
   * @return
   *   what the checks returned, and a line that names the seeds
   */
  def batches[R](
      inGate: Int,
      size: Int,
      share: Double = 1,
      first: Long = 1000000L,
      nightly: Int = 0)(check: Seq[Long] => R)(implicit test: Position): (Seq[R], String) = {
    val start = asked.fold(number * seedsOfNumber + first)(_._2)
    val end   = asked.map { case (seconds, _) =>
      System.nanoTime() + (seconds * share * 1e9).toLong
    }
    val most    = if (draws.contains("nightly")) inGate.max(nightly) else inGate
    val reports = Seq.newBuilder[R]
    var done    = 0
    // A seed to repeat is the first of its batch, which is checked however short the time is.
    while (done == 0 || end.fold(done < most)(_ > System.nanoTime())) {
      val seed = start + done.toLong * size
      try reports += check(seed until seed + size)
      catch { case NonFatal(wrong) => fail(s"${wrong.getMessage}\n${again(seed, test)}", wrong) }
      done += 1
    }
    note(test, done.toLong * size)
    (reports.result(), s"seeds $start to ${start + done.toLong * size - 1}, $done batches")
  }

  /** A suite has its file's name. */
  private def suite(test: Position): String = test.fileName.stripSuffix(".scala")

  private def again(seed: Long, test: Position): String =
    s"Again: make fuzz FUZZ_SEED=$seed FUZZ_MINUTES=1 FUZZ_SUITES='*${suite(test)}'"

  /** Adds to seeds.tsv in the folder PART_LOG: the suite, and how many seeds it has drawn. */
  private def note(test: Position, seeds: Long): Unit =
    sys.env.get("PART_LOG").foreach { folder =>
      Files.write(
        Paths.get(folder, "seeds.tsv"),
        s"${suite(test)}\t$seeds\n".getBytes(UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND)
    }
}

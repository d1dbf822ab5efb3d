package org.matchrecognize.spark.robustness

import scala.util.control.NonFatal

import org.scalactic.source.Position
import org.scalatest.Assertions

/**
 * Random cases of every generator.
 *
 * CI checks a fixed number of batches from a fixed first seed: its outcome depends neither on luck
 * nor on the machine's speed. `make fuzz` checks batches of new seeds for a time.
 *
 * {{{
 *   val (reports, seeds) = Fuzz.batches(inCi = 12, size = 20, share = 1.0 / 4)(check)
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

  /**
   * Checks batch after batch of consecutive seeds. Any failure is raised with the command that
   * repeats it.
   *
   * @param inCi
   *   how many batches are checked outside `make fuzz`
   * @param size
   *   how many seeds a batch has
   * @param share
   *   the test's part of its suite's time under `make fuzz`; the shares of a suite add up to 1
   * @param first
   *   the first seed outside `make fuzz`
   * @return
   *   what the checks returned, and a line that names the seeds
   */
  def batches[R](inCi: Int, size: Int, share: Double = 1, first: Long = 1000000L)(
      check: Seq[Long] => R)(implicit test: Position): (Seq[R], String) = {
    val start = asked.fold(first)(_._2)
    val end   = asked.map { case (seconds, _) =>
      System.nanoTime() + (seconds * share * 1e9).toLong
    }
    val reports = Seq.newBuilder[R]
    var done    = 0
    // A seed to repeat is the first of its batch, which is checked however short the time is.
    while (done == 0 || end.fold(done < inCi)(_ > System.nanoTime())) {
      val seed = start + done.toLong * size
      try reports += check(seed until seed + size)
      catch { case NonFatal(wrong) => fail(s"${wrong.getMessage}\n${again(seed, test)}", wrong) }
      done += 1
    }
    (reports.result(), s"seeds $start to ${start + done.toLong * size - 1}, $done batches")
  }

  /** A suite has its file's name. */
  private def again(seed: Long, test: Position): String = {
    val suite = test.fileName.stripSuffix(".scala")
    s"Again: make fuzz FUZZ_SEED=$seed FUZZ_MINUTES=1 FUZZ_SUITES='*$suite'"
  }
}

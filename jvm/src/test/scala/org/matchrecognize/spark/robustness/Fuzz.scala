package org.matchrecognize.spark.robustness

import org.scalatest.Assertions

/**
 * Random cases for a time, with new seeds each run; `make fuzz` gives it more time, or a seed that
 * failed.
 */
object Fuzz extends Assertions {

  /** Whether `make fuzz` runs. */
  val isAsked: Boolean = sys.props.contains("matchRecognize.fuzzSeconds")

  /** How long a suite goes on with random cases. */
  val seconds: Long = Integer.getInteger("matchRecognize.fuzzSeconds", 120).toLong

  /** A number for the run; what all its seeds share. */
  val run: Long = firstSeed / Fuzz.seedsOfRun

  /** The first seed of every random test. */
  lazy val firstSeed: Long = java.lang.Long
    .getLong("matchRecognize.fuzzSeed", System.currentTimeMillis / 1000 * Fuzz.seedsOfRun)

  private def seedsOfRun = 10000000L

  /**
   * Checks batch after batch of seeds.
   *
   * @return
   *   what the checks gave, and a line that says what was done
   */
  def batches[R](seconds: Long, size: Int)(check: Seq[Long] => R): (Seq[R], String) = {
    val end     = System.nanoTime() + seconds * 1000000000L
    val reports = Seq.newBuilder[R]
    var seed    = firstSeed
    while (System.nanoTime() < end) {
      try reports += check(seed until seed + size)
      catch {
        case wrong: AssertionError =>
          fail(s"${wrong.getMessage}\nAgain: make fuzz FUZZ_SEED=$seed FUZZ_MINUTES=1", wrong)
      }
      seed += size
    }
    (reports.result(), s"seeds $firstSeed to ${seed - 1}")
  }
}

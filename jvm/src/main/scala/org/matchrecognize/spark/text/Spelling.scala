package org.matchrecognize.spark.text

/** Tells what a misspelled word was probably meant to be. */
private[spark] object Spelling {

  /** The keyword that a word was probably meant to be. */
  def meant(word: String, candidates: Seq[String]): Option[String] = {
    // A word is never meant to be a parenthesis.
    val words = candidates.filter(candidate =>
      candidate.forall(c => c.isLetter || c == '_') &&
        math.abs(candidate.length - word.length) <= 2)
    val near = words.map(c => c -> distance(word, c)).filter { case (candidate, d) =>
      d > 0 && d <= math.max(1, math.min(2, candidate.length / 3))
    }
    if (near.isEmpty) None else Some(near.minBy(_._2)._1)
  }

  /** Changes, insertions, removals and swaps of neighbours from one word to the other. */
  private def distance(a: String, b: String): Int = {
    val d = Array.tabulate(a.length + 1, b.length + 1)((i, j) =>
      if (i == 0) j else if (j == 0) i else 0)
    for (i <- 1 to a.length; j <- 1 to b.length) {
      val change = if (a(i - 1) == b(j - 1)) 0 else 1
      d(i)(j) = math.min(math.min(d(i - 1)(j) + 1, d(i)(j - 1) + 1), d(i - 1)(j - 1) + change)
      if (i > 1 && j > 1 && a(i - 1) == b(j - 2) && a(i - 2) == b(j - 1))
        d(i)(j) = math.min(d(i)(j), d(i - 2)(j - 2) + 1)
    }
    d(a.length)(b.length)
  }
}

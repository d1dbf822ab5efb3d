package org.matchrecognize.spark.pattern

import org.matchrecognize.spark.parser.ParserTest

/** How many rows of a match precede the rows of each variable, at least. */
class RowsBeforeSuite extends ParserTest {

  private def rowsBefore(pattern: String): Map[String, Long] = {
    val clause = withPattern(pattern, "DEFINE B AS x = 1, C AS x = 2")
    RowPattern.rowsBefore(clause.pattern).map { case (id, n) => clause.variables(id).name -> n }
  }

  for ((pattern, expected) <- Seq(
      "A B C"            -> Map("A" -> 0, "B" -> 1, "C" -> 2),
      "A? B+ C"          -> Map("A" -> 0, "B" -> 0, "C" -> 1),
      "A{3} (B | C D) E" -> Map("A" -> 0, "B" -> 3, "C" -> 3, "D" -> 4, "E" -> 4),
      "PERMUTE(A, B C)"  -> Map("A" -> 0, "B" -> 0, "C" -> 1),
      "A {- B -} C A"    -> Map("A" -> 0, "B" -> 1, "C" -> 2),
      "A (B C)* D"       -> Map("A" -> 0, "B" -> 1, "C" -> 2, "D" -> 1),
      "A [^B] C"         -> Map("A" -> 0, "B" -> 1, "C" -> 1),
      "A A B+??{C} D"    -> Map("A" -> 0, "B" -> 2, "C" -> 2, "D" -> 3)
    ))
    test(pattern)(assert(rowsBefore(pattern) == expected.map { case (v, n) => v -> n.toLong }))
}

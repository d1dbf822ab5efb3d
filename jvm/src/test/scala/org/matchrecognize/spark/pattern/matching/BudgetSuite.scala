package org.matchrecognize.spark.pattern.matching

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.{AfterMatch, GivenConditions, RowPattern}
import org.matchrecognize.spark.pattern.program.ProgramCompiler
import org.matchrecognize.spark.pattern.search.{PartitionSearch, SearchOptions}

class BudgetSuite extends AnyFunSuite {

  private val million = 1000000

  test("what is spent beyond the steps given is too much") {
    val budget = new Budget(1000)
    budget.begin(0)
    budget.spend(1000)
    assert(!budget.isSpent)
    budget.spend(1)
    assert(budget.isSpent)
    budget.begin(0)
    assert(!budget.isSpent)
  }

  test("a row of the partition adds once, and for each start row that looks at it") {
    val budget = new Budget(1000L * million)
    budget.begin(0)
    budget.beginSearch(0)
    budget.visit(0)
    budget.visit(1)
    // Rows that are skipped are rows, too.
    budget.visit(9)
    budget.visit(9)
    budget.visit(5)
    budget.beginSearch(5)
    budget.visit(5)
    budget.visit(9)
    budget.spend(1000 * million)
    budget.spend(10 * 10000 + 5 * 100)
    assert(!budget.isSpent)
    budget.spend(1)
    assert(budget.isSpent)
  }

  test("rows before a partition is gone on with add nothing") {
    val budget = new Budget(1000L * million)
    budget.begin(500)
    budget.beginSearch(499)
    budget.visit(499)
    budget.visit(500)
    budget.spend(1000 * million)
    budget.spend(10000 + 2 * 100)
    assert(!budget.isSpent)
    budget.spend(1)
    assert(budget.isSpent)
  }

  test("what was lent is given back, and the rows seen meanwhile add to it") {
    val budget = new Budget(1000L * million)
    budget.begin(0)
    budget.spend(1000 * million)
    budget.lend()
    budget.beginSearch(0)
    budget.visit(0)
    budget.spend(1000 * million)
    assert(budget.isSpent)
    budget.giveBack()
    budget.spend(10000)
    assert(!budget.isSpent)
    budget.spend(1)
    assert(budget.isSpent)
  }

  test("the largest number of steps does not overflow in a large partition") {
    val budget = new Budget(Long.MaxValue)
    budget.begin(0)
    budget.visit(Int.MaxValue.toLong)
    assert(!budget.isSpent)
  }

  test("the variable that was tested most often in the partition") {
    val budget = new Budget(1000)
    budget.begin(0)
    assert(budget.mostTested.isEmpty)
    budget.test(3, 1)
    budget.test(200, 1)
    budget.test(200, 1)
    assert(budget.mostTested.contains(200))
    budget.begin(0)
    budget.test(3, 1)
    assert(budget.mostTested.contains(3))
  }

  /** Searches for A B, and says whether the budget was enough. */
  private def searches(rows: Int, maxSteps: Long): Boolean = {
    val pattern = RowPattern.Concatenation(Seq(RowPattern.Variable(0), RowPattern.Variable(1)))
    val search  = new PartitionSearch[String](
      ProgramCompiler.compile(pattern),
      GivenConditions.AlwaysTrue,
      None,
      SearchOptions(AfterMatch.PastLastRow, false, false, 0, 0, 0),
      new Limits(maxSteps, () => ()),
      None
    )
    search.reset()
    val found = Iterator
      .continually(search.advance(rows.toLong, complete = true))
      .dropWhile(_ == SearchResult.Match)
      .next()
    assert(found == SearchResult.Done || found.isInstanceOf[SearchResult.Failed])
    found == SearchResult.Done
  }

  test("a linear search does not fail for the length of its partition") {
    // Of several steps a row, a million rows need more than a million.
    assert(searches(million, million.toLong))
    assert(!searches(million, million / 20))
  }
}

package org.matchrecognize.spark.execution.fused

import java.lang.ref.SoftReference
import java.util.LinkedHashMap
import java.util.Map.Entry
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReferenceArray

import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.pattern.onepass.{OnePass, PossibleVerdicts, Test, Verdict}
import org.matchrecognize.spark.pattern.program.{Positions, ProgramCompiler}

/**
 * The one-pass automaton as tables for generated code. A row's verdicts are a mask: bit i says
 * that it passes the i-th test ([[PossibleVerdicts.tests]]). What a row does is computed when it is
 * first asked for.
 *
 * The tasks of a JVM share a table.
 */
final class OnePassTable private[execution] (automaton: OnePass, possible: PossibleVerdicts) {
  private val bits: Map[Test, Int] = possible.tests(automaton.banks).zipWithIndex.toMap

  /** By state and mask; null where it was not asked for. */
  private val byMask =
    Array.fill(automaton.size)(new AtomicReferenceArray[Array[Int]](1 << bits.size))

  /** Where conditions failed: rare, so by a map. */
  private val byFailure = new ConcurrentHashMap[(Int, Long, Long), Array[Int]]

  /** By state: the tests of conditions on the match under way that a row needs. */
  private val needed: Array[Long] = Array.tabulate(automaton.size)(state =>
    automaton.testsOfMatch(state).collect(bits).foldLeft(0L)((mask, i) => mask | 1L << i))

  def initial: Int                    = automaton.initial
  def pendingAtEnd(state: Int): Int   = automaton.pendingAtEnd(state)
  def failsAtEnd(state: Int): Boolean = automaton.failsAtEnd(state)
  def testsOfMatch(state: Int): Long  = needed(state)

  /** Bit i says that bank i is in use. */
  def banksInUse(state: Int): Int = automaton.banksInUse(state).foldLeft(0)((m, i) => m | 1 << i)

  /**
   * What a row does: the next state, then operations.
   *
   * @param failed
   *   bits of the tests that failed with an error
   */
  def next(state: Int, mask: Long, failed: Long): Array[Int] =
    if (failed != 0) {
      byFailure.computeIfAbsent((state, mask, failed), _ => compute(state, mask, failed))
    } else {
      val known = byMask(state).get(mask.toInt)
      if (known != null) known
      else {
        val computed = compute(state, mask, 0)
        byMask(state).set(mask.toInt, computed)
        computed
      }
    }

  private def compute(state: Int, mask: Long, failed: Long): Array[Int] = automaton.synchronized {
    def has(mask: Long, test: Test) = (mask >> bits(test) & 1) == 1
    val transition                  = automaton.step(
      state,
      test =>
        possible.constant(test.variable) match {
          case Some(true)             => Verdict.True
          case Some(false)            => Verdict.False
          case _ if has(failed, test) => Verdict.Failed
          case _ if has(mask, test)   => Verdict.True
          case _                      => Verdict.False
        }
    )
    transition.target +: OnePassTable.encode(transition, bits)
  }
}

/** Operations of a transition, as numbers: kind in the lowest 3 bits, then 8 bits a bank. */
private[execution] object OnePassTable {

  /** Emit the match in a bank: it ends before the row, or with it. */
  val emit = 0

  /** Copy a bank to another. */
  val copy = 1

  /** Map the row to a variable, in a bank that has rows. */
  val map = 2

  /** Map the row as the first of a match. */
  val mapFirst = 3

  /** Remember the error that a test failed with at this row. */
  val remember = 4

  /** Raise the error that is remembered. */
  val fail = 5

  val bankShift  = 3
  val otherShift = 11

  /**
   * @param bits
   *   the number of each test
   */
  def encode(t: OnePass.Transition, bits: Test => Int): Array[Int] = {
    def operation(kind: Int, bank: Int, other: Int) =
      kind | bank << bankShift | other << otherShift
    def emitted(bank: Int, rowsHere: Int) =
      if (bank < 0) Nil else Seq(operation(emit, bank, rowsHere))
    val mapped =
      t.mappings.map(m => operation(if (m.fresh) mapFirst else map, m.bank, m.variable))
    (emitted(t.emitBefore, 0) ++
      t.copies.map { case (from, to) => operation(copy, from, to) } ++
      mapped ++
      emitted(t.emitAfter, 1) ++
      t.failedTest.map(test => operation(remember, 0, bits(test))) ++
      (if (t.fails) Seq(operation(fail, 0, 0)) else Nil)).toArray
  }
}

/** What a task needs to find its table. */
final private[execution] case class OnePassSpec(pattern: RowPattern, possible: PossibleVerdicts) {

  /** Called by generated code, too. */
  def open(): OnePassTable = OnePassSpec.shared(this)

  private def newTable(): OnePassTable = {
    val program   = ProgramCompiler.compile(pattern)
    val automaton = Positions.of(program).map(OnePass.of(program, _, possible)) match {
      case Right(Right(found)) => found
      case _ => throw new IllegalStateException("it was found when it was planned")
    }
    new OnePassTable(automaton, possible)
  }
}

private[execution] object OnePassSpec {
  private val mostTables = 64

  /** The tables that were used last, while there is memory for them. */
  private val tables =
    new LinkedHashMap[OnePassSpec, SoftReference[OnePassTable]](mostTables, 0.75f, true) {
      override def removeEldestEntry(
          eldest: Entry[OnePassSpec, SoftReference[OnePassTable]]): Boolean = size > mostTables
    }

  private def shared(spec: OnePassSpec): OnePassTable = tables.synchronized {
    Option(tables.get(spec)).flatMap(kept => Option(kept.get)).getOrElse {
      val table = spec.newTable()
      tables.put(spec, new SoftReference(table))
      table
    }
  }
}

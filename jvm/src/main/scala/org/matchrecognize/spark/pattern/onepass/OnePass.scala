package org.matchrecognize.spark.pattern.onepass

import scala.annotation.tailrec
import scala.collection.mutable

import org.matchrecognize.spark.pattern.program.{Positions, Program}

/**
 * Finds all matches by one deterministic automaton over whole rows, for patterns without a choice:
 * at each row the search knows which of the rows before belong to the match, except for what the
 * next row decides. It keeps no rows, only *banks*: sets of registers, each with what measures and
 * conditions need of the rows mapped by one thread.
 *
 * A state is a list of threads in preference order: those of the oldest start row first, within
 * one start row the preferred first. A new search starts at each row, after all others in the
 * list, until one has found a match. If two threads are at one position, the later one in the list
 * is dropped. If the earlier thread completes a match, the search continues after the last row of
 * that match, and the later thread began before that row. If the earlier thread fails, the later
 * one fails, too.
 *
 * Conditions that read rows mapped before are tested for each thread by its bank. From a position
 * before such a condition, two threads can fare differently, so none may be dropped there, unless
 * both mapped the same rows alike.
 *
 * A complete match is *pending* until the next row decides whether a preferred thread continues.
 * That thread must be complete or fail at that row. Otherwise the rows after the match would have
 * to be read again, and the pattern cannot be searched in one pass. [[OnePass.of]] walks through
 * all verdicts that rows can have. It thus knows before the search whether this can happen, and
 * the number of states.
 *
 * '''What is final.''' A match that a [[OnePass.Transition]] emits is final, and a match that is
 * final is emitted at that row. The next row, or the end of the partition, decides on a pending
 * match.
 *
 * Only for AFTER MATCH SKIP PAST LAST ROW, for patterns that match no empty sequence and have no
 * `$`.
 */
final class OnePass private (
    positions: Positions,
    possible: PossibleVerdicts,
    maxBanks: Int,
    maxStates: Int) {
  import OnePass._

  /** By position, whether a thread that waits there can meet a condition that reads its match. */
  private val readsMatch: Int => Boolean =
    if (possible.readsMatch.isEmpty) _ => false else beforeConditionsOnMatch

  private val numbers = mutable.HashMap[State, Int]()
  private val states  = mutable.ArrayBuffer[State]()

  /** States met so far; all of them once explored. */
  def size: Int = states.size

  /** The highest bank in use, and one. */
  var banks: Int = 1

  /** The state before the first row of a partition. */
  val initial: Int = add(State(Nil, -1, atStart = true))

  /** The bank of the match that the end of the partition makes final, or -1. */
  def pendingAtEnd(state: Int): Int = states(state).pending

  /** The banks of matches under way and of the pending one. */
  def banksInUse(state: Int): Set[Int] = {
    val State(threads, pending, _) = states(state)
    threads.filter(_.position != failed).map(_.bank).toSet ++ Some(pending).filter(_ >= 0)
  }

  /** Whether at the end of the partition an error that was met ahead is to be raised. */
  def failsAtEnd(state: Int): Boolean = states(state).threads.exists(_.position == failed)

  private def beforeConditionsOnMatch: Set[Int] = {
    val all = positions.variables.indices
    @tailrec
    def extended(found: Set[Int]): Set[Int] = {
      val more = found ++ all.filter(positions.after(_).exists(found))
      if (more == found) found else extended(more)
    }
    extended(all.filter(p => possible.readsMatch(positions.variables(p))).toSet)
  }

  /** The tests that a row needs in a state of conditions that read the match under way. */
  def testsOfMatch(state: Int): Set[Test] = {
    val State(threads, _, atStart) = states(state)
    val waiting = threads.map(t => t.position -> t.bank) ++ entry(atStart).map(_ -> fresh)
    waiting
      .collect {
        case (position, bank) if position != failed =>
          possible.test(positions.variables(position), bank)
      }
      .filter(test => possible.readsMatch(test.variable))
      .toSet
  }

  private def entry(atStart: Boolean): Seq[Int] =
    if (atStart) positions.entryAtStart.toSeq else positions.entry.toSeq

  private def number(state: State): Either[String, Int] = numbers.get(state) match {
    case Some(known)                      => Right(known)
    case None if states.size == maxStates => Left("the pattern needs too many states")
    case None                             => Right(add(state))
  }

  private def add(state: State): Int = {
    numbers(state) = states.size
    states += state
    states.size - 1
  }

  /** Meets all reachable states; returns why the pattern is not for one pass, if it is not. */
  private def explore(): Option[String] = {
    var next                     = 0
    var obstacle: Option[String] = None
    while (obstacle.isEmpty && next < states.size) {
      obstacle = possible.walk(verdict => transition(next, verdict).left.toOption)
      next += 1
    }
    obstacle
  }

  /**
   * What a row does in a state.
   *
   * @param verdict
   *   of the row, by test
   */
  def step(state: Int, verdict: Test => Verdict): Transition =
    transition(state, verdict).fold(
      reason => throw new IllegalStateException(s"not explored: $reason"),
      identity)

  /** The same, or why the pattern is not for one pass. */
  private def transition(state: Int, verdict: Test => Verdict): Either[String, Transition] = {
    val before    = states(state)
    val collected = new ThreadCollector
    for (t <- before.threads if collected.open)
      collected.consume(t.position, t.bank, t.origin, verdict)
    val over = before.pending >= 0 && collected.open
    if (over && collected.survivors.nonEmpty)
      Left("a complete match may have to wait for later rows")
    else {
      for (p <- entry(before.atStart) if collected.open)
        collected.consume(p, fresh, newest, verdict)
      collected.obstacle.toLeft(()).flatMap { _ =>
        after(collected, if (over) before.pending else -1)
      }
    }
  }

  /** The threads after one row. */
  final private class ThreadCollector {
    val survivors           = mutable.ArrayBuffer[Survivor]()
    private val seen        = mutable.HashSet[Int]()
    var accepting: Survivor = _

    /** A test failed with an error: nothing that is less preferred matters. */
    private var failing = false

    /** The test that failed at this row, if one did. */
    var failedTest: Option[Test] = None

    /** Why the pattern is not for one pass. */
    var obstacle: Option[String] = None

    def accepted: Boolean = accepting != null
    def open: Boolean     = !accepted && !failing && obstacle.isEmpty

    def consume(position: Int, bank: Int, origin: Int, verdict: Test => Verdict): Unit =
      if (position == failed) fail(origin, None)
      else {
        val test = possible.test(positions.variables(position), bank)
        verdict(test) match {
          case Verdict.False  =>
          case Verdict.Failed => fail(origin, Some(test))
          case Verdict.True   =>
            for (candidate <- positions.after(position) if open) {
              val survivor = Survivor(candidate, bank, test.variable, origin)
              if (candidate == Positions.accepted) accepting = survivor
              else if (seen.add(candidate)) survivors += survivor
              else if (readsMatch(candidate)) requireKept(survivor)
            }
        }
      }

    private def requireKept(survivor: Survivor): Unit =
      if (!survivors.contains(survivor))
        obstacle = Some("different partial matches can wait for the same variable")

    /** Nothing else that begins at that start row matters: its search meets the error first. */
    private def fail(origin: Int, test: Option[Test]): Unit = {
      val from = survivors.indexWhere(_.origin == origin)
      if (from >= 0) survivors.remove(from, survivors.size - from)
      survivors += Survivor(failed, fresh, -1, origin)
      failing = true
      failedTest = test
    }

    /** The search tests in order of start rows: an error in the oldest is due at once. */
    def fails: Boolean = failing && survivors.last.origin == survivors.head.origin
  }

  private def after(collected: ThreadCollector, emitBefore: Int): Either[String, Transition] =
    if (collected.fails)
      Right(
        Transition(
          emitBefore,
          Nil,
          Nil,
          emitAfter = -1,
          target = initial,
          collected.failedTest,
          fails = true))
    else {
      // Threads that come from one bank by one variable hold the same.
      val written = (collected.survivors.toSeq ++ Option(collected.accepting))
        .filter(_.position != failed)
        .map(s => (s.bank, s.variable))
        .distinct
      val origins = collected.survivors.map(_.origin).distinct
      place(written).flatMap { case (places, copies) =>
        val threads = collected.survivors.toList.map { s =>
          val origin = if (possible.canFail) origins.indexOf(s.origin) else 0
          if (s.position == failed) Thread(failed, 0, origin)
          else Thread(s.position, places((s.bank, s.variable)), origin)
        }
        val end    = Option(collected.accepting).fold(-1)(s => places((s.bank, s.variable)))
        val target = State(threads, if (threads.isEmpty) -1 else end, atStart = false)
        number(target).map { reached =>
          Transition(
            emitBefore,
            copies,
            written.map(w => Mapping(places(w), w._2, w._1 == fresh)),
            emitAfter = if (threads.isEmpty) end else -1,
            target = reached,
            collected.failedTest,
            fails = false
          )
        }
      }
    }

  /**
   * Banks for what is written: the first from a bank stays there, others get a copy. Or why there
   * are none.
   */
  private def place(
      written: Seq[(Int, Int)]): Either[String, (Map[(Int, Int), Int], Seq[(Int, Int)])] = {
    val staying =
      written.filter(_._1 != fresh).groupBy(_._1).map { case (_, all) => all.head }.toSet
    val taken  = mutable.Set[Int]() ++ staying.map(_._1)
    val copies = mutable.ArrayBuffer[(Int, Int)]()
    val places = written.map { w =>
      val bank =
        if (staying(w)) w._1
        else {
          val free = Iterator.from(0).find(!taken(_)).get
          taken += free
          if (w._1 != fresh) copies += (w._1 -> free)
          free
        }
      w -> bank
    }
    places.iterator
      .map { case (_, bank) => refused(bank) }
      .collectFirst { case Some(reason) => reason }
      .toLeft((places.toMap, copies.toSeq))
  }

  /** Takes a bank into use; returns why there cannot be so many, if there cannot. */
  private def refused(bank: Int): Option[String] =
    if (bank >= maxBanks) Some("too many partial matches are open at once")
    else {
      banks = math.max(banks, bank + 1)
      if (possible.tests(banks).size <= maxTests) None
      else Some(s"partial matches need more than $maxTests tests of one row")
    }
}

object OnePass {

  /** Tests of one row: their verdicts number the columns of a table of transitions. */
  val maxTests = 10

  /** The place of a thread that met an error ahead of the search. */
  private val failed = -3

  /** In the place of a bank: of a search that starts at this row. */
  private val fresh = Test.noBank

  /** The origin of such a search: after all others. */
  private val newest = Int.MaxValue

  final private case class Thread(position: Int, bank: Int, origin: Int)
  final private case class State(threads: List[Thread], pending: Int, atStart: Boolean)
  final private case class Survivor(position: Int, bank: Int, variable: Int, origin: Int)

  /**
   * A row is mapped to a variable in a bank.
   *
   * @param fresh
   *   as the first row of a match
   */
  final case class Mapping(bank: Int, variable: Int, fresh: Boolean)

  /**
   * What one row does, in this order.
   *
   * @param emitBefore
   *   bank of the match that this row makes final, or -1
   * @param copies
   *   banks to copy, from and to
   * @param mappings
   *   the row is mapped, in each bank once
   * @param emitAfter
   *   bank of the match that ends with this row and is final, or -1
   * @param target
   *   the next state
   * @param failedTest
   *   the test that failed with an error at this row, which is to be remembered in the place of one
   *   from before
   * @param fails
   *   the search has reached the error that is remembered: raise it
   */
  final case class Transition(
      emitBefore: Int,
      copies: Seq[(Int, Int)],
      mappings: Seq[Mapping],
      emitAfter: Int,
      target: Int,
      failedTest: Option[Test],
      fails: Boolean)

  /**
   * The automaton, explored; or why there is none, in words that complete "since ...".
   *
   * @param possible
   *   the verdicts that rows can have
   */
  def of(
      program: Program,
      positions: Positions,
      possible: PossibleVerdicts,
      maxBanks: Int = 8,
      maxStates: Int = 512): Either[String, OnePass] =
    if (program.usesEnd) {
      Left("$ requires the end of the partition")
    } else if ((positions.entry ++ positions.entryAtStart).contains(Positions.accepted)) {
      Left("the pattern can match no row")
    } else {
      val automaton = new OnePass(positions, possible, maxBanks, maxStates)
      automaton.explore().toLeft(automaton)
    }
}

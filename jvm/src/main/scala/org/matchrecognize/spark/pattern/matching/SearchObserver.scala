package org.matchrecognize.spark.pattern.matching

/**
 * Is told what becomes of the threads of a search.
 *
 * @tparam S
 *   the slots of one thread, which say who it is
 */
abstract class SearchObserver[-S] {

  /**
   * The row of the last [[RowConditions.map]], which returned `slots`, is mapped: no stop condition
   * bars it. What is tested between the two calls is whether one does.
   */
  def mapped(slots: S): Unit = ()

  /** A thread waits for a row at an instruction of the program. */
  def waits(at: Int, slots: S): Unit = ()

  /**
   * A thread is dropped where it would wait for a row.
   *
   * @param fails
   *   whether an earlier start row has failed from its state; if not, a thread that is preferred has
   *   the same continuations
   */
  def dropped(at: Int, slots: S, fails: Boolean): Unit = ()

  /** A thread passes over the row that it was offered, and stays where it is. */
  def passes(slots: S): Unit = ()

  /** A thread has completed a match, which a preferred thread may still replace. */
  def completes(slots: S): Unit = ()
}

object SearchObserver {

  /** Of a search that nobody observes. */
  val none: SearchObserver[Any] = new SearchObserver[Any] {}
}

package org.matchrecognize.spark.streaming

import org.scalatest.{Args, Status, SucceededStatus}

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.robustness.Fuzz

/**
 * A suite that has a twin on another state store. In the merge gate a test runs on one of the two, by
 * turns: both draw the same seeds.
 */
trait StoreTurns extends SparkSuite {

  /** 0 or 1. */
  protected def store: Int = 0

  /** Whether a test has a twin that does the same. */
  protected def hasTwin(name: String): Boolean = true

  abstract override protected def runTest(name: String, args: Args): Status =
    if (!hasTwin(name) || Fuzz.hasTurn(name, store, of = 2)) super.runTest(name, args)
    else SucceededStatus
}

package org.matchrecognize.spark.execution.fused;

import java.util.Arrays;

/**
 * All that the one-pass search keeps of a partition. Generated code reads and writes it, hence
 * public fields, and Java.
 *
 * <p>A register is a number or an object, with a bit that says whether it has a value. Banks of
 * registers lie one after the other.
 */
public final class OnePassState {

  /** State of the automaton. */
  public int state;

  /** Matches found so far. */
  public long matchNumber;

  /** Whether a row of the partition has come. */
  public boolean begun;

  /** The error that a condition failed with ahead of the search, or null. */
  public Throwable error;

  /** Whether the search has reached that error: no later row is searched. */
  public boolean hasFailed;

  /** Registers of all banks. */
  public final long[] numbers;

  public final Object[] objects;

  /** By bank: which registers have a value. */
  public final long[] bits;

  /** By bank: rows mapped. */
  public final long[] lengths;

  /** The rows before, the last first: one bank each. */
  public final long[] earlierNumbers;

  public final Object[] earlierObjects;
  public final long[] earlierBits;

  /** The partition's keys: one bank. */
  public final long[] keyNumbers;

  public final Object[] keyObjects;
  public long keyBits;

  public OnePassState(
      int banks,
      int numbers,
      int objects,
      int earlierRows,
      int earlierNumbers,
      int earlierObjects,
      int keyNumbers,
      int keyObjects) {
    this.numbers = new long[banks * numbers];
    this.objects = new Object[banks * objects];
    this.bits = new long[banks];
    this.lengths = new long[banks];
    this.earlierNumbers = new long[earlierRows * earlierNumbers];
    this.earlierObjects = new Object[earlierRows * earlierObjects];
    this.earlierBits = new long[earlierRows];
    this.keyNumbers = new long[keyNumbers];
    this.keyObjects = new Object[keyObjects];
  }

  /** Begins another partition. */
  public void begin(int initialState) {
    state = initialState;
    matchNumber = 0;
    begun = true;
    error = null;
    Arrays.fill(earlierBits, 0L);
  }

  /** The most rows of a match in one of some banks: bit i stands for bank i. */
  public long longest(int banks) {
    long most = 0;
    for (int bank = 0; bank < lengths.length; bank++) {
      if ((banks >> bank & 1) == 1) most = Math.max(most, lengths[bank]);
    }
    return most;
  }

  /** Copies one bank over another. */
  public void copy(int from, int to, int numberCount, int objectCount) {
    System.arraycopy(numbers, from * numberCount, numbers, to * numberCount, numberCount);
    System.arraycopy(objects, from * objectCount, objects, to * objectCount, objectCount);
    bits[to] = bits[from];
    lengths[to] = lengths[from];
  }
}

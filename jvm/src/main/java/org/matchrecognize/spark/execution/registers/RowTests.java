package org.matchrecognize.spark.execution.registers;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Tests the rows of a partition when they arrive, each for all conditions, with the rows around it
 * in registers ({@link EarlierRows}). Generated code extends it, hence public fields, and Java.
 */
public abstract class RowTests {

  /** How many rows must have arrived after the row that is tested. */
  public final long ahead;

  /** Registers of the rows before, the last first: one bank each. */
  public final long[] numbers;

  public final Object[] objects;

  /** By bank: which registers have a value. */
  public final long[] bits;

  protected RowTests(long ahead, int banks, int numbers, int objects) {
    this.ahead = ahead;
    this.numbers = new long[banks * numbers];
    this.objects = new Object[banks * objects];
    this.bits = new long[banks];
  }

  /**
   * The conditions that are satisfied, a bit each.
   *
   * @param row the newest row; not read where the conditions look at rows to come
   */
  public abstract long test(InternalRow row);

  /** Writes the newest row to the first bank, if there are banks. */
  protected abstract void write(InternalRow row);

  /** The newest row becomes the one before the next. */
  public final void remember(InternalRow row) {
    pass();
    write(row);
  }

  /** As {@link #remember}, after the last row of the partition: there is none. */
  public final void pass() {
    int banks = bits.length;
    if (banks > 1) {
      int ofNumbers = numbers.length / banks;
      int ofObjects = objects.length / banks;
      System.arraycopy(numbers, 0, numbers, ofNumbers, numbers.length - ofNumbers);
      System.arraycopy(objects, 0, objects, ofObjects, objects.length - ofObjects);
      System.arraycopy(bits, 0, bits, 1, banks - 1);
    }
    if (banks > 0) bits[0] = 0L;
  }

  /** Another partition begins. */
  public final void begin() {
    Arrays.fill(bits, 0L);
  }
}

package org.matchrecognize.spark.execution.fused;

import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The one-pass search outside a stage, for whoever keeps the states of partitions himself: a stream
 * does, between its batches. Generated code extends it, hence Java.
 *
 * <p>What a row makes final is in {@link #found} once it is taken: no row to come can change it, and
 * nothing that is final is held back.
 */
public abstract class OnePassSteps {

  /** The rows that were put out, for the caller to take away. */
  public final Queue<UnsafeRow> found = new ArrayDeque<>();

  /** Begins the partition of a row, which is then to be taken. */
  public abstract void begin(OnePassState state, InternalRow row);

  /** Takes the next row of a partition. */
  public abstract void take(OnePassState state, InternalRow row);

  /** Puts out what the end of the partition makes final. */
  public abstract void end(OnePassState state);
}

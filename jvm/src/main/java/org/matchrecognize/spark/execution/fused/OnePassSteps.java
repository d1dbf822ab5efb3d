package org.matchrecognize.spark.execution.fused;

import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The one-pass search outside a stage, for a caller that keeps the states of partitions itself, as
 * a stream does between its batches. Generated code extends it, hence Java.
 *
 * <p>What a row makes final is in {@link #found} once it is taken: no later row can change it, and
 * every final result is there.
 */
public abstract class OnePassSteps {

  /** The rows that were emitted, for the caller to remove. */
  public final Queue<UnsafeRow> found = new ArrayDeque<>();

  /** Begins the partition of a row, which is then to be taken. */
  public abstract void begin(OnePassState state, InternalRow row);

  /** Takes the next row of a partition. */
  public abstract void take(OnePassState state, InternalRow row);

  /** Emits what the end of the partition makes final. */
  public abstract void end(OnePassState state);
}

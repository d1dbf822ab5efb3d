package org.matchrecognize.spark.execution.rows

/** Where a matcher keeps the rows of a partition, and the labels of the match under way. */
private[spark] trait StorePlaces {

  /**
   * @param inTask
   *   for what need not outlast the task
   */
  def rows(inTask: RowStore): PartitionRows

  /** As [[rows]]; a row is a chunk of labels. */
  def labels(inTask: RowStore): PartitionRows
}

private[spark] object StorePlaces {

  /** Nothing outlasts the task. */
  object InTask extends StorePlaces {
    override def rows(inTask: RowStore): PartitionRows   = inTask
    override def labels(inTask: RowStore): PartitionRows = inTask
  }
}

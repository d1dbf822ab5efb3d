package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Attribute

import org.matchrecognize.spark.expressions.Semantics

/** The part of the clause that an expression is in, as far as its lowering depends on it. */
sealed private[analysis] trait LoweringPlace {

  /** What the call means that was written with RUNNING, FINAL or neither. */
  def semantics(written: Option[Semantics]): Semantics = Semantics.Running

  /** What MEASURES knows of the clause. */
  def firstKey: Option[Attribute] = None
  def showTimeouts: Boolean       = false
}

private[analysis] object LoweringPlace {

  case object InDefine extends LoweringPlace {
    override def toString: String = "DEFINE"
  }

  /**
   * @param allRows
   *   whether each row of a match is output
   * @param firstKey
   *   the first column of ORDER BY
   * @param showTimeouts
   *   whether partial matches that ran out of time are output
   */
  final case class InMeasures(
      allRows: Boolean,
      override val firstKey: Option[Attribute],
      override val showTimeouts: Boolean)
      extends LoweringPlace {

    /** With ONE ROW PER MATCH the current row is the last. */
    override def semantics(written: Option[Semantics]): Semantics =
      if (allRows) written.getOrElse(Semantics.Running) else Semantics.Running

    override def toString: String = "MEASURES"
  }
}

package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder, Unevaluable}
import org.apache.spark.sql.types.{DataType, NullType}

/**
 * A clause with one part changed. If it matches rows where the clause itself matches none, that part
 * may be the user's mistake.
 *
 * It is an expression that is never evaluated, so that Spark's rules treat what it holds like the
 * expressions of the clause.
 *
 * @param findings
 *   what may be wrong. The first one that the input has an example of is said
 */
case class ClauseVariant(
    cause: Cause,
    findings: Seq[Finding],
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    conditions: Seq[Expression],
    clause: ResolvedClause)
    extends Expression
    with Unevaluable {

  override def children: Seq[Expression] = findings ++ partition ++ order ++ conditions
  override def dataType: DataType        = NullType
  override def nullable: Boolean         = true

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): ClauseVariant = {
    val (found, afterFindings) = newChildren.splitAt(findings.size)
    val (keys, afterKeys)      = afterFindings.splitAt(partition.size)
    val (sorted, tests)        = afterKeys.splitAt(order.size)
    copy(
      findings = found.map(_.asInstanceOf[Finding]),
      partition = keys.map(_.asInstanceOf[Attribute]),
      order = sorted.map(_.asInstanceOf[SortOrder]),
      conditions = tests
    )
  }
}

/**
 * What a [[ClauseVariant]] changes.
 *
 * @param kind
 *   variants of one kind change the same thing, each more than the one before. Only the first that
 *   matches counts
 * @param rank
 *   a kind with a smaller number is rarely meant as it is written, and counts alone
 * @param change
 *   what the variant has that the clause has not, as `With ORDER BY day DESC`; None if a mistake is
 *   unlikely to be of this size, so that nothing is said
 * @param widens
 *   whether each variant of the kind matches what the one before does: if the last one matches
 *   nothing, none does
 * @param gap
 *   the variable that the variant adds for rows in between
 * @param fewerKeys
 *   whether the rows of several partitions become one. Then it counts only if no partition has as
 *   many rows as a match
 */
final case class Cause(
    kind: String,
    rank: Int,
    change: Option[String],
    widens: Boolean = false,
    gap: Option[Int] = None,
    fewerKeys: Boolean = false)

/**
 * What may be wrong, in words.
 *
 * @param text
 *   the sentence; `Finding.Here` stands for the examples
 * @param example
 *   over a row of the input, a value that shows the mistake, or NULL; at most one expression
 */
case class Finding(text: String, example: Seq[Expression]) extends Expression with Unevaluable {
  override def children: Seq[Expression] = example
  override def dataType: DataType        = NullType
  override def nullable: Boolean         = true

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Finding =
    copy(example = newChildren)
}

object Finding {

  /** The place of examples in a sentence. */
  val Here = "\u0000"

  def apply(text: String): Finding = new Finding(text, Nil)
}

package org.matchrecognize.spark.execution.fused

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import org.matchrecognize.spark.conditions.{DividedCondition, KeyIdentity}
import org.matchrecognize.spark.execution.fused.MatchRegisters._
import org.matchrecognize.spark.expressions._

/**
 * What the one-pass search keeps, and how expressions read it: for each match under way a bank of
 * registers that measures are read from, and conditions on the match; the rows before that
 * conditions look back at; and the partition's keys.
 */
final private[execution] class OnePassLayout private (
    variableCount: Int,
    partition: Seq[Attribute],
    val conditions: Seq[Expression],
    val measures: Seq[Expression]) {

  /** Of one match under way. */
  val registers: MatchRegisters = new MatchRegisters(variableCount)
  import registers._

  val keys: Bank = new Bank

  // Registers are given out while expressions are bound: once, here.
  val earlier: EarlierRows = new EarlierRows(
    conditions.indices.map(inMatch(_, Some(BankTerms.nowhere))))
  partition.foreach(key(_))
  measures.foreach(measure(_, BankTerms.nowhere, BankTerms.nowhere, "", ""))

  /** The columns of the input that are read. */
  def references: AttributeSet = AttributeSet(partition ++ conditions ++ measures)

  def key(attribute: Attribute): Register = keys.register(attribute.exprId, attribute.dataType)

  /**
   * The condition of a variable over the columns of the row tested and the banks.
   *
   * @param own
   *   the bank of the match under way, or None if the row begins a match
   * @param row
   *   the terms of the n-th row before
   */
  def condition(variable: Int, own: Option[BankTerms], row: Int => BankTerms): Expression =
    earlier.condition(inMatch(variable, own), row)

  private def inMatch(variable: Int, own: Option[BankTerms]): Expression =
    new ReadMatch(registers, Some(variable), own)
      .condition(OnePassLayout.parts(conditions(variable)))

  /**
   * A measure over the registers of one match.
   *
   * @param number
   *   Java, of MATCH_NUMBER
   * @param names
   *   Java, the array of the variables' names
   */
  def measure(
      e: Expression,
      own: BankTerms,
      key: BankTerms,
      number: String,
      names: String): Expression = {
    val read                                 = new ReadMatch(registers, None, Some(own))
    def label(target: RowTarget): Expression = {
      val end = endOf(target)
      if (end.first) presence(end.members)
      val register = bank.register(CaptureKey(end, LabelKey), IntegerType)
      TermExpression(s"$names[${own.value(register)}]", s"!(${own.has(register)})", StringType)
    }
    e match {
      case RowColumn(RowTarget(RowAnchor.Output, _), a: Attribute) => key.read(this.key(a))
      case RowColumn(target, child)                                => read.column(target, child)
      case RowExists(target)                                       => read.exists(target)
      case RowLabel(target)                                        => label(target)
      case MatchNumber()   => TermExpression(number, "false", LongType)
      case a: RowAggregate => read.value(a)
      case other           => other.mapChildren(measure(_, own, key, number, names))
    }
  }
}

private[execution] object OnePassLayout {

  /** The layout, or why there is none. */
  def of(
      variableCount: Int,
      partition: Seq[Attribute],
      conditions: Seq[Expression],
      measures: Seq[Expression]): Either[String, OnePassLayout] =
    Obstacles
      .first(partition)(ofKey)
      .orElse(Obstacles.first(conditions)(c => Obstacles.ofCondition(parts(c))))
      .orElse(Obstacles.first(measures)(Obstacles.ofMeasure))
      .toLeft(new OnePassLayout(variableCount, partition, conditions, measures))
      .flatMap(layout => excess(layout).toLeft(layout))

  /** Keys must be equal only if they are the same: any row of the partition can show them. */
  private def ofKey(key: Attribute): Option[String] =
    if (KeyIdentity(key.dataType)) None
    else Some(s"equal partition keys of type ${key.dataType.sql} can differ")

  /** What is too much for one pass. */
  private def excess(layout: OnePassLayout): Option[String] =
    if (layout.earlier.depth > EarlierRows.maxDepth)
      Some(s"a condition reads a row more than ${EarlierRows.maxDepth} rows before")
    else if (!Seq(layout.registers.bank, layout.earlier.bank, layout.keys).forall(_.fits))
      Some("it needs too many values at once")
    else None

  /** The parts as threads test them: an error of the rest must not depend on the matcher. */
  private def parts(condition: Expression): Expression =
    DividedCondition.of(condition, repeated = Set.empty) match {
      case DividedCondition(Some(local), Some(rest), _) => If(local, rest, Literal.FalseLiteral)
      case _                                            => condition
    }
}

/** The parts of a one-pass search. */
final private[execution] case class OnePassPlan(
    spec: OnePassSpec,
    banks: Int,
    layout: OnePassLayout) {

  /** The sizes of an [[OnePassState]], in the order of its constructor. */
  def stateSizes: Seq[Int] = Seq(
    banks,
    layout.registers.bank.numberCount,
    layout.registers.bank.objectCount,
    layout.earlier.depth,
    layout.earlier.bank.numberCount,
    layout.earlier.bank.objectCount,
    layout.keys.numberCount,
    layout.keys.objectCount
  )
}

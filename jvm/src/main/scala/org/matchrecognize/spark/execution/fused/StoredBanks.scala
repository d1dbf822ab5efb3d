package org.matchrecognize.spark.execution.fused

import org.apache.spark.sql.types.{DataType, LongType}

import org.matchrecognize.spark.execution.registers.{Bank, Register}

/** The registers of the banks of an [[OnePassState]], by kind of bank. */
final private[execution] case class StoredBanks(
    matched: StoredBank,
    earlier: StoredBank,
    keys: StoredBank)

private[execution] object StoredBanks {
  def of(layout: OnePassLayout): StoredBanks =
    StoredBanks(
      StoredBank.of(layout.registers.bank),
      StoredBank.of(layout.earlier.bank),
      StoredBank.of(layout.keys))
}

/**
 * The registers of one bank: those that hold more than a bit.
 *
 * @param numbers
 *   how many of them are numbers
 * @param objects
 *   how many are objects
 */
final private[execution] case class StoredBank(
    registers: Seq[Register],
    numbers: Int,
    objects: Int) {

  /** Numbers are kept as they lie in the register. */
  def types: Seq[DataType] = registers.map(r => if (r.isNumber) LongType else r.dataType)
}

private[execution] object StoredBank {
  def of(bank: Bank): StoredBank =
    StoredBank(bank.entries.map(_._2).filter(_.index >= 0), bank.numberCount, bank.objectCount)
}

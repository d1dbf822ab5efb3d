package org.matchrecognize.spark.execution

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.trees.Origin

import org.matchrecognize.spark.execution.fused.{OnePassState, StoredBank}
import org.matchrecognize.spark.execution.slots.{StoredError, StoredValues}
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/**
 * Writes an [[OnePassState]] to bytes in the middle of a partition and reads it back: what the
 * automaton's state has in use, and nothing that an earlier match left in a register.
 *
 * @param clause
 *   for errors
 */
final private[execution] class StoredOnePassState(
    program: StandaloneOnePass,
    patternSql: String,
    clause: Origin) {
  private val table = program.table.open()
  private val banks = program.banks

  private val matched = new BankValues(banks.matched)
  private val earlier = new BankValues(banks.earlier)
  private val keys    = new BankValues(banks.keys)

  private val shape: Int = {
    val kinds = Seq(banks.matched, banks.earlier, banks.keys)
    StateSeal.shape(
      patternSql,
      s"${table.states} ${program.sizes.productIterator.toList}",
      kinds.map(_.registers.map(r => s"${r.bit} ${r.dataType.catalogString}")).mkString(",")
    )
  }

  /** A state that has begun. */
  def write(state: OnePassState, limit: Int = StateOutput.maxBytes): Array[Byte] = {
    val out = new StateOutput(limit)
    out.writeNumber(state.state.toLong)
    out.writeNumber(state.matchNumber)
    for (bank <- table.liveBanks(state.state)) {
      out.writeNumber(state.lengths(bank))
      matched.write(state.numbers, state.objects, bank, state.bits(bank), out)
    }
    for (n <- state.earlierBits.indices)
      earlier.write(state.earlierNumbers, state.earlierObjects, n, state.earlierBits(n), out)
    keys.write(state.keyNumbers, state.keyObjects, 0, state.keyBits, out)
    // An error that was remembered stays in the field when nothing waits for it any more.
    if (table.failsAtEnd(state.state)) StoredError.write(state.error, out)
    StateSeal.close(shape, out)
  }

  def read(bytes: Array[Byte]): OnePassState = {
    val in    = StateSeal.open(shape, bytes, clause)
    val state = program.newState()
    state.begin(in.readInt())
    state.matchNumber = in.readNumber()
    for (bank <- table.liveBanks(state.state)) {
      state.lengths(bank) = in.readNumber()
      state.bits(bank) = matched.read(state.numbers, state.objects, bank, in)
    }
    for (n <- state.earlierBits.indices)
      state.earlierBits(n) = earlier.read(state.earlierNumbers, state.earlierObjects, n, in)
    state.keyBits = keys.read(state.keyNumbers, state.keyObjects, 0, in)
    if (table.failsAtEnd(state.state)) state.error = StoredError.read(in)
    state
  }

  /** The values of banks of one kind. */
  final private class BankValues(bank: StoredBank) {
    private val values    = new StoredValues(bank.types)
    private val registers = bank.registers.toArray

    /** Writes the bank that is the `index`-th in the arrays. */
    def write(
        numbers: Array[Long],
        objects: Array[AnyRef],
        index: Int,
        bits: Long,
        out: StateOutput): Unit = {
      out.writeNumber(bits)
      if (registers.nonEmpty) {
        val row = registers.map { r =>
          if ((bits & 1L << r.bit) == 0) null
          else if (r.isNumber) numbers(index * bank.numbers + r.index)
          else objects(index * bank.objects + r.index)
        }
        values.write(new GenericInternalRow(row.toArray[Any]), out)
      }
    }

    /** Reads a bank; gives its bits. */
    def read(numbers: Array[Long], objects: Array[AnyRef], index: Int, in: StateInput): Long = {
      val bits = in.readNumber()
      if (registers.nonEmpty) {
        val row = values.read(in)
        for ((r, i) <- registers.zipWithIndex if row(i) != null)
          if (r.isNumber) numbers(index * bank.numbers + r.index) = row(i).asInstanceOf[Long]
          else objects(index * bank.objects + r.index) = row(i).asInstanceOf[AnyRef]
      }
      bits
    }
  }
}

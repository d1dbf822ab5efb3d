package org.matchrecognize.spark.pattern.program

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.RowPattern
import org.matchrecognize.spark.text.Span

/**
 * The instructions and registers of a program, as a compiler gives them out.
 *
 * @param limit
 *   of the number of instructions
 */
abstract private[pattern] class ProgramBuilder(limit: Int) {
  private val code       = ArrayBuffer[Instruction]()
  private val emptyFlags = ArrayBuffer[Int]()
  private var registers  = 0

  /** The place of one more instruction. */
  final protected def emit(instruction: Instruction): Int = {
    if (code.size == limit) throw ProgramTooLarge(limit)
    code += instruction
    code.size - 1
  }

  final protected def register(): Int = {
    registers += 1
    registers - 1
  }

  /** A register that says whether the running iteration of a loop has consumed no row; -1 if it must. */
  final protected def emptyFlag(body: RowPattern): Int =
    if (RowPattern.nullable(body)) {
      emptyFlags += register()
      emptyFlags.last
    } else {
      -1
    }

  final protected def built(
      entry: Int,
      flink: Option[FirstCompletion],
      leastRows: Long): Program =
    new Program(code.toArray, entry, registers, emptyFlags.toArray, flink, leastRows)
}

/** A pattern that cannot be compiled: a PERMUTE has more elements than its state can hold. */
final case class PermuteTooLarge(size: Int, limit: Int, span: Span)
    extends RuntimeException(s"PERMUTE of $size elements, and the limit is $limit")

/** A pattern that cannot be compiled: its program has more instructions than allowed. */
final case class ProgramTooLarge(limit: Int)
    extends RuntimeException(s"a program of more than $limit instructions")

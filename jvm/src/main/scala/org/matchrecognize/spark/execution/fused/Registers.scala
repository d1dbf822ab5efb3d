package org.matchrecognize.spark.execution.fused

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.LeafExpression
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeGenerator, CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.types._

/**
 * Where one register lies in its bank.
 *
 * @param index
 *   among the numbers, or among the objects, of the bank
 * @param bit
 *   of the bank's bits; it is set if the register has a value
 */
final private[execution] case class Register(index: Int, bit: Int, dataType: DataType) {
  def isNumber: Boolean = Register.isNumber(dataType)
}

private[execution] object Register {

  def isNumber(dataType: DataType): Boolean = CodeGenerator.isPrimitiveType(dataType)

  /** Java: a number as it lies in a register. */
  def toNumber(value: String, dataType: DataType): String =
    CodeGenerator.javaType(dataType) match {
      case "double"  => s"Double.doubleToRawLongBits($value)"
      case "float"   => s"(long) Float.floatToRawIntBits($value)"
      case "boolean" => s"($value ? 1L : 0L)"
      case _         => s"(long) $value"
    }

  def fromNumber(number: String, dataType: DataType): String =
    CodeGenerator.javaType(dataType) match {
      case "double"  => s"Double.longBitsToDouble($number)"
      case "float"   => s"Float.intBitsToFloat((int) $number)"
      case "boolean" => s"($number != 0L)"
      case "long"    => number
      case other     => s"(($other) $number)"
    }

  /** Java: an object that outlives the row that it comes from. */
  def kept(value: String, dataType: DataType): String = CodeGenerator.javaType(dataType) match {
    case "UTF8String"                                           => s"$value.clone()"
    case "InternalRow" | "ArrayData" | "MapData" | "BinaryView" => s"$value.copy()"
    case _                                                      => value
  }
}

/** The registers of one kind of bank. */
final private[execution] class Bank {
  private val registers = mutable.LinkedHashMap[Any, Register]()
  private var numbers   = 0
  private var objects   = 0
  private var bits      = 0

  /** The register of what `key` names, of the same one for an equal key. */
  def register(key: Any, dataType: DataType): Register = registers.getOrElseUpdate(
    key, {
      val index =
        if (Register.isNumber(dataType)) { numbers += 1; numbers - 1 }
        else { objects += 1; objects - 1 }
      bits += 1
      Register(index, bits - 1, dataType)
    })

  /** A bit alone. */
  def flag(key: Any): Register = registers.getOrElseUpdate(
    key, {
      bits += 1
      Register(-1, bits - 1, BooleanType)
    })

  def entries: Seq[(Any, Register)] = registers.toSeq
  def numberCount: Int              = numbers
  def objectCount: Int              = objects

  /** Whether all bits have room in one number. */
  def fits: Boolean = bits <= 64
}

/**
 * Java that names the registers of one bank in generated code.
 *
 * @param numberBase
 *   index of the bank's first number, an expression
 */
final private[execution] case class BankTerms(
    numbers: String,
    numberBase: String,
    objects: String,
    objectBase: String,
    bits: String) {

  def number(r: Register): String  = s"$numbers[$numberBase + ${r.index}]"
  def element(r: Register): String = s"$objects[$objectBase + ${r.index}]"
  def has(r: Register): String     = s"($bits & ${1L << r.bit}L) != 0L"

  def value(r: Register): String =
    if (r.isNumber) Register.fromNumber(number(r), r.dataType)
    else s"((${CodeGenerator.boxedType(r.dataType)}) ${element(r)})"

  def write(r: Register, value: ExprCode): String = {
    val store =
      if (r.isNumber) s"${number(r)} = ${Register.toNumber(value.value, r.dataType)};"
      else s"${element(r)} = ${Register.kept(value.value, r.dataType)};"
    val clear = if (r.isNumber) "" else s" ${element(r)} = null;"
    s"""
       |if (${value.isNull}) { $bits &= ${~(1L << r.bit)}L;$clear }
       |else { $store $bits |= ${1L << r.bit}L; }
     """.stripMargin
  }

  /** The register's value as an expression of generated code. */
  def read(r: Register): TermExpression = TermExpression(value(r), s"!(${has(r)})", r.dataType)
}

private[execution] object BankTerms {

  /** Terms that name nothing: to find out which registers are needed. */
  val nowhere: BankTerms = BankTerms("", "", "", "", "")
}

/** A value that generated code has under a term. */
final private[execution] case class TermExpression(
    term: String,
    isNullTerm: String,
    override val dataType: DataType)
    extends LeafExpression {
  override def nullable: Boolean             = true
  override def eval(input: InternalRow): Any =
    throw new UnsupportedOperationException("only in generated code")

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ev.copy(code = code"""
      boolean ${ev.isNull} = $isNullTerm;
      ${CodeGenerator.javaType(dataType)} ${ev.value} =
        ${ev.isNull} ? ${CodeGenerator.defaultValue(dataType)} : ($term);
      """)
}

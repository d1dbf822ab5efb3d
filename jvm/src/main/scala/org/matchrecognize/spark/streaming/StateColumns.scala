package org.matchrecognize.spark.streaming

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  GenericInternalRow,
  UnaryExpression,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types._

/**
 * The columns of the rows in a state. Spark can keep them in Avro, which has names of ASCII letters,
 * digits and `_` only, and not all types.
 */
private[streaming] object StateColumns {

  /** The columns in an order that does not depend on that of the input. */
  def inOrder(columns: Seq[Attribute]): Seq[Attribute] =
    columns.zip(names(columns)).sortBy(_._2).map(_._1)

  /**
   * Their names in a state, no name twice, and whatever the letter case in which a statement writes
   * them. A name that Avro takes is in lower case; others and those of several columns begin with
   * `c`, a number and `__`.
   */
  def names(columns: Seq[Attribute]): Seq[String] = {
    val all = columns.map(_.name.toLowerCase(Locale.ROOT))
    all.zipWithIndex.map { case (name, i) =>
      val before = all.take(i).count(_ == name)
      if (before == 0 && isPlain(name)) name else s"c${before}__" + name.flatMap(escaped)
    }
  }

  private def isPlain(name: String): Boolean =
    name.matches("[A-Za-z_][A-Za-z0-9_]*") && !name.matches("c[0-9]+__.*")

  private def escaped(c: Char): String =
    if (c < 128 && Character.isLetterOrDigit(c)) c.toString else s"_${c.toInt.toHexString}_"

  /** The type of a column in a state: bytes if Avro has none that gives the same values back. */
  def typeOf(dataType: DataType): DataType = if (isInAvro(dataType)) dataType else BinaryType

  def isInAvro(dataType: DataType): Boolean = dataType match {
    case BooleanType | IntegerType | LongType | FloatType | DoubleType | BinaryType => true
    case DateType | TimestampType | TimestampNTZType | _: DecimalType               => true
    // Not one with a collation.
    case text: StringType       => text == StringType
    case ArrayType(element, _)  => isInAvro(element)
    case MapType(key, value, _) => key == StringType && isInAvro(value)
    case StructType(fields)     =>
      fields.nonEmpty && fields.forall(f => isPlain(f.name) && isInAvro(f.dataType)) &&
      fields.map(_.name).distinct.length == fields.length
    case _ => false
  }
}

/** A value of any type as bytes. */
final private[streaming] case class BytesOfValue(child: Expression)
    extends UnaryExpression
    with CodegenFallback {
  override def dataType: DataType = BinaryType

  @transient private lazy val toRow = UnsafeProjection.create(Array(child.dataType))

  override protected def nullSafeEval(value: Any): Any =
    toRow(new GenericInternalRow(Array[Any](value))).getBytes

  override protected def withNewChildInternal(newChild: Expression): BytesOfValue =
    copy(child = newChild)
}

/** The value that [[BytesOfValue]] made bytes of. */
final private[streaming] case class ValueOfBytes(
    child: Expression,
    override val dataType: DataType)
    extends UnaryExpression
    with CodegenFallback {

  override protected def nullSafeEval(value: Any): Any = {
    val bytes = value.asInstanceOf[Array[Byte]]
    val row   = new UnsafeRow(1)
    row.pointTo(bytes, bytes.length)
    row.get(0, dataType)
  }

  override protected def withNewChildInternal(newChild: Expression): ValueOfBytes =
    copy(child = newChild)
}

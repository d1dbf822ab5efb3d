package org.matchrecognize.spark.logical

import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.Locale

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.types.{
  ByteType,
  DataType,
  DecimalType,
  IntegerType,
  LongType,
  ShortType,
  TimestampType
}

import org.matchrecognize.spark.expressions._
import org.matchrecognize.spark.pattern.RowVariable

/**
 * What the expressions of a clause mean, as text that is the same in each run: a checkpoint holds
 * it. Expressions that differ in nothing but names of variables, the order of equal operands, the
 * direction of a comparison or casts of whole numbers to wider types have the same text. The
 * converse holds but for what is inside a subquery or a function of the user's.
 *
 * @param column
 *   what a column of the clause's input is called
 * @param bound
 *   what the parameters of the lambda functions around are called
 */
final class Meaning(column: Attribute => String, bound: Map[ExprId, String] = Map.empty) {

  def of(e: Expression): String = e match {
    case RowColumn(target, child)      => at(of(child), target)
    case RowLabel(target)              => at("CLASSIFIER", target)
    case RowSequenceNumber(target)     => at("NUMBER", target)
    case RowExists(target)             => at("EXISTS", target)
    case aggregate: RowAggregate       => of(aggregate)
    case attribute: AttributeReference => column(attribute)
    case Alias(child, _)               => of(child)
    case DeferredConstant(constant)    => of(constant)
    case literal: Literal              => of(literal)
    case lambda: LambdaFunction        => of(lambda)
    case variable: NamedLambdaVariable => bound.getOrElse(variable.exprId, variable.name)
    case cast: Cast if Meaning.isPlainCast(cast)       => of(cast.child)
    case _: And                                        => joined(e, " AND ")
    case _: Or                                         => joined(e, " OR ")
    case equal: EqualTo                                => either(equal)
    case equal: EqualNullSafe                          => either(equal)
    case GreaterThan(a, b)                             => infix(b, "<", a)
    case LessThan(a, b)                                => infix(a, "<", b)
    case GreaterThanOrEqual(a, b)                      => infix(b, "<=", a)
    case LessThanOrEqual(a, b)                         => infix(a, "<=", b)
    case sum: Add if Meaning.isInfix(sum)              => either(sum)
    case product: Multiply if Meaning.isInfix(product) => either(product)
    case In(value, list)                               =>
      s"(${of(value)} IN (${list.map(of).sorted.mkString(", ")}))"
    case udf: PythonUDF => call(udf.name, udf.children)
    case in: InSubquery => call(in.prettyName, in.children)
    // What Spark puts in its place has parts that are no expressions of their own.
    case call: InheritAnalysisRules with Expression => this.call(call.prettyName, call.parameters)
    case subquery: PlanExpression[_] => call(subquery.prettyName, subquery.children)
    // The seed of `rand()` is another one each time.
    case random: Nondeterministic        => call(random.prettyName, Nil)
    case other if other.children.isEmpty => other.sql
    case other                           =>
      other
        .withNewChildren(other.children.map {
          case literal: Literal => literal
          case child            => PrettyAttribute(of(child), child.dataType)
        })
        .sql
  }

  /** Parameters by their places: Spark numbers those of the DataFrame API anew each time. */
  private def of(lambda: LambdaFunction): String = {
    val names = lambda.arguments.indices.map(i => s"p${bound.size + i}")
    val body  = new Meaning(column, bound ++ lambda.arguments.map(_.exprId).zip(names))
    s"(${names.mkString(", ")}) -> ${body.of(lambda.function)}"
  }

  private def of(aggregate: RowAggregate): String = {
    val distinct = if (aggregate.distinct) "DISTINCT " else ""
    val where    = aggregate.filter.map(f => s" WHERE ${of(f)}").mkString
    s"${aggregate.semantics.sql} $distinct${of(aggregate.function)}$where " +
      s"OVER ${Meaning.of(aggregate.variable)}"
  }

  /** A timestamp in UTC: the session's zone must not matter. */
  private def of(literal: Literal): String = (literal.value, literal.dataType) match {
    case (micros: Long, TimestampType) =>
      s"TIMESTAMP '${Instant.EPOCH.plus(micros, ChronoUnit.MICROS)}'"
    case (number: Number, ByteType | ShortType | IntegerType | LongType) => number.toString
    case _                                                               => literal.sql
  }

  private def call(name: String, arguments: Seq[Expression]): String =
    s"$name(${arguments.map(of).mkString(", ")})"

  private def infix(a: Expression, operator: String, b: Expression): String =
    s"(${of(a)} $operator ${of(b)})"

  private def either(e: BinaryOperator): String =
    e.children.map(of).sorted.mkString("(", s" ${e.symbol} ", ")")

  private def joined(e: Expression, operator: String): String = {
    def parts(part: Expression): Seq[Expression] =
      if (part.getClass == e.getClass) part.children.flatMap(parts) else Seq(part)
    parts(e).map(of).distinct.sorted.mkString("(", operator, ")")
  }

  private def at(what: String, target: RowTarget): String = {
    val anchor = target.anchor match {
      case RowAnchor.Output                                   => "THE ROW"
      case RowAnchor.Mapped(end, variable, offset, semantics) =>
        s"${semantics.sql} $end(${Meaning.of(variable)}, $offset)"
    }
    s"$what OF $anchor" + (if (target.physical == 0) "" else f" ${target.physical}%+d")
  }
}

object Meaning {

  /** Of expressions over columns that have their names only. */
  val ofColumns: Meaning = new Meaning(a => quoteIfNeeded(a.name.toLowerCase(Locale.ROOT)))

  /** Variables by their ids, which are theirs by their places in the pattern. */
  private def of(variable: Option[RowVariable]): String =
    variable.fold("*")(_.members.map("v" + _).mkString(" | "))

  /** Whether it is none of `try_add` and the like. */
  private def isInfix(e: BinaryOperator): Boolean =
    e.withNewChildren(e.children.map(c => PrettyAttribute("", c.dataType))).sql ==
      s"( ${e.symbol} )"

  /** With the decimal digits of their values. */
  private val whole: Seq[(DataType, Int)] =
    Seq(ByteType -> 3, ShortType -> 5, IntegerType -> 10, LongType -> 19)

  /** Whether both are types of whole numbers, and the second has all values of the first. */
  def isWider(from: DataType, to: DataType): Boolean = {
    val (a, b) = (whole.indexWhere(_._1 == from), whole.indexWhere(_._1 == to))
    a >= 0 && a <= b
  }

  /** Whether a cast leaves the value what it is. */
  private def isPlainCast(cast: Cast): Boolean = {
    val (from, to) = (cast.child.dataType, cast.dataType)
    from == to || isWider(from, to) || (to match {
      case decimal: DecimalType =>
        whole.exists { case (t, digits) =>
          t == from && decimal.precision - decimal.scale >= digits
        }
      case _ => false
    })
  }
}

package org.matchrecognize.spark.reference

/**
 * Evaluates an expression by walking the labels of one match (semantics.md: Running and final
 * values, Navigation, Row pattern functions, Aggregates and Empty matches).
 *
 * Values are Long, Double, String, Boolean, or null.
 *
 * @param partition
 *   the rows of the partition in order, as columns by name
 * @param start
 *   the match's start row
 * @param labels
 *   the variables of the rows from the start row on: those of the whole match in MEASURES, those
 *   so far and the one being tested in DEFINE; -1 where a row is passed over
 * @param matchNumber
 *   the number that the match has or would get
 * @param variables
 *   names of the primary variables, by id
 * @param members
 *   the primary variables of a variable or SUBSET, by name
 * @param orderBy
 *   the first key of ORDER BY
 * @param timedOut
 *   whether the match is a partial one
 */
final class ExpressionEvaluation(
    partition: IndexedSeq[Map[String, Any]],
    start: Int,
    labels: IndexedSeq[Int],
    matchNumber: Long,
    variables: IndexedSeq[String],
    members: String => Set[Int],
    orderBy: String,
    timedOut: Boolean
) {
  import Expression._

  /** The value for the `visible` first rows of the match: running semantics ends there. */
  def value(expression: Expression, visible: Int): Any = new At(visible, None).value(expression)

  /** @param row the row of the partition that a navigation or an aggregate looks at */
  final private class At(visible: Int, row: Option[Int]) {

    def value(expression: Expression): Any = expression match {
      case Literal(constant)      => constant
      case Column(name, variable) => nullable(at(variable).map(partition(_)(name)))
      case Classifier(variable)   => nullable(at(variable).flatMap(labelOf))
      case MatchNumber            => matchNumber
      case MatchTimedOut          => timedOut
      case MatchRowtime           =>
        nullable(mappedTo(None, labels.size).lastOption.map(partition(_)(orderBy)))
      case Binary("AND", left, right) => nullable(and(truth(left), truth(right)))
      case Binary("OR", left, right)  => nullable(not(and(not(truth(left)), not(truth(right)))))
      case Binary(operator, left, right) => Values.binary(operator, value(left), value(right))
      case Not(operand)                  => nullable(not(truth(operand)))
      case IsNull(operand)               => value(operand) == null
      case Coalesce(first, second)       => Option(value(first)).getOrElse(value(second))
      case logical: Logical => nullable(designated(logical).map(valueAt(logical.argument, _)))
      case Physical(previous, argument, offset) =>
        val by             = if (previous) -offset else offset
        val (from, looked) = argument match {
          case logical: Logical => (designated(logical), logical.argument)
          case other            => (mappedTo(qualifier(other), visible).lastOption, other)
        }
        nullable(from.map(_ + by).filter(partition.indices.contains).map(valueAt(looked, _)))
      case CountRows(variable, prefix) => mappedTo(variable, limit(prefix)).size.toLong
      case aggregate: Aggregate        => aggregated(aggregate)
    }

    /** The row that a reference means: the one looked at, else the last one mapped. */
    private def at(variable: Option[String]): Option[Int] =
      row.orElse(mappedTo(variable, visible).lastOption)

    private def valueAt(expression: Expression, looked: Int): Any =
      new At(visible, Some(looked)).value(expression)

    private def designated(logical: Logical): Option[Int] = {
      val rows = mappedTo(qualifier(logical.argument), limit(logical.prefix))
      rows.lift(if (logical.first) logical.offset else rows.size - 1 - logical.offset)
    }

    private def aggregated(aggregate: Aggregate): Any = {
      val variable = qualifier(aggregate)
      val rows     = mappedTo(variable, limit(aggregate.prefix)).filter { r =>
        aggregate.filter.forall(condition => valueAt(condition, r) == true)
      }
      val values = rows.map(valueAt(aggregate.argument, _)).filter(_ != null)
      Values.aggregate(aggregate.function, if (aggregate.distinct) values.distinct else values)
    }

    private def limit(prefix: Prefix): Int =
      if (prefix == Prefix.Final) labels.size else visible

    private def truth(expression: Expression): Option[Boolean] =
      Option(value(expression)).map(_.asInstanceOf[Boolean])
  }

  /** The one variable that all references of a call carry; a constant is over all rows. */
  private def qualifier(expression: Expression): Option[String] = {
    val found = expression.qualifiers
    require(found.size <= 1, s"several variables in ${expression.sql}")
    found.headOption.flatten
  }

  /** Rows among the first `limit` of the match that are mapped to the variable. */
  private def mappedTo(variable: Option[String], limit: Int): IndexedSeq[Int] =
    (0 until limit)
      .filter(i => labels(i) >= 0 && variable.forall(name => members(name)(labels(i))))
      .map(start + _)

  private def labelOf(row: Int): Option[String] =
    labels.lift(row - start).filter(_ >= 0).map(variables)

  private def and(left: Option[Boolean], right: Option[Boolean]): Option[Boolean] =
    if (left.contains(false) || right.contains(false)) {
      Some(false)
    } else {
      for (l <- left; r <- right) yield l && r
    }

  private def not(operand: Option[Boolean]): Option[Boolean] = operand.map(!_)

  private def nullable(option: Option[Any]): Any = option.orNull
}

/** Arithmetic, comparison and aggregation of values. */
object Values {

  def binary(operator: String, left: Any, right: Any): Any =
    if (left == null || right == null) {
      null
    } else {
      operator match {
        case "+" | "-" | "*" => arithmetic(operator, left, right)
        case comparison      =>
          val order = compare(left, right)
          comparison match {
            case "="  => order == 0
            case "<>" => order != 0
            case "<"  => order < 0
            case "<=" => order <= 0
            case ">"  => order > 0
            case ">=" => order >= 0
          }
      }
    }

  private def arithmetic(operator: String, left: Any, right: Any): Any = (left, right) match {
    case (l: Long, r: Long) =>
      operator match {
        case "+" => l + r
        case "-" => l - r
        case "*" => l * r
      }
    case _ =>
      val (l, r) = (toDouble(left), toDouble(right))
      operator match {
        case "+" => l + r
        case "-" => l - r
        case "*" => l * r
      }
  }

  private def compare(left: Any, right: Any): Int = (left, right) match {
    case (l: Long, r: Long)       => l.compare(r)
    case (l: String, r: String)   => l.compareTo(r)
    case (l: Boolean, r: Boolean) => l.compare(r)
    // A zero added makes -0.0 the 0.0 that it is equal to in Spark.
    case _ => (toDouble(left) + 0.0).compare(toDouble(right) + 0.0)
  }

  private def toDouble(value: Any): Double = value match {
    case long: Long     => long.toDouble
    case double: Double => double
    case other          => throw new IllegalArgumentException(s"not a number: $other")
  }

  /** Of the values that are not NULL. */
  def aggregate(function: String, values: Seq[Any]): Any = function match {
    case "COUNT"             => values.size.toLong
    case _ if values.isEmpty => null
    case "SUM"               => values.reduce(arithmetic("+", _, _))
    case "AVG"               => values.map(toDouble).sum / values.size
    case "MIN"               => values.reduce((l, r) => if (compare(l, r) <= 0) l else r)
    case "MAX"               => values.reduce((l, r) => if (compare(l, r) >= 0) l else r)
    case other               => throw new IllegalArgumentException(s"no aggregate $other")
  }
}

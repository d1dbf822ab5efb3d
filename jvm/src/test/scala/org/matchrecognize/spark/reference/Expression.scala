package org.matchrecognize.spark.reference

/**
 * An expression of DEFINE or MEASURES, as much of SQL as the standard's rules need: columns,
 * three-valued logic, arithmetic, navigations, aggregates and the functions of the clause.
 * [[ExpressionEvaluation]] says what it means, `sql` shows it to an engine.
 */
sealed trait Expression {
  def sql: String
  def children: Seq[Expression]

  /** All nodes, this one first. */
  def nodes: Iterator[Expression] = Iterator.single(this) ++ children.iterator.flatMap(_.nodes)

  /** The qualifiers of all column references and CLASSIFIER calls; None is "all rows". */
  def qualifiers: Set[Option[String]] = nodes.collect {
    case Expression.Column(_, variable)    => variable
    case Expression.Classifier(variable)   => variable
    case Expression.CountRows(variable, _) => variable
  }.toSet
}

/** RUNNING or FINAL before FIRST, LAST or an aggregate, or neither. */
sealed trait Prefix {
  def sql: String
}

object Prefix {
  case object None extends Prefix {
    override def sql: String = ""
  }
  case object Running extends Prefix {
    override def sql: String = "RUNNING "
  }
  case object Final extends Prefix {
    override def sql: String = "FINAL "
  }
}

object Expression {

  /** A Long, a String, a Boolean, or null, which is an INT. */
  final case class Literal(value: Any) extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String               = value match {
      case null         => "CAST(NULL AS INT)"
      case text: String => s"'$text'"
      case other        => other.toString.toUpperCase
    }
  }

  /** `x`, or `A.x`. */
  final case class Column(name: String, variable: Option[String]) extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String               = variable.map(_ + ".").getOrElse("") + name
  }

  /** `CLASSIFIER()`, or `CLASSIFIER(A)`. */
  final case class Classifier(variable: Option[String]) extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String               = s"CLASSIFIER(${variable.getOrElse("")})"
  }

  case object MatchNumber extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String               = "MATCH_NUMBER()"
  }

  /** `MATCH_TIMED_OUT()` */
  case object MatchTimedOut extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String               = "MATCH_TIMED_OUT()"
  }

  /** `MATCH_ROWTIME()` */
  case object MatchRowtime extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String               = "MATCH_ROWTIME()"
  }

  /** `=`, `<>`, `<`, `<=`, `>`, `>=`, `+`, `-`, `*`, `AND`, `OR`. */
  final case class Binary(operator: String, left: Expression, right: Expression)
      extends Expression {
    override def children: Seq[Expression] = Seq(left, right)
    override def sql: String               = s"(${left.sql} $operator ${right.sql})"
  }

  final case class Not(operand: Expression) extends Expression {
    override def children: Seq[Expression] = Seq(operand)
    override def sql: String               = s"(NOT ${operand.sql})"
  }

  final case class IsNull(operand: Expression) extends Expression {
    override def children: Seq[Expression] = Seq(operand)
    override def sql: String               = s"(${operand.sql} IS NULL)"
  }

  final case class Coalesce(first: Expression, second: Expression) extends Expression {
    override def children: Seq[Expression] = Seq(first, second)
    override def sql: String               = s"COALESCE(${first.sql}, ${second.sql})"
  }

  /** `FIRST(e, n)` or `LAST(e, n)`: n rows inward from that end among the rows mapped. */
  final case class Logical(first: Boolean, argument: Expression, offset: Int, prefix: Prefix)
      extends Expression {
    override def children: Seq[Expression] = Seq(argument)
    override def sql: String               = {
      val more = if (offset == 0) "" else s", $offset"
      s"${prefix.sql}${if (first) "FIRST" else "LAST"}(${argument.sql}$more)"
    }
  }

  /** `PREV(e, n)` or `NEXT(e, n)`; e may be a [[Logical]]. */
  final case class Physical(previous: Boolean, argument: Expression, offset: Int)
      extends Expression {
    override def children: Seq[Expression] = Seq(argument)
    override def sql: String               = {
      val more = if (offset == 1) "" else s", $offset"
      s"${if (previous) "PREV" else "NEXT"}(${argument.sql}$more)"
    }
  }

  /** COUNT, SUM, MIN, MAX or AVG of an argument, with DISTINCT and FILTER. */
  final case class Aggregate(
      function: String,
      argument: Expression,
      distinct: Boolean,
      filter: Option[Expression],
      prefix: Prefix
  ) extends Expression {
    override def children: Seq[Expression] = argument +: filter.toSeq
    override def sql: String               = {
      val chosen = filter.map(condition => s" FILTER (WHERE ${condition.sql})").getOrElse("")
      s"${prefix.sql}$function(${if (distinct) "DISTINCT " else ""}${argument.sql})$chosen"
    }
  }

  /** `COUNT(*)`, or `COUNT(A.*)`. */
  final case class CountRows(variable: Option[String], prefix: Prefix) extends Expression {
    override def children: Seq[Expression] = Nil
    override def sql: String = s"${prefix.sql}COUNT(${variable.map(_ + ".").getOrElse("")}*)"
  }
}

package org.matchrecognize.spark.expressions

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.trees.{CurrentOrigin, Origin}
import org.apache.spark.sql.catalyst.util.toPrettySQL

/** Expressions of conditions as the user wrote them. */
private[spark] object WrittenText extends PredicateHelper {

  /** What precedes its operand in Spark's syntax tree, so that Spark leaves that out of its place. */
  private val predicate = "(?is)(NOT\\s+)?(IN|LIKE|ILIKE|RLIKE|BETWEEN|IS)\\b.*".r

  /** The text of an expression on one line; Spark's own text if the expression has no place. */
  def of(e: Expression): String = e match {
    // A column has the place where it was first resolved.
    case _: RowColumn | _: RowAggregate | _: Attribute => ofLeaf(e)
    case _                                             =>
      place(e) match {
        case Some(text) if predicate.pattern.matcher(text).matches =>
          val operand =
            Iterator.iterate(e)(_.children.head).find(part => !place(part).contains(text)).get
          s"${of(operand)} $text"
        case Some(text) => text
        case None       => toPrettySQL(e)
      }
  }

  private def place(e: Expression): Option[String] = e match {
    case _: RowColumn | _: RowAggregate | _: Attribute => None
    case _                                             =>
      span(e.origin).map { case (sql, from, to) =>
        (sql.substring(from, to) + rest(sql, to)).replaceAll("\\s+", " ")
      }
  }

  /** The text at a place, as it is. */
  def at(origin: Origin): Option[String] = span(origin).map { case (sql, from, to) =>
    sql.substring(from, to)
  }

  private def span(origin: Origin): Option[(String, Int, Int)] =
    for {
      sql   <- origin.sqlText
      start <- origin.startIndex
      stop  <- origin.stopIndex
      // ANTLR counts code points.
      if start >= 0 && stop >= start && stop < sql.codePointCount(0, sql.length)
    } yield (sql, sql.offsetByCodePoints(0, start), sql.offsetByCodePoints(0, stop + 1))

  /** The name of a parameter marker, `:least`: Spark knows the place of its first character only. */
  private def rest(sql: String, to: Int): String =
    if (sql.charAt(to - 1) == ':') sql.substring(to).takeWhile(c => c.isLetterOrDigit || c == '_')
    else ""

  /** A column of a row, or an aggregate, as the user would write it. */
  def ofLeaf(leaf: Expression): String = leaf match {
    case RowColumn(target, child) => ofRow(target, column(child))
    case a: RowAggregate          =>
      val prefix = a.variable.fold("")(_.name + ".")
      val args   =
        a.function.children.map(c => if (c.foldable) toPrettySQL(c) else prefix + column(c))
      val inner = if (args.forall(_ == "1")) s"$prefix*" else args.mkString(", ")
      s"${a.function.prettyName.toUpperCase(Locale.ROOT)}($inner)"
    case other => column(other)
  }

  private def column(e: Expression): String = e match {
    case attribute: Attribute => attribute.name
    case other                => toPrettySQL(other)
  }

  private def ofRow(target: RowTarget, column: String): String = {
    val anchored = target.anchor match {
      case RowAnchor.current | RowAnchor.Output       => column
      case RowAnchor.Mapped(end, variable, offset, _) =>
        val qualified = variable.fold(column)(v => s"${v.name}.$column")
        if (offset > 0) s"$end($qualified, $offset)"
        // A.x is the same as LAST(A.x).
        else if (end == MappedEnd.Last) qualified
        else s"$end($qualified)"
    }
    def far(n: Long) = if (n == 1) "" else s", $n"
    target.physical match {
      case 0          => anchored
      case n if n < 0 => s"PREV($anchored${far(-n)})"
      case n          => s"NEXT($anchored${far(n)})"
    }
  }

  /**
   * The parts of a condition that AND joins. BETWEEN is one part: both of its comparisons have its
   * text.
   */
  def conjuncts(condition: Expression): Seq[Expression] =
    splitConjunctivePredicates(condition).foldLeft(Vector.empty[Expression]) { (parts, leaf) =>
      parts.lastOption match {
        case Some(last) if place(last).nonEmpty && place(last) == place(leaf) =>
          parts.init :+ CurrentOrigin.withOrigin(last.origin)(And(last, leaf))
        case _ => parts :+ leaf
      }
    }
}

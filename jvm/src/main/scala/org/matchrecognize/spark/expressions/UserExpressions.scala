package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedException}
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  LeafExpression,
  UnaryExpression,
  Unevaluable
}
import org.apache.spark.sql.types.{BooleanType, DataType, LongType, StringType, TimestampType}

import org.matchrecognize.spark.pattern.RowVariable

/*
 * The expressions that the parser leaves in DEFINE and MEASURES: what the user wrote. Spark
 * resolves what is inside them. Analysis then lowers them to the expressions of RowExpressions.scala.
 * None of them is ever evaluated.
 */

/** `A.price`: a column of rows mapped to a variable. For `COUNT(A.*)` the child is a literal. */
case class QualifiedReference(variable: RowVariable, child: Expression)
    extends UnaryExpression
    with Unevaluable {
  override def dataType: DataType = child.dataType
  override def nullable: Boolean  = true
  override def prettyName: String = "qualified_reference"
  override def sql: String        = s"${variable.name}.${child.sql}"
  override def toString: String   = s"${variable.name}.$child"
  override protected def withNewChildInternal(newChild: Expression): QualifiedReference =
    copy(child = newChild)
}

/**
 * `s.f`, where `s` is no variable: a column of the input and its fields. Not Spark's
 * UnresolvedAttribute, for which `s` would be a table of the input before it is a column.
 */
case class ColumnPath(nameParts: Seq[String]) extends LeafExpression with Unevaluable {
  override lazy val resolved: Boolean = false
  override def dataType: DataType     = throw new UnresolvedException("dataType")
  override def nullable: Boolean      = throw new UnresolvedException("nullable")
  override def sql: String            = asAttribute.sql
  override def toString: String       = asAttribute.toString

  /** As Spark looks for it. */
  def asAttribute: UnresolvedAttribute = UnresolvedAttribute(nameParts)
}

/**
 * A column alone in its place, as in `DEFINE A AS price` or `PREV(price, n)`. Spark replaces the
 * name by a column of the input, whose place in the text is another or none. This keeps the place
 * of the name, for errors.
 */
case class WrittenColumn(child: Expression) extends StandIn with Unevaluable {
  override protected def withNewChildInternal(newChild: Expression): WrittenColumn =
    copy(child = newChild)
}

/**
 * `FIRST(e, n)`, `LAST(e, n)`, `PREV(e, n)`, `NEXT(e, n)`, with LAG and LEAD as PREV and NEXT.
 *
 * @param kind
 *   which of the four
 * @param semantics
 *   RUNNING or FINAL where the user wrote it
 * @param argument
 *   `e`; in PREV and NEXT possibly a FIRST or LAST navigation
 * @param offset
 *   `n`, or its default as a literal
 */
case class Navigation(
    kind: NavigationKind,
    semantics: Option[Semantics],
    argument: Expression,
    offset: Expression
) extends Expression
    with Unevaluable {
  override def children: Seq[Expression] = Seq(argument, offset)
  override def dataType: DataType        = argument.dataType
  override def nullable: Boolean         = true
  override def prettyName: String        = kind.sql.toLowerCase(java.util.Locale.ROOT)
  override def sql: String               =
    semantics.map(_.sql + " ").mkString + s"${kind.sql}(${argument.sql}, ${offset.sql})"
  override def toString: String =
    semantics.map(_.sql + " ").mkString + s"${kind.sql}($argument, $offset)"
  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]
  ): Navigation =
    copy(argument = newChildren(0), offset = newChildren(1))
}

/** `FINAL SUM(x)`, `RUNNING COUNT(*)`: the word before a call that is not a navigation. */
case class WithSemantics(semantics: Semantics, child: Expression)
    extends UnaryExpression
    with Unevaluable {
  override def dataType: DataType = child.dataType
  override def nullable: Boolean  = child.nullable
  override def sql: String        = s"${semantics.sql} ${child.sql}"
  override def toString: String   = s"${semantics.sql} $child"
  override protected def withNewChildInternal(newChild: Expression): WithSemantics =
    copy(child = newChild)
}

/** `CLASSIFIER()`, `CLASSIFIER(U)`: the primary variable of the last row mapped (to U). */
case class Classifier(variable: Option[RowVariable]) extends LeafExpression with Unevaluable {
  override def dataType: DataType = StringType
  override def nullable: Boolean  = true
  override def sql: String        = s"CLASSIFIER(${variable.map(_.name).mkString})"
  override def toString: String   = sql
}

/** The functions without arguments that describe the match. */
sealed abstract class MatchFunction(
    override val prettyName: String,
    override val dataType: DataType,
    override val nullable: Boolean = false)
    extends LeafExpression
    with Unevaluable
    with Serializable {
  override def sql: String      = s"${prettyName.toUpperCase(java.util.Locale.ROOT)}()"
  override def toString: String = sql
}

/** `MATCH_NUMBER()`: the match's number in its partition, from 1. */
case class MatchNumber() extends MatchFunction("match_number", LongType)

object MatchNumber {

  /** Whether one of the expressions reads it. */
  def isIn(expressions: Seq[Expression]): Boolean =
    expressions.exists(_.exists(_.isInstanceOf[MatchNumber]))
}

/** `MATCH_SEQUENCE_NUMBER()`: the row's number in its match, from 1. */
case class MatchSequenceNumber()
    extends MatchFunction("match_sequence_number", LongType, nullable = true)

/** `MATCH_TIMED_OUT()` (extension): whether a partial match is shown that ran out of time. */
case class MatchTimedOut() extends MatchFunction("match_timed_out", BooleanType)

/**
 * `MATCH_PROCTIME()` (extension): when the query, or the batch of a stream, began. In ORDER BY it is
 * the order in which the rows of a stream arrive.
 */
case class MatchProctime() extends MatchFunction("match_proctime", TimestampType)

/**
 * `MATCH_ROWTIME()` (extension): the first key of ORDER BY on the last row of the match.
 *
 * @param key
 *   that key, for its type; not known when the call is built
 */
case class MatchRowtime(key: Seq[Expression]) extends Expression with Unevaluable {
  override lazy val resolved: Boolean    = key.nonEmpty && childrenResolved
  override def children: Seq[Expression] = key
  override def dataType: DataType        = key.head.dataType
  override def nullable: Boolean         = true
  override def prettyName: String        = "match_rowtime"
  override def sql: String               = "MATCH_ROWTIME()"
  override def toString: String          = sql
  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): MatchRowtime =
    copy(key = newChildren)
}

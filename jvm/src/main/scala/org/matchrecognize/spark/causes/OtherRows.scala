package org.matchrecognize.spark.causes

import java.time.ZoneId
import java.util.TimeZone

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  Cast,
  Expression,
  TimeZoneAwareExpression
}
import org.apache.spark.sql.types.{DateType, IntegerType, LongType, StringType}

import org.matchrecognize.spark.causes.ChangedClause._
import org.matchrecognize.spark.expressions.WrittenText
import org.matchrecognize.spark.logical.{Cause, ClauseVariant, Finding, Within}

/** The clause with other partitions, another bound or another time zone. */
final private[causes] class OtherRows(change: ChangedClause, columns: Seq[Attribute]) {
  import OtherRows._

  private val clause = change.clause

  def variants: Seq[ClauseVariant] =
    zones ++ (if (clause.partition.isEmpty) anotherKey else fewerKeys) ++ longerBounds

  private def fewerKeys: Seq[ClauseVariant] = {
    val keys = clause.partition
    val one  = if (keys.size > 1) keys.indices.reverse.map(i => keys.patch(i, Nil, 1)) else Nil
    one.map(fewer(_, fewerKeys = false)) :+ fewer(Nil, fewerKeys = true)
  }

  private def fewer(keys: Seq[Attribute], fewerKeys: Boolean): ClauseVariant =
    change
      .variant(
        Cause("fewer keys", rank = 2, Some(partitionBy(keys)), fewerKeys = fewerKeys),
        Finding("PARTITION BY may have a key too many."))
      .copy(partition = keys)

  /** A column that the clause does not use. */
  private def anotherKey: Seq[ClauseVariant] = {
    val used = AttributeSet(clause.order ++ clause.conditions)
    columns
      .filter(c => !used.contains(c) && isKey(c))
      .take(mostKeys)
      .map(column =>
        change
          .variant(
            Cause("another key", rank = 2, Some(partitionBy(Seq(column)))),
            Finding("PARTITION BY may be missing."))
          .copy(partition = Seq(column)))
  }

  private def isKey(column: Attribute): Boolean = column.dataType match {
    case _: StringType | IntegerType | LongType | DateType => true
    case _                                                 => false
  }

  private def partitionBy(keys: Seq[Attribute]): String =
    if (keys.isEmpty) "Without PARTITION BY"
    else keys.map(_.name).mkString("With PARTITION BY ", ", ", "")

  private def longerBounds: Seq[ClauseVariant] = clause.clause.within.toSeq.flatMap { bound =>
    def variant(how: String, changed: Option[Within]) =
      change
        .variant(
          Cause("bound", rank = 2, Some(how), widens = true),
          Finding(s"WITHIN ${bound.sql} may be too short."))
        .copy(clause = change.resolved.copy(within = changed))
    factors.flatMap(factor =>
      times(bound, factor).map(longer =>
        variant(s"With a bound $factor times as long", Some(longer)))) :+
      variant("Without WITHIN", None)
  }

  /** The bound that many times as long; None if that is no number of its type. */
  private def times(bound: Within, factor: Long): Option[Within] =
    try
      Some(bound match {
        case b: Within.Time     => b.copy(micros = Math.multiplyExact(b.micros, factor))
        case b: Within.Whole    => b.copy(most = Math.multiplyExact(b.most, factor))
        case b: Within.Floating => b.copy(most = b.most * factor.toDouble)
        case b: Within.Decimals =>
          b.copy(most = b.most.multiply(java.math.BigDecimal.valueOf(factor)))
      })
    catch { case _: ArithmeticException => None }

  /** Conditions that depend on the time zone, in UTC and in the zone of the machine. */
  private def zones: Seq[ClauseVariant] =
    Seq("UTC", TimeZone.getDefault.getID).distinct.flatMap { zone =>
      val depending = clause.conditions.flatMap(reading(_, zone))
      depending.headOption.map { case (whole, written) =>
        change
          .variant(
            Cause("zone", rank = 2, Some(s"With spark.sql.session.timeZone = $zone")),
            Finding(
              s"${WrittenText.of(whole)} depends on the time zone of the session, $written.")
          )
          .copy(conditions = clause.conditions.map(_.transformUp {
            case e: TimeZoneAwareExpression if isOther(e, zone) => e.withTimeZone(zone)
          }))
      }
    }

  /** The parts of a condition that depend on another zone, with that zone. */
  private def reading(condition: Expression, zone: String): Seq[(Expression, String)] =
    WrittenText.conjuncts(condition).flatMap { part =>
      part.collectFirst {
        case e: TimeZoneAwareExpression if isOther(e, zone) => part -> e.timeZoneId.get
      }
    }

  private def isOther(e: TimeZoneAwareExpression, zone: String): Boolean =
    e.resolved && e.timeZoneId.exists(own => rules(own) != rules(zone)) &&
      !isConstant(e) && dependsOnZone(e)

  private def rules(zone: String) = ZoneId.of(zone, ZoneId.SHORT_IDS).getRules

  /** Casts carry a zone even where they need none. */
  private def dependsOnZone(e: TimeZoneAwareExpression): Boolean = e match {
    case cast: Cast =>
      Cast.needsTimeZone(cast.child.dataType, cast.dataType)
    case _ => true
  }
}

private object OtherRows {

  /** Columns that are tried as a key. */
  val mostKeys = 10

  /** Units of time and their parts, after two that are no mistake in the unit. */
  val factors: Seq[Long] = Seq(2L, 10L, 60L, 1000L, 3600L, 86400L, 1000000L)
}

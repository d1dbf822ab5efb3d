package org.matchrecognize.spark.analysis

import java.math.{BigDecimal, RoundingMode}
import java.time.{ZoneId, ZoneOffset}

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.util.{DateTimeUtils, toPrettySQL}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import org.matchrecognize.spark.errors.{AnalysisErrors, ErrorCondition, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.{UnresolvedMatchRecognize, Within}

/** Checks WITHIN against the first key of ORDER BY. */
final private[analysis] class WithinResolver(clause: UnresolvedMatchRecognize) {

  def resolve(): Option[Within] = clause.within.headOption.map { written =>
    of(Replacements.inline(WrittenConstant.unaliased(written)), clause.order.head.child)
  }

  private def of(bound: Expression, key: Expression): Within = {
    if (!bound.foldable) throw wrong(AnalysisErrors.WithinNotConstant, bound)
    key.dataType match {
      case TimestampType | DateType => time(bound, key, DateTimeUtils.getZoneId(sessionTimeZone))
      case TimestampNTZType         => time(bound, key, ZoneOffset.UTC)
      case number: NumericType      => distance(bound, key, number)
      case other                    =>
        throw MatchRecognizeErrors.analysisAt(
          AnalysisErrors.WithinKey,
          clause.origin,
          clause.spans("ORDER"),
          "key"  -> toPrettySQL(key),
          "type" -> other.sql)
    }
  }

  private def sessionTimeZone: String = SQLConf.get.sessionLocalTimeZone

  private def time(bound: Expression, key: Expression, zone: ZoneId): Within =
    bound.dataType match {
      case _: DayTimeIntervalType =>
        WrittenConstant.value(bound) match {
          case micros: Long if micros >= 0 => Within.Time(micros, zone, shown(bound))
          case _                           => throw outOfRange(bound)
        }
      case NullType                                        => throw outOfRange(bound)
      case _: YearMonthIntervalType | CalendarIntervalType => throw wrongType(bound, key, months)
      case _                                               => throw wrongType(bound, key, hour)
    }

  private val hour   = " such as INTERVAL '1' HOUR"
  private val months = " such as INTERVAL '30' DAY, because months differ in length"

  private def distance(bound: Expression, key: Expression, keyType: NumericType): Within =
    bound.dataType match {
      case _: NumericType =>
        val most = WrittenConstant.value(bound) match {
          case d: Decimal => d.toJavaBigDecimal
          case d: Double  => decimal(d, bound)
          case f: Float   => decimal(f.toDouble, bound)
          case n: Number  => BigDecimal.valueOf(n.longValue)
          case _          => throw outOfRange(bound)
        }
        if (most.signum < 0) throw outOfRange(bound)
        keyType match {
          case FloatType | DoubleType => Within.Floating(most.doubleValue, shown(bound))
          case _: DecimalType         => Within.Decimals(most, shown(bound))
          case _                      =>
            val whole =
              most.setScale(0, RoundingMode.FLOOR).min(BigDecimal.valueOf(Long.MaxValue))
            Within.Whole(whole.longValueExact, shown(bound))
        }
      case NullType => throw outOfRange(bound)
      case _        => throw wrongType(bound, key, "")
    }

  private def decimal(value: Double, bound: Expression): BigDecimal =
    if (value.isNaN || value.isNegInfinity) throw outOfRange(bound)
    // Farther than any two decimals, or two whole numbers, are from each other.
    else if (value.isPosInfinity) BigDecimal.TEN.pow(400)
    else BigDecimal.valueOf(value)

  /** The value, as Spark writes it. */
  private def shown(bound: Expression): String =
    Literal(WrittenConstant.value(bound), bound.dataType).sql

  private def wrongType(bound: Expression, key: Expression, more: String): Throwable = {
    val wanted = key.dataType match {
      case _: NumericType => "a number"
      case _              => "a day-time interval"
    }
    wrong(
      AnalysisErrors.WithinType,
      bound,
      "type"    -> bound.dataType.sql,
      "key"     -> toPrettySQL(key),
      "keyType" -> key.dataType.sql,
      "wanted"  -> (wanted + more))
  }

  private def outOfRange(bound: Expression): Throwable =
    wrong(AnalysisErrors.WithinOutOfRange, bound)

  private def wrong(
      condition: ErrorCondition,
      bound: Expression,
      more: (String, String)*): Throwable =
    MatchRecognizeErrors.analysisAt(
      condition,
      clause.origin,
      clause.spans("WITHIN"),
      ("bound" -> toPrettySQL(bound)) +: more: _*)
}

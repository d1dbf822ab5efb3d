package org.matchrecognize.spark.conditions

import org.apache.spark.sql.catalyst.expressions.Expression

/**
 * The test of a value that grows or falls with one argument, by rounded arithmetic, too: sums,
 * differences, products and quotients with values that stay the same. Argument 0 is what grows, the
 * others stay the same.
 *
 * It is one function of the argument between two of its values where `value` and `divisors` are
 * finite and no divisor has another sign than at the other end.
 *
 * @param test
 *   the comparison of `value` with what stays the same
 * @param value
 *   what is compared
 * @param divisors
 *   what is divided by, if it depends on argument 0
 */
final private[spark] case class MonotoneTest(
    test: Expression,
    value: Expression,
    divisors: Seq[Expression])

package org.matchrecognize.spark.expressions

/** Over which rows of the match a navigation or an aggregate looks. */
sealed abstract class Semantics(val sql: String) extends Serializable

object Semantics {

  /** Up to and with the current row. */
  case object Running extends Semantics("RUNNING")

  /** All rows of the match. */
  case object Final extends Semantics("FINAL")
}

/** The four row navigations. */
sealed abstract class NavigationKind(val sql: String) extends Serializable

object NavigationKind {
  case object First extends NavigationKind("FIRST")
  case object Last  extends NavigationKind("LAST")
  case object Prev  extends NavigationKind("PREV")
  case object Next  extends NavigationKind("NEXT")
}

package org.matchrecognize.spark.expressions

/** Over which rows of the match a navigation or an aggregate looks. */
sealed trait Semantics {
  def sql: String
}

object Semantics {

  /** Up to and with the current row. */
  case object Running extends Semantics {
    override def sql: String = "RUNNING"
  }

  /** All rows of the match. */
  case object Final extends Semantics {
    override def sql: String = "FINAL"
  }
}

/** The four row navigations. */
sealed trait NavigationKind {
  def sql: String
}

object NavigationKind {
  case object First extends NavigationKind {
    override def sql: String = "FIRST"
  }
  case object Last extends NavigationKind {
    override def sql: String = "LAST"
  }
  case object Prev extends NavigationKind {
    override def sql: String = "PREV"
  }
  case object Next extends NavigationKind {
    override def sql: String = "NEXT"
  }
}

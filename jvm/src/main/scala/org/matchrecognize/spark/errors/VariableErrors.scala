package org.matchrecognize.spark.errors

/** Variables: PATTERN, SUBSET and DEFINE must agree. */
object VariableErrors {

  private def syntax(name: String, message: String) = ErrorCondition(name, "42601", message)

  val DefineNotInPattern: ErrorCondition = syntax(
    "DEFINE_NOT_IN_PATTERN",
    "DEFINE <variable>: PATTERN does not use a variable of that name. <known> Remove the entry, " +
      "or use <variable> in PATTERN."
  )

  val DefinedTwice: ErrorCondition = syntax(
    "DEFINED_TWICE",
    "<variable> has two entries in DEFINE. Write one, with AND or OR between the conditions.")

  val DefineOfSubset: ErrorCondition = syntax(
    "DEFINE_OF_SUBSET",
    "<variable> is a SUBSET and takes no condition. DEFINE its members.")

  val SubsetUnknownMember: ErrorCondition = syntax(
    "SUBSET_UNKNOWN_MEMBER",
    "SUBSET <subset>: PATTERN does not use a variable <member>. <known>")

  val SubsetNested: ErrorCondition = syntax(
    "SUBSET_NESTED",
    "SUBSET <subset>: its member <member> is a SUBSET itself. List primary variables of PATTERN.")

  val SubsetNameTaken: ErrorCondition = syntax(
    "SUBSET_NAME_TAKEN",
    "SUBSET <subset>: <subset> is a variable of PATTERN. Choose another name.")

  val SubsetTwice: ErrorCondition =
    syntax("SUBSET_TWICE", "Two SUBSETs are called <subset>. Choose another name for one.")

  val SubsetMemberTwice: ErrorCondition =
    syntax("SUBSET_MEMBER_TWICE", "SUBSET <subset> lists <member> twice. Remove one.")

  val LookedAtUndefined: ErrorCondition = syntax(
    "LOOKED_AT_UNDEFINED",
    "<variable> stands in [^<variable>] or as the stop of a loop and has no condition, so it holds " +
      "at every row. DEFINE <variable> AS condition."
  )

  val NeverMapped: ErrorCondition = syntax(
    "NEVER_MAPPED",
    "<variable> stands only in [^<variable>] or as the stop of a loop, so no row is ever mapped to " +
      "it and MEASURES has nothing to show. Refer to a variable that PATTERN maps rows to."
  )

  val all: Seq[ErrorCondition] = Seq(
    DefineNotInPattern,
    DefinedTwice,
    DefineOfSubset,
    SubsetUnknownMember,
    SubsetNested,
    SubsetNameTaken,
    SubsetTwice,
    SubsetMemberTwice,
    LookedAtUndefined,
    NeverMapped
  )
}

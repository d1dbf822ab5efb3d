package org.matchrecognize.spark.errors

/** Conditions of variables, on which PATTERN, SUBSET and DEFINE must agree. */
object VariableErrors extends ErrorStage {

  val DefineNotInPattern: ErrorCondition  = condition("DEFINE_NOT_IN_PATTERN")
  val DefinedTwice: ErrorCondition        = condition("DEFINED_TWICE")
  val DefineOfSubset: ErrorCondition      = condition("DEFINE_OF_SUBSET")
  val SubsetUnknownMember: ErrorCondition = condition("SUBSET_UNKNOWN_MEMBER")
  val SubsetNested: ErrorCondition        = condition("SUBSET_NESTED")
  val SubsetNameTaken: ErrorCondition     = condition("SUBSET_NAME_TAKEN")
  val SubsetTwice: ErrorCondition         = condition("SUBSET_TWICE")
  val SubsetMemberTwice: ErrorCondition   = condition("SUBSET_MEMBER_TWICE")
  val LookedAtUndefined: ErrorCondition   = condition("LOOKED_AT_UNDEFINED")
  val NeverMapped: ErrorCondition         = condition("NEVER_MAPPED")
}

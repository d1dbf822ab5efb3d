package org.matchrecognize.spark.execution.fused

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.execution.fused.MatchRegisters._
import org.matchrecognize.spark.expressions.RowAggregate
import org.matchrecognize.spark.pattern.onepass.{PossibleVerdicts, Test}

/**
 * The Java of the one-pass search: what a row does to an [[OnePassState]], and the values of a
 * match that is emitted.
 *
 * @param banks
 *   how many matches can be under way
 * @param input
 *   the child's columns
 * @param table
 *   Java, the [[OnePassTable]]
 * @param state
 *   Java, the [[OnePassState]] of the row's partition
 * @param lastMatch
 *   the MATCH_NUMBER after which nothing is wanted
 * @param moreWanted
 *   Java, what holds until the consumer has enough rows (LIMIT)
 */
final private[execution] class OnePassCode(
    ctx: CodegenContext,
    layout: OnePassLayout,
    possible: PossibleVerdicts,
    banks: Int,
    input: Seq[Attribute],
    partition: Seq[Attribute],
    table: String,
    state: String,
    lastMatch: Option[Long],
    moreWanted: Seq[String]) {

  private val matched = layout.registers.bank
  private val bits    = ctx.freshName("bits")

  /** Java, the number of the bank of the match at hand. */
  val bank: String = ctx.freshName("bank")

  /** The bank of the match at hand; its bits are in a local variable. */
  private val own = BankTerms(
    s"$state.numbers",
    s"$bank * ${matched.numberCount}",
    s"$state.objects",
    s"$bank * ${matched.objectCount}",
    bits)

  private val keyTerms =
    BankTerms(s"$state.keyNumbers", "0", s"$state.keyObjects", "0", s"$state.keyBits")

  private def earlierRow(n: Int): BankTerms = BankTerms(
    s"$state.earlierNumbers",
    s"${(n - 1) * layout.earlier.bank.numberCount}",
    s"$state.earlierObjects",
    s"${(n - 1) * layout.earlier.bank.objectCount}",
    s"$state.earlierBits[${n - 1}]"
  )

  /**
   * Reads the columns that are needed off the row that is the context's input, to local variables
   * from which all other code takes them.
   */
  def columns(input: Seq[Attribute]): String = {
    val read = input.zipWithIndex.map { case (attribute, i) =>
      if (layout.references.contains(attribute)) {
        BoundReference(i, attribute.dataType, attribute.nullable).genCode(ctx)
      } else {
        null
      }
    }
    val code = read.filter(_ != null).map(_.code.toString).mkString("\n")
    ctx.currentVars = read.map(c => if (c == null) null else ExprCode(c.isNull, c.value))
    ctx.INPUT_ROW = null
    code
  }

  private def bound(e: Expression): ExprCode =
    BindReferences.bindReference(e, input).genCode(ctx)

  private def attribute(id: ExprId): Attribute = input.find(_.exprId == id).get
  private def column(id: ExprId): ExprCode     = bound(attribute(id))

  /** The output columns; [[loadBank]] must precede the code. */
  def output(names: String): Seq[Expression] = {
    ctx.currentVars = null
    ctx.INPUT_ROW = null
    partition.map(key => keyTerms.read(layout.key(key))) ++
      layout.measures.map(layout.measure(_, own, keyTerms, s"$state.matchNumber", names))
  }

  def loadBank: String = s"long $bits = $state.bits[$bank];"

  /**
   * Whether a row belongs to the partition at hand.
   * {{{ state.begun && (isNull ? !hasKey : hasKey && value.equals(key)) && ... }}}
   */
  def samePartition: String =
    (s"$state.begun" +: partition.map { attribute =>
      val value = bound(attribute)
      val key   = layout.key(attribute)
      val equal = ctx.genEqual(attribute.dataType, value.value.toString, keyTerms.value(key))
      s"(${value.isNull} ? !(${keyTerms.has(key)}) : (${keyTerms.has(key)}) && ($equal))"
    }).mkString(" && ")

  /** Begins the partition of a row. */
  def begin: String =
    s"""
       |$state.begin($table.initial());
       |${partition.map(key => keyTerms.write(layout.key(key), bound(key))).mkString("\n")}
     """.stripMargin

  /**
   * Takes a row of the partition at hand.
   * {{{
   * long needed = table.testsOfMatch(state.state);
   * long mask = 0L; long failed = 0L;
   * ... each test sets its bit; those of conditions on the match under way only if they are needed
   * int[] step = table.next(state.state, mask, failed);
   * state.state = step[0];
   * for (int i = 1; i < step.length; i++) { switch (step[i] & 7) { ... } }
   * ... the row becomes the row before
   * }}}
   * After the last match that is wanted: nothing.
   *
   * @param emitMatch
   *   Java that emits the match in a bank; and how many rows it has from this row on, 0 or 1
   */
  def stepCode(emitMatch: (String, String) => String): String = {
    val tests      = possible.tests(banks)
    val needed     = ctx.freshName("needed")
    val mask       = ctx.freshName("mask")
    val failed     = ctx.freshName("failed")
    val step       = ctx.freshName("step")
    val i          = ctx.freshName("i")
    val operation  = ctx.freshName("operation")
    val other      = ctx.freshName("other")
    val errors     = tests.map(_ => ctx.freshName("error"))
    val conditions =
      tests.indices.map(i => test(tests(i), 1L << i, needed, mask, failed, errors(i)))
    val remember = tests.indices.filter(i => possible.fallible(tests(i).variable)).map { i =>
      s"case $i: $state.error = ${errors(i)}; break;"
    }
    val mapped     = layout.conditions.indices.map(v => s"case $v: { ${mapTo(v)} break; }")
    val findNeeded =
      if (possible.readsMatch.isEmpty) ""
      else s"long $needed = $table.testsOfMatch($state.state);"
    untilLast(s"""
       |$findNeeded
       |long $mask = 0L;
       |long $failed = 0L;
       |${conditions.mkString("\n")}
       |int[] $step = $table.next($state.state, $mask, $failed);
       |$state.state = $step[0];
       |for (int $i = 1; $i < $step.length; $i++) {
       |  int $operation = $step[$i];
       |  int $bank = $operation >> ${OnePassTable.bankShift} & 255;
       |  int $other = $operation >>> ${OnePassTable.otherShift};
       |  switch ($operation & 7) {
       |    case ${OnePassTable.emit}: ${emitMatch(bank, other)} break;
       |    case ${OnePassTable.copy}:
       |      $state.copy($bank, $other, ${matched.numberCount}, ${matched.objectCount}); break;
       |    case ${OnePassTable.map}:
       |    case ${OnePassTable.mapFirst}: {
       |      long $bits;
       |      if (($operation & 7) == ${OnePassTable.mapFirst}) {
       |        $bits = 0L;
       |        $state.lengths[$bank] = 0L;
       |        $initialBuffers
       |      } else {
       |        $bits = $state.bits[$bank];
       |      }
       |      $state.lengths[$bank]++;
       |      switch ($other) { ${mapped.mkString("\n")} }
       |      $state.bits[$bank] = $bits;
       |      break;
       |    }
       |    case ${OnePassTable.remember}: switch ($other) { ${remember.mkString("\n")} } break;
       |    default: $raise
       |  }
       |}
       |$rememberRow
     """.stripMargin)
  }

  /** The row may have ended the last match that is wanted, or one that is not handed on yet. */
  private def raise: String = untilLast(
    s"$state.hasFailed = true; ${throwError(moreWanted :+ "!shouldStop()")}")

  /** Raises the error that waited for the rows before it. */
  def raiseLater: String = throwError(s"$state.hasFailed" +: moreWanted)

  private def throwError(conditions: Seq[String]): String =
    s"if (${conditions.mkString(" && ")}) { " +
      s"org.apache.spark.unsafe.Platform.throwException($state.error); }"

  /** {{{ if (state.matchNumber < 1L) { ... } }}} */
  private def untilLast(code: String): String =
    lastMatch.fold(code)(last => s"if ($state.matchNumber < ${last}L) { $code }")

  /** Java, the rows from the first one of the oldest match under way on. */
  def rowsUnderWay: String = s"$state.longest($table.banksInUse($state.state))"

  /** Emits what the end of the partition makes final. */
  def end(emitMatch: String => String): String = {
    val pending = ctx.freshName("pending")
    untilLast(s"""
       |int $pending = $table.pendingAtEnd($state.state);
       |if ($pending >= 0) { ${emitMatch(pending)} }
       |if ($table.failsAtEnd($state.state)) { $raise }
     """.stripMargin)
  }

  private def test(
      test: Test,
      bit: Long,
      needed: String,
      mask: String,
      failed: String,
      error: String): String = {
    val beginsMatch = test.bank == Test.noBank
    val condition   =
      layout.condition(test.variable, if (beginsMatch) None else Some(own), earlierRow)
    val code  = bound(condition)
    val reads = if (beginsMatch) "" else s"int $bank = ${test.bank};\n$loadBank"
    val sets  = method(
      mask,
      Nil,
      s"$reads\n${code.code}\nif (!${code.isNull} && ${code.value}) { $mask |= ${bit}L; }",
      Seq(condition))
    val tests =
      if (possible.readsMatch(test.variable)) s"if (($needed & ${bit}L) != 0L) { $sets }"
      else sets
    if (possible.fallible(test.variable)) {
      s"""
         |Exception $error = null;
         |try { $tests }
         |catch (Exception e) { $error = e; $failed |= ${bit}L; }
       """.stripMargin
    } else {
      s"{ $tests }"
    }
  }

  /**
   * Code in a method of its own if it is long, as Spark does, by the same setting: the JVM does not
   * compile a method of more than 8,000 bytes.
   *
   * @param changed
   *   the long variable that the code may change
   * @param others
   *   the int variables that it reads
   * @param reads
   *   expressions whose columns it reads
   */
  private def method(
      changed: String,
      others: Seq[String],
      code: String,
      reads: Seq[Expression]): String = {
    val columns = BindReferences
      .bindReferences(reads, input)
      .flatMap(CodeGenerator.getLocalInputVariableValues(ctx, _)._1)
      .distinct
      .sortBy(_.variableName)
    val size = CodeGenerator.calculateParamLengthFromExprValues(columns) + others.size + 3
    if (code.length <= SQLConf.get.methodSplitThreshold || !CodeGenerator.isValidParamLength(
        size)) {
      code
    } else {
      val parameters = s"long $changed" +: (others.map(name => s"int $name") ++
        columns.map(c => s"${CodeGenerator.typeName(c.javaType)} ${c.variableName}"))
      val name   = ctx.freshName("partOfStep")
      val called = ctx.addNewFunction(
        name,
        s"""
           |private long $name(${parameters.mkString(", ")}) {
           |  $code
           |  return $changed;
           |}
         """.stripMargin
      )
      val arguments = changed +: (others ++ columns.map(_.variableName))
      s"$changed = $called(${arguments.mkString(", ")});"
    }
  }

  /** Updates the registers that a row mapped to a variable changes. */
  private def mapTo(variable: Int): String = {
    val keys = matched.entries.collect {
      case (key @ CaptureKey(end, _), register) if end.members.contains(variable) =>
        key -> register
    }
    val captures = keys.map { case (CaptureKey(end, what), register) =>
      val write = what match {
        case ColumnKey(id) => own.write(register, column(id))
        case _             =>
          s"${own.number(register)} = ${variable}L; $bits |= ${1L << register.bit}L;"
      }
      if (end.first) s"if (!(${own.has(layout.registers.presence(end.members))})) { $write }"
      else write
    }
    val captured = keys.collect { case (CaptureKey(_, ColumnKey(id)), _) => attribute(id) }
    val added    = layout.registers.aggregates.indices
      .filter(i =>
        layout.registers.members(layout.registers.aggregates(i).variable).contains(variable))
    val aggregates = added.map(add)
    val present    = matched.entries.collect {
      case (PresenceKey(members), register) if members.contains(variable) => 1L << register.bit
    }
    method(
      bits,
      Seq(bank),
      (captures ++ aggregates :+ s"$bits |= ${present.foldLeft(0L)(_ | _)}L;").mkString("\n"),
      captured ++ added.flatMap(i => columnsOf(layout.registers.aggregates(i)))
    )
  }

  private def columnsOf(aggregate: RowAggregate): Seq[Attribute] =
    input.filter(aggregate.references.contains)

  /** Adds the row to an aggregate. */
  private def add(index: Int): String = {
    val aggregate = layout.registers.aggregates(index)
    val function  = aggregate.function.asInstanceOf[DeclarativeAggregate]
    val registers = layout.registers.buffers(index)
    val reads     = function.aggBufferAttributes.map(_.exprId).zip(registers).toMap
    val updates   = function.updateExpressions.map { e =>
      bound(e.transform {
        case a: Attribute if reads.contains(a.exprId) => own.read(reads(a.exprId))
      })
    }
    val writes =
      registers.zip(updates).map { case (register, value) => own.write(register, value) }
    val update = (updates.map(_.code.toString) ++ writes).mkString("\n")
    aggregate.filter.headOption.map(bound).fold(s"{ $update }") { passes =>
      s"{ ${passes.code}\nif (!${passes.isNull} && ${passes.value}) { $update } }"
    }
  }

  private def initialBuffers: String = {
    val writes = layout.registers.aggregates.indices.flatMap { index =>
      val function =
        layout.registers.aggregates(index).function.asInstanceOf[DeclarativeAggregate]
      layout.registers.buffers(index).zip(function.initialValues).map {
        case (register, initial) =>
          val value = initial.genCode(ctx)
          s"{ ${value.code}\n${own.write(register, value)} }"
      }
    }
    method(bits, Seq(bank), writes.mkString("\n"), Nil)
  }

  /** The row becomes the one before the next. This is all for a row at which no match begins. */
  def rememberRow: String =
    if (layout.earlier.depth == 0) ""
    else {
      val numbers                          = layout.earlier.bank.numberCount
      val objects                          = layout.earlier.bank.objectCount
      def shift(array: String, width: Int) =
        s"System.arraycopy($array, 0, $array, $width, ${(layout.earlier.depth - 1) * width});"
      val shifts =
        if (layout.earlier.depth == 1) Nil
        else
          Seq(
            shift(s"$state.earlierNumbers", numbers),
            shift(s"$state.earlierObjects", objects),
            shift(s"$state.earlierBits", 1))
      val write = layout.earlier.write(earlierRow(1), column)
      (shifts :+ write).mkString("\n")
    }
}

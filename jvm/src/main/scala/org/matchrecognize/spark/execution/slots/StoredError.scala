package org.matchrecognize.spark.execution.slots

import java.nio.charset.StandardCharsets.UTF_8

import org.matchrecognize.spark.errors.RestoredError
import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** An error that was met ahead of the search, in a matcher's state: what it says. */
private[execution] object StoredError {

  def write(error: Throwable, out: StateOutput): Unit = {
    val texts = RestoredError.texts(error)
    out.writeNumber(texts.size.toLong)
    texts.foreach(text => out.writeBlock(text.getBytes(UTF_8)))
  }

  def read(in: StateInput): Throwable = {
    val texts = Seq.fill(in.readInt())(new String(in.readBlock(), UTF_8))
    RestoredError.of(texts)
  }
}

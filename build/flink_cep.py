"""Run the calls of docs/cep.md in Flink's CEP library, and compare the matches with the page's.

Usage: ``make flink-cep``. It compiles each row's column "Flink" as Java against PyFlink's jars,
and runs it over the row's events in a local cluster. It prints the rows that differ, and fails if
there are any.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cep.md"
FLINK = ROOT / "target" / "tools" / "flink"
FOLDER = ROOT / "target" / "flink-cep"

PROGRAM = """\
import static org.apache.flink.cep.nfa.aftermatch.AfterMatchSkipStrategy.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.cep.CEP;
import org.apache.flink.cep.functions.PatternProcessFunction;
import org.apache.flink.cep.nfa.aftermatch.AfterMatchSkipStrategy;
import org.apache.flink.cep.pattern.GroupPattern;
import org.apache.flink.cep.pattern.Pattern;
import org.apache.flink.cep.pattern.conditions.SimpleCondition;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

public class Answers {
  public static class Event {
    public long at;
    public String name;

    public Event() {}

    public Event(long at, String name) {
      this.at = at;
      this.name = name;
    }
  }

  /** The events of a letter. */
  public static class Is extends SimpleCondition<Event> {
    private final String letter;

    public Is(String letter) {
      this.letter = letter;
    }

    @Override
    public boolean filter(Event event) {
      return event.name.startsWith(letter);
    }
  }

  /** The names of a match's events, in the order in which they came. */
  public static class Names extends PatternProcessFunction<Event, String> {
    @Override
    public void processMatch(
        Map<String, List<Event>> match, Context context, Collector<String> out) {
      List<Event> events = new ArrayList<>();
      match.values().forEach(events::addAll);
      events.sort((one, other) -> Long.compare(one.at, other.at));
      List<String> names = new ArrayList<>();
      events.forEach(event -> names.add(event.name));
      out.collect(String.join(" ", names));
    }
  }

  static Pattern<Event, Event> begin(String name) {
    return Pattern.<Event>begin(name);
  }

  static Pattern<Event, Event> begin(String name, AfterMatchSkipStrategy skip) {
    return Pattern.<Event>begin(name, skip);
  }

  static GroupPattern<Event, Event> begin(Pattern<Event, Event> group) {
    return Pattern.begin(group);
  }

  static void run(int row, Pattern<Event, ?> pattern, String... names) throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1);
    List<Event> events = new ArrayList<>();
    for (String name : names) {
      events.add(new Event(events.size() + 1, name));
    }
    DataStream<Event> stream =
        environment
            .fromData(events)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Event>forMonotonousTimestamps()
                    .withTimestampAssigner((event, before) -> event.at));
    try (var matches = CEP.pattern(stream, pattern).process(new Names()).executeAndCollect()) {
      for (Iterator<String> each = matches; each.hasNext(); ) {
        System.out.println("MATCH " + row + " " + each.next());
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
%s
    System.exit(0);
  }
}
"""


def rows() -> list[tuple[str, str, list[str]]]:
    """By row of the page Flink's call, the names of the events, and the matches."""
    calls = PAGE.read_text().partition("\n## Calls\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `(.+?)` \| `.+?` \| `.+?` \| (.+?) \| (.+?) \|$", calls, re.M)
    return [
        (call, events, [] if matches == "none" else matches.split(", "))
        for call, events, matches in found
    ]


def java(call: str) -> str:
    """A call as Java: each pattern takes the events of its letter."""
    text = re.sub(r'\b\w+\("(\w)"(?:, (?:\w+\("\w"\)|\w+\(\)))?\)', _with_condition, call)
    return text.replace("until(b)", 'until(new Is("b"))').replace(
        "within(...)", "within(Duration.ofMillis(3))"
    )


def _with_condition(call: re.Match[str]) -> str:
    skips = call[0].startswith("skip")
    return call[0] if skips else f'{call[0]}.where(new Is("{call[1]}"))'


def main() -> int:
    """Print the rows that differ, and return their number."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    table = rows()
    runs = []
    for number, (call, events, _) in enumerate(table):
        names = ", ".join(f'"{name}"' for name in events.split())
        runs.append(f"    run({number}, {java(call)}, {names});")
    source = FOLDER / "Answers.java"
    source.write_text(PROGRAM % "\n".join(runs))
    (library,) = FLINK.glob("lib/python*/site-packages/pyflink/lib")
    jars = ":".join(str(jar) for jar in sorted(library.glob("*.jar")))
    subprocess.run(["javac", "-cp", jars, "-d", FOLDER, source], check=True)
    printed = subprocess.run(
        ["java", "-cp", f"{FOLDER}:{jars}", "Answers"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    different = 0
    for number, (call, events, matches) in enumerate(table):
        found = re.findall(rf"^MATCH {number} (.*)$", printed, re.M)
        if sorted(found) != sorted(matches):
            different += 1
            print(f"{call} over {events}: Flink finds {found}, the page has {matches}")
    print(f"{len(table)} calls, {different} differ")
    return different


if __name__ == "__main__":
    sys.exit(main())

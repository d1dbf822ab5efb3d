"""What an example does: simulate, run the query, check its answer, print what it found."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from match_recognize.session.quiet import jvm_log
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from examples.events import Event, in_waves, split_late
from examples.kafka.broker import broker
from examples.replay import replay, spark_session
from examples.report import print_results
from examples.results import Answer, differences, identity, pairs


def first_line(error: Exception) -> str:
    """Returns what an error says first: that of the JVM, if it has one."""
    java = getattr(error, "java_exception", None)
    while java is not None and java.getCause() is not None:
        java = java.getCause()
    return str(java if java is not None else error).splitlines()[0]


@dataclass(frozen=True)
class Application:
    """A streaming application.

    Attributes:
        topic: of its events, and the name of the streaming table.
        sql: the query.
        sinks: the topics of its results.
        simulate: makes the events of some hours.
        share_late: of the events.
        answer: computes the results in plain Python.
    """

    topic: str
    sql: str
    sinks: list[str]
    simulate: Callable[[Random, float], list[Event]]
    share_late: float
    answer: Callable[[list[Event]], list[Answer]]

    def main(self) -> int:
        """Runs the application as the command line says; returns 0 if its answer is right."""
        parser = argparse.ArgumentParser(description="Simulates events and runs the query.")
        parser.add_argument("--hours", type=float, default=4, help="of event time (4)")
        parser.add_argument("--seed", type=int, default=1, help="of the simulation (1)")
        given = parser.parse_args()
        # A signal that ends the program also ends the broker.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        return self.run(given.hours, given.seed)

    def run(self, hours: float, seed: int) -> int:
        """Runs the application.

        Args:
            hours: of event time.
            seed: of the simulation.

        Returns:
            0 if the answer is right, otherwise 1.
        """
        random = Random(seed)
        waves = in_waves(self.simulate(random, hours), random, self.share_late)
        in_time, late = split_late(waves)
        print(f"Sending {len(in_time) + len(late)} events to Kafka in {len(waves)} waves.")
        print(f"A streaming query reads them:\n\n{self.sql}", flush=True)
        with jvm_log() as log:
            try:
                with broker() as kafka, spark_session() as spark:
                    found, dropped = replay(spark, kafka, self.topic, waves, self.sql, self.sinks)
            except (PySparkException, Py4JJavaError, RuntimeError) as error:
                print(f"\nThe example ended early: {first_line(error)}")
                print(f"The log of Spark is in {log}. On a busy machine, run it again later.")
                return 1
        log.unlink()
        expected = self.answer(in_time)
        print_results(pairs(expected, found))
        print(f"\n{dropped} late events were dropped.")
        everything = self.answer(sorted(in_time + late))
        lost = set(map(identity, everything)) - set(map(identity, expected))
        print(f"{len(lost)} results are missing or different because of them.")
        wrong = differences(expected, found)
        if dropped != len(late):
            wrong.append(f"{len(late)} events were late")
        if wrong:
            print("\n".join(["\nThe answer is wrong:", *wrong]))
            return 1
        print("Plain Python finds the same results in the events that were not late.")
        return 0

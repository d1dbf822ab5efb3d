"""The example applications on a slow or broken broker; none runs here."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import StreamingQueryException

from examples import program, replay
from examples.abandoned_checkouts import events
from examples.events import in_waves

#: Kafka's own, in milliseconds: with them, a broker that needs minutes ends the producer.
DEFAULTS = {
    "kafka.max.block.ms": 60_000,
    "kafka.request.timeout.ms": 30_000,
    "kafka.delivery.timeout.ms": 120_000,
}


def options(writer: MagicMock) -> dict[str, str]:
    """The options that a chain of calls has set."""
    found: dict[str, str] = {}
    for name, args, kwargs in writer.mock_calls:
        if name.split(".")[-1] == "option":
            found[args[0]] = args[1]
        elif name.split(".")[-1] == "options":
            found |= kwargs
    return found


def waves() -> list[list[Any]]:
    drawn = random.Random(1)
    return in_waves(events.simulate(drawn, 0.5), drawn, 0.1)


def test_every_producer_waits_for_minutes() -> None:
    spark = MagicMock()
    replay.send(spark, "broker", "topic", waves()[0])
    replay.replay(spark, "broker", "topic", waves(), "SELECT 1", ["sink"])
    sent = options(spark.createDataFrame.return_value.write)
    written = options(spark.sql.return_value.writeStream)
    for given in (sent, written):
        for name, milliseconds in DEFAULTS.items():
            assert int(given[name]) >= 5 * milliseconds, name
        # Kafka refuses a producer whose delivery ends before a request can.
        assert int(given["kafka.delivery.timeout.ms"]) >= int(given["kafka.request.timeout.ms"])


def test_each_wave_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    total = len(waves())
    assert total > 2
    query = MagicMock()
    spark = MagicMock()
    writer = spark.sql.return_value.writeStream.format.return_value.option.return_value
    writer.options.return_value.option.return_value.start.return_value = query
    # The second wave is never searched: the line of the first is there by then.
    query.processAllAvailable.side_effect = [None, RuntimeError("no broker")]
    with pytest.raises(RuntimeError, match="no broker"):
        replay.replay(spark, "broker", "topic", waves(), "SELECT 1", ["sink"])
    assert capsys.readouterr().out.splitlines() == [f"Wave 1 of {total} is sent."]
    query.stop.assert_called_once()
    query.processAllAvailable.side_effect = None
    replay.replay(spark, "broker", "topic", waves(), "SELECT 1", ["sink"])
    assert capsys.readouterr().out.splitlines() == [
        f"Wave 1 of {total} is sent.",
        *(f"Wave {number} of {total} is searched." for number in range(2, total + 1)),
    ]


class OfJava:
    """A throwable of Java, whose text has its stack."""

    _target_id = "o1"

    def __init__(self, text: str, cause: OfJava | None = None) -> None:
        self._text = text
        self._cause = cause

    def getCause(self) -> OfJava | None:  # noqa: N802
        return self._cause

    def __str__(self) -> str:
        return f"{self._text}\n\tat org.apache.kafka.Producer.send\n\tat java.base"


CAUSE = (
    "org.apache.kafka.common.errors.TimeoutException: Topic orders not present after 600000 ms."
)


def of_java() -> Exception:
    wrapped = OfJava(
        "org.apache.spark.SparkException: Job aborted", OfJava("stage", OfJava(CAUSE))
    )
    return Py4JJavaError("An error occurred while calling o1.save.\n", wrapped)


def of_query() -> Exception:
    return StreamingQueryException(f"{CAUSE}\n\nJVM stacktrace:\n\tat java.base")


def of_broker() -> Exception:
    return RuntimeError(f"{CAUSE}\nlast lines of its log")


@pytest.mark.parametrize("place", ["broker", "spark_session", "replay"])
@pytest.mark.parametrize("error", [of_java, of_query, of_broker])
def test_an_early_end_is_told_in_words(
    error: Callable[[], Exception],
    place: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    @contextmanager
    def works() -> Iterator[MagicMock]:
        yield MagicMock()

    @contextmanager
    def fails() -> Iterator[None]:
        raise error()
        yield

    def replayed(*_: object) -> None:
        raise error()

    for name in ("broker", "spark_session"):
        monkeypatch.setattr(program, name, fails if place == name else works)
    monkeypatch.setattr(program, "replay", replayed)
    application = program.Application(
        "orders", "SELECT 1", ["found"], events.simulate, 0.1, lambda _: []
    )
    assert application.run(0.5, 1) == 1
    out = capsys.readouterr().out
    ended = out[out.index("The example ended early") :].splitlines()
    assert len(ended) == 2
    assert ended[0].startswith("The example ended early: ") and ended[0].endswith(CAUSE)
    assert "run it again later" in ended[1]
    log = Path(ended[1].partition("is in ")[2].partition(". On")[0])
    assert log.exists()
    log.unlink()

"""Sessions for the tests: one JVM, reached as classic PySpark and through Spark Connect.

The classic session is made as a user makes it, by ``match_recognize.configure``. It also starts
Spark's Connect server, in the same JVM; ``connect`` is a client of that server. Each test that
leaves something in its session (a view, a setting) uses a session of its own: ``new_session``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import match_recognize
import pyspark
import pytest
from java_options import java_options
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]

#: The running Spark, as far as its abilities depend on it.
SPARK = tuple(int(number) for number in pyspark.__version__.split(".")[:2])

# The server is a package of its own there.
NO_CONNECT = "pyspark 3.5 has no Connect server"
HAS_CONNECT = SPARK >= (4, 0)
needs_connect = pytest.mark.skipif(not HAS_CONNECT, reason=NO_CONNECT)
CONNECT_PLUGIN = "org.apache.spark.sql.connect.SparkConnectPlugin"


os.environ["SPARK_SUBMIT_OPTS"] = java_options()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A classic session in which the clause works."""
    # These may be set for other work.
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "PYSPARK_SUBMIT_ARGS"):
        os.environ.pop(name, None)
    # Spark would start its workers with whatever python3 is first in the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as warehouse:
        builder = (
            SparkSession.builder.master("local[1]")
            .appName("match_recognize tests")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.warehouse.dir", warehouse)
        )
        if HAS_CONNECT:
            builder = builder.config("spark.plugins", CONNECT_PLUGIN)
            builder = builder.config("spark.connect.grpc.binding.port", "0")
        session = match_recognize.configure(builder).getOrCreate()
        # Many tests make Spark fail on purpose, and it logs each of them with its stack.
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture
def new_session(spark: SparkSession) -> Callable[[], SparkSession]:
    """Makes a classic session with views and settings of its own."""
    return lambda: copy_settings(spark.newSession())


def copy_settings(session: SparkSession) -> SparkSession:
    """A new session takes Spark's settings, not those of the session it was made from."""
    session.conf.set("spark.sql.shuffle.partitions", "1")
    session.conf.set("spark.sql.session.timeZone", "UTC")
    return session


def close_connect(session: SparkSession) -> None:
    """Ends a Connect session. Python's collector must not do so later.

    From 4.1 on, a session closes its client when it is collected. Within a call of another
    session, that waits for the lock of this call for ever.
    """
    client = session.client  # type: ignore[attr-defined]
    client.release_session()
    client.close()
    client.close = lambda: None


@pytest.fixture(scope="session")
def connect_address(spark: SparkSession) -> str | None:
    """Where the Connect server listens; None where there is none."""
    if not HAS_CONNECT:
        return None
    service = "org.apache.spark.sql.connect.service.SparkConnectService$"
    port = getattr(spark._jvm, service).__getattr__("MODULE$").localPort()
    return f"sc://localhost:{port}"


@pytest.fixture
def connect(connect_address: str | None) -> Iterator[SparkSession]:
    """A Connect session of its own for the test."""
    if connect_address is None:
        pytest.skip(NO_CONNECT)
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    # getOrCreate would give the last test's.
    session = ConnectSession.builder.remote(connect_address).create()
    copy_settings(session)
    yield session
    close_connect(session)

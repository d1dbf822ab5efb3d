"""A Kafka broker of one process, in a folder that is removed with it."""

from __future__ import annotations

import base64
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from examples.kafka.jars import jars

PROPERTIES = """\
process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://{address},CONTROLLER://{controller}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@{controller}
log.dirs={folder}/topics
num.partitions=3
offsets.topic.replication.factor=1
"""

CLUSTER = base64.urlsafe_b64encode(b"one-node-cluster").decode().rstrip("=")

#: In the log once the broker answers.
READY = "Kafka Server started"

# It runs for a minute or so: the JVM's second compiler would take longer than it saves.
JAVA = ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1"]


@contextmanager
def broker() -> Iterator[str]:
    """Starts a broker, and stops it at the end.

    Topics are made, with three partitions, when they are first written.

    Yields:
        Its address, for ``kafka.bootstrap.servers``.

    Raises:
        RuntimeError: it did not start; the message has the end of its log.
    """
    with tempfile.TemporaryDirectory(prefix="kafka-") as name:
        folder = Path(name)
        address, controller = free_addresses()
        properties = folder / "server.properties"
        properties.write_text(
            PROPERTIES.format(address=address, controller=controller, folder=folder)
        )
        java = [*JAVA, "-cp", ":".join(map(str, jars("broker")))]
        log = folder / "broker.log"
        with log.open("w") as out:
            form = ["kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", str(properties)]
            if subprocess.run([*java, *form], stdout=out, stderr=out).returncode != 0:
                raise no_start(log)
            process = subprocess.Popen(
                [*java, "kafka.Kafka", str(properties)], stdout=out, stderr=out
            )
        try:
            wait_until_ready(process, log)
            yield address
        finally:
            stop(process)


def free_addresses() -> tuple[str, str]:
    """Returns two addresses on this machine that nothing listens on."""
    with socket.socket() as one, socket.socket() as other:
        for listener in (one, other):
            listener.bind(("127.0.0.1", 0))
        return (
            f"127.0.0.1:{one.getsockname()[1]}",
            f"127.0.0.1:{other.getsockname()[1]}",
        )


def wait_until_ready(process: subprocess.Popen[bytes], log: Path, seconds: float = 60) -> None:
    """Waits until the broker answers.

    Args:
        process: the broker.
        log: what it writes.
        seconds: after which it is given up.

    Raises:
        RuntimeError: it ended, or the time is over.
    """
    end = time.monotonic() + seconds
    while READY not in log.read_text():
        if process.poll() is not None or time.monotonic() > end:
            raise no_start(log)
        time.sleep(0.1)


def no_start(log: Path) -> RuntimeError:
    """Returns the error for a broker that did not start.

    Args:
        log: what it wrote.
    """
    return RuntimeError(f"The broker did not start:\n{log.read_text()[-3000:]}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the broker, by force if it does not end in 20 seconds.

    Args:
        process: the broker.
    """
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

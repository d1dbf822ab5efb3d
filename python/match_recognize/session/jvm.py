"""The few things that SQL cannot do in a Spark that runs already, done through py4j.

Everything of Spark's JVM that this package touches from Python is in this module, each with the
reason why.
"""

from __future__ import annotations

from typing import Any, cast

from pyspark import SparkContext
from pyspark.sql import SparkSession

from match_recognize.errors import MatchRecognizeError
from match_recognize.session import probe
from match_recognize.session.jars import EXTENSION

# spark-submit's class loader for the user's jars. All threads of the driver inherit it.
USER_JARS_LOADER = "org.apache.spark.util.MutableURLClassLoader"


def add_to_driver(jar: str) -> None:
    """Makes the jar's classes known to the driver of a running Spark.

    ``ADD JAR`` is not enough: it sets the class loader of the session and thread that says it,
    but code that Spark generates for our operator is compiled in whatever thread runs the query.
    """
    from py4j.java_gateway import is_instance_of  # type: ignore[import-untyped]

    gateway = SparkContext._gateway
    jvm: Any = SparkContext._jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    if _knows_extension(loader):
        return
    outermost = None
    while loader is not None:
        # A session's own loader is of this class too: the outermost is the one they all share.
        if is_instance_of(gateway, loader, USER_JARS_LOADER):
            outermost = loader
        loader = loader.getParent()
    if outermost is None:
        raise MatchRecognizeError(
            "The driver was not started by spark-submit, so a jar cannot be added while it runs. "
            f"Start it with the jar on its class path: {jar}"
        )
    outermost.addURL(jvm.java.io.File(jar).toURI().toURL())


def _knows_extension(loader: Any) -> bool:
    from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]

    try:
        loader.loadClass(EXTENSION)
    except Py4JJavaError:  # ClassNotFoundException
        return False
    return True


def add_to_executors(session: SparkSession, jar: str) -> None:
    """Sends the jar to the executors with every task from now on.

    ``ADD JAR`` does that too, but from Spark 4.0 on only for the session that says it.
    ``JavaSparkContext.addJar`` is Spark's public Java API.
    """
    cast(Any, session.sparkContext)._jsc.addJar(jar)


def renew(session: SparkSession) -> None:
    """Makes the clause work in a session, by our extension.

    A session reads its extensions once, when it is built: see SessionRenewal, in our jar, which
    the driver must know already (add_to_driver). After an error the session is as it was.
    """
    jvm: Any = SparkContext._jvm
    java_session = cast(Any, session)._jsparkSession
    # An earlier call may have injected the extension: twice would parse each clause twice.
    if not _parses(java_session.newSession()):
        _inject_extension(java_session)
    renewal = jvm.org.apache.spark.sql.matchrecognize.SessionRenewal
    renewal.install(java_session, renewal.build(java_session))


def default_session(context: SparkContext) -> SparkSession | None:
    """The default session of the JVM, for callers that do not name one; None if there is none.

    ``getOrCreate()`` gives it where Python has made none itself (in Zeppelin, Livy or a
    ``spark-submit`` whose session is made by Scala).
    """
    found = cast(Any, SparkContext._jvm).org.apache.spark.sql.SparkSession.getDefaultSession()
    if not found.isDefined() or found.get().sparkContext().isStopped():
        return None
    # PySpark's own way to make one from a context takes the default session.
    return SparkSession(context)


def _parses(java_session: Any) -> bool:
    try:
        java_session.sessionState().sqlParser().parsePlan(probe.QUERY)
    except Exception:  # of py4j or, since PySpark translates it, of Spark
        return False
    return True


def _inject_extension(java_session: Any) -> None:
    """Applies our extension to what later sessions are built from.

    ``SparkSession.extensions()`` is what Spark applies ``spark.sql.extensions`` to; each session
    reads it once, when it is built. It is public for Scala and Java, PySpark has no call for it.
    """
    jvm: Any = SparkContext._jvm
    extension = jvm.org.matchrecognize.spark.MatchRecognizeExtensions()
    extension.apply(java_session.extensions())

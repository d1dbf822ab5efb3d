"""Sessions in which MATCH_RECOGNIZE works: made so (configure), or turned into one (enable)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from match_recognize.errors import MatchRecognizeError
from match_recognize.session import submit
from match_recognize.session.jars import EXTENSION, SUPPORTED, jar_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JARS = "spark.jars"
PACKAGES = "spark.jars.packages"
EXTENSIONS = "spark.sql.extensions"

Builder = TypeVar("Builder")


def configure(builder: Builder) -> Builder:
    """Adds MATCH_RECOGNIZE to a session builder.

    Call it last, right before ``getOrCreate()``:

        spark = configure(SparkSession.builder.appName("mine")).getOrCreate()

    It appends the jar for the installed pyspark to ``spark.jars``, and makes the extension the
    first of ``spark.sql.extensions``. The extensions of Delta, Iceberg and others then wrap it
    and keep their own rewrites. Earlier settings remain: those of the builder, of
    PYSPARK_SUBMIT_ARGS and of ``spark-defaults.conf``. If PYSPARK_SUBMIT_ARGS lists jars or
    packages, that list is extended, since it takes precedence over the builder's. With
    ``remote("local...")`` the settings are those of the Connect server that PySpark starts. A
    second call changes nothing.

    Args:
        builder: ``SparkSession.builder``, with your options.

    Returns:
        The same builder.

    Raises:
        MatchRecognizeError: the installed pyspark's version is not supported; its jar is missing;
            a session without the extension is running already, which ``getOrCreate()`` would
            return; or the builder is for a remote Connect server, whose settings are its own.
    """
    options: Mapping[str, Any] = getattr(builder, "_options", {})
    _refuse_remote(options)
    jar = jar_path()
    if _runs_already():
        return builder
    _set_jar(builder, options, jar)
    extensions = submit.prepend_item(_user_setting(options, EXTENSIONS), EXTENSION)
    cast(Any, builder).config(EXTENSIONS, extensions)
    return builder


def enable(spark: SparkSession) -> SparkSession:
    """Adds MATCH_RECOGNIZE to a session that is running already.

    In notebooks and shells, the session exists before your first line:

        spark = enable(spark)

    The session keeps its DataFrames, temporary views, functions, variables and settings, and
    ``SparkSession.builder.getOrCreate()`` returns it as before. Sessions that ``newSession()``
    makes from it later have the clause, too. Other sessions, such as that of another notebook on
    the same Spark, do not change: enable each with a call. If the clause works already, nothing
    changes.

    Args:
        spark: the running session.

    Returns:
        The same session, after a query with the clause has returned the right answer in it.

    Raises:
        MatchRecognizeError: the session's Spark is not supported; its jar is missing; the session
            is a Connect client, whose server must be configured; this Spark's sessions cannot be
            changed; or the query failed.
    """
    from match_recognize.session import probe

    problem = probe.failure(spark)
    if problem is None:
        return spark
    if is_connect(spark):
        raise MatchRecognizeError(_server_suggestion(spark.version, problem))
    from match_recognize.session import jvm

    jar = jar_path(spark.version)
    jvm.add_to_driver(jar)
    jvm.add_to_executors(spark, jar)
    try:
        jvm.renew(spark)
    except Exception as error:
        raise MatchRecognizeError(
            "The extension cannot be added to this session while it runs: "
            f"{probe.first_lines(error)}\n"
            "Start Spark with it instead: configure(SparkSession.builder).getOrCreate()."
        ) from error
    problem = probe.failure(spark)
    if problem is not None:
        raise MatchRecognizeError(
            f"The extension is loaded, but a query that uses it fails: {problem}\n"
            "Start Spark with it instead: configure(SparkSession.builder).getOrCreate(). "
            "`python -m match_recognize doctor` shows more."
        )
    return spark


def is_connect(spark: SparkSession) -> bool:
    """Whether a session is a client of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def _refuse_remote(options: Mapping[str, Any]) -> None:
    remote = options.get("spark.remote") or os.environ.get("SPARK_REMOTE")
    # "local", "local[4]", "local-cluster[...]": PySpark starts the server itself.
    if remote and not str(remote).startswith("local"):
        raise MatchRecognizeError(
            f"{remote} is a Spark Connect server. Jars and extensions are settings of a server: "
            f"no client can add them. Start the server with\n  {_server_command('X.Y')}\n"
            f"where X.Y is the server's Spark ({', '.join(SUPPORTED)}). The client needs no "
            "configure then, SparkSession.builder.remote(...).getOrCreate() is enough; "
            "enable(spark) says whether the server has the extension."
        )


def _server_suggestion(version: str, problem: str) -> str:
    minor = ".".join(version.split(".")[:2])
    return (
        "MATCH_RECOGNIZE does not work on the Spark Connect server of this session, and a client "
        "cannot add it: jars and extensions are settings of the server. Start the server with\n"
        f"  {_server_command(minor)}\nThe server (Spark {version}) said: {problem}"
    )


def _server_command(minor: str) -> str:
    return (
        "start-connect-server.sh "
        f"--jars $(python -m match_recognize jar --spark {minor}) --conf {EXTENSIONS}={EXTENSION}"
    )


def _runs_already() -> bool:
    """Whether ``getOrCreate()`` would give a session that runs already, with the extension.

    Refuses to go on if it would give one without it.
    """
    from pyspark import SparkContext

    from match_recognize.session import probe

    session = _next_session()
    context = SparkContext._active_spark_context
    if session is not None:
        works = probe.understands(session)
    elif context is not None:
        # getOrCreate() will make a session from this context, and read its settings only.
        works = EXTENSION in submit.split_items(context.getConf().get(EXTENSIONS))
    else:
        return False
    if not works:
        raise MatchRecognizeError(
            "A Spark session without the MATCH_RECOGNIZE extension is already running, and "
            "getOrCreate() would return it: the clause would be a syntax error there. "
            + _running_suggestion(session)
        )
    return True


def _next_session() -> SparkSession | None:
    """The session that ``getOrCreate()`` would return; None where it would make one."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    from pyspark.sql.utils import is_remote

    session: SparkSession | None
    if is_remote():
        # Connect: the one last used in this thread, and the first one made if there is none.
        session = SparkSession.getActiveSession()
        if session is None:
            from pyspark.sql.connect.session import SparkSession as ConnectSession

            session = getattr(ConnectSession, "_default_session", None)
        return None if getattr(session, "is_stopped", False) else session
    # Classic: the first one made. getActiveSession() may tell another, and where there is none
    # makes its answer the first.
    session = SparkSession._instantiatedSession
    if session is not None and cast(Any, session)._sc._jsc is not None:
        return session
    context = SparkContext._active_spark_context
    if context is None:
        return None
    from match_recognize.session import jvm

    return jvm.default_session(context)


def _running_suggestion(session: SparkSession | None) -> str:
    if session is not None and is_connect(session):
        minor = ".".join(session.version.split(".")[:2])
        return (
            "It is a client of a Spark Connect server. Either\n"
            "  * stop it, and with it a server that it has started itself: spark.stop(), then "
            'configure(SparkSession.builder.remote("local[*]")).getOrCreate(), or\n'
            f"  * start the server with\n    {_server_command(minor)}"
        )
    return (
        "Either\n"
        "  * use the running one: spark = match_recognize.enable(spark), or\n"
        "  * stop it first: spark.stop(), then configure(SparkSession.builder).getOrCreate()."
    )


def _user_setting(options: Mapping[str, Any], key: str) -> str | None:
    """What the user has set so far, wherever: what Spark would take without us."""
    from pyspark import SparkConf

    if options.get(key) is not None:
        return str(options[key])
    if _driver_runs():
        # With a JVM there, SparkConf reads all options of spark-submit.
        return SparkConf().get(key)
    arguments = submit.SubmitArguments.of_environment()
    said = arguments.get(key)
    return said if said is not None else submit.default_settings(arguments).get(key)


def _set_jar(builder: Any, options: Mapping[str, Any], jar: str) -> None:
    jars = submit.append_item(_user_setting(options, JARS), jar)
    if _driver_runs():
        # spark.jars will send it to executors; the driver's class path was made at its start.
        from match_recognize.session import jvm

        jvm.add_to_driver(jar)
        builder.config(JARS, jars)
        return
    arguments = submit.SubmitArguments.of_environment()
    # Where the words list jars, that list beats the builder's: it needs our jar, too.
    listed = arguments.append(JARS, jar)
    if options.get(JARS) is not None or not _user_setting(options, PACKAGES):
        builder.config(JARS, jars)
    elif not listed:
        # spark-submit adds the packages' jars to spark.jars, and PySpark then replaces that sum
        # by the builder's value, so that executors miss them. --jars is part of the sum.
        arguments.prepend_option("--jars", jars)
        listed = True
    if listed:
        os.environ[submit.VARIABLE] = arguments.text()


def _driver_runs() -> bool:
    """Whether the JVM runs, started by this process or by spark-submit; connects to it if so."""
    from pyspark import SparkContext

    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        return False
    SparkContext._ensure_initialized()
    return True

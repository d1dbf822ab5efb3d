"""``spark.sql`` with named DataFrames, for texts in which braces also belong to row patterns."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from match_recognize import kinds
from match_recognize.errors import MatchRecognizeError
from match_recognize.session.error_log import without_error_log
from match_recognize.session.extension import is_connect
from match_recognize.sql_text.frame_names import names, pieces

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def sql(
    spark: SparkSession,
    text: str,
    args: dict[str, Any] | list[Any] | None = None,
    **frames: DataFrame,
) -> DataFrame:
    """Runs a statement with named DataFrames, as ``spark.sql`` does, and keeps braces in PATTERN.

    ``spark.sql(text, ticks=df)`` takes every brace for a name, so ``A{2,3}`` is an error there.
    Here ``{ticks}`` is replaced by the frame of that name. Braces in strings, comments, quoted
    names and between the parentheses of PATTERN stay as they are:

        sql(spark, '''
            SELECT * FROM {ticks} MATCH_RECOGNIZE (
              PARTITION BY symbol ORDER BY day MEASURES LAST(A.price) AS price
              PATTERN (A{2,3}) DEFINE A AS price > :least)''', args={"least": 10}, ticks=df)

    ``ps.sql`` of the pandas API on Spark fails in the same way, with a KeyError. Pass its frames
    as ``ticks=psdf.to_spark()``, and convert the result by ``sql(...).pandas_api()``.

    Args:
        spark: the session to run in, classic or Connect.
        text: the SQL text.
        args: values of its parameter markers, as in ``spark.sql``: a dict for ``:name``, a list
            for ``?``.
        **frames: the DataFrames that replace ``{name}``.

    Returns:
        The DataFrame of the query.

    Raises:
        MatchRecognizeError: a frame that the text does not name, or a name without a frame; a
            syntax error in a session that does not have the extension.
        TypeError: a frame that is no DataFrame of Spark; one of pandas, of the pandas API on
            Spark, or of Arrow must be made one.
        pyspark.errors.PySparkException: what Spark says against the text.
    """
    from pyspark.errors import ParseException

    from match_recognize.session import probe

    for name, frame in frames.items():
        if not kinds.is_spark(frame):
            raise TypeError(_no_frame(name, frame))
    named = set(names(text))
    if named - set(frames):
        missing = ", ".join(f"{{{name}}}" for name in sorted(named - set(frames)))
        given = ", ".join(sorted(frames)) or "none"
        raise MatchRecognizeError(
            f"The text names {missing}, but there is no DataFrame of that name (given: {given})."
        )
    if set(frames) - named:
        unused = ", ".join(sorted(set(frames) - named))
        raise MatchRecognizeError(
            f"The text does not use {unused}: write {{name}} in the place of a table. Braces in "
            "strings, comments, quoted names and PATTERN ( ... ) do not count."
        )
    foreign = {
        name: frame
        for name, frame in frames.items()
        if not is_connect(spark) and frame.sparkSession is not spark
    }
    views = {name: f"match_recognize_{uuid.uuid4().hex}" for name in foreign}
    own = {name: frame for name, frame in frames.items() if name not in foreign}
    # PySpark replaces our names in its own way (and drops what it makes for them), as soon as all
    # other braces are doubled.
    template = "".join(
        piece
        if name is None
        else f"{{{name}}}"
        if name in own
        else _global_view(spark, views[name])
        for piece, name in pieces(text, escape=bool(own))
    )
    with without_error_log():
        try:
            for name, frame in foreign.items():
                # A frame of another session (before enable(), say): only global views cross over.
                frame.createGlobalTempView(views[name])
            keywords: dict[str, Any] = {**own} if args is None else {**own, "args": args}
            return spark.sql(template, **keywords)
        except ParseException as error:
            if probe.understands(spark):
                raise
            raise MatchRecognizeError(
                "This session does not have the MATCH_RECOGNIZE extension, so the clause is a "
                "syntax error in it. Use spark = match_recognize.enable(spark), or make the "
                "session with match_recognize.configure(SparkSession.builder).getOrCreate()."
            ) from error
        finally:
            for view in views.values():
                spark.catalog.dropGlobalTempView(view)


def _no_frame(name: str, value: object) -> str:
    """What to say of a value that is no DataFrame: those of pandas have a name like ours."""
    message = f"{name} must be a DataFrame of Spark, not {kinds.type_name(value)}."
    if kinds.is_pandas_on_spark(value):
        return f"{message} Write {name}={name}.to_spark(), and sql(...).pandas_api() if wanted."
    if kinds.is_pandas(value):
        return f"{message} Write {name}=spark.createDataFrame({name})."
    if kinds.is_arrow(value):
        frame = f"spark.createDataFrame(pyarrow.table({name}))"
        return f"{message} From Spark 4.0 on, write {name}={frame}."
    return message


def _global_view(spark: SparkSession, view: str) -> str:
    # The database's name is a static setting.
    return f"{spark.conf.get('spark.sql.globalTempDatabase', 'global_temp')}.{view}"

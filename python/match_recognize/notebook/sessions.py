"""Which Spark session a cell runs in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from match_recognize.errors import MatchRecognizeError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The variable that shells of Spark, and most notebooks, have the session in.
USUAL = "spark"


def session_of(variables: Mapping[str, Any], name: str | None = None) -> SparkSession:
    """Returns the session of a cell, classic or Connect.

    Without a name, it is the variable ``spark``, and if there is none, the active session.
    """
    value: Any = variables.get(name or USUAL)
    if _is_session(value):
        return cast("SparkSession", value)
    if name is not None:
        what = "There is no variable" if name not in variables else "There is no session in"
        raise MatchRecognizeError(
            f"{what} {name}. Give the variable that holds the Spark session, "
            f"as in --session {USUAL}."
        )
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is None:
        raise MatchRecognizeError(
            "There is no Spark session to run this cell in. Make one first: "
            "spark = match_recognize.configure(SparkSession.builder).getOrCreate()"
        )
    return active


def _is_session(value: Any) -> bool:
    # Sessions of Connect have no class in common with classic ones in every Spark.
    kind = cast("type[object]", type(value))
    return all(hasattr(kind, name) for name in ("sql", "conf", "catalog", "version"))

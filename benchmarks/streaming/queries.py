"""The statements, which are the same for Spark and Flink: the files of ``queries``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "queries"


@dataclass(frozen=True)
class Query:
    """A statement.

    Attributes:
        name: of its file.
        minutes: the bound of ``WITHIN``.
    """

    name: str
    minutes: int

    @property
    def text(self) -> str:
        """The statement."""
        return (FOLDER / f"{self.name}.sql").read_text().strip()


#: Reads the events and drops them: what the source costs.
SCAN = Query("scan", 0)

QUERIES = {
    query.name: query
    for query in [
        Query("v_shape", 20),
        Query("funnel", 60),
        # The closest to the next one that Flink's SQL accepts.
        Query("completed_checkout", 30),
        Query("abandoned_checkout", 30),
    ]
}

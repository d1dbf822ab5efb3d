"""The ways in which Spark can run a query, and the settings that choose them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Path:
    name: str
    conf: dict[str, str]
    connect: bool = False


CODEGEN = Path(
    "codegen",
    {"spark.sql.codegen.wholeStage": "true", "spark.sql.adaptive.enabled": "true"},
)
INTERPRETED = Path(
    "interpreted",
    {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
    },
)
CONNECT = Path("connect", {}, connect=True)
NOT_ADAPTIVE = Path(
    "codegen-not-adaptive",
    {"spark.sql.codegen.wholeStage": "true", "spark.sql.adaptive.enabled": "false"},
)

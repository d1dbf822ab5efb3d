"""The operator runs inside a whole-stage codegen stage, and within what it asks of the plan."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from match_recognize.demo import questions
from match_recognize.demo.__main__ import create_views
from pyspark.sql import DataFrame, SparkSession

# A line of EXPLAIN: `+- *(2) MatchRecognize ...`; the mark and the stage's number are missing
# where an operator is outside of generated code.
OPERATOR = re.compile(r"^[\s:+-]*(?P<stage>\*\(\d+\) )?MatchRecognize\b", re.MULTILINE)


def final_plan(frame: DataFrame) -> str:
    """The plan that ran. Under adaptive execution it is known only after the run."""
    execution: Any = frame._jdf.queryExecution()
    frame.collect()
    plan = execution.executedPlan()
    text = str(plan.toString())
    # The initial plan of adaptive execution is below the final one.
    return text.split("== Initial Plan ==")[0]


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_a_demo_query_runs_in_a_whole_stage(
    new_session: Callable[[], SparkSession], adaptive: str
) -> None:
    session = new_session()
    session.conf.set("spark.sql.adaptive.enabled", adaptive)
    create_views(session)
    plan = final_plan(session.sql(questions.V_SHAPE.sql))
    operator = OPERATOR.search(plan)
    assert operator, plan
    assert operator["stage"], plan


def test_without_whole_stage_it_runs_all_the_same(
    new_session: Callable[[], SparkSession],
) -> None:
    session = new_session()
    create_views(session)
    expected = session.sql(questions.V_SHAPE.sql).collect()
    session.conf.set("spark.sql.codegen.wholeStage", "false")
    frame = session.sql(questions.V_SHAPE.sql)
    assert frame.collect() == expected
    operator = OPERATOR.search(final_plan(frame))
    assert operator
    assert operator["stage"] is None

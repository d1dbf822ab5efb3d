"""Runs the application: ``python -m examples.abandoned_checkouts``."""

import sys
from pathlib import Path

from examples.abandoned_checkouts.answer import answer
from examples.abandoned_checkouts.events import simulate
from examples.program import Application

APPLICATION = Application(
    topic="checkouts",
    sql=(Path(__file__).parent / "query.sql").read_text(),
    sinks=["abandoned-checkouts", "completed-checkouts"],
    simulate=simulate,
    share_late=0.02,
    answer=answer,
)

if __name__ == "__main__":
    sys.exit(APPLICATION.main())

"""Runs the application: ``python -m examples.account_takeover``."""

import sys
from pathlib import Path

from examples.account_takeover.answer import answer
from examples.account_takeover.events import simulate
from examples.program import Application

APPLICATION = Application(
    topic="account_events",
    sql=(Path(__file__).parent / "query.sql").read_text(),
    sinks=["takeover-alerts"],
    simulate=simulate,
    share_late=0.05,
    answer=answer,
)

if __name__ == "__main__":
    sys.exit(APPLICATION.main())

"""Starts a statement on a Thrift server by PyHive, cancels it, and prints what became of it.

Usage: ``python cancel_over_hive.py PORT < statement.sql``. It cancels when a line comes in
after the statement, which ends with a line of a semicolon alone.
"""

from __future__ import annotations

import sys
import time

from pyhive import hive
from TCLIService.ttypes import TOperationState

text = "".join(iter(sys.stdin.readline, ";\n"))
cursor = hive.connect("127.0.0.1", port=int(sys.argv[1]), username="me").cursor()
cursor.execute(text, async_=True)
sys.stdin.readline()
print(TOperationState._VALUES_TO_NAMES[cursor.poll().operationState], flush=True)
cursor.cancel()
end = time.monotonic() + 60
while cursor.poll().operationState == TOperationState.RUNNING_STATE and time.monotonic() < end:
    time.sleep(0.1)
print(TOperationState._VALUES_TO_NAMES[cursor.poll().operationState], flush=True)

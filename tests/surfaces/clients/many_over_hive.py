"""Many clients of a Thrift server at once, each with queries whose answers it works out itself.

Usage: ``python many_over_hive.py PORT CLIENTS SECONDS``. Prints how many queries each client ran;
ends with an error at the first answer that is wrong.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from itertools import groupby

from pyhive import hive

# The runs of rows whose value is above a limit, in two partitions.
QUERY = """\
SELECT part, first_id, last_id, n, top
FROM (SELECT id % 2 AS part, id, (id * {factor}) % {modulus} AS v FROM RANGE(0, {rows}, 1, 2))
MATCH_RECOGNIZE (
  PARTITION BY part ORDER BY id
  MEASURES FIRST(A.id) AS first_id, LAST(A.id) AS last_id, COUNT(*) AS n, MAX(v) AS top
  PATTERN (A{{2,}})
  DEFINE A AS v > {limit})
ORDER BY first_id"""


def answer(rows: int, factor: int, modulus: int, limit: int) -> list[tuple[int, ...]]:
    found = []
    for part in (0, 1):
        values = [(i, (i * factor) % modulus) for i in range(part, rows, 2)]
        for above, run in groupby(values, key=lambda pair: pair[1] > limit):
            pairs = list(run)
            if above and len(pairs) > 1:
                top = max(value for _, value in pairs)
                found.append((part, pairs[0][0], pairs[-1][0], len(pairs), top))
    return sorted(found, key=lambda row: row[1])


def client(number: int, port: int, end: float, counts: list[int], wrongs: list[str]) -> None:
    try:
        chosen = random.Random(number)
        connection = hive.connect("127.0.0.1", port=port, username=f"client{number}")
        cursor = connection.cursor()
        while time.monotonic() < end and not wrongs:
            case = {
                "rows": chosen.randint(1, 400),
                "factor": chosen.randint(1, 1000),
                "modulus": chosen.randint(2, 97),
                "limit": chosen.randint(0, 60),
            }
            cursor.execute(QUERY.format(**case))
            rows = cursor.fetchall()
            if rows != answer(**case):
                wrongs.append(f"client {number}, {case}: {rows} is not {answer(**case)}")
            counts[number] += 1
        connection.close()
    except Exception as error:
        wrongs.append(f"client {number}: {error}")


port, clients, seconds = (int(word) for word in sys.argv[1:])
counts = [0] * clients
wrongs: list[str] = []
end = time.monotonic() + seconds
threads = [
    threading.Thread(target=client, args=(n, port, end, counts, wrongs)) for n in range(clients)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*counts)
sys.exit("\n".join(wrongs) if wrongs else 0)

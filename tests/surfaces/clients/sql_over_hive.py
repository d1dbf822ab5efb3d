"""Runs statements on a Thrift server by PyHive, and prints as JSON what came of each.

Usage: ``python sql_over_hive.py PORT < statements.json``, a list of [text, parameters or null].
"""

from __future__ import annotations

import json
import sys

from pyhive import exc, hive


def run(cursor: hive.Cursor, text: str, parameters: dict[str, object] | None) -> object:
    try:
        cursor.execute(text, parameters)
        if cursor.description is None:
            return []
        return [list(row) for row in cursor.fetchall()]
    except exc.Error as error:
        status = error.args[0].status
        return {"message": status.errorMessage, "state": status.sqlState}


connection = hive.connect("127.0.0.1", port=int(sys.argv[1]), username="me")
with connection.cursor() as cursor:
    print(json.dumps([run(cursor, *statement) for statement in json.load(sys.stdin)]))
connection.close()

"""The command line: ``python -m match_recognize jar``, ``... doctor``, ``... translate``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from match_recognize.errors import MatchRecognizeError
from match_recognize.session import doctor
from match_recognize.session.jars import SUPPORTED, jar_path, package_version
from match_recognize.translation import translate
from match_recognize.translation.source import ENGINES


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
    if options.command == "doctor":
        return doctor.run(options.master)
    try:
        if options.command == "translate":
            translation = translate(sys.stdin.read(), options.read)
            for note in translation.notes:
                print(f"-- {note}", file=sys.stderr)
            print(translation.sql)
        elif options.command == "jar":
            print(jar_path(options.spark))
    except MatchRecognizeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m match_recognize",
        description="MATCH_RECOGNIZE for Apache Spark SQL.",
        epilog="python -m match_recognize.demo shows what it can do.",
    )
    parser.add_argument("--version", action="version", version=package_version())
    commands = parser.add_subparsers(dest="command", metavar="command")
    jar = commands.add_parser(
        "jar", help="print the path of the jar, for spark-submit --jars and server settings"
    )
    jar.add_argument(
        "--spark",
        metavar="X.Y",
        help=f"the Spark version ({', '.join(SUPPORTED)}); default: that of pyspark",
    )
    checks = commands.add_parser(
        "doctor", help="check whether MATCH_RECOGNIZE works here, and say what to do if not"
    )
    checks.add_argument(
        "--master", default="local[2]", help="where to run the query; default: %(default)s"
    )
    translation = commands.add_parser(
        "translate",
        help="translate the statement on standard input, written for another engine",
    )
    translation.add_argument(
        "--read", required=True, choices=ENGINES, help="the engine that it is written for"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())

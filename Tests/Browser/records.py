"""Records which tests began, failed or were skipped, as lines of JSON in the file named by $ECHOTEXT_TEST_RECORDS.

The line of a test's end has the seconds that its set-up, its call and its teardown took.

pytest accepts the recorded names when started in the same folder.
"""

import json
import os
import pathlib

import pytest

# The maximum number of characters of a reason.
LONGEST = 300


def pytest_configure(config: pytest.Config) -> None:
    """Starts in the process to which all tests report, not in the workers."""
    file = os.environ.get("ECHOTEXT_TEST_RECORDS")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Records(pathlib.Path(file), config.rootpath, config.invocation_params.dir), "echotext-records")


class Records:
    """Writes a line for each test that begins, ends, fails or is skipped, as soon as that is known."""

    def __init__(self, file: pathlib.Path, folder: pathlib.Path, start: pathlib.Path) -> None:
        self._file = file
        # The folder to which pytest's names are relative, and where it was started.
        self._folder, self._start = folder, start
        self._told: set[tuple[str, str]] = set()
        self._seconds: dict[str, dict[str, float]] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell(nodeid, "began", True)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._tell(nodeid, "ended", True, seconds=self._seconds.pop(nodeid, {}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds.setdefault(report.nodeid, {})[report.when or ""] = round(report.duration, 2)
        if report.failed:
            self._tell(report.nodeid, "why", reason(report))
        elif report.skipped and not hasattr(report, "wasxfail"):
            self._tell(report.nodeid, "skipped", reason(report))

    def _tell(self, name: str, kind: str, words: str | bool, **more: object) -> None:
        if (name, kind) in self._told:
            return
        self._told.add((name, kind))
        file, *rest = name.split("::", 1)
        place = pathlib.Path(os.path.relpath(self._folder / file, self._start)).as_posix()
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"id": "::".join([place, *rest]), kind: words, **more}, ensure_ascii=False) + "\n")


def reason(report: pytest.TestReport) -> str:
    """The first line that says why a test failed or was skipped."""
    reported = report.longrepr
    if isinstance(reported, tuple):
        reported = reported[2].removeprefix("Skipped: ")
    crash = getattr(reported, "reprcrash", None)
    words = crash.message if crash is not None else str(reported or "")
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    # The message after the kind of an error may start on a line of its own.
    return " ".join(lines[: 2 if lines and lines[0].endswith(":") else 1])[:LONGEST]

"""The part of the benchmark that queries a large library: the cost of each call, and its limit."""

import json
import subprocess

import measure
from measure import Failed
from ours import BUILD, SCRATCH
from table import Row, median

ITEMS = 100_000
OPEN, CALL, MEMORY = 1.0, 0.05, 250  # seconds, seconds, megabytes: maximum


def command():
    return [BUILD / "release/echotext-bench", "library", SCRATCH / "library", str(ITEMS)]


def look():
    """Fills the library the first time; this takes minutes."""
    ended = subprocess.run(command(), capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(ended.stderr.strip())
    return json.loads(ended.stdout)


def lists(bench):
    if not bench.wanted(f"library of {ITEMS} recordings"):
        return
    look()
    taken, note = bench.in_turn(
        f"library of {ITEMS} recordings", look=look, memory=lambda: measure.peak_memory(command())
    )

    def row(what, key, bar):
        figure = median([result[key] for result in taken["look"]])
        return Row(f"library of {ITEMS:,} recordings: {what}", "s", figure, compare="limit", bar=bar, note=note)

    slow = "95 of 100 calls take at most"
    bench.add(
        row("open and first page", "open", OPEN),
        row(f"list page, {slow}", "page", CALL),
        row(f"sort, {slow}", "sort", CALL),
        row(f"filter, {slow}", "filter", CALL),
        row(f"search with places, {slow}", "search", CALL),
        Row(
            f"library of {ITEMS:,} recordings: memory", "MB", median(taken["memory"]), compare="limit", bar=MEMORY, note=note
        ),
    )

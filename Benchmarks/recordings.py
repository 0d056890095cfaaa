"""The part of the benchmark that records for hours, faster than real time."""

import json
import shutil
import subprocess
import tempfile

from measure import Failed
from ours import BUILD, SCRATCH
from table import Row, median

COUNT, HOURS = 5_000, 4
LIST, PROCESSOR, MEMORY = 0.5, 0.03, 200  # seconds, seconds per second of sound, megabytes: maximum


def record():
    folder = tempfile.mkdtemp(prefix="recordings-", dir=SCRATCH)
    try:
        command = [BUILD / "release/echotext-bench", "recordings", f"{folder}/library", str(COUNT), str(HOURS * 3_600)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise Failed(ended.stderr.strip())
        return json.loads(ended.stdout)
    finally:
        shutil.rmtree(folder)


def recordings(bench):
    part = f"recording of {HOURS} hours"
    if not bench.wanted(part):
        return
    taken, note = bench.in_turn(part, repeat=1, record=record)

    def row(what, unit, key, bar=None):
        figure = median([result[key] for result in taken["record"]])
        compare = {} if bar is None else {"compare": "limit", "bar": bar}
        return Row(what, unit, figure, note=note, **compare)

    bench.add(
        row(f"list of {COUNT:,} recordings at once", "s", "list", LIST),
        row(f"{part}: processor time per second", "s", "processor", PROCESSOR),
        row(f"{part}: keeping a chunk, 95 of 100 take at most", "s", "append", 1.0),
        row(f"{part}: making a recording of it", "s", "finish"),
        row(f"{part}: memory", "MB", "memory", MEMORY),
    )

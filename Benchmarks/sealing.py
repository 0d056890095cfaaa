"""The parts of the benchmark that seal and open, compared with the age program, and the bars they must meet."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

import measure
from measure import Failed
from ours import SCRATCH, WARM_PROGRAM
from table import Row, median

FILE = 200_000_000
LARGE = 1_000_000_000
RANGE_RUNS = 25
MEMORY_DISK = pathlib.Path("/dev/shm")


@contextlib.contextmanager
def folder(room):
    """A folder in memory if the machine has a RAM disk with enough room, else on disk. A warm disk cache for one
    program and a cold one for the other would dominate the measurement."""
    in_memory = MEMORY_DISK.is_dir() and shutil.disk_usage(MEMORY_DISK).free > room
    with tempfile.TemporaryDirectory(prefix="echotext-bench-", dir=MEMORY_DISK if in_memory else SCRATCH) as path:
        yield pathlib.Path(path), "in memory" if in_memory else "on a disk"


def plain_file(size):
    """A file of this many incompressible bytes."""
    path = SCRATCH / f"{size}-bytes"
    if not path.exists() or path.stat().st_size != size:
        with open("/dev/urandom", "rb") as source, open(path, "wb") as target:
            for start in range(0, size, 1 << 20):
                target.write(source.read(min(1 << 20, size - start)))
    return path


def identity():
    """The file of a new identity, and its recipient."""
    path = SCRATCH / "identity"
    path.unlink(missing_ok=True)
    subprocess.run(["age-keygen", "-o", path], check=True, stderr=subprocess.DEVNULL)
    shown = subprocess.run(["age-keygen", "-y", path], check=True, capture_output=True, text=True).stdout
    return path, shown.strip()


def ours(mode, key, source, target):
    return measure.run([WARM_PROGRAM, mode, "--identity", key, "--in", source, "--out", target])


def sealing(bench):
    if not bench.wanted("sealing and opening"):
        return
    key, recipient = identity()
    with folder(5 * FILE) as (place, where):
        plain = shutil.copy(plain_file(FILE), place / "plain")
        sealed, peer_sealed, opened = place / "sealed", place / "peer-sealed", place / "opened"
        taken, note = bench.in_turn(
            "sealing 200 MB",
            bench.often,
            ours=lambda: ours("seal", key, plain, sealed),
            age=lambda: measure.run(["age", "-r", recipient, "-o", peer_sealed, plain]),
        )
        bench.add(
            Row("sealing 200 MB: age", "s", median(taken["ours"]), median(taken["age"]), "faster", 1.0, note or f"{where}, median of {bench.often} runs")
        )
        # Both open the same file, which either program may have sealed.
        taken, note = bench.in_turn(
            "opening 200 MB",
            bench.often,
            ours=lambda: ours("open", key, peer_sealed, opened),
            age=lambda: measure.run(["age", "-d", "-i", key, "-o", opened, peer_sealed]),
        )
        bench.add(
            Row("opening 200 MB: age", "s", median(taken["ours"]), median(taken["age"]), "faster", 1.0, note or f"{where}, median of {bench.often} runs")
        )


def ranges(bench):
    if not bench.wanted("range of a sealed file"):
        return
    key, sealed = identity()[0], SCRATCH / "large-sealed"
    ours("seal", key, plain_file(LARGE), sealed)
    taken, note = bench.in_turn("range of a sealed file", repeat=1, ours=lambda: range_times(key, sealed))
    wall = median(taken["ours"][0]) * 1_000 if taken["ours"] else None
    note = note or f"median of {RANGE_RUNS}, the opening of the file included"
    bench.add(Row("1 MB out of a sealed file of 1 GB", "ms", wall, None, "limit", 5, note))
    sealed.unlink(missing_ok=True)


def range_times(key, sealed):
    """Seconds of each run."""
    command = [WARM_PROGRAM, "range", "--identity", key, "--in", sealed, "--repeat", str(RANGE_RUNS)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failed(f"echotext-bench range ended with {ended.returncode}: {ended.stderr.strip()[-200:]}")
    return [json.loads(line)["wall"] for line in ended.stdout.splitlines()]

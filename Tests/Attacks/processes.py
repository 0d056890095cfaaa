"""The kernel's report about processes."""

import pathlib
import threading
import time

from attack import refused

PROC = pathlib.Path("/proc")


def everybody() -> set[int]:
    """All processes of this namespace."""
    return {int(one.name) for one in PROC.iterdir() if one.name.isdigit()}


def family(head: int) -> set[int]:
    """A process and all that it started, and these, as long as those between live."""
    parents = {}
    for number in everybody():
        if (parent := _parent(number)) is not None:
            parents[number] = parent
    found = {head}
    while more := {number for number, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _parent(number: int) -> int | None:
    try:
        # A program's name may have spaces and brackets in it.
        return int((PROC / str(number) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def command(number: int) -> list[str]:
    """A process's arguments, none when it has ended."""
    try:
        return (PROC / str(number) / "cmdline").read_text().split("\0")[:-1]
    except OSError:
        return []


def status(number: int) -> dict[str, str]:
    """The lines of `/proc/PID/status`."""
    lines = (PROC / str(number) / "status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def memory(numbers: set[int]) -> int:
    """The memory of processes together, in MiB; memory that several share counts once."""
    total = 0
    for number in numbers:
        try:
            rollup = (PROC / str(number) / "smaps_rollup").read_text()
        except OSError:
            continue  # ended
        total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return total >> 10


class Peak(threading.Thread):
    """The most that a process and all that it started had in memory together."""

    def __init__(self, head: int) -> None:
        super().__init__(daemon=True)
        # In MiB.
        self.most = 0
        self._head = head
        self._end = threading.Event()

    def __enter__(self) -> "Peak":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self.join()

    def run(self) -> None:
        while not self._end.is_set():
            self.most = max(self.most, memory(family(self._head)))
            time.sleep(0.02)


def worker(head: int, kind: str, limit: float = 30) -> int:
    """A worker of a program that has entered the filter of calls, as soon as there is one.

    Throws Succeeded where there is one that does not, TimeoutError where there is none.
    """
    end = time.monotonic() + limit
    is_there = False
    while time.monotonic() < end:
        for number in family(head):
            if command(number)[1:3] != ["worker", kind]:
                continue
            is_there = True
            try:
                if status(number)["Seccomp"] == "2":
                    return number
            except OSError:
                continue
        time.sleep(0.002)
    refused(not is_there, f"a worker “{kind}” runs without a filter of calls")
    raise TimeoutError(f"there was no worker “{kind}” within {limit:.0f} s")

"""A brake on a server's engines: a long text takes minutes to speak, however fast the program and its build are."""

import contextlib
import itertools
import os
import pathlib
import signal
import threading
import time
from collections.abc import Callable, Iterable

# Processor time that an engine has at once, in seconds: enough to start, and to speak the first minutes of sound.
AT_ONCE = 0.3
# Its share of a processor from then on.
SHARE = 0.02
# Seconds from one look at what it has used to the next.
INTERVAL = 0.01
# Looks from one search for engines to the next: a server starts and ends them as it needs them.
LOOKS = 10


class Brake:
    """Holds the engines of a server most of the time, by signals, of which they notice nothing.

    They speak on meanwhile, some times faster than anybody listens, and the rest of the machine is free.
    """

    def __init__(self, server: Callable[[], int | None]):
        """`server` gives the id of the server's process while there is one."""
        self._server = server
        self._is_let_go = threading.Event()
        self._holding = threading.Thread(target=self._hold, daemon=True)
        self._holding.start()

    def let_go(self) -> None:
        """Lets the engines work freely from now on."""
        self._is_let_go.set()
        self._holding.join()

    def _hold(self) -> None:
        limits: dict[int, float] = {}
        last = time.monotonic()
        try:
            for look in itertools.count():
                if self._is_let_go.wait(INTERVAL):
                    break
                if look % LOOKS == 0:
                    engines = engines_of(self._server())
                    # Those of a server that has ended find out, and end, only while they work.
                    release(limits.keys() - set(engines))
                    limits = {engine: limits.get(engine, AT_ONCE) for engine in engines}
                passed, last = time.monotonic() - last, time.monotonic()
                for engine, limit in limits.items():
                    # It may have ended.
                    with contextlib.suppress(OSError):
                        used = processor_time(engine)
                        # An idle engine saves up the share of one second; one that used more pays back that of five, so
                        # that none is held longer than that.
                        limit = max(limit + SHARE * passed, used - 5 * SHARE)
                        limits[engine] = min(limit, max(AT_ONCE, used + SHARE))
                        os.kill(engine, signal.SIGSTOP if used >= limits[engine] else signal.SIGCONT)
        finally:
            release(limits)


def release(engines: Iterable[int]) -> None:
    """Lets engines work that may be held."""
    for engine in engines:
        with contextlib.suppress(OSError):
            os.kill(engine, signal.SIGCONT)


def engines_of(server: int | None) -> list[int]:
    """The processes of a server that speak; those that only confine them have other words first."""
    found = []
    parents = [] if server is None else [server]
    while parents:
        children = children_of(parents.pop())
        parents += children
        found += [child for child in children if words_of(child)[1:3] == ["worker", "engine"]]
    return found


def children_of(process: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def words_of(process: int) -> list[str]:
    """The command of a process; nothing if it has ended."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/cmdline").read_text().split("\0")
    return []


def processor_time(process: int) -> float:
    """The seconds that all threads of a process have used, by the clock that C's `clock_getcpuclockid` names."""
    return time.clock_gettime((~process << 3) | 2)

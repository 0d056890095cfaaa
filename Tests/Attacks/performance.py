"""The attacks one after another, on the stage."""

import os
import pathlib
import sys
import threading
import time
import traceback

import clocks
import confinement
import access
import downloads
import hostile_texts
import processes
import stage
from attack import Attack, Stage, Succeeded
from person import Person

ATTACKS: list[Attack] = [
    confinement.WithoutNamespaces(),
    hostile_texts.MarkdownBombs(),
    access.AnotherListens(),
    hostile_texts.DeadlyPhonemes(),
    hostile_texts.EndlessPauses(),
    downloads.LockedMeanwhile(),
    clocks.AsleepAndAwake(),
    clocks.AnotherClock(),
    access.MisusedTickets(),
    access.NoPasscode(),
]

# All processes together may have no more in memory, in MiB.
MEMORY = 3_072

# Nothing but waiting.
ASIDE = clocks.AsleepAndAwake


class Watch(threading.Thread):
    """Ends everything when it takes too much of the machine's memory."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0

    def run(self) -> None:
        while True:
            self.most = max(self.most, processes.memory(processes.everybody()))
            if self.most > MEMORY:
                print(f"attacks: all processes together had {self.most} MiB in memory", file=sys.stderr, flush=True)
                os._exit(1)
            time.sleep(0.25)


def run(words: list[str]) -> int:
    began = time.monotonic()
    stage.raise_loopback()
    people = pathlib.Path(os.environ[stage.WORKSPACE]) / "people"
    people.mkdir()
    place = Stage(people, *stage.strangers())
    if reason := unreadable(place):
        print(f"attacks: {reason}", file=sys.stderr)
        return 2
    chosen = [one for one in ATTACKS if not words or any(word.lower() in one.name.lower() for word in words)]
    if not chosen:
        print(f"attacks: none has such a name; there are: {'; '.join(one.name for one in ATTACKS)}", file=sys.stderr)
        return 2
    watch = Watch()
    watch.start()
    failures: list[Attack] = []
    waiting = [threading.Thread(target=report, args=(one, place, failures)) for one in chosen if isinstance(one, ASIDE)]
    for thread in waiting:
        thread.start()
    for one in chosen:
        if not isinstance(one, ASIDE):
            report(one, place, failures)
    for thread in waiting:
        thread.join()
    end = "all refused" if not failures else f"not refused: {', '.join(one.name for one in failures)}"
    print(f"{len(chosen)} attacks, {end}; {time.monotonic() - began:.0f} s, {watch.most} MiB at most")
    return 1 if failures else 0


def report(attack: Attack, place: Stage, failures: list[Attack]) -> None:
    """Tries an attack and reports what came of it."""
    try:
        outcome = f"refused: {attack.attempt(place)}"
    except Succeeded as evidence:
        failures.append(attack)
        outcome = f"SUCCEEDED: {evidence}"
    except Exception as reason:  # whatever keeps an attack from being tried
        failures.append(attack)
        where = traceback.extract_tb(reason.__traceback__)[-1]
        outcome = f"COULD NOT BE TRIED: {type(reason).__name__}: {reason} ({pathlib.Path(where.filename).name}:{where.lineno})"
    print(f"{attack.name}: {attack.tries}: {outcome}", flush=True)


def unreadable(place: Stage) -> str | None:
    """Why the program cannot be run by another user than the one who built it."""
    person = Person(place, "first")
    try:
        tried = person.run("--version")
    except OSError as reason:
        return f"the program cannot be run by another user: {reason}"
    return None if tried.returncode == 0 else f"the program cannot be run by another user: {tried.stderr.strip()}"

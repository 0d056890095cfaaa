"""Takes measurements in turn, so that whatever else the machine does falls on all of them alike."""

import sys

from measure import Failed


def say(words):
    print(f"· {words}", file=sys.stderr, flush=True)


class Bench:
    """Takes the measurements and gathers the rows."""

    def __init__(self, repeat, only):
        self.repeat, self.only, self.rows = repeat, only, []

    @property
    def often(self):
        """Runs of what moves more from one to the next than its bar leaves, or takes no time."""
        return 4 * self.repeat

    def add(self, *rows):
        self.rows += rows

    def wanted(self, part):
        return not self.only or self.only in part

    def in_turn(self, part, repeat=None, **measured):
        """Each measured thing once, then each once more, and so on: name to list of results, empty where it failed.

        What fails once is not tried again; why goes to standard error and, as `note`, to the rows.
        """
        say(part)
        results, notes = {name: [] for name in measured}, []
        for _ in range(repeat or self.repeat):
            for name, take in list(measured.items()):
                try:
                    results[name].append(take())
                except (Failed, OSError, RuntimeError, ValueError, IndexError, KeyError) as problem:
                    say(f"  {name}: {problem}")
                    notes.append(f"{name}: not measured")
                    results[name] = []
                    del measured[name]
        return results, "; ".join(notes)

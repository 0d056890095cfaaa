"""Takes measurements in turn, so that other load on the machine affects all of them alike."""

import sys

from measure import Failed


def say(words):
    print(f"· {words}", file=sys.stderr, flush=True)


class Bench:
    """Takes measurements and collects the rows."""

    def __init__(self, repeat, only):
        self.repeat, self.only, self.rows = repeat, only, []

    @property
    def often(self):
        """The number of runs for results that vary more than their bar allows, or that take no time."""
        return 4 * self.repeat

    def add(self, *rows):
        self.rows += rows

    def wanted(self, part):
        return not self.only or self.only in part

    def in_turn(self, part, repeat=None, **measured):
        """Measures everything once, then everything again, and so on; returns results by name, empty after a failure.

        A failed measurement is not repeated; the reason goes to standard error and, as `note`, to the rows.
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

"""The rows of the benchmark: what was measured, what was asked of it, and whether it held."""

import dataclasses
import json
import statistics


@dataclasses.dataclass
class Row:
    """One comparison. `compare` says what `ratio` and `bar` are:

    - "faster": how many times as fast as the peer we are; the bar is the least.
    - "share": what part of the peer's figure ours is; the bar is the most.
    - "limit": no ratio counts; the bar is the most our own figure may be.
    """

    name: str
    unit: str
    ours: float | None
    peer: float | None = None
    compare: str = "faster"
    bar: float | None = None
    note: str = ""

    @property
    def ratio(self):
        if self.ours is None or not self.peer:
            return None
        return self.peer / self.ours if self.compare == "faster" else self.ours / self.peer

    @property
    def holds(self):
        """None where nothing was asked; a bar whose figure is missing does not hold."""
        if self.bar is None:
            return None
        if self.compare == "limit":
            return self.ours is not None and self.ours <= self.bar
        if self.ratio is None:
            return False
        return self.ratio >= self.bar if self.compare == "faster" else self.ratio <= self.bar

    @property
    def bar_in_words(self):
        if self.bar is None:
            return ""
        sign = "≥" if self.compare == "faster" else "≤"
        return f"{sign} {self.bar:g}{f' {self.unit}' if self.compare == 'limit' else '×'}"

    def as_json(self):
        shown = {"name": self.name, "ours": self.ours, "peer": self.peer, "ratio": self.ratio}
        return {**shown, "bar": self.bar_in_words or None, "holds": self.holds, "unit": self.unit, "note": self.note}

    def cells(self):
        def figure(value):
            return "–" if value is None else f"{value:.{3 if self.unit == 's' else 0}f}"

        answer = {None: "", True: "yes", False: "**no**"}[self.holds]
        ratio = "–" if self.ratio is None else f"{self.ratio:.3g}×"
        return [self.name, self.unit, figure(self.ours), figure(self.peer), ratio, self.bar_in_words, answer, self.note]


HEADINGS = ["what", "unit", "ours", "peer", "ratio", "bar", "holds", "note"]


def median(figures):
    figures = [figure for figure in figures if figure is not None]
    return statistics.median(figures) if figures else None


def as_markdown(rows):
    lines = [HEADINGS, ["---"] * len(HEADINGS), *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def as_text(rows):
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n" for line in lines
    )


def document(rows, facts):
    """The whole of Documentation/Benchmarks.md."""
    return f"""# Benchmarks

Written by `make bench`, which measures EchoText beside its peers on one machine, in one run, in turn. A figure is the
median of the runs that its note tells; without a note, of {dict(facts)["runs of each"]}.
Where the bar says “≥”, or there is none, the ratio is how many times as fast as the peer we are; where it says “≤”, what
part of the peer's figure ours is.
Texts are the first words of `Benchmarks/text.txt`, over and over. “Warm” has the voice loaded and has spoken before;
“program” is the command from start to end. Memory is the sum of the peaks of the program and all its children
(`VmHWM`), which is never less than what they really had.

{as_markdown(rows)}
| measured on | |
| --- | --- |
""" + "".join(f"| {what} | {which} |\n" for what, which in facts)


def save_json(rows, path):
    path.write_text(json.dumps([row.as_json() for row in rows], indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

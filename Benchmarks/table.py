"""The rows of the benchmark: what was measured, what was required, and whether it held."""

import dataclasses
import json
import statistics


# Decimal places by unit; none for other units.
DIGITS = {"s": 3, "%": 2, "words": 1, "texts": 1, "dB": 1, "of full scale": 3}


@dataclasses.dataclass
class Row:
    """A comparison. `compare` says how `result` is computed, to which the bar applies:

    - "faster": our speed as a multiple of the peer's; the bar is the minimum.
    - "share": our figure divided by the peer's; the bar is the maximum.
    - "within": the same; the bar is the maximum deviation from 1.
    - "above": our figure minus the peer's, in their unit; the bar is the maximum.
    - "limit": our own figure; the bar is the maximum.
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
    def result(self):
        if self.compare == "limit":
            return self.ours
        if self.compare == "above":
            return None if self.ours is None or self.peer is None else self.ours - self.peer
        return self.ratio

    @property
    def holds(self):
        """None without a bar; a bar whose figure is missing does not hold."""
        if self.bar is None:
            return None
        if self.result is None:
            return False
        if self.compare == "faster":
            return self.result >= self.bar
        if self.compare == "within":
            return abs(self.result - 1) <= self.bar
        return self.result <= self.bar

    @property
    def bar_in_words(self):
        if self.bar is None:
            return ""
        if self.compare == "within":
            return f"1× ± {self.bar:g}"
        if self.compare == "above":
            return f"≤ {self.bar:+g} {self.unit}"
        sign = "≥" if self.compare == "faster" else "≤"
        return f"{sign} {self.bar:g}{f' {self.unit}' if self.compare == 'limit' else '×'}"

    @property
    def comparison_in_words(self):
        if self.compare == "above":
            return "–" if self.result is None else f"{self.result:+.2f}"
        return "–" if self.ratio is None else f"{self.ratio:.3g}×"

    def as_json(self):
        shown = {"name": self.name, "ours": self.ours, "peer": self.peer, "ratio": self.ratio, "result": self.result}
        return {**shown, "bar": self.bar_in_words or None, "holds": self.holds, "unit": self.unit, "note": self.note}

    def cells(self):
        def figure(value):
            return "–" if value is None else f"{value:.{DIGITS.get(self.unit, 0)}f}"

        answer = {None: "", True: "yes", False: "**no**"}[self.holds]
        figures = [figure(self.ours), figure(self.peer), self.comparison_in_words]
        return [self.name, self.unit, *figures, self.bar_in_words, answer, self.note]


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
    """The complete text of Documentation/Benchmarks.md."""
    return f"""# Benchmarks

`make bench` writes this document. It measures EchoText beside its peers on one machine, in one run, in turn. A figure
is the median of the runs in its note, or a mean where the note says so; without a note, of {dict(facts)["runs of each"]}.

| bar | what the ratio is |
| --- | --- |
| “≥”, or none | how many times as fast as the peer we are |
| “≤” or “±” | what part of the peer's figure ours is |
| with a sign | how far our figure is above the peer's |

Texts are the first words of `Benchmarks/text.txt`, over and over, or those of `Benchmarks/texts`. “Warm” has the voice
loaded and has spoken before; “program” is the command from start to end. Memory is the sum of the peaks of the program
and all its children (`VmHWM`), which is never less than their real use. Whisper tiny.en judges what is listened to. It
is a weak judge: its figures compare us with a peer, and do not say how well people understand either.

{as_markdown(rows)}
| measured on | |
| --- | --- |
""" + "".join(f"| {what} | {which} |\n" for what, which in facts)


def save_json(rows, path):
    path.write_text(json.dumps([row.as_json() for row in rows], indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

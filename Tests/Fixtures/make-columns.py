#!/usr/bin/env python3
"""Prints pages with columns, rotated pages and a form with Chromium, and writes their words in reading order.

The results are in columns/, since Chromium is not installed everywhere where the tests run. Form feeds separate the
pages in the words. To make them again:

    Tests/Fixtures/make-columns.py
"""

import pathlib
import random
import re
import subprocess
import tempfile

WORDS = (
    "the of and a harbour winter lantern remember tomorrow between mountain quietly extraordinary river although"
    " continued without shadow morning considerable question answered traveller never window garden people understand"
    " important themselves another thousand nothing beautiful distance evening something carefully it was she he had"
    " from with kettle orchard ladder weather barley compass drizzle engine feather gravel hammer island jacket"
).split()

STYLE = """
@page { size: A4; margin: 18mm } body { margin: 0; font: 10pt/1.25 "DejaVu Serif" }
section { break-after: page } section:last-child { break-after: auto }
.two, .three { column-gap: 7mm; text-align: justify } .two { column-count: 2 } .three { column-count: 3 }
.three { font-size: 9pt } .wide { column-span: all } h1 { font-size: 18pt; margin: 0 0 8pt } h2 { font-size: 12pt; margin: 6pt 0 }
p { margin: 0; text-indent: 12pt } .ragged { text-align: left } small { font-size: 7.5pt; display: block }
figure { margin: 6pt 0 } figure div { border: 1pt solid; height: 90pt } figcaption { font-size: 9pt }
td, th { padding: 1pt 16pt 1pt 0; font-size: 9pt; text-align: left } table { margin: 6pt 0 }
aside { border: 1pt solid; padding: 6pt; width: 45mm; font-size: 9pt; float: right; margin-left: 8mm }
.paper { position: relative; height: 255mm; font: 10pt/12pt "DejaVu Serif" } .paper .side { position: absolute; top: 14mm; bottom: 10mm }
.paper .side { width: calc(50% - 5.5pt); text-align: justify } .paper .side + .side { right: 0 }
.paper .head, .paper .number { position: absolute; width: 100%; text-align: center; font-size: 8pt } .paper .number { bottom: 0 }
.paper .foot { position: absolute; bottom: 0; font-size: 7.5pt; line-height: 9pt; border-top: 0.5pt solid }
.formula { display: flex; justify-content: space-between; padding: 3pt 0 3pt 12pt; text-indent: 0; font-style: italic }
.form div { display: flex; margin: 9pt 0 } .form b { width: 70mm; font-weight: normal }
"""


class Text:
    """Sentences of words chosen by a seed."""

    def __init__(self, seed):
        self.numbers = random.Random(seed)

    def sentence(self):
        words = [self.numbers.choice(WORDS) for _ in range(self.numbers.randint(6, 16))]
        return " ".join(words).capitalize() + "."

    def paragraphs(self, count):
        return "".join(
            f"<p>{' '.join(self.sentence() for _ in range(self.numbers.randint(3, 8)))}</p>" for _ in range(count)
        )

    def title(self):
        return f"<h1 class=wide>{self.sentence()[:-1]} and {self.sentence().lower()[:-1]}</h1>"

    def figure(self):
        return f"<figure class=wide><div></div><figcaption>Figure 1: {self.sentence()} {self.sentence()}</figcaption></figure>"

    def table(self, rows=6):
        cells = lambda: "".join(f"<td>{self.numbers.choice(WORDS)} {self.numbers.randint(100, 999)}" for _ in range(5))
        return f"<div class=wide><table>{''.join(f'<tr>{cells()}' for _ in range(rows))}</table></div>"

    def notes(self):
        return f"<div class=wide><small>1 {self.sentence()} {self.sentence()} {self.sentence()}</small></div>"


def columns(style, count):
    """Pages with a wide element at the top, in the middle, at the bottom, and more of it."""
    text = Text(style)
    upper, lower = (lambda: text.paragraphs(count)), (lambda: text.paragraphs(count))
    heading = lambda: f"<h2>{text.sentence()[:-1]}</h2>"
    pages = [
        text.title() + heading() + upper() + heading() + lower(),
        text.figure() + upper() + lower(),
        text.table() + upper() + lower(),
        upper() + text.figure() + lower(),
        upper() + text.table() + lower(),
        upper() + lower() + text.figure(),
        upper() + lower() + text.table(),
        upper() + lower() + text.notes(),
        text.table() + upper() + text.figure() + lower() + text.notes(),
        upper() + text.title() + lower(),
        f"<div class=wide>{text.paragraphs(2)}</div>" + upper() + lower(),
        upper() + text.table(2) + upper(),
        text.paragraphs(1) + text.figure() + text.paragraphs(1) + text.table(8) + text.paragraphs(1),
    ]
    return [f"<section class={style}>{page}</section>" for page in pages]


def paper():
    """Pages as in papers: a narrow gutter between justified columns, each with formulas and its own notes, running
    heads and page numbers."""
    text = Text("paper")

    def side(number):
        formula = f"<p class=formula><span>f ( x ) = a x + {number} b y</span><span>({number})</span></p>"
        note = f"<div class=foot>{number} {text.sentence()} {text.sentence()}</div>"
        return f"<div class=side>{text.paragraphs(2)}{formula}{text.paragraphs(1)}{formula}{note}</div>"

    return [
        f"<section class=paper><div class=head>The harbour in winter</div>{side(2 * page - 1)}{side(2 * page)}"
        f"<div class=number>{page}</div></section>"
        for page in range(1, 6)
    ]


def ragged():
    return [page.replace("class=two", 'class="two ragged"') for page in columns("two", 3)[:7]]


def beside():
    """A box next to running text, which continues below it."""
    text = Text("beside")
    main = lambda: text.paragraphs(2)
    box = f"<aside><p>{text.sentence()}</p><p>{text.sentence()}</p><p>{text.sentence()}</p></aside>"
    return [f"<section>{text.title()}{box}{main()}</section>"]


FIELDS = [
    ("Given names and surname", "Lantern of the winter harbour"), ("Date of birth", "The fourth of November"),
    ("Street and number of the house", "Garden lane 12, third floor"), ("Town and postal code", "Harbour hill 54321"),
    ("Reason for this application", "A window that does not close"), ("Telephone in the daytime", "Not given"),
    ("Language of the answer", "English, or any other of the country"), ("Place and date", "Here, today"),
]  # fmt: skip


def form():
    rows = "".join(f"<div><b>{label}</b><span>{value}</span></div>" for label, value in FIELDS)
    return [f"<section class=form><h1>Application for a new window</h1>{rows}</section>"]


def turned():
    """Pages whose text runs upwards, downwards and upside down, and one with a rotated line next to upright text."""
    text = Text("turned")
    block = lambda mode, turn: (
        f"<section><div style='writing-mode: {mode}; transform: rotate({turn}deg); height: 240mm; width: 160mm'>"
        f"<h1>{text.sentence()[:-1]}</h1>{text.paragraphs(4)}</div></section>"
    )
    stamp = (
        "<section style='position: relative'><div style='padding-left: 12mm'>"
        f"{text.paragraphs(9)}</div><div style='position: absolute; left: 0; top: 40mm; writing-mode: vertical-rl;"
        f" transform: rotate(180deg)'>{text.sentence()}</div></section>"
    )
    return [block("vertical-rl", 180), block("vertical-rl", 0), block("horizontal-tb", 180), stamp]


def words(page):
    lines = re.sub(r"<[^>]*>", " ", page).split()
    return " ".join(lines)


def make(name, pages, folder):
    markup = f"<!DOCTYPE html><html lang=en><meta charset=utf-8><style>{STYLE}</style>{''.join(pages)}</html>"
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "page.html"
        source.write_text(markup, encoding="utf-8")
        subprocess.run(
            [
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                f"--print-to-pdf={folder / name}.pdf", source.as_uri(),
            ],
            check=True,
            capture_output=True,
        )  # fmt: skip
    (folder / f"{name}.txt").write_text("\f".join(words(page) for page in pages) + "\n", encoding="utf-8")


folder = pathlib.Path(__file__).parent / "columns"
folder.mkdir(exist_ok=True)
make("two", columns("two", 3), folder)
make("three", columns("three", 3), folder)
make("paper", paper(), folder)
make("ragged", ragged(), folder)
make("beside", beside(), folder)
make("form", form(), folder)
make("turned", turned(), folder)

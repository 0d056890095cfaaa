#!/usr/bin/env python3
"""Draws pages with two columns as LaTeX and Word set them, and writes their words in reading order.

LaTeX draws justified lines without spaces, with words divided at their ends, a narrow gutter into which some lines
reach, raised marks of notes and what is across both columns at the top. Word draws ragged lines word by word with
spaces, also behind the last of each line, and cells of tables one by one. The results are in columns/, beside those
that Chromium prints. Form feeds separate the pages in the words. To make them again:

    Tests/Fixtures/make-typeset.py
"""

import pathlib
import random
import re
import zlib

WORDS = (
    "the of and a harbour winter lantern remember tomorrow between mountain quietly extraordinary river although"
    " continued without shadow morning considerable question answered traveller never window garden people understand"
    " important themselves another thousand nothing beautiful distance evening something carefully it was she he had"
    " from with kettle orchard ladder weather barley compass drizzle engine feather gravel hammer island jacket office"
).split()
DIVIDED = re.compile(r"[aeiou][b-df-hj-np-tv-xz](?=[b-df-hj-np-tv-z][aeiou])")
LIGATURES = {"ffi": "\x03", "ff": "\x01", "fi": "\x02"}
NARROW, WIDE = "ijlt.,:;|'[]()-frI", "mwMW"
WHITE = 0.333  # of a space, in parts of the size
LEAST = 0.25  # of a space in a full line
RAISED = 7  # points: of a note's mark


def width_of(character):
    """In thousandths of the size, as in a common serif font."""
    if character == "\x03":
        return 800
    if character in "\x01\x02":
        return 560
    if character in NARROW:
        return 300
    if character in WIDE:
        return 760
    return 660 if character.isupper() else 250 if character == " " else 475


def width(text, size):
    return sum(map(width_of, text)) * size / 1000


def joined(text):
    for letters, one in LIGATURES.items():
        text = text.replace(letters, one)
    return text


def escaped(text):
    text = re.sub(r"([\\()])", r"\\\1", text)
    return "".join(character if " " <= character <= "~" else f"\\{ord(character):03o}" for character in text)


class Text:
    """Sentences of words chosen by a seed."""

    def __init__(self, seed):
        self.numbers = random.Random(seed)

    def sentence(self, least=6, most=16):
        words = [self.numbers.choice(WORDS) for _ in range(self.numbers.randint(least, most))]
        return " ".join(words).capitalize() + "."

    def title(self, most=6):
        return self.sentence(3, most)[:-1]

    def paragraph(self, least=3, most=8):
        return " ".join(self.sentence() for _ in range(self.numbers.randint(least, most)))


class Page:
    """The operators of a page and its words, in reading order."""

    def __init__(self, is_overfull=False):
        self.operators = []
        self.words = []
        # Whether some lines reach into the gutter, as where LaTeX finds no place to divide a word.
        self.is_overfull = is_overfull

    def draw(self, font, size, x, y, parts):
        """Draws strings and the space behind each but the last, in thousandths of the size."""
        shown = "".join(f"({escaped(one)})" if isinstance(one, str) else f"{one:.0f}" for one in parts)
        self.operators.append(f"BT /{font} {size} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm [{shown}]TJ ET")

    def rule(self, x, y, length, height=0.4):
        self.operators.append(f"{x:.2f} {y:.2f} {length:.2f} {height:.2f} re f")

    def say(self, text):
        self.words.append(text)


# LaTeX: article, twocolumn, 10 points.

PAPER, LEFT, SIDE, GUTTER = (612, 792), 72, 229.5, 10


def tex_width(word, size):
    """The width of a word, with the raised mark of a note behind “^”."""
    plain, _, mark = word.partition("^")
    return width(joined(plain), size) + width(mark, RAISED)


def tex_line(page, words, size, x, y, room=None, font="R", is_last=False):
    """A line without spaces; `room` is the width that it is stretched to, or that the last of a paragraph does not exceed."""
    natural = sum(tex_width(word, size) for word in words)
    white = WHITE * size
    if room is not None and len(words) > 1:
        even = (room - natural) / (len(words) - 1)
        if not is_last or not page.is_overfull:
            white = min(white, even) if is_last else even
    parts, start = [], x
    for word in words:
        plain, _, mark = word.partition("^")
        plain = joined(plain)
        parts += [plain[:1], 55, plain[1:]] if re.match("[TVWA][aeo]", plain) and font == "R" else [plain]
        x += width(plain, size)
        if mark:
            page.draw(font, size, start, y, parts)
            page.draw(font, RAISED, x, y + 3.6, [mark])
            x += width(mark, RAISED) + white
            parts, start = [], x
        else:
            parts.append(-1000 * white / size)
            x += white
    if parts:
        page.draw(font, size, start, y, parts[:-1])


def tex_lines(words, size, room, indent):
    """Lines of words as TeX breaks them, each with whether the paragraph ends with it."""
    lines, line, used = [], [], indent
    words = list(words)
    while words:
        word = words.pop(0)
        wide = tex_width(word, size)
        if used + wide <= room:
            line.append(word)
            used += wide + LEAST * size
            continue
        for found in reversed(list(DIVIDED.finditer(word))) if len(word) > 7 and "^" not in word else ():
            head = word[: found.end()] + "-"
            if used + width(joined(head), size) <= room:
                line.append(head)
                words.insert(0, word[found.end() :])
                break
        else:
            words.insert(0, word)
        lines.append((line, False))
        line, used = [], 0
    lines.append((line, True))
    return lines


class Column:
    def __init__(self, page, x, top, bottom, width=SIDE):
        self.page, self.x, self.y, self.bottom, self.width = page, x, top, bottom, width

    @property
    def room(self):
        return self.y - self.bottom

    def paragraph(self, text, size=10, step=12, indent=10, hanging=0, mark=None):
        """Sets a paragraph; `mark` is that of a note behind its first sentence."""
        if mark is not None:
            text = text.replace(".", f".^{mark}", 1)
        self.page.say(text.replace("^", " "))
        start, room = self.x + hanging + indent, self.width - hanging - indent
        for line, is_last in tex_lines(text.split(), size, self.width - hanging, indent):
            tex_line(self.page, line, size, start, self.y, room, is_last=is_last)
            self.y -= step
            start, room = self.x + hanging, self.width - hanging

    def heading(self, number, text, size=14.3):
        self.y -= 10
        self.page.say(f"{number} {text}")
        tex_line(self.page, [number], size, self.x, self.y, font="B")
        tex_line(self.page, text.split(), size, self.x + width(number, size) + size, self.y, font="B")
        self.y -= 18

    def formula(self, number):
        self.y -= 6
        left, right = "f(x) = ax + by", f"({number})"
        self.page.say(f"{left} {right}")
        tex_line(self.page, left.split(), 10, self.x + self.width / 2 - width(left, 10) / 2, self.y, font="I")
        tex_line(self.page, [right], 10, self.x + self.width - width(right, 10), self.y)
        self.y -= 18

    def item(self, text):
        self.page.say("\u2022")
        self.page.draw("R", 10, self.x + 15, self.y, ["\x04"])
        self.paragraph(text, indent=0, hanging=25)

    def reference(self, number, text):
        label = f"[{number}]"
        self.page.say(label)
        self.page.draw("R", 10, self.x, self.y, [label])
        self.paragraph(text, indent=0, hanging=20)
        self.y -= 4

    def notes(self, notes):
        """Sets notes at the foot of the column; call it last."""
        lines = [(mark, tex_lines(text.split(), 8, self.width, 10)) for mark, text in notes]
        y = self.bottom - 9.5 * (1 - sum(len(one) for _, one in lines))
        self.page.rule(self.x, y + 9, 0.4 * self.width)
        for (mark, text), (_, set_lines) in zip(notes, lines):
            self.page.say(f"{mark} {text}")
            for index, (line, is_last) in enumerate(set_lines):
                start = self.x + (10 if index == 0 else 0)
                if index == 0:
                    self.page.draw("R", 6, start - 4, y + 2.8, [mark])
                tex_line(self.page, line, 8, start, y, self.x + self.width - start, is_last=is_last)
                y -= 9.5


def centred(page, text, size, y, font="R", left=LEFT, room=2 * SIDE + GUTTER):
    page.say(text)
    tex_line(page, text.split(), size, left + (room - width(joined(text), size)) / 2, y, font=font)


def wide_caption(page, text, words, y):
    """A picture across both columns and the words below it; the height that is left."""
    page.operators.append(f"{LEFT + 40} {y - 100} {2 * SIDE + GUTTER - 80} 100 re S")
    y -= 116
    caption = f"Figure {words}: {text.sentence()} {text.sentence()}"
    page.say(caption)
    for line, is_last in tex_lines(caption.split(), 10, 2 * SIDE + GUTTER, 0):
        tex_line(page, line, 10, LEFT, y, 2 * SIDE + GUTTER, is_last=is_last)
        y -= 12
    return y - 14


def tex_table(column, text, number):
    """A table of one column's width with its words above it, between rules."""
    column.paragraph(f"Table {number}: {text.title()}.", indent=30)
    places = [0, 80, 130, 180]
    column.page.rule(column.x, column.y + 9, column.width)
    for _ in range(5):
        cells = [text.numbers.choice(WORDS), *(f"{text.numbers.randint(10, 99)}.{text.numbers.randint(0, 9)}" for _ in range(3))]
        column.page.say(" ".join(cells))
        for place, cell in zip(places, cells):
            tex_line(column.page, [cell], 10, column.x + place, column.y)
        column.y -= 12
    column.page.rule(column.x, column.y + 9, column.width)
    column.y -= 8


def fill(column, text, least=40, mark=None):
    """Sets paragraphs until less than `least` points are left."""
    while column.room > least:
        before = column.y
        column.paragraph(text.paragraph(2, 4), mark=mark)
        mark = None
        if column.y < column.bottom:
            raise SystemExit(f"A column is too long by {column.bottom - column.y} points, of {before}.")


def latex():
    pages = []
    for number in range(1, 7):
        page = Page(is_overfull=number in (2, 5))
        text = Text(f"latex 7 {number}")
        top, bottom = 710, 90
        if number == 1:
            centred(page, text.title(), 17.2, 690)
            authors = [("Anna Lantern", "Harbour Office", "anna at harbour"), ("Bert Orchard", "Island Garden", "bert at island")]
            for place, lines in enumerate(authors):
                for row, line in enumerate(lines):
                    centred(page, line, 12, 655 - 14 * row, left=LEFT + 70 + place * 170, room=160)
            centred(page, "November 2026", 12, 600)
            top = 570
        elif number in (2, 3):
            top = wide_caption(page, text, number - 1, 720)
        left = Column(page, LEFT, top, bottom)
        right = Column(page, LEFT + SIDE + GUTTER, top, bottom)
        marks = [str(2 * number - 1), str(2 * number)]
        if number == 1:
            centred(page, "Abstract", 12, left.y, "B", LEFT, SIDE)
            left.y -= 18
            left.paragraph(text.paragraph(3, 4), 9, 11, 9)
            left.heading("1", text.title(3))
        if number == 4:
            left.heading("2", text.title(3))
            for _ in range(3):
                left.item(text.sentence(10, 20))
            left.formula(1)
        fill(left, text, 140, marks[0] if number in (2, 4) else None)
        if number in (2, 4):
            left.notes([(marks[0], f"{text.sentence()} {text.sentence()}")])
        if number == 3:
            tex_table(right, text, 1)
        if number == 5:
            right.paragraph(text.paragraph(2, 3))
            right.formula(2)
            right.heading("3", text.title(3))
        if number == 6:
            right.heading("4", "References")
            for one in range(1, 9):
                right.reference(one, f"{text.sentence()} {text.sentence(3, 5)}")
        else:
            fill(right, text, 140, marks[1] if number == 3 else None)
        if number == 3:
            right.notes([(marks[1], text.sentence())])
        centred(page, str(number), 10, 50)
        pages.append(page)
    return pages


# Word: letter paper, columns half an inch apart, lines drawn word by word.

WORD_SIDE, WORD_GUTTER, INCH = 216, 36, 72


def word_run(page, text, size, x, y, font="H"):
    """Draws a run as Word does: words with the space behind them, some cut within, and a space at the end."""
    parts = []
    for index, word in enumerate(text.split()):
        if index % 3 == 2 and len(word) > 4:
            parts += [word[:2], 3, word[2:] + " ", -2]
        else:
            parts += [word + " ", 2]
    page.operators.append("/P <</MCID 0>> BDC")
    page.draw(font, size, x, y, parts)
    page.operators.append("EMC")


def word_lines(text, size, room):
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if width(longer, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


class WordColumn:
    def __init__(self, page, x, top, bottom, width):
        self.page, self.x, self.y, self.bottom, self.width = page, x, top, bottom, width

    def paragraph(self, text, size=11.04, font="H", after=8, mark=None):
        self.page.say(text if mark is None else f"{text} {mark}")
        for line in word_lines(text, size, self.width):
            word_run(self.page, line, size, self.x, self.y, font)
            self.y -= 1.22 * size
        if mark is not None:
            self.page.draw(font, RAISED, self.x + width(line, size), self.y + 1.22 * size + 4, [mark])
        self.y -= after

    def blank(self):
        """A paragraph without words, which Word draws as a space."""
        self.page.draw("H", 11.04, self.x, self.y, [" "])
        self.y -= 21

    def fill(self, text):
        while self.y - self.bottom > 130:
            self.paragraph(text.paragraph(2, 4))


def word_columns(page, text, top, bottom):
    """Two columns of paragraphs; returns where they end."""
    ends = []
    for place in range(2):
        column = WordColumn(page, INCH + place * (WORD_SIDE + WORD_GUTTER), top, bottom, WORD_SIDE)
        column.fill(text)
        ends.append(column.y)
    return min(ends)


def word_table(page, text, y, rows=6, wraps=False):
    """A table across both columns, with borders and a line of words above it; returns where it ends."""
    whole = WordColumn(page, INCH, y, 0, 2 * WORD_SIDE + WORD_GUTTER)
    whole.paragraph(f"Table {text.numbers.randint(1, 9)}: {text.title()}", 9, "HB")
    y = whole.y
    room = whole.width / 4
    for row in range(rows):
        cells = [text.title(4) if row == 0 else f"{text.numbers.choice(WORDS)} {text.numbers.randint(100, 999)}" for _ in range(4)]
        if wraps and row in (2, 4):
            cells[3] = text.sentence(9, 12)
        lines = [word_lines(cell, 9, room - 11) for cell in cells]
        height = 13.5 * max(map(len, lines))
        for place, cell in enumerate(lines):
            page.say(" ".join(cell))
            page.rule(INCH + place * room, y + 11, room, 0.5)
            for index, line in enumerate(cell):
                word_run(page, line, 9, INCH + place * room + 5.4, y - 11 * index, "HB" if row == 0 else "H")
        y -= height
    page.rule(INCH, y + 11, whole.width, 0.5)
    return y - 20


def word():
    text = Text("word")
    pages = []
    for number in range(1, 6):
        page = Page()
        head = WordColumn(page, INCH, 750, 0, 2 * WORD_SIDE)
        head.paragraph("The harbour in winter", 9)
        y = 700
        if number == 1:
            whole = WordColumn(page, INCH, y, 0, 2 * WORD_SIDE + WORD_GUTTER)
            whole.paragraph(f"{text.title()} and {text.title()}", 20, "HB")
            whole.paragraph("Anna Lantern and Bert Orchard, Harbour Office", 11.04)
            whole.blank()
            word_columns(page, text, whole.y, 110)
        elif number == 2:
            y = word_columns(page, text, y, 430)
            y = word_table(page, text, y - 6)
            word_columns(page, text, y, 60)
        elif number == 3:
            y = word_table(page, text, y, 8, wraps=True)
            word_columns(page, text, y, 110)
        elif number == 4:
            y = word_columns(page, text, y, 330)
            word_table(page, text, y - 6, 7, wraps=True)
        else:
            left = WordColumn(page, INCH, y, 150, WORD_SIDE)
            left.paragraph(text.title(4), 13, "HB", 4)
            left.paragraph(text.paragraph(2, 3), mark="1")
            left.fill(text)
            foot = WordColumn(page, INCH, 120, 0, WORD_SIDE)
            page.rule(INCH, 134, 144, 0.6)
            page.draw("H", 6, INCH, 123, ["1"])
            foot.x += 5
            page.say("1")
            foot.paragraph(text.sentence(), 9)
            WordColumn(page, INCH + WORD_SIDE + WORD_GUTTER, y, 110, WORD_SIDE).fill(text)
        WordColumn(page, INCH, 40, 0, 2 * WORD_SIDE).paragraph(f"Page {number} of 5", 9)
        pages.append(page)
    return pages


def font(name):
    """A font with letters that are joined at the codes below 32 where LaTeX has them."""
    widths = " ".join(str(width_of(chr(code))) for code in range(1, 127))
    joins = "/Differences[1/ff/fi/ffi/bullet]"
    return (
        f"<</Type/Font/Subtype/Type1/BaseFont/{name}/FirstChar 1/LastChar 126/Widths[{widths}]"
        f"/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding{joins}>>>>"
    )


FONTS = {"R": "Times-Roman", "B": "Times-Bold", "I": "Times-Italic", "H": "Helvetica", "HB": "Helvetica-Bold"}


def make(name, pages, folder):
    fonts = list(FONTS)
    used = "".join(f"/{one} {3 + index} 0 R" for index, one in enumerate(fonts))
    first = 3 + len(fonts)
    kids = " ".join(f"{first + 2 * index} 0 R" for index in range(len(pages)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode()]
    objects += [font(FONTS[one]).encode() for one in fonts]
    for index, page in enumerate(pages):
        content = zlib.compress("\n".join(page.operators).encode(), 9)
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {PAPER[0]} {PAPER[1]}]/Contents {first + 2 * index + 1} 0 R"
            f"/Resources<</Font<<{used}>>>>>>".encode()
        )
        objects.append(b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(content), content))
    file = b"%PDF-1.5\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(file)}\n%%EOF\n"
    file += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()
    (folder / f"{name}.pdf").write_bytes(file)
    (folder / f"{name}.txt").write_text("\f".join(" ".join(page.words) for page in pages) + "\n", encoding="utf-8")


folder = pathlib.Path(__file__).parent / "columns"
make("latex", latex(), folder)
make("word", word(), folder)

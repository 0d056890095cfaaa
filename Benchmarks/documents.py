"""The parts of the benchmark that read documents, compared with pdftotext, and how accurate their text is.

The documents are generated from Benchmarks/text.txt. The text of `Benchmarks/documents/*.txt` was checked by eye
against the pages of the files of the same name in the corpus at ECHOTEXT_TEST_DATA.
"""

import difflib
import os
import pathlib
import shutil
import subprocess
import zipfile

import measure
from bench import say
from measure import Failed
from ours import OUR_ENVIRONMENT, PROGRAM, ROOT, SCRATCH, WARM_PROGRAM
from table import Row, median
from web import Server

PAGES, COLUMNS, ROWS = 500, 76, 44
MEMORY = 300  # megabytes, maximum
AGREEMENT = 0.97  # share of all words, minimum
# The environment of a reader's worker.
TUNED = {**OUR_ENVIRONMENT, "GLIBC_TUNABLES": "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=65000"}


def words():
    text = (ROOT / "Benchmarks/text.txt").read_text(encoding="utf-8")
    known = text.translate(str.maketrans("“”‘’–—…", "\"\"''--.")).split()
    return [word for word in known if word.isascii()]


def set_lines(count):
    """Lines of words; words that do not fit are hyphenated."""
    source, lines, line, at = words(), [], "", 0
    while len(lines) < count:
        word, at = source[at % len(source)], at + 1
        room = COLUMNS - len(line) - 2
        if len(line) + len(word) + 1 <= COLUMNS:
            line = f"{line} {word}".strip()
        elif word.isalpha() and len(word) > 6 and room > 2 and len(word) - room > 2:
            lines.append(f"{line} {word[:room]}-")
            line = word[room:]
        else:
            lines.append(line)
            line = word
    return lines


def pdf():
    """A PDF of 500 pages with running head, page numbers and hyphenated words."""
    path = SCRATCH / f"{PAGES}-pages.pdf"
    if path.exists():
        return path

    def quoted(text):
        return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")

    lines = set_lines(PAGES * ROWS)
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(PAGES))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {PAGES}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>",
    ]
    for page in range(PAGES):
        shown = ["BT /F 11 Tf 14 TL 54 740 Td", "(The Weather Almanac) Tj T* T*"]
        shown += [f"({quoted(line)}) Tj T*" for line in lines[page * ROWS : (page + 1) * ROWS]]
        content = "\n".join([*shown, f"T* ({page + 1}) Tj ET"])
        font = "/Resources<</Font<</F 3 0 R>>>>"
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]{font}/Contents {5 + 2 * page} 0 R>>")
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    file, places = b"%PDF-1.4\n", []
    pieces = [file]
    length = len(file)
    for number, content in enumerate(objects, 1):
        places.append(length)
        pieces.append(f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1"))
        length += len(pieces[-1])
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    pieces.append(f"xref\n0 {size}\n0000000000 65535 f \n{table}".encode())
    pieces.append(f"trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{length}\n%%EOF".encode())
    path.write_bytes(b"".join(pieces))
    return path


def epub():
    """A book of 5 MB of text in 50 chapters."""
    path = SCRATCH / "5-mb.epub"
    if path.exists():
        return path
    source, chapters, at = words(), [], 0
    for chapter in range(50):
        body, size = [f"<h1>Chapter {chapter + 1}</h1>"], 0
        while size < 100_000:
            some = " ".join(source[(at + offset) % len(source)] for offset in range(90))
            at, size = at + 90, size + len(some)
            body.append("<p>" + some.replace("&", "&amp;").replace("<", "&lt;") + "</p>")
        chapters.append("\n".join(body))
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(50))
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(50))
    package = f"""<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata
        xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Almanac</dc:title></metadata>
        <manifest>{items}</manifest><spine>{spine}</spine></package>"""
    container = """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
        <rootfile full-path="package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml", container)
        book.writestr("package.opf", package)
        for number, body in enumerate(chapters):
            page = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head><body>{body}</body></html>'
            book.writestr(f"c{number}.xhtml", page)
    return path


def text():
    """100 MB of plain text."""
    path = SCRATCH / "100-mb.txt"
    if path.exists():
        return path
    paragraph = (ROOT / "Benchmarks/text.txt").read_bytes().strip() + b"\n\n"
    with open(path, "wb") as target:
        for _ in range(99_999_000 // len(paragraph)):
            target.write(paragraph)
    return path


def ours(mode, path, *more):
    return [WARM_PROGRAM, mode, "--in", path, *more]


def documents(bench):
    if not bench.wanted(f"PDF of {PAGES} pages"):
        return
    paper, book, plain, out = pdf(), epub(), text(), SCRATCH / "document.txt"
    taken, note = bench.in_turn(
        f"PDF of {PAGES} pages",
        lines=lambda: measure.run(ours("document-lines", paper, "--out", out), env=TUNED),
        whole=lambda: measure.run(ours("document", paper, "--out", out), env=TUNED),
        pdftotext=lambda: measure.run(["pdftotext", paper, out]),
        memory=lambda: measure.peak_memory(ours("document-worker", paper), env=OUR_ENVIRONMENT),
    )
    peer = median(taken["pdftotext"])
    bench.add(
        Row(f"PDF of {PAGES} pages, text: pdftotext", "s", median(taken["lines"]), peer, "share", 1.5, note),
        Row(f"PDF of {PAGES} pages, text made clean: pdftotext", "s", median(taken["whole"]), peer, "share", 4, note),
        Row(f"PDF of {PAGES} pages: memory with its worker", "MB", median(taken["memory"]), None, "limit", MEMORY, note),
    )
    taken, note = bench.in_turn(
        "EPUB of 5 MB, text of 100 MB",
        book=lambda: measure.run(ours("document", book)),
        plain=lambda: measure.run(ours("document", plain)),
    )
    bench.add(
        Row("EPUB of 5 MB of text", "s", median(taken["book"]), None, "limit", 1, note),
        Row("text of 100 MB", "s", median(taken["plain"]), note=note),
    )


def imports(bench):
    """Imports 100 MB of text into a library, with the command and through the page's server."""
    name = "text of 100 MB imported"
    if not bench.wanted(name):
        return
    plain = text()
    taken, note = bench.in_turn(name, command=lambda: import_memory(plain), server=lambda: upload_memory(plain))
    bench.add(
        Row(f"{name} by the command: memory", "MB", median(taken["command"]), None, "limit", MEMORY, note),
        Row(f"{name} by the page: memory", "MB", median(taken["server"]), None, "limit", MEMORY, note),
    )


def import_memory(path):
    """Peak megabytes of `echotext import` and all its children, with a new library."""
    home = SCRATCH / "import-home"
    shutil.rmtree(home, ignore_errors=True)
    runtime = home / "run"
    runtime.mkdir(parents=True, mode=0o700)
    places = {name: str(home / name.lower()) for name in ("ECHOTEXT_LIBRARY", "ECHOTEXT_DEVICE")}
    environment = {**OUR_ENVIRONMENT, **places, "XDG_RUNTIME_DIR": str(runtime), "ECHOTEXT_TPM": "none"}
    return measure.peak_memory([PROGRAM, "import", path], env=environment)


def upload_memory(path):
    """Peak megabytes of the server and all its children, from its start to the answer."""
    with Server() as server, open(path, "rb") as file:
        connection = server.connect()
        connection.timeout = 600
        headers = {
            "Host": server.host,
            "Cookie": server.cookie,
            "Content-Type": "application/octet-stream",
            "Content-Length": str(os.path.getsize(path)),
        }
        connection.request("POST", "/api/documents?name=text.txt", file, headers)
        status = connection.getresponse().status
        if status != 201:
            raise Failed(f"the file was answered with {status}")
        peaks = [measure.high_water_mark(process) or 0 for process in measure.descendants({server.process.pid})]
        return sum(peaks) / 1e6


def quality(bench):
    """The share of words of the hand-checked texts that are found in order."""
    if not bench.wanted("words of other people's documents"):
        return
    folder = os.environ.get("ECHOTEXT_TEST_DATA")
    if not folder:
        say("no corpus: ECHOTEXT_TEST_DATA names no folder; how well text is taken is not measured")
        return
    for checked in sorted((ROOT / "Benchmarks/documents").glob("*.txt")):
        found = list(pathlib.Path(folder, "corpus").glob(f"*/{checked.stem}"))
        if not found:
            continue
        expected = bare(checked.read_text(encoding="utf-8"))
        out, peer = SCRATCH / "document.txt", SCRATCH / "pdftotext.txt"
        measure.run(ours("document", found[0], "--out", out))
        figure = agreement(expected, out)
        other = None
        if checked.stem.endswith(".pdf"):
            subprocess.run(["pdftotext", found[0], peer], check=False, stderr=subprocess.DEVNULL)
            other = agreement(expected, peer)
        say(f"  {checked.stem}: {figure:.1%} of {len(expected)} words; pdftotext {f'{other:.1%}' if other else '–'}")
        wrong = (1 - figure) * 100
        peer_wrong = None if other is None else (1 - other) * 100
        bench.add(
            Row(f"words wrong: {checked.stem}", "%", wrong, peer_wrong, "limit", (1 - AGREEMENT) * 100, "ours, pdftotext")
        )


def agreement(expected, path):
    """The share of words that both texts have in the same place."""
    taken = bare(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"))
    return difflib.SequenceMatcher(None, expected, taken, autojunk=False).ratio()


def bare(text):
    """The words of a text without surrounding punctuation, which varies in tables."""
    return [word for word in (word.strip(".,;:()[]") for word in text.split()) if word]

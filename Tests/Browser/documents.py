"""Generated documents for the tests: a PDF with pages, an outline and page numbers, an EPUB, texts."""

import hashlib
import io
import pathlib
import zipfile

WORDS = (
    "The keeper climbed the stairs every evening and lit the lamp. "
    "Below him the sea went out and came back as it had always done. "
    "He wrote the hour into his book and listened to the wind. "
)


def pdf(pages: list[list[str]], chapters: dict[str, int] | None = None) -> bytes:
    """A PDF whose pages have these lines, or none; `chapters` are the outline's page numbers, from 1."""
    objects: list[bytes] = []

    def add(content: str | bytes) -> int:
        objects.append(content.encode("latin-1") if isinstance(content, str) else content)
        return len(objects)

    chapters = chapters or {}
    catalog, tree, font = add(""), add(""), add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    numbers = []
    for lines in pages:
        drawn = "".join(f"BT /F1 {size} Tf {x} {y} Td ({escaped(text)}) Tj ET\n" for text, x, y, size in placed(lines))
        stream = add(f"<< /Length {len(drawn)} >>\nstream\n{drawn}endstream")
        numbers.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Contents {stream} 0 R "
                f"/Resources << /Font << /F1 {font} 0 R >> >> >>"
            )
        )
    outline = ""
    if chapters:
        root = len(objects) + 1
        entries = [root + 1 + index for index in range(len(chapters))]
        add(f"<< /Type /Outlines /First {entries[0]} 0 R /Last {entries[-1]} 0 R /Count {len(entries)} >>")
        for index, (title, page) in enumerate(chapters.items()):
            around = (f" /Prev {entries[index - 1]} 0 R" if index else "") + (
                f" /Next {entries[index + 1]} 0 R" if index + 1 < len(entries) else ""
            )
            add(f"<< /Title ({escaped(title)}) /Parent {root} 0 R /Dest [{numbers[page - 1]} 0 R /XYZ 0 842 0]{around} >>")
        outline = f" /Outlines {root} 0 R"
    objects[catalog - 1] = f"<< /Type /Catalog /Pages {tree} 0 R{outline} >>".encode()
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[tree - 1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} >>".encode()
    return written(objects)


# The padding of a password: PDF 32000-1:2008, algorithm 2.
FILLING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    other = 0
    for index in range(256):
        other = (other + state[index] + key[index % len(key)]) % 256
        state[index], state[other] = state[other], state[index]
    out = bytearray()
    index = other = 0
    for byte in data:
        index = (index + 1) % 256
        other = (other + state[index]) % 256
        state[index], state[other] = state[other], state[index]
        out.append(byte ^ state[(state[index] + state[other]) % 256])
    return bytes(out)


def locked_pdf(pages: list[list[str]], password: str) -> bytes:
    """A PDF whose pages have these lines, and that needs a password: the standard security handler, revision 2."""
    filled = (password.encode() + FILLING)[:32]
    owner = rc4(hashlib.md5(filled).digest()[:5], filled)
    name, rights = b"echotext-testing", (-4).to_bytes(4, "little", signed=True)
    key = hashlib.md5(filled + owner + rights + name).digest()[:5]
    guard = b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (
        owner.hex().encode(),
        rc4(key, FILLING).hex().encode(),
    )
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", guard]
    numbers = []
    for lines in pages:
        drawn = "".join(f"BT /F1 {size} Tf {x} {y} Td ({escaped(text)}) Tj ET\n" for text, x, y, size in placed(lines)).encode()
        stream = len(objects) + 1
        sealed = rc4(hashlib.md5(key + stream.to_bytes(3, "little") + b"\0\0").digest()[:10], drawn)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(sealed), sealed))
        numbers.append(stream + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % stream
        )
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} >>".encode()
    return written(objects, b" /Encrypt 4 0 R /ID [<%s> <%s>]" % (name.hex().encode(), name.hex().encode()))


def placed(lines: list[str]) -> list[tuple[str, int, int, int]]:
    """The first line is a running header, the last a page number, those between are text."""
    if not lines:
        return []
    header, *text, foot = lines
    rows = [(header, 72, 805, 9), (foot, 290, 30, 9)]
    return rows + [(line, 72, 740 - 16 * index, 12) for index, line in enumerate(text)]


def escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def written(objects: list[bytes], more: bytes = b"") -> bytes:
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer << /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, more, table))
    return out.getvalue()


def lighthouse(pages: int = 6) -> bytes:
    """A book about the sea: each page names itself, and two chapters share the pages."""
    content = []
    for number in range(1, pages + 1):
        lines = [f"This is what stands on sheet {number} of the book.", *(line + "." for line in WORDS.split(". ") if line)]
        lines = [line.replace("..", ".").strip() for line in lines]
        content.append(["The Lighthouse", *lines, str(number)])
    return pdf(content, {"Morning": 1, "Evening": pages // 2 + 1})


def epub(title: str, chapters: list[tuple[str, str]]) -> bytes:
    """An EPUB 3 with a file and a navigation entry for each chapter."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        file.writestr(
            "META-INF/container.xml",
            '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        names = [f"c{index}.xhtml" for index in range(len(chapters))]
        items = "".join(f'<item id="c{i}" href="{name}" media-type="application/xhtml+xml"/>' for i, name in enumerate(names))
        spine = "".join(f'<itemref idref="c{i}"/>' for i in range(len(names)))
        file.writestr(
            "book.opf",
            '<package version="3.0" unique-identifier="id" xmlns="http://www.idpf.org/2007/opf">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:echotext:test</dc:identifier>'
            f"<dc:title>{title}</dc:title><dc:language>en</dc:language>"
            '<meta property="dcterms:modified">2024-01-01T00:00:00Z</meta></metadata>'
            '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
            f"{items}</manifest><spine>{spine}</spine></package>",
        )
        links = "".join(f'<li><a href="{name}">{heading}</a></li>' for name, (heading, _) in zip(names, chapters))
        file.writestr("nav.xhtml", page(f'<nav epub:type="toc"><ol>{links}</ol></nav>'))
        for name, (heading, text) in zip(names, chapters):
            file.writestr(name, page(f"<h1>{heading}</h1><p>{text}</p>"))
    return out.getvalue()


def page(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Page</title></head><body>{body}</body></html>'
    )


def samples(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """A book of pages, a book of chapters and a text, as files."""
    files = {
        "Lighthouse.pdf": lighthouse(),
        "Harbour.epub": epub("Harbour", [("Arrival", "The boat came in at noon. Gulls circled the mast."), ("Tea", "The tea was strong. Ida laughed.")]),
        "Notes.txt": b"First the bakery.\n\nThen the library, where the albatross hangs.\n",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return {name: folder / name for name in files}

#!/usr/bin/python3
"""Makes archives of voices: some valid, and some hostile, each in its own way.

    make-archives.py FOLDER

reads FOLDER/vits-piper-en_US-fixture-low and writes FOLDER/archives/good/*.tar.* and
FOLDER/archives/bad/<fault>.tar.bz2. The file's name is the fault; ModelInstallationTests say what to expect of it. If
possible, every bad archive also contains a complete voice, so that only its fault can be the reason to refuse it.
"""

import bz2
import gzip
import io
import lzma
import pathlib
import shutil
import sys
import tarfile
import zipfile

NAME = "en_US-fixture-low"
HOME = f"vits-piper-{NAME}"
FILES = [f"{NAME}.onnx", f"{NAME}.onnx.json", "tokens.txt", "MODEL_CARD"]


def entry(name, kind=tarfile.REGTYPE, mode=0o644, link="", size=0):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.linkname, info.size = kind, mode, link, size
    return info


class Archive:
    """A tar archive in memory, the same every time."""

    def __init__(self, form=tarfile.GNU_FORMAT):
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=form)

    def folder(self, name, mode=0o755):
        self.tar.addfile(entry(name, tarfile.DIRTYPE, mode))
        return self

    def file(self, name, content=b"", mode=0o644):
        self.tar.addfile(entry(name, mode=mode, size=len(content)), io.BytesIO(content))
        return self

    def other(self, name, kind, link="", mode=0o644):
        self.tar.addfile(entry(name, kind, mode, link))
        return self

    def voice(self, files, home=HOME):
        prefix = f"{home}/" if home else ""
        if home:
            self.folder(home)
        for name, content in files.items():
            self.file(prefix + name, content)
        return self

    def end(self):
        self.tar.close()
        return self.bytes.getvalue()


def good_archives(files):
    data = {f"{HOME}/espeak-ng-data/{number}": b"x" * 100 for number in range(20)}
    whole = Archive().voice(files)
    for name, content in data.items():
        whole.file(name, content)
    plain = whole.end()
    yield f"{HOME}.tar.bz2", bz2.compress(plain)
    yield "gzip.tar.gz", gzip.compress(plain, mtime=0)
    yield "xz.tar.xz", lzma.compress(plain)
    yield "plain.tar", plain
    yield "without-folder.tar.bz2", bz2.compress(Archive().voice(files, home="").end())
    yield "dots-before-names.tar.bz2", bz2.compress(Archive().folder("./").voice(files, home=f"./{HOME}").end())
    yield f"{HOME}-int8.tar.bz2", bz2.compress(Archive().voice(files, home=f"{HOME}-int8").end())
    yield "pax.tar.bz2", bz2.compress(Archive(tarfile.PAX_FORMAT).voice(files).end())
    hidden = Archive().voice(files).file(f"{HOME}/.gitattributes", b"*.onnx filter=lfs").file(f"._{HOME}", b"Mac OS X")
    yield "hidden-files.tar.bz2", bz2.compress(hidden.end())


def header_with(plain, offset, content):
    """`plain` with its first header changed and that header's checksum corrected."""
    header = bytearray(plain[:512])
    header[offset : offset + len(content)] = content
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + plain[512:]


def bad_tars(files):
    """The faults, each with its archive before compression."""

    def voice():
        return Archive().voice(files)

    victim = "../../../../../../../../tmp/echotext-victim"
    yield "absolute-path", voice().file("/tmp/echotext-victim", b"x").end()
    yield "parent-path", voice().file(victim, b"x").end()
    yield "parent-path-inside", voice().file(f"{HOME}/a/../../../b", b"x").end()
    yield "parent-path-alone", voice().folder("..").end()
    yield "symbolic-link-out", voice().other(f"{HOME}/passwd", tarfile.SYMTYPE, "/etc/passwd").end()
    yield "symbolic-link-inside", voice().other(f"{HOME}/other.txt", tarfile.SYMTYPE, "tokens.txt").end()
    through = Archive().other("door", tarfile.SYMTYPE, "/tmp").file("door/echotext-victim", b"x").voice(files)
    yield "write-through-a-link", through.end()
    yield "symbolic-link-as-home", Archive().other(HOME, tarfile.SYMTYPE, "/tmp").end()
    yield "hard-link-out", voice().other(f"{HOME}/passwd", tarfile.LNKTYPE, "/etc/passwd").end()
    yield "hard-link-inside", voice().other(f"{HOME}/other.txt", tarfile.LNKTYPE, f"{HOME}/tokens.txt").end()
    yield "character-device", voice().other(f"{HOME}/null", tarfile.CHRTYPE).end()
    yield "block-device", voice().other(f"{HOME}/disk", tarfile.BLKTYPE).end()
    yield "named-pipe", voice().other(f"{HOME}/pipe", tarfile.FIFOTYPE).end()
    yield "set-user-id", voice().file(f"{HOME}/run", b"#!/bin/sh\n", mode=0o4755).end()
    yield "set-group-id", voice().file(f"{HOME}/run", b"#!/bin/sh\n", mode=0o2755).end()
    yield "line-end-in-name", voice().file(f"{HOME}/a\nb", b"x").end()
    yield "escape-in-name", voice().file(f"{HOME}/\x1b[2Ja", b"x").end()
    yield "turned-name", voice().file(f"{HOME}/a\u202etxt.exe", b"x").end()
    yield "backslash-in-name", voice().file(f"{HOME}\\..\\..\\a", b"x").end()
    yield "long-name", voice().file("/".join([HOME] + ["a" * 200] * 6), b"x").end()
    yield "long-part", voice().file(f"{HOME}/" + "a" * 256, b"x").end()
    yield "deep-name", voice().file("/".join([HOME] + ["a"] * 40), b"x").end()
    yield "twice", voice().file(f"{HOME}/tokens.txt", b"x").end()
    yield "twice-with-dots", voice().file(f"./{HOME}/./tokens.txt", b"x").end()
    yield "file-as-folder", voice().file(f"{HOME}/tokens.txt/a", b"x").end()
    yield "folder-as-file", voice().file(HOME, b"x").end()
    crowd = voice()
    for number in range(5_000):
        crowd.file(f"{HOME}/{number}")
    yield "too-many-files", crowd.end()
    yield "bomb", voice().file(f"{HOME}/zeros", bytes(96 << 20)).end()
    yield "no-voice", Archive().file("readme.txt", b"Nothing to hear here.\n").end()
    yield "nothing", Archive().end()
    # A size of 2^62 bytes, in the base-256 form of GNU tar.
    huge = Archive().file(f"{HOME}/huge", b"x").end()
    yield "huge-size", header_with(huge, 124, b"\x80" + (1 << 62).to_bytes(11, "big"))
    yield "negative-size", header_with(huge, 124, b"\xff" * 12)
    yield "name-not-utf8", header_with(huge, 0, b"\xff\xfe\xfd")
    pax = Archive(tarfile.PAX_FORMAT)
    info = entry(f"{HOME}/a")
    info.pax_headers = {"comment": "x" * (64 << 20)}
    pax.tar.addfile(info)
    yield "huge-header", pax.end()


def bad_files(files):
    """The faults, each with its file."""
    for fault, plain in bad_tars(files):
        yield fault, bz2.compress(plain)
    whole = bz2.compress(Archive().voice(files).end())
    yield "cut-short", whole[: len(whole) * 3 // 4]
    middle = len(whole) // 2
    yield "changed-byte", whole[:middle] + bytes([whole[middle] ^ 0x55]) + whole[middle + 1 :]
    yield "packed-twice", bz2.compress(whole)
    yield "packed-nine-times", pack(Archive().voice(files).end(), 9)
    yield "garbage", bytes(number * 7 % 251 for number in range(100_000))
    yield "empty-file", b""
    yield "page-of-a-server", b"<!DOCTYPE html><title>404</title><h1>Not Found</h1>\n"
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr(zipfile.ZipInfo(f"{HOME}/tokens.txt"), b"x")
    yield "zip", box.getvalue()


def pack(content, times):
    for _ in range(times):
        content = gzip.compress(content, mtime=0)
    return content


def main(folder):
    voice = pathlib.Path(folder, HOME)
    files = {name: (voice / name).read_bytes() for name in FILES}
    root = pathlib.Path(folder, "archives")
    shutil.rmtree(root, ignore_errors=True)
    for kind in ["good", "bad"]:
        (root / kind).mkdir(parents=True)
    for name, content in good_archives(files):
        (root / "good" / name).write_bytes(content)
    for fault, content in bad_files(files):
        (root / "bad" / f"{fault}.tar.bz2").write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make-archives.py FOLDER")
    main(sys.argv[1])

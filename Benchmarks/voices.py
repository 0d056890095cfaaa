"""The benchmark's voice, and the part that installs it: compared with `tar` plus one load of the model."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import measure
import peers
from ours import BUILD, OUR_ENVIRONMENT, PROGRAM, ROOT, SCRATCH
from table import Row, median

NAME = "vits-piper-en_US-joe-medium"
STARTER = ROOT / ".deps/starter-voice/en_US-joe-medium.onnx"


def given():
    """The voice folder or archive that the user named; None without one."""
    named = os.environ.get("ECHOTEXT_BENCH_VOICE")
    return pathlib.Path(named) if named else None


def folder():
    """The voice's folder: the one that was named, else the natural voice that set-up downloaded."""
    return peers.bench_voice(given(), BUILD) if given() else starter()


def starter():
    """The natural voice, installed as a user does it, once per build of the program."""
    place = SCRATCH / "voices"
    voice = place / NAME
    if not voice.exists() or voice.stat().st_mtime < max(path.stat().st_mtime for path in (STARTER, PROGRAM)):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([PROGRAM, "voices", "add", STARTER], check=True, stdout=subprocess.DEVNULL, env=environment(place))
    return voice


def archive(voice):
    """The archive that was given, or one made from the voice's folder."""
    if given() and given().is_file():
        return given()
    packed = SCRATCH / f"{voice.name}.tar.bz2"
    if not packed.exists() or packed.stat().st_mtime < voice.stat().st_mtime:
        subprocess.run(["tar", "-cjf", packed, "--exclude=.*", "-C", voice.parent, voice.name], check=True)
    return packed


def environment(place):
    """An environment that installs voices into a folder, without the user's library."""
    return {**OUR_ENVIRONMENT, "ECHOTEXT_VOICES": str(place), "ECHOTEXT_LIBRARY": str(place.with_name("voices-library"))}


def installing(bench, voice):
    """`echotext voices add` of a release archive, compared with unpacking it with tar and loading the model once.

    The load is timed as the program speaking one word to a file, which adds only the program's start and some
    milliseconds.
    """
    if not bench.wanted("installing a voice"):
        return
    packed = archive(voice)
    size = packed.stat().st_size / 1e6

    def fresh(work):
        with tempfile.TemporaryDirectory(prefix="voices-", dir=SCRATCH) as place:
            return work(pathlib.Path(place))

    def ours(place):
        return measure.run([PROGRAM, "voices", "add", packed], env=environment(place / "voices"))

    def peer(place):
        unpacked = measure.run(["tar", "-xjf", packed, "-C", place, "--no-same-owner"])
        word = [PROGRAM, "speak", "Hello.", "--voice", voice, "-o", place / "word.wav"]
        return unpacked + measure.run(word, env=OUR_ENVIRONMENT)

    taken, note = bench.in_turn(
        "installing a voice",
        ours=lambda: fresh(ours),
        peer=lambda: fresh(peer),
    )
    bench.add(
        Row(
            f"installing a voice: an archive of {size:.0f} MB",
            "s",
            median(taken["ours"]),
            median(taken["peer"]),
            compare="share",
            bar=1.3,
            note=note or "beside `tar xjf` and a word spoken, which loads the model once",
        )
    )

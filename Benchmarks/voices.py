"""The part of the benchmark that installs a voice: what it measures, beside `tar` and one load of the model, and the bar."""

import pathlib
import tempfile

import measure
from ours import OUR_ENVIRONMENT, PROGRAM, SCRATCH
from table import Row, median


def installing(bench, voice, archive):
    """`echotext voices add` of a release archive, beside unpacking it with tar and loading the model once.

    The load is a word spoken by the program in a file: what is beside the load is a start of the program and some milliseconds.
    """
    if not bench.wanted("installing a voice"):
        return
    size = pathlib.Path(archive).stat().st_size / 1e6

    def fresh(work):
        with tempfile.TemporaryDirectory(prefix="voices-", dir=SCRATCH) as place:
            return work(pathlib.Path(place))

    def ours(place):
        named = {"ECHOTEXT_VOICES": place / "voices", "ECHOTEXT_LIBRARY": place / "library"}
        environment = {**OUR_ENVIRONMENT, **{name: str(path) for name, path in named.items()}}
        return measure.run([PROGRAM, "voices", "add", archive], env=environment)

    def peer(place):
        unpacked = measure.run(["tar", "-xjf", archive, "-C", place, "--no-same-owner"])
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

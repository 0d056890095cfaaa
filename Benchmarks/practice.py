"""The part of the benchmark that practices: the time to the first segment, and the gap before each later one.

Through the server alone, on its page in a browser, and in the terminal.
"""

import ctypes
import fcntl
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

import measure
from documents import PAGES, pdf
from measure import Failed
from ours import OUR_ENVIRONMENT, PROGRAM, SCRATCH, text_file
from table import Row, median
from web import Server, in_browser

FIRST, GAP = 0.3, 0.1  # seconds, maximum
# Segments are consumed this many times faster than by a person, so the next is due sooner; a page plays them in time.
SEGMENTS, PARAGRAPHS, PLAYED, FASTER = 40, 12, 20, 4
LONGEST = 15  # seconds for which a segment counts as being played: paragraphs can last for minutes
TURN = 0.5  # lengths of the segment
WORDS, TYPED, COUNTED = 1_500, 300, 60
BUILT_IN = "espeak/en-US"
CARD_RATE, CARD_BUFFER = 22_050, 4_096  # hertz of both voices, bytes
SAMPLE, HEADER = 2, 44  # bytes


class Practice:
    """A practice session through the page's server."""

    def __init__(self, server, source, voice=None, **settings):
        self.server = server
        order = {"source": source, "settings": {"echo": "off", **settings}, **({"voice": voice} if voice else {})}
        self.id = self.ask("POST", "/api/practice/sessions", order, 201)["id"]
        self.path = f"/api/practice/sessions/{self.id}"

    def ask(self, method, path, body=None, expected=200):
        answer, content = self.server.ask(method, path, body)
        if answer.status != expected:
            raise Failed(f"{path} was answered with {answer.status}")
        return json.loads(content)

    def sound(self, segment, rate=0.5):
        """When the first of a segment's sound arrived, on the monotonic clock, and the seconds of all of it."""
        answer = self.server.begin("GET", f"{self.path}/segments/{segment}/sound?rate={rate}&streamed=true")
        if answer.status != 200:
            raise Failed(f"a sound was answered with {answer.status}")
        header = answer.read(HEADER)
        sound = answer.read(SAMPLE)
        first = time.monotonic()
        sound += answer.read()
        return first, len(sound) / SAMPLE / int.from_bytes(header[24:28], "little")

    def send(self, **event):
        return self.ask("POST", f"{self.path}/events", {"events": [{"at": time.monotonic(), **event}]})["actions"]


def speech(server):
    text = text_file(WORDS).read_text(encoding="utf-8")[:9_900]
    body = {"title": "Speech", "text": text, "language": "en-US"}
    answer, content = server.ask("POST", "/api/speeches", body)
    if answer.status != 201:
        raise Failed(f"the speech was answered with {answer.status}")
    return {"kind": "speech", "id": json.loads(content)["id"]}


def document(server):
    """The document of the other measurements, imported into the server's library."""
    path = pdf()
    with open(path, "rb") as file:
        connection = server.connect()
        headers = {
            "Host": server.host,
            "Cookie": server.cookie,
            "Content-Type": "application/octet-stream",
            "Content-Length": str(os.path.getsize(path)),
        }
        connection.request("POST", "/api/documents?name=book.pdf", file, headers)
        answer = connection.getresponse()
        content = answer.read()
    if answer.status != 201:
        raise Failed(f"the document was answered with {answer.status}")
    return {"kind": "document", "id": json.loads(content)["document"]["id"]}


def first_sound(server, source, voice, granularity="sentence"):
    """Seconds from the order to the first of the first segment's sound."""
    begun = time.monotonic()
    practice = Practice(server, source, voice, granularity=granularity)
    practice.send(kind="begin")
    first, _ = practice.sound(1)
    return first - begun


def most(gaps):
    """The gap that 95 of 100 do not exceed."""
    return sorted(gaps)[int(0.95 * len(gaps))]


def gaps(server, source, voice, granularity="sentence", segments=SEGMENTS):
    """Seconds from the end of a segment to the first of the next one's sound, which 95 of 100 take at most."""
    practice = Practice(server, source, voice, granularity=granularity)
    action = next(action for action in practice.send(kind="begin") if action["kind"] == "play")
    first, seconds = practice.sound(action["segment"], action["rate"])
    taken = []
    while len(taken) < segments:
        time.sleep(max(0, first + min(seconds / FASTER, LONGEST) - time.monotonic()))
        ended = time.monotonic()
        actions = practice.send(kind="playbackFinished", token=action["token"], seconds=seconds)
        action = next((action for action in actions if action["kind"] == "play"), None)
        if action is None:
            raise Failed("the text is too short")
        first, seconds = practice.sound(action["segment"], action["rate"])
        taken.append(first - ended)
    return most(taken)


def on_the_page(server, source, voice, factor=0, segments=PLAYED):
    """Seconds from the press to the first sound, and from one segment's last sample to the next one's first.

    With a factor there is a turn after each segment, whose own length does not count. It has no tone, which would make
    it longer.
    """
    turns = {"echo": "timed", "factor": factor, "earcon": False} if factor else {}
    practice = Practice(server, source, voice, rate=1, **turns)
    heard = in_browser(server, f"/practice/sessions/{practice.id}", segments, factor)
    if heard is None:
        raise Failed("needs what “make test” sets up")
    return heard["first"], most(heard["gaps"])


def with_card(voices=None):
    """An empty folder, and the environment of a library in it, with a sound card that writes to the file `card`."""
    ctypes.CDLL("libasound.so.2")  # without it no card is found
    home = SCRATCH / "practice-home"
    shutil.rmtree(home, ignore_errors=True)
    (home / "run").mkdir(parents=True, mode=0o700)
    config = home / "asound.conf"
    card = f'type file slave.pcm {{ type null }} file "{home / "card"}" format "raw"'
    config.write_text(f"pcm.!default {{ type plug slave.pcm {{ {card} }} }}\n", encoding="utf-8")
    environment = {
        **OUR_ENVIRONMENT,
        "ECHOTEXT_LIBRARY": str(home / "library"),
        "ECHOTEXT_DEVICE": str(home / "device"),
        "ECHOTEXT_TPM": "none",
        "XDG_RUNTIME_DIR": str(home / "run"),
        "ALSA_CONFIG_PATH": str(config),
        "PULSE_SERVER": "unix:/nowhere",
        **({"ECHOTEXT_VOICES": str(voices)} if voices else {}),
    }
    # The first command makes the library.
    measure.run([PROGRAM, "practice", "history"], env=environment)
    return home, environment


def in_samples():
    """The longest gap between two segments in what the card is sent, beyond the pause that was asked for, in seconds.

    It is counted in samples, so that it depends on no clock: the card takes what it is sent at once, and a stream that
    is opened again overwrites what the one before has written. Samples of espeak-ng depend on what it has spoken
    before, which is the same in the track and in both sessions.
    """
    home, environment = with_card()
    command = [PROGRAM, "practice", "-f", text_file(COUNTED), "--language", "en-US", "--voice", BUILT_IN, "--rate", "1"]
    timed = [*command, "--echo", "timed", "--factor", "0.5"]
    track, heard = home / "track.wav", home / "card"
    answer = subprocess.run(
        [*timed, "--render", track, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    if answer.returncode != 0:
        raise Failed(f"a track ended with {answer.returncode}")
    segments, samples = json.loads(answer.stdout)["segments"], track.read_bytes()
    samples = samples[samples.index(b"data") + 8 :]
    sounds = []
    for segment in segments:
        begin = SAMPLE * round(segment["start"] * CARD_RATE)
        sounds.append(samples[begin : begin + SAMPLE * round(segment["duration"] * CARD_RATE)])
    longest = 0
    for options, pauses in (
        (timed, [round(segment["pause"] * CARD_RATE) for segment in segments]),
        ([*command, "--echo", "off"], [0] * len(segments)),
    ):
        measure.run(options, env=environment, stdin=subprocess.DEVNULL)
        sent, end = heard.read_bytes(), None
        for sound, pause in zip(sounds, [0, *pauses]):
            begin = place(sound, sent, end or 0)
            if end is not None:
                longest = max(longest, (begin - end) // SAMPLE - pause)
            end = begin + len(sound)
    return longest / CARD_RATE


def place(sound, sent, at):
    """Where a segment's sound begins in what the card was sent, from `at` on; in bytes."""
    found = sent.find(sound, at)
    while found >= 0 and found % SAMPLE:  # halves of two samples look like one
        found = sent.find(sound, found + 1)
    if found < 0:
        raise Failed("a segment was not heard in the stream of the others")
    return found


def in_the_terminal(voice, voices=None, granularity="sentence"):
    """Seconds from the command's start to its first sound, and from one segment's last sample to the next one's first.

    The sound card is a pipe, so short that its content is heard within 0.03 s.
    """
    home, environment = with_card(voices)
    pipe = home / "card"
    os.mkfifo(pipe)
    command = [PROGRAM, "practice", "-f", text_file(TYPED), "--language", "en-US", "--voice", voice, "--echo", "off"]
    command += ["--granularity", granularity]
    sound = os.open(pipe, os.O_RDWR)
    try:
        fcntl.fcntl(sound, fcntl.F_SETPIPE_SZ, CARD_BUFFER)
        with tempfile.TemporaryFile() as said:
            begun = time.monotonic()
            with subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, env=environment
            ) as process:
                first, waits = listen(sound, process)
            said.seek(0)
            shown = said.read().decode(errors="replace")
    finally:
        os.close(sound)
    if process.returncode != 0 or first is None:
        raise Failed(f"practice ended with {process.returncode}: {' '.join(shown.strip().splitlines()[-3:])}")
    segments = len(re.findall(r"^\d+  ", shown, re.MULTILINE))
    # Each segment after the first begins with one of the longest waits.
    return first - begun, most(sorted(waits)[1 - segments :])


def listen(sound, process):
    """When the first sound came, and the seconds of each wait for more, at the pace of a person in a hurry."""
    first, waits = None, []
    while True:
        asked = time.monotonic()
        while not select.select([sound], [], [], 0.05)[0]:
            if process.poll() is not None:
                return first, waits
            if first is None and time.monotonic() - asked > 60:
                process.kill()
        piece = os.read(sound, CARD_BUFFER)
        if first is None:
            first = time.monotonic()
        else:
            waits.append(time.monotonic() - asked)
        time.sleep(len(piece) / 2 / CARD_RATE / FASTER)


def practice(bench, voice):
    """With the built-in voice, which is there on any machine, and with the natural voice in the folder `voice`."""
    part = "practice"
    if not bench.wanted(part):
        return
    natural = "piper/" + voice.name.removeprefix("vits-piper-")
    voices = {"": BUILT_IN, ", natural voice": natural}
    with Server(voices=voice.parent) as server:
        own, book = speech(server), document(server)
        first, note = bench.in_turn(
            f"{part}: first sound",
            bench.often,
            speech=lambda: first_sound(server, own, BUILT_IN),
            document=lambda: first_sound(server, book, BUILT_IN),
            natural=lambda: first_sound(server, own, natural),
            paragraph=lambda: first_sound(server, own, BUILT_IN, "paragraph"),
            natural_paragraph=lambda: first_sound(server, own, natural, "paragraph"),
        )
        between, other = bench.in_turn(
            f"{part}: gap",
            1,
            gap=lambda: gaps(server, book, BUILT_IN),
            natural=lambda: gaps(server, own, natural),
            paragraph=lambda: gaps(server, book, BUILT_IN, "paragraph", PARAGRAPHS),
            natural_paragraph=lambda: gaps(server, book, natural, "paragraph", PARAGRAPHS),
        )
        page, seen = bench.in_turn(
            f"{part}: page",
            1,
            **{f"page{who}": lambda one=one: on_the_page(server, own, one) for who, one in voices.items()},
            **{f"turns{who}": lambda one=one: on_the_page(server, own, one, TURN) for who, one in voices.items()},
        )
    terminal, typed = bench.in_turn(
        f"{part}: terminal",
        1,
        **{
            f"terminal{who}": lambda one=one: in_the_terminal(one, voice.parent if one == natural else None)
            for who, one in voices.items()
        },
        paragraph=lambda: in_the_terminal(natural, voice.parent, "paragraph"),
    )
    counted, uncounted = bench.in_turn(f"{part}: samples", 1, counted=in_samples)
    gap = "from one segment's end to the next one's sound, 95 of 100 take at most"

    def row(what, seconds, bar, note):
        return Row(f"{part}{what}", "s", seconds, None, "limit", bar, note)

    bench.add(
        row(": first sound of a speech", median(first["speech"]), FIRST, note),
        row(f": first sound of {PAGES} pages", median(first["document"]), FIRST, note),
        row(": first sound of a natural voice", median(first["natural"]), FIRST, note),
        row(": first sound of a speech by paragraphs", median(first["paragraph"]), FIRST, note),
        row(": first sound of a natural voice by paragraphs", median(first["natural_paragraph"]), FIRST, note),
        row(f": {gap}", median(between["gap"]), GAP, other),
        row(f", natural voice: {gap}", median(between["natural"]), GAP, other),
        row(f", by paragraphs: {gap}", median(between["paragraph"]), GAP, other),
        row(f", natural voice, by paragraphs: {gap}", median(between["natural_paragraph"]), GAP, other),
    )
    played = f"{PLAYED} segments"
    for who in voices:
        [on_page] = page[f"page{who}"] or [(None, None)]
        [with_turns] = page[f"turns{who}"] or [(None, None)]
        [in_terminal] = terminal[f"terminal{who}"] or [(None, None)]
        bench.add(
            row(f" on the page{who}: from the press to the first sound", on_page[0], FIRST, seen),
            row(f" on the page{who}: {gap}", on_page[1], GAP, seen or played),
            row(f" on the page{who}, with turns: {gap}, beyond the turn", with_turns[1], GAP, seen or played),
            row(f" in the terminal{who}: from the command to the first sound", in_terminal[0], FIRST, typed),
            row(f" in the terminal{who}: {gap}", in_terminal[1], GAP, typed),
        )
    [by_paragraphs] = terminal["paragraph"] or [(None, None)]
    first_heard = " in the terminal, natural voice, by paragraphs: from the command to the first sound"
    bench.add(row(first_heard, by_paragraphs[0], FIRST, typed))
    [longest] = counted["counted"] or [None]
    samples = "the longest gap between two segments, beyond their pause, in samples of one stream"
    bench.add(row(f" in the terminal: {samples}", longest, GAP, uncounted or f"{COUNTED} words, with and without turns"))

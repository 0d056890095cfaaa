"""The parts of the benchmark that transcribe: compared with sherpa-onnx, faster-whisper and PocketSphinx.

The recogniser is Whisper tiny.en in sherpa-onnx's layout; ECHOTEXT_TEST_DATA names the folder that holds its archive
“with attention”, and may hold the one that people download, which is otherwise made from that. All of them transcribe the natural voice reading our own text. Wrong words are counted in the same way for each, with
Whisper's text normalization.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess

import measure
import peers
import recognition_material as material
from ours import OUR_ENVIRONMENT, PROGRAM, ROOT, SCRATCH, speak_command, text_file
from table import Row, median

ARCHIVE = "sherpa-onnx-whisper-tiny.en-attention"
RECOGNIZER = "sherpa/whisper-tiny.en-attention"
# The quick one of those that are recommended for English.
RECOMMENDED = "sherpa-onnx-whisper-tiny.en"
WORDS = 1_800  # about ten minutes
SHORT = 540  # PocketSphinx is slow: three minutes must do
FASTER = 1.7  # than sherpa-onnx's API, at least


class Peer(peers.Answering):
    """A recognizer that answers {"sound"} with {"wall", "heard"}, or {"text", "heard"} with {"wrong", "words"}."""

    def __init__(self, name, python, *arguments):
        super().__init__(name, python, ROOT / "Benchmarks/recognition_peer.py", *arguments)


def archive(name=ARCHIVE):
    data = os.environ.get("ECHOTEXT_TEST_DATA")
    path = pathlib.Path(data, f"{name}.tar.bz2") if data else None
    return path if path and path.exists() else None


def installed(packed):
    """A recognizer, installed as a user does it, and the folder of its files."""
    place = SCRATCH / "recognizers"
    environment = {**OUR_ENVIRONMENT, "ECHOTEXT_RECOGNIZERS": str(place), "ECHOTEXT_LIBRARY": str(SCRATCH / "hearing-library")}
    folder = place / packed.name.removesuffix(".tar.bz2")
    if not any(folder.glob("*tokens.txt")):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([PROGRAM, "recognizers", "add", packed], check=True, stdout=subprocess.DEVNULL, env=environment)
    return environment, folder


def spoken(words, voice):
    """The natural voice reading this many words, at 16,000 Hz as recognizers expect."""
    text, sound = text_file(words), SCRATCH / f"{words}-words.wav"
    if not sound.exists():
        measure.run(speak_command(text, voice, "spoken.wav"), env=OUR_ENVIRONMENT)
        convert = ["ffmpeg", "-v", "error", "-y", "-i", SCRATCH / "spoken.wav", "-ar", "16000", "-c:a", "pcm_s16le", sound]
        subprocess.run(convert, check=True)
    return text, sound


def transcribe(recognizer, sound, environment):
    """Seconds, and the file with the transcript."""
    heard = SCRATCH / "heard.txt"
    command = [PROGRAM, "transcribe", sound, "--no-library", "--recognizer", recognizer, "--language", "en", "--format", "txt"]
    return measure.run([*command, "-o", heard], env=environment), heard


def recognition(bench, voice, python):
    part = "ten minutes of speech, heard"
    if not bench.wanted(part):
        return
    packed = archive()
    if not packed:
        bench.add(Row(part, "s", None, note="not measured: ECHOTEXT_TEST_DATA has no recogniser"))
        return
    environment, folder = installed(packed)
    text, sound = spoken(WORDS, voice)
    judge = ROOT / ".deps/judge/bin/python"
    silero = ROOT / ".deps/silero-vad/silero_vad.onnx"
    with contextlib.ExitStack() as stack:

        def peer(name, interpreter, *arguments):
            return stack.enter_context(contextlib.closing(Peer(name, interpreter, *arguments)))

        sherpa = peer("sherpa-onnx's Python API", python, "sherpa", folder, silero)
        whisper = peer("faster-whisper", judge, "faster-whisper")
        count = peer("the judge", judge, "count")

        def judged(wall, heard):
            return {"wall": wall, **count.ask({"text": str(text), "heard": heard})}

        def ours():
            wall, heard = transcribe(RECOGNIZER, sound, environment)
            return judged(wall, heard.read_text(encoding="utf-8"))

        def theirs(asked):
            answer = asked.ask({"sound": str(sound)})
            return judged(answer["wall"], answer["heard"])

        taken, note = bench.in_turn(
            part, repeat=min(3, bench.repeat), ours=ours, sherpa=lambda: theirs(sherpa), whisper=lambda: theirs(whisper)
        )
    wall = {name: median([result["wall"] for result in results]) for name, results in taken.items()}
    wrong = {name: median([result["wrong"] for result in results]) for name, results in taken.items()}
    words = f"words wrong: ours {wrong['ours']:.1f} %" if wrong["ours"] is not None else ""
    bench.add(
        Row(f"{part}: sherpa-onnx's Python API, 2 threads", "s", wall["ours"], wall["sherpa"], "faster", FASTER, note or words),
        Row(f"{part}: faster-whisper, int8, 2 threads", "s", wall["ours"], wall["whisper"], "faster", 1.1, note),
        Row(f"{part}: words wrong, beside sherpa-onnx", "%", wrong["ours"], wrong["sherpa"], "above", 0.5, note),
        Row(f"{part}: words wrong, beside faster-whisper", "%", wrong["ours"], wrong["whisper"], "above", 0.3, note),
    )
    recommended(bench, voice, python, packed)
    pocket_sphinx(bench, voice, environment)


def recommended(bench, voice, python, packed):
    """The same Whisper as people download it, which does not say when each word was said: also of a dictation."""
    plain = archive(RECOMMENDED) or material.plain_archive(packed, SCRATCH / f"{RECOMMENDED}.tar.bz2")
    environment, folder = installed(plain)
    recognizer = f"sherpa/{RECOMMENDED.removeprefix('sherpa-onnx-')}"
    dictation = material.dictated(spoken(SHORT, voice)[1])
    sounds = {"ten minutes of speech": spoken(WORDS, voice)[1], "three minutes of speech with pauses": dictation}
    silero = ROOT / ".deps/silero-vad/silero_vad.onnx"
    with contextlib.closing(Peer("sherpa-onnx's Python API", python, "sherpa", folder, silero)) as sherpa:
        for name, sound in sounds.items():
            part = f"{name}, heard by a recommended Whisper"
            taken, note = bench.in_turn(
                part,
                repeat=min(3, bench.repeat),
                ours=lambda sound=sound: transcribe(recognizer, sound, environment)[0],
                peer=lambda sound=sound: sherpa.ask({"sound": str(sound)})["wall"],
            )
            wall = {who: median(results) for who, results in taken.items()}
            title = f"{part}: sherpa-onnx's Python API, 2 threads"
            bench.add(Row(title, "s", wall["ours"], wall["peer"], "faster", FASTER, note))


def pocket_sphinx(bench, voice, environment):
    _, sound = spoken(SHORT, voice)
    program = shutil.which("pocketsphinx_continuous") or "pocketsphinx"
    single = [program, "-infile", sound, "-logfn", "/dev/null"]
    taken, note = bench.in_turn(
        "three minutes of speech, heard by PocketSphinx",
        repeat=min(3, bench.repeat),
        ours=lambda: transcribe("pocketsphinx/en-US", sound, environment)[0],
        peer=lambda: measure.run(single),
    )
    name = "three minutes of speech, heard by PocketSphinx: its own program"
    bench.add(Row(name, "s", median(taken["ours"]), median(taken["peer"]), "faster", 1.7, note))

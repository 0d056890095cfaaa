"""How Benchmarks/run makes EchoText speak: with the program as users run it, and with `echotext-bench` for warm runs.

    echotext-bench MODE --voice VOICE --text-file FILE --repeat N

prints one line of JSON per repeat, {"wall", "audio", "first"} in seconds, after one narration to warm up. Modes:
`narrate`, as the program does it; `narrate-in-process`, without the worker; `espeak`; and `first`, which stops at the
first sound.
"""

import json
import os
import pathlib
import subprocess

import measure
from measure import Failed

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build"
PROGRAM = BUILD / "release/echotext"
WARM_PROGRAM = BUILD / "release/echotext-bench"
SCRATCH = BUILD / "bench"
OUR_ENVIRONMENT = {"ECHOTEXT_SHERPA_ONNX": str(ROOT / ".deps/sherpa-onnx/lib"), **os.environ}


def text_file(words):
    """A file with this many words of the text, in whole paragraphs except the last."""
    paragraphs = (ROOT / "Benchmarks/text.txt").read_text(encoding="utf-8").strip().split("\n\n")
    written, left, at = [], words, 0
    while left > 0:
        some = paragraphs[at % len(paragraphs)].split()[:left]
        written.append(" ".join(some).rstrip(",;") + ("" if some[-1][-1] in ".?!”" else "."))
        left, at = left - len(some), at + 1
    SCRATCH.mkdir(parents=True, exist_ok=True)
    path = SCRATCH / f"{words}-words.txt"
    path.write_text("\n\n".join(written) + "\n", encoding="utf-8")
    return path


def own_text(name):
    """A text among those that have their own file."""
    return ROOT / f"Benchmarks/texts/{name}.txt"


def speak_command(text, voice, out="ours.wav"):
    return [PROGRAM, "speak", "-f", text, "--voice", voice, "-o", SCRATCH / out]


def speak_program(text, voice):
    return measure.run(speak_command(text, voice), env=OUR_ENVIRONMENT)


def speak_warm(mode, text, voice):
    """Seconds, as {"wall", "audio", "first"}."""
    return warm_runs(mode, text, voice, 1)[0]


def warm_runs(mode, text, voice, runs):
    """The results of several runs in one process."""
    command = [WARM_PROGRAM, mode, "--voice", voice, "--text-file", text, "--repeat", str(runs)]
    ended = subprocess.run(command, capture_output=True, text=True, env=OUR_ENVIRONMENT, check=False)
    if ended.returncode != 0:
        raise Failed(f"echotext-bench {mode} ended with {ended.returncode}: {ended.stderr.strip()[-200:]}")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def first_audio(text, voice):
    """Seconds until the first sound of a warm narration; does not wait for the rest."""
    return speak_warm("first", text, voice)["first"]

"""How Benchmarks/run makes EchoText speak: the program as a person runs it, and `echotext-bench` for what is warm.

    echotext-bench MODE --voice VOICE --text-file FILE --repeat N

prints one line of JSON for each repeat, {"wall", "audio", "first"} in seconds, after one narration to warm up. Modes:
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
    """A file with that many words of the text, whole paragraphs but for the last."""
    paragraphs = (ROOT / "Benchmarks/text.txt").read_text(encoding="utf-8").strip().split("\n\n")
    written, left, at = [], words, 0
    while left > 0:
        some = paragraphs[at % len(paragraphs)].split()[:left]
        written.append(" ".join(some).rstrip(",;") + ("" if some[-1][-1] in ".?!”" else "."))
        left, at = left - len(some), at + 1
    path = SCRATCH / f"{words}-words.txt"
    path.write_text("\n\n".join(written) + "\n", encoding="utf-8")
    return path


def own_text(name):
    """One of the texts that have a file of their own."""
    return ROOT / f"Benchmarks/texts/{name}.txt"


def speak_command(text, voice, out="ours.wav"):
    return [PROGRAM, "speak", "-f", text, "--voice", voice, "-o", SCRATCH / out]


def speak_program(text, voice):
    return measure.run(speak_command(text, voice), env=OUR_ENVIRONMENT)


def speak_warm(mode, text, voice):
    """Seconds, as {"wall", "audio", "first"}."""
    return warm_runs(mode, text, voice, 1)[0]


def warm_runs(mode, text, voice, runs):
    """What each of several runs in one process tells."""
    command = [WARM_PROGRAM, mode, "--voice", voice, "--text-file", text, "--repeat", str(runs)]
    ended = subprocess.run(command, capture_output=True, text=True, env=OUR_ENVIRONMENT, check=False)
    if ended.returncode != 0:
        raise Failed(f"echotext-bench {mode} ended with {ended.returncode}: {ended.stderr.strip()[-200:]}")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def first_audio(text, voice):
    """Seconds until a warm narration's first sound; the rest of it is not waited for."""
    return speak_warm("first", text, voice)["first"]

#!/usr/bin/env python3
"""Counts how many texts of a few words are heard wrong, for several draws of a voice's chance and several scales of it.

    .deps/judge/bin/python Benchmarks/draws.py PROGRAM VOICE [--scales 1 0.5] [--draws 11] [--texts 300] [--add FILE]

PROGRAM is `echotext`, VOICE the id or folder of a Piper voice. A draw is a change of the liveliness too small to hear:
it gives other random numbers, and nothing else. Draw 0 is the one that people hear. `--add` appends what was heard wrong
to a file, one line of JSON per draw.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/Listening"))
TINY = 1e-7  # of the liveliness, per draw


def speak(program, voice, text, folder, scale, draw):
    sound, timings = folder / "spoken.wav", folder / "spoken.json"
    chance = ["--liveliness", str(scale * (1 - draw * TINY)), "--rhythm", str(scale)]
    subprocess.run(
        [program, "speak", "--no-library", "-f", text, "--voice", voice, "-o", sound, "--timings", timings, *chance],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return sound, timings


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("program")
    asked.add_argument("voice")
    asked.add_argument("--scales", type=float, nargs="+", default=[1])
    asked.add_argument("--draws", type=int, default=11)
    asked.add_argument("--texts", type=int, default=300, help="how many of the texts, evenly spread (default: 300)")
    asked.add_argument("--add", type=pathlib.Path)
    asked = asked.parse_args()

    from judge import Judge
    from sound import Recording

    judge, counts = Judge(), collections.defaultdict(list)
    texts = (ROOT / "Benchmarks/texts/few-words.txt").read_text(encoding="utf-8").strip().split("\n\n")
    texts = [texts[index * len(texts) // asked.texts] for index in range(asked.texts)]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        written = folder / "texts.txt"
        written.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
        for draw in range(asked.draws):
            for scale in asked.scales:
                sound, timings = speak(asked.program, asked.voice, written, folder, scale, draw)
                recording = Recording.timed(sound, timings)
                times = recording.paragraph_times(written.read_text(encoding="utf-8"))
                verdicts = judge.pieces_wrong(texts, sound, times)
                wrong = {text: verdict.differences for text, verdict in zip(texts, verdicts, strict=True) if verdict.wrong}
                counts[scale].append(len(wrong))
                print(f"scale {scale}, draw {draw}: {len(wrong)}", flush=True)
                if asked.add:
                    line = json.dumps({"scale": scale, "draw": draw, "wrong": wrong}, ensure_ascii=False)
                    with asked.add.open("a", encoding="utf-8") as file:
                        file.write(line + "\n")
    for scale, found in counts.items():
        others = f", mean of the others {statistics.fmean(found[1:]):.1f}" if len(found) > 1 else ""
        print(f"scale {scale}: {found[0]} of {len(texts)} wrong{others}, all {found}")


if __name__ == "__main__":
    main()

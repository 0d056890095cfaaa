"""The judge for programs whose Python lacks its packages: answers each line with one line of JSON.

    {"text", "sound", "timings"}                  the whole text: words wrong and added, and acoustic measurements
    {"text", "sound", "timings", "pieces": true}  each paragraph alone: how many are transcribed wrong
    {"text", "sound"}                             words wrong and added

`text`, `sound` and `timings` are files; the last is JSON written by `echotext speak --timings`.
"""

import json
import pathlib
import sys

from judge import MOST, Judge
from sound import Recording


def whole(judge, text, sound, times=None):
    verdict = judge.words_wrong(text, sound, times)
    return {"wrong": 100 * verdict.wrong, "added": verdict.added, "words": verdict.words, "said": str(verdict)}


def pieces(judge, text, recording):
    paragraphs = text.strip().split("\n\n")
    verdicts = judge.pieces_wrong(paragraphs, recording.sound, recording.paragraph_times(text))
    wrong = [f"{paragraph}: {verdict}" for paragraph, verdict in zip(paragraphs, verdicts, strict=True) if verdict.wrong]
    return {"wrong": len(wrong), "added": sum(verdict.added for verdict in verdicts), "said": "; ".join(wrong)}


def measured(text, recording):
    seams, inside = recording.steps()
    silences, heard = {"sentence": [], "paragraph": [], "heading": []}, recording.silences()
    for kind, silence in zip(recording.seams(text), heard, strict=True):
        silences[kind].append(silence)
    return {
        "seconds": recording.seconds,
        "pauses": sum(recording.gaps()),
        "speech": recording.seconds - sum(heard),
        "silences": silences,
        "loudness": recording.loudness(),
        "clipped": 100 * recording.clipped(),
        "seams": seams,
        "inside": inside,
    }


def main():
    judge = Judge()
    for line in sys.stdin:
        asked = json.loads(line)
        text = pathlib.Path(asked["text"]).read_text(encoding="utf-8")
        recording = Recording.timed(asked["sound"], asked["timings"]) if "timings" in asked else None
        if asked.get("pieces"):
            answer = pieces(judge, text, recording)
        else:
            # Split at sentence boundaries, if known: a split in the middle of a word makes its transcript random.
            answer = whole(judge, text, asked["sound"], recording.stretches(MOST) if recording else None)
            answer |= measured(text, recording) if recording else {}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

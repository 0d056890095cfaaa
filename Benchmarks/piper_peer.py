"""piper-tts's own Python API, for Benchmarks/run: runs under the Python of the peers' environment.

    piper_peer.py MODEL

Reads one JSON object from each line of standard input, {"text", "wav", "timings"}; writes the sound and, like `echotext
speak --timings`, the times of the sentences; answers each with a line {"seconds"}.
"""

import json
import pathlib
import re
import sys
import wave

from piper import PiperVoice


def speak(voice, text, wav, timings):
    rate, place, sentences = voice.config.sample_rate, 0, []
    with wave.open(wav, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        for paragraph in re.finditer(r"\S(?:.|\n.)*", text):
            for chunk in voice.synthesize(" ".join(paragraph[0].split())):
                start, place = place, place + len(chunk.audio_int16_array)
                file.writeframes(chunk.audio_int16_bytes)
                # Piper does not say which of the paragraph's sentences this is.
                times = {"start": start / rate, "end": place / rate}
                sentences.append({"text": paragraph[0], "range": paragraph.span(), "words": [], **times})
    pathlib.Path(timings).write_text(json.dumps({"sentences": sentences}), encoding="utf-8")
    return place / rate


def main(model):
    voice = PiperVoice.load(model)
    for line in sys.stdin:
        print(json.dumps({"seconds": speak(voice, **json.loads(line))}), flush=True)


main(sys.argv[1])

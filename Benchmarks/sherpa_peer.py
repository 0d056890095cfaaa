"""sherpa-onnx's own Python API, warm, for Benchmarks/run: runs under the Python of the peers' environment.

    sherpa_peer.py VOICE-FOLDER THREADS

Reads one JSON string, a text, from each line of standard input; answers each with a line {"wall", "audio", "first"},
all in seconds. Phonemes come from piper's espeak-ng, sentence by sentence, as sherpa-onnx 2.0 requires.
"""

import json
import pathlib
import sys
import time

import sherpa_onnx
from piper.phonemize_espeak import EspeakPhonemizer


def load(folder, threads):
    (model,) = pathlib.Path(folder).glob("*.onnx")
    vits = sherpa_onnx.OfflineTtsVitsModelConfig(
        model=str(model), tokens=str(model.parent / "tokens.txt"), lexicon="", data_dir=""
    )
    config = sherpa_onnx.OfflineTtsModelConfig(vits=vits, num_threads=threads, provider="cpu")
    return sherpa_onnx.OfflineTts(sherpa_onnx.OfflineTtsConfig(model=config, max_num_sentences=1))


def speak(tts, phonemizer, text):
    begun, first, samples = time.monotonic(), None, 0
    for paragraph in text.split("\n\n"):
        for sentence in phonemizer.phonemize("en-us", paragraph):
            asked = sherpa_onnx.GenerationConfig()
            asked.silence_scale = 1
            asked.phoneme_codepoints = [[ord(symbol) for symbol in "".join(sentence)]]
            audio = tts.generate("", asked)
            samples += len(audio.samples)
            first = first or time.monotonic() - begun
    return {"wall": time.monotonic() - begun, "audio": samples / audio.sample_rate, "first": first}


def main(folder, threads):
    tts, phonemizer = load(folder, threads), EspeakPhonemizer()
    speak(tts, phonemizer, "This is only to warm up.")
    for line in sys.stdin:
        print(json.dumps(speak(tts, phonemizer, json.loads(line))), flush=True)


main(sys.argv[1], int(sys.argv[2]))

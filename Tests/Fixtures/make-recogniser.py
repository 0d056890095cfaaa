#!/usr/bin/python3
"""Makes the fixture recognizers: one in the layout of NeMo's CTC models and one in that of Whisper's, without anybody's weights.

    make-recogniser.py FOLDER

writes FOLDER/sherpa-onnx-nemo-ctc-fixture-en, FOLDER/sherpa-onnx-whisper-fixture.en-attention and an archive of each. They hear six
tones, each of which stands for a piece of a word. The first gives a score for each moment and piece, which sherpa-onnx joins; the
second writes one token after another, with time stamps, as Whisper does. Both compare the loudness around each tone with that of
all bands, so that silence, noise and other sounds are nothing; the same Python always gives the same models.
"""

import base64
import math
import os
import random
import struct
import subprocess
import sys

import onnx_file as onnx

NAME = "sherpa-onnx-nemo-ctc-fixture-en"
WHISPER = "sherpa-onnx-whisper-fixture.en-attention"
BANDS = 80
# The number of 10 ms frames that are combined into one.
STEP = 4
# The piece for each tone, in hertz.
PIECES = {"▁good": 400, "▁mor": 700, "ning": 1150, "▁li": 1850, "ttle": 3000, "▁bird": 4800}
# The nepers of power by which a tone must stand out, and how sharp the scores are.
THRESHOLD, CLARITY = 5.0, 2.0

# Whisper's bands are quarters of decades of power, and no lower than eight decades below the loudest.
CONTRAST = 0.7
# Numbers that the decoder knows of a token, frames of 20 ms, the most pieces of a clip, and how late it looks, in frames.
WIDTH, FRAMES, MOST, LATE = 64, 1500, 30, 5
# Text that it can be read but does not hear.
LETTERS = [" ", "g", "o", "d"]
END, START, PREVIOUS, TRANSCRIBE, NO_SPEECH, NO_STAMPS = range(len(PIECES) + len(LETTERS), len(PIECES) + len(LETTERS) + 6)
STAMPS = NO_STAMPS + 1
VOCABULARY = STAMPS + FRAMES + 1


def band(frequency):
    """The mel band of a frequency: Slaney's scale, linear up to 1 kHz and logarithmic from there, to 8 kHz."""

    def mel(hertz):
        return hertz * 3 / 200 if hertz < 1000 else 15 + 27 * math.log(hertz / 1000) / math.log(6.4)

    return round(mel(frequency) * (BANDS + 1) / mel(8000)) - 1


def around():
    """The bands of each tone."""
    return [range(band(hertz) - 1, band(hertz) + 2) for hertz in PIECES.values()]


def graph():
    """Maps bands over time to a score for each piece, and one for the blank, which is last."""
    weights = [
        CLARITY * ((one in bands) / len(bands) - 1 / BANDS) if bands else 0.0
        for one in range(BANDS)
        for bands in [*around(), None]
    ]
    nothing = [0.0] * len(PIECES) + [CLARITY * THRESHOLD]
    columns = len(PIECES) + 1
    nodes = [
        onnx.node("AveragePool", ["audio_signal"], ["slower"], kernel_shape=[STEP], strides=[STEP]),
        onnx.node("Transpose", ["slower"], ["frames"], perm=[0, 2, 1]),
        onnx.node("MatMul", ["frames", "weights"], ["contrast"]),
        onnx.node("Add", ["contrast", "nothing"], ["scores"]),
        onnx.node("LogSoftmax", ["scores"], ["logprobs"], axis=-1),
    ]
    return onnx.graph(
        "fixture",
        nodes,
        [
            onnx.value("audio_signal", onnx.FLOAT, ["batch", BANDS, "time"]),
            onnx.value("length", onnx.INT64, ["batch"]),
        ],
        [onnx.value("logprobs", onnx.FLOAT, ["batch", "steps", columns])],
        [
            onnx.floats("weights", weights, [BANDS, columns]),
            onnx.floats("nothing", nothing, [columns]),
        ],
    )


def encoder():
    """From bands over time to how clear each piece is every 20 ms; the column after the pieces is for nothing."""
    weights = [
        (one in bands) / len(bands) - 1 / BANDS if bands else 0.0
        for one in range(BANDS)
        for bands in [*around(), *[None] * (WIDTH - len(PIECES))]
    ]
    level = [0.0] * len(PIECES) + [CONTRAST] + [-100.0] * (WIDTH - len(PIECES) - 1)
    nodes = [
        onnx.node("AveragePool", ["mel"], ["slower"], kernel_shape=[8], strides=[2], pads=[3, 3]),
        onnx.node("Transpose", ["slower"], ["frames"], perm=[0, 2, 1]),
        onnx.node("MatMul", ["frames", "weights"], ["contrast"]),
        onnx.node("Add", ["contrast", "level"], ["scores"]),
        onnx.node("Unsqueeze", ["scores", "first"], ["n_layer_cross_k"]),
        onnx.node("Unsqueeze", ["scores", "first"], ["n_layer_cross_v"]),
    ]
    shape = [1, "n_audio", "frames", WIDTH]
    return onnx.graph(
        "fixture",
        nodes,
        [onnx.value("mel", onnx.FLOAT, ["n_audio", BANDS, "T"])],
        [onnx.value("n_layer_cross_k", onnx.FLOAT, shape), onnx.value("n_layer_cross_v", onnx.FLOAT, shape)],
        [
            onnx.floats("weights", weights, [BANDS, WIDTH]),
            onnx.floats("level", level, [WIDTH]),
            onnx.int64s("first", [0]),
        ],
    )


def codes():
    """A row of ones and minus ones for each token; no two are much alike."""
    numbers = random.Random(1)
    return [1.0 if numbers.getrandbits(1) else -1.0 for _ in range(VOCABULARY * WIDTH)]


def decoder():
    """Writes, after as many tokens as it has read, the next one: a stamp, the pieces in their order, a stamp, and the end."""
    node, nothing = onnx.node, len(PIECES)
    nodes = [
        # The sound heard in each frame, and where that begins.
        node("Squeeze", ["n_layer_cross_k", "zero"], ["scores of frames"]),
        # Whisper's own lay the sound out, too.
        node("Transpose", ["scores of frames"], ["scores of pieces"], perm=[0, 2, 1]),
        node("Transpose", ["scores of pieces"], ["scores"], perm=[0, 2, 1]),
        node("ArgMax", ["scores"], ["heard"], axis=2, keepdims=0),
        node("Shape", ["heard"], ["sizes"]),
        node("Gather", ["sizes", "index one"], ["frames"], axis=0),
        node("Slice", ["heard", "zero", "minus one", "one"], ["all but last"]),
        node("Concat", ["silence", "all but last"], ["before"], axis=1),
        node("Equal", ["heard", "before"], ["same"]),
        node("Not", ["same"], ["changed"]),
        node("Less", ["heard", "nothing"], ["piece"]),
        node("And", ["changed", "piece"], ["begins"]),
        # The frames where pieces begin, the earliest first.
        node("Range", ["index zero", "frames", "index one"], ["times"]),
        node("Sub", ["frames", "times"], ["countdown"]),
        node("Cast", ["begins"], ["begins as number"], to=onnx.INT64),
        node("Mul", ["begins as number", "countdown"], ["order"]),
        node("Cast", ["order"], ["order as float"], to=onnx.FLOAT),
        node("TopK", ["order as float", "most"], ["found", "places"], axis=1),
        node("GatherElements", ["heard", "places"], ["pieces"], axis=1),
        node("ReduceSum", ["begins as number", "one"], ["count"], keepdims=1),
        node("Add", ["times", "index one"], ["ends"]),
        node("Cast", ["piece"], ["piece as number"], to=onnx.INT64),
        node("Mul", ["piece as number", "ends"], ["last"]),
        node("ReduceMax", ["last"], ["end"], axes=[1], keepdims=1),
        # The token after each that is read, and where it is heard.
        node("Shape", ["tokens"], ["read"]),
        node("Gather", ["read", "index one"], ["steps"], axis=0),
        node("Range", ["index zero", "steps", "index one"], ["positions"]),
        node("Add", ["positions", "offset"], ["number"]),
        node("Sub", ["number", "one"], ["number before"]),
        node("Clip", ["number before", "index zero", "index last"], ["which"]),
        node("Gather", ["pieces", "which"], ["its piece"], axis=1),
        node("Gather", ["places", "which"], ["its place"], axis=1),
        node("Add", ["its place", "late"], ["its look"]),
        node("Equal", ["number", "zero"], ["is first"]),
        node("LessOrEqual", ["number", "count"], ["is piece"]),
        node("Add", ["count", "one"], ["count and one"]),
        node("Equal", ["number", "count and one"], ["is after"]),
        node("Greater", ["count", "zero"], ["is any"]),
        node("And", ["is after", "is any"], ["is stamp"]),
        node("Add", ["end", "stamps"], ["end stamp"]),
        node("Where", ["is stamp", "end stamp", "end token"], ["stamp or end"]),
        node("Where", ["is piece", "its piece", "stamp or end"], ["piece or rest"]),
        node("Where", ["is first", "stamps", "piece or rest"], ["next"]),
        # It looks at a piece until it looks at the next.
        node("Clip", ["number", "index zero", "index last"], ["which next"]),
        node("Gather", ["places", "which next"], ["next place"], axis=1),
        node("Add", ["next place", "late"], ["next look"]),
        node("Add", ["end", "late"], ["end look"]),
        node("Equal", ["number", "count"], ["is last"]),
        node("Where", ["is last", "end look", "next look"], ["its stop"]),
        node("Where", ["is piece", "its stop", "frames"], ["stop"]),
        node("Where", ["is piece", "its look", "end look"], ["look or end"]),
        node("Where", ["is first", "zero", "look or end"], ["look"]),
        node("Unsqueeze", ["look", "two"], ["each look"]),
        node("Unsqueeze", ["stop", "two"], ["each stop"]),
        node("GreaterOrEqual", ["times", "each look"], ["begun"]),
        node("Less", ["times", "each stop"], ["going on"]),
        node("And", ["begun", "going on"], ["looked at"]),
        node("Cast", ["looked at"], ["looks"], to=onnx.FLOAT),
        node("Unsqueeze", ["looks", "one"], ["cross_attention_weights"]),
        # The next token in numbers, of eight bits in between, and how much it is like each token.
        node("Gather", ["codes", "next"], ["code"], axis=0),
        node("DynamicQuantizeLinear", ["code"], ["code in bytes", "scale", "middle"]),
        node("MatMulInteger", ["code in bytes", "same in bytes", "middle"], ["sums"]),
        node("Cast", ["sums"], ["sums as floats"], to=onnx.FLOAT),
        node("Mul", ["sums as floats", "scale"], ["known"]),
        node("Transpose", ["known"], ["turned"], perm=[0, 2, 1]),
        node("MatMul", ["codes", "turned"], ["product"]),
        node("Transpose", ["product"], ["logits"], perm=[0, 2, 1]),
        node("Identity", ["in_n_layer_self_k_cache"], ["out_n_layer_self_k_cache"]),
        node("Identity", ["in_n_layer_self_v_cache"], ["out_n_layer_self_v_cache"]),
    ]
    cache, cross = [1, "n_audio", 448, WIDTH], [1, "n_audio", "T", WIDTH]
    same = [int(row == column) for row in range(WIDTH) for column in range(WIDTH)]
    return onnx.graph(
        "fixture",
        nodes,
        [
            onnx.value("tokens", onnx.INT64, ["n_audio", "n_tokens"]),
            onnx.value("in_n_layer_self_k_cache", onnx.FLOAT, cache),
            onnx.value("in_n_layer_self_v_cache", onnx.FLOAT, cache),
            onnx.value("n_layer_cross_k", onnx.FLOAT, cross),
            onnx.value("n_layer_cross_v", onnx.FLOAT, cross),
            onnx.value("offset", onnx.INT64, [1]),
        ],
        [
            onnx.value("logits", onnx.FLOAT, ["n_audio", "n_tokens", VOCABULARY]),
            onnx.value("out_n_layer_self_k_cache", onnx.FLOAT, cache),
            onnx.value("out_n_layer_self_v_cache", onnx.FLOAT, cache),
            onnx.value("cross_attention_weights", onnx.FLOAT, ["n_audio", 1, "n_tokens", "T"]),
        ],
        [
            *[onnx.int64s(name, [number], []) for name, number in [("index zero", 0), ("index one", 1)]],
            onnx.int64s("index last", [MOST - 1], []),
            *[onnx.int64s(name, [number]) for name, number in [("zero", 0), ("one", 1), ("two", 2)]],
            onnx.int64s("minus one", [-1]),
            onnx.int64s("silence", [nothing], [1, 1]),
            *[onnx.int64s(name, [number]) for name, number in [("nothing", nothing), ("most", MOST), ("late", LATE)]],
            *[onnx.int64s(name, [number]) for name, number in [("stamps", STAMPS), ("end token", END)]],
            onnx.floats("codes", codes(), [VOCABULARY, WIDTH]),
            onnx.tensor("same in bytes", onnx.INT8, [WIDTH, WIDTH], struct.pack(f"{len(same)}b", *same)),
        ],
    )


def write(folder, files):
    """Writes files, and an archive of them beside their folder."""
    place, name = os.path.split(folder)
    os.makedirs(folder, exist_ok=True)
    for file, content in files.items():
        with open(os.path.join(folder, file), "wb") as output:
            output.write(content)
    same = ["--sort=name", "--mtime=2000-01-01", "--owner=0", "--group=0", "--numeric-owner"]
    subprocess.run(["tar", *same, "-cjf", f"{folder}.tar.bz2", "-C", place, name], check=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    place = os.path.abspath(sys.argv[1])
    metadata = {
        "model_type": "EncDecCTCModelBPE",
        "vocab_size": len(PIECES),
        "subsampling_factor": STEP,
        "normalize_type": "NA",
        "comment": "EchoText's fixture",
    }
    tokens = "".join(f"{piece} {number}\n" for number, piece in enumerate([*PIECES, "<blk>"]))
    write(os.path.join(place, NAME), {"model.onnx": onnx.model(graph(), metadata), "tokens.txt": tokens.encode()})
    metadata = {
        "model_type": "whisper-fixture.en",
        "comment": "EchoText's fixture",
        "n_mels": BANDS,
        "n_text_layer": 1,
        "n_text_state": WIDTH,
        "n_text_ctx": 448,
        "n_vocab": VOCABULARY,
        "is_multilingual": 0,
        "sot": START,
        "eot": END,
        "sot_prev": PREVIOUS,
        "transcribe": TRANSCRIBE,
        "no_speech": NO_SPEECH,
        "no_timestamps": NO_STAMPS,
        "non_speech_tokens": "",
    }
    pieces = [base64.b64encode(piece.replace("▁", " ").encode()).decode() for piece in [*PIECES, *LETTERS]]
    tokens = "".join(f"{piece} {number}\n" for number, piece in enumerate(pieces))
    write(
        os.path.join(place, WHISPER),
        {
            "fixture.en-encoder.onnx": onnx.model(encoder(), metadata),
            "fixture.en-decoder.int8.onnx": onnx.model(decoder(), {}),
            "fixture.en-tokens.txt": tokens.encode(),
        },
    )


if __name__ == "__main__":
    main()

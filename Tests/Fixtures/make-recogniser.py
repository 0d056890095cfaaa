#!/usr/bin/python3
"""Makes the fixture recogniser: one in the layout of NeMo's CTC models, without anybody's weights.

    make-recogniser.py FOLDER

writes FOLDER/sherpa-onnx-nemo-ctc-fixture-en and an archive of it. It hears six tones, each of which stands for a piece of a
word; sherpa-onnx makes features of the sound and joins the pieces, as for any such model. The graph compares the loudness
around each tone with that of all bands, so that silence, noise and other sounds are nothing; the same Python always gives
the same model.
"""

import math
import os
import subprocess
import sys

import onnx_file as onnx

NAME = "sherpa-onnx-nemo-ctc-fixture-en"
BANDS = 80
# The number of 10 ms frames that are combined into one.
STEP = 4
# The piece for each tone, in hertz.
PIECES = {"▁good": 400, "▁mor": 700, "ning": 1150, "▁li": 1850, "ttle": 3000, "▁bird": 4800}
# By how many nepers of power a tone must stand out, and how sharp the scores are.
THRESHOLD, CLARITY = 5.0, 2.0


def band(frequency):
    """The mel band of a frequency: Slaney's scale, linear up to 1 kHz and logarithmic from there, to 8 kHz."""

    def mel(hertz):
        return hertz * 3 / 200 if hertz < 1000 else 15 + 27 * math.log(hertz / 1000) / math.log(6.4)

    return round(mel(frequency) * (BANDS + 1) / mel(8000)) - 1


def graph():
    """Maps bands over time to a score for each piece, and one for the blank, which is last."""
    around = [range(band(hertz) - 1, band(hertz) + 2) for hertz in PIECES.values()]
    weights = [
        CLARITY * ((one in bands) / len(bands) - 1 / BANDS) if bands else 0.0
        for one in range(BANDS)
        for bands in [*around, None]
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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = os.path.join(sys.argv[1], NAME)
    os.makedirs(folder, exist_ok=True)
    metadata = {
        "model_type": "EncDecCTCModelBPE",
        "vocab_size": len(PIECES),
        "subsampling_factor": STEP,
        "normalize_type": "NA",
        "comment": "EchoText's fixture",
    }
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(onnx.model(graph(), metadata))
    with open(os.path.join(folder, "tokens.txt"), "w", encoding="utf-8") as file:
        for number, piece in enumerate([*PIECES, "<blk>"]):
            print(piece, number, file=file)
    archive = os.path.join(sys.argv[1], NAME + ".tar.bz2")
    same = ["--sort=name", "--mtime=2000-01-01", "--owner=0", "--group=0", "--numeric-owner"]
    subprocess.run(["tar", *same, "-cjf", archive, "-C", sys.argv[1], NAME], check=True)


if __name__ == "__main__":
    main()

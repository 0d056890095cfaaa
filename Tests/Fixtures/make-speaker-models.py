#!/usr/bin/python3
"""Makes the models that tell speakers of tones apart: in the layout of sherpa-onnx's, without anybody's weights.

    make-speaker-models.py FOLDER

writes FOLDER/sherpa-onnx-pyannote-segmentation-fixture with an archive of it, and FOLDER/speakers-fixture.onnx. Who speaks in
the low tones of the fixture recogniser ("good morning") is one person, who speaks in its high ones ("little bird") another.
The first model says for each 20 ms of a window of ten seconds who of its three speakers is heard, as pyannote's does; the
second makes of the bands of a stretch of sound a vector that points one way for low tones and another way for high ones.
The same Python always gives the same models.
"""

import math
import os
import subprocess
import sys

import onnx_file as onnx

NAME = "sherpa-onnx-pyannote-segmentation-fixture"
EMBEDDING = "speakers-fixture.onnx"
RATE = 16_000  # hertz
WINDOW = 10 * RATE  # samples
FRAME = 320  # samples
LOW, HIGH = [400, 700, 1150], [1850, 3000, 4800]  # hertz, as in make-recogniser.py
# The squared amplitude from which on a tone counts.
LOUD = 0.02**2
SPEAKERS, CLASSES = 3, 7  # nobody, each of three speakers, each two of them
BANDS = 80
BOUND = 1500  # hertz, between low tones and high ones


def segmentation():
    """Maps samples to scores for nobody, for the low speaker and for the high one; the others never win."""
    waves = []
    for hertz in [*LOW, *HIGH]:
        for wave in (math.cos, math.sin):
            waves += [2 / FRAME * wave(2 * math.pi * hertz * at / RATE) for at in range(FRAME)]
    sums = []
    for row in range(2 * len([*LOW, *HIGH])):
        is_low = row < 2 * len(LOW)
        sums += [0.0, float(is_low), float(not is_low)] + [0.0] * (CLASSES - 3)
    bias = [LOUD, 0.0, 0.0] + [-1.0] * (CLASSES - 3)
    nodes = [
        onnx.node("Conv", ["x", "waves"], ["both"], kernel_shape=[FRAME], strides=[FRAME]),
        onnx.node("Mul", ["both", "both"], ["powers"]),
        onnx.node("Transpose", ["powers"], ["frames"], perm=[0, 2, 1]),
        onnx.node("MatMul", ["frames", "sums"], ["voices"]),
        onnx.node("Add", ["voices", "bias"], ["y"]),
    ]
    return onnx.graph(
        "segmentation",
        nodes,
        [onnx.value("x", onnx.FLOAT, ["N", 1, "T"])],
        [onnx.value("y", onnx.FLOAT, ["N", "frames", CLASSES])],
        [
            onnx.floats("waves", waves, [2 * len([*LOW, *HIGH]), 1, FRAME]),
            onnx.floats("sums", sums, [2 * len([*LOW, *HIGH]), CLASSES]),
            onnx.floats("bias", bias, [CLASSES]),
        ],
    )


def centre(band):
    """The center of a mel band in hertz: Kaldi's scale, from 20 Hz to 400 Hz below half the rate."""

    def mel(hertz):
        return 1127 * math.log(1 + hertz / 700)

    low, high = mel(20), mel(RATE / 2 - 400)
    return 700 * (math.exp((low + (high - low) * (band + 1) / (BANDS + 1)) / 1127) - 1)


def embedding():
    """Maps bands over time to two numbers: how much louder the low bands are, and how much louder the high ones are."""
    low = [band for band in range(BANDS) if centre(band) < BOUND]
    contrast = []
    for band in range(BANDS):
        one = 1 / len(low) if band in low else -1 / (BANDS - len(low))
        contrast += [one, -one]
    nodes = [
        onnx.node("ReduceMean", ["x"], ["mean"], axes=[1], keepdims=0),
        onnx.node("MatMul", ["mean", "contrast"], ["louder"]),
        onnx.node("Relu", ["louder"], ["one"]),
        onnx.node("Add", ["one", "little"], ["embedding"]),
    ]
    return onnx.graph(
        "embedding",
        nodes,
        [onnx.value("x", onnx.FLOAT, ["N", "T", BANDS])],
        [onnx.value("embedding", onnx.FLOAT, ["N", 2])],
        [onnx.floats("contrast", contrast, [BANDS, 2]), onnx.floats("little", [0.01, 0.01], [2])],
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = os.path.join(sys.argv[1], NAME)
    os.makedirs(folder, exist_ok=True)
    metadata = {
        "model_type": "pyannote-segmentation-3.0",
        "num_speakers": SPEAKERS,
        "powerset_max_classes": 2,
        "num_classes": CLASSES,
        "sample_rate": RATE,
        "window_size": WINDOW,
        "receptive_field_size": FRAME,
        "receptive_field_shift": FRAME,
        "comment": "EchoText's fixture",
    }
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(onnx.model(segmentation(), metadata))
    archive = os.path.join(sys.argv[1], NAME + ".tar.bz2")
    same = ["--sort=name", "--mtime=2000-01-01", "--owner=0", "--group=0", "--numeric-owner"]
    subprocess.run(["tar", *same, "-cjf", archive, "-C", sys.argv[1], NAME], check=True)
    metadata = {
        "framework": "3d-speaker",
        "language": "tones",
        "output_dim": 2,
        "sample_rate": RATE,
        "normalize_samples": 1,
        "feature_normalize_type": "",
        "comment": "EchoText's fixture",
    }
    with open(os.path.join(sys.argv[1], EMBEDDING), "wb") as file:
        file.write(onnx.model(embedding(), metadata))


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes voices whose models are small versions of Piper's graphs: of every kind, and broken in every way.

    make-piper-graphs.py FOLDER

writes FOLDER/graphs/vits-piper-<name>/ and FOLDER/graphs/kinds.json, a list of them: the folder, the `kind`, `hop`
(samples per frame; null if that is not fixed, or cannot be determined), sample rate, number of speakers, `obstacle`,
and its purpose. Graphs of the kind “split” can be cut into encoder, flow and decoder; those of the kind “whole” are
valid but cannot, for the reason that the obstacle names; “hostile” ones only must be survived. The same Python always
gives the same bytes.
"""

import json
import pathlib
import shutil
import sys

import onnx_file as onnx
import voice_folder
from broken_graphs import broken
from piper_graphs import Plan, draw

OPERATORS = 15  # the operator set of Piper's exports
SMALL = {"hidden": 6, "latent": 4, "channels": 8}
HIGH = {
    **SMALL,
    "rates": (8, 8, 2, 2),
    "upsampling": (16, 16, 4, 4),
    "paired": True,
    "kernels": (3, 7, 11),
    "dilations": ((1, 3, 5),) * 3,
}
# The minimum with every part, for unusual or broken graphs.
LEAST = {
    "hidden": 4,
    "latent": 2,
    "channels": 4,
    "rates": (4, 4),
    "upsampling": (8, 8),
    "kernels": (3, 5),
    "dilations": ((1,), (2,)),
    "couplings": 1,
    "layers": 1,
    "old": True,
    "noisy_durations": False,
}

SPLIT = [
    ("medium", 22_050, {"couplings": 4}, "as Piper exports its medium voices"),
    ("high", 22_050, HIGH, "four stages, and residual blocks of paired convolutions"),
    ("low", 16_000, {**SMALL, "rates": (8, 5, 4), "upsampling": (16, 11, 8)}, "another hop: 10 ms"),
    ("x_low", 16_000, SMALL, "fewer channels"),
    ("speakers", 22_050, {**SMALL, "speakers": 3}, "durations, flow and decoder depend on the speaker"),
    ("old", 22_050, {"old": True}, "numbers for names, nodes for constants, typed weights, nodes that do nothing"),
    ("plain", 22_050, {**SMALL, "noisy_durations": False}, "durations without chance: one source of noise"),
    (
        "speakers-plain-old",
        22_050,
        {**SMALL, "speakers": 2, "old": True, "noisy_durations": False},
        "the three of these together",
    ),
    ("least", 16_000, LEAST, "what the odd and the broken ones are made of"),
]
WHOLE = [
    ("no-durations", {"fixed_durations": True}, 16, "durations", "two frames for every symbol: nothing is rounded up"),
    ("other-inputs", {"inputs": ("x", "x_length", "scales")}, 16, "ports", "inputs of other names"),
    ("length-at-the-end", {"oddity": "length at the end"}, None, "decoder", "the decoder makes its sound as long as asked"),
    ("cut-at-the-end", {"oddity": "cut at the end"}, None, "decoder", "the last 100 samples are left out"),
    ("mean-over-all", {"oddity": "mean over all"}, 16, "decoder", "each sample depends on every frame"),
    ("means-again", {"oddity": "means again"}, 16, "decoder", "the decoder reads what comes before the flow too"),
    (
        "speaker-in-stages",
        {"oddity": "speaker in stages", "speakers": 2},
        16,
        "decoder",
        "the speaker comes to the decoder through stages of the kind that stretches the sound",
    ),
]


def voices():
    """Each voice's name, quality, model, and its entry in the list without the folder."""
    for name, rate, settings, why in SPLIT:
        plan = Plan(name=name, **settings)
        quality = {"high": "high", "low": "low", "x_low": "x_low", "least": "x_low"}.get(name, "medium")
        yield name, quality, whole_model(plan, rate), ("split", plan.hop, rate, plan.speakers, None, why)
    for name, settings, hop, obstacle, why in WHOLE:
        plan = Plan(name=name, **LEAST, **settings)
        yield name, "x_low", whole_model(plan, 16_000), ("whole", hop, 16_000, plan.speakers, obstacle, why)
    for name, model, why in broken(lambda **more: draw(Plan(name="least", **LEAST, **more)), in_model):
        yield name, "x_low", model, ("hostile", None, 16_000, 1, None, why)


def whole_model(plan, rate):
    return in_model(draw(plan).encoded(), rate, plan.speakers)


def in_model(graph, rate=16_000, speakers=1):
    return onnx.model(graph, voice_folder.metadata(speakers, rate), opset=OPERATORS)


def main(folder):
    graphs = pathlib.Path(folder, "graphs")
    shutil.rmtree(graphs, ignore_errors=True)
    kinds = []
    for name, quality, model, (kind, hop, rate, speakers, obstacle, why) in voices():
        names = [f"speaker{number}" for number in range(speakers)]
        described = voice_folder.description(name, quality, rate, names)
        full_name = f"en_US-graph_{name.replace('-', '_')}-{quality}"
        home = voice_folder.write(graphs, full_name, model, described, indent=None)
        line = {"folder": home, "kind": kind, "hop": hop, "sample_rate": rate, "speakers": speakers}
        kinds.append({**line, "obstacle": obstacle, "why": why})
    (graphs / "kinds.json").write_text(json.dumps(kinds, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make-piper-graphs.py FOLDER")
    main(sys.argv[1])

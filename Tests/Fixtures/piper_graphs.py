"""Piper's graphs: text encoder, durations, flow and decoder, operator by operator as exported.

The structure is that of VITS (https://arxiv.org/abs/2106.06103) in Piper's models.py, with few channels, one layer of
the text encoder, and a duration flow without splines. The weights are random: the result is sound, not speech.
"""

import dataclasses
import math

import onnx_file as onnx
from graph_drawing import Drawing, OldDrawing
from piper_decoder import decoder
from piper_flow import along_path, flow, twice
from piper_text import durations, text_encoder


@dataclasses.dataclass(frozen=True)
class Plan:
    """The properties of a graph. The decoder's rates, kernels and dilations are those of Piper's medium voices."""

    name: str
    speakers: int = 1
    hidden: int = 8
    latent: int = 6
    channels: int = 16  # of the decoder, before its first stage
    rates: tuple = (8, 8, 4)
    upsampling: tuple = (16, 16, 8)
    paired: bool = False  # whether an undilated convolution follows each convolution of a residual block
    kernels: tuple = (3, 5, 7)
    dilations: tuple = ((1, 2), (2, 6), (3, 12))
    couplings: int = 2
    layers: int = 2
    old: bool = False
    noisy_durations: bool = True
    fixed_durations: bool = False
    inputs: tuple = ("input", "input_lengths", "scales")
    oddity: str = ""  # an addition to Piper's decoder

    @property
    def hop(self):
        return math.prod(self.rates)


def draw(plan):
    """The graph of `plan`, which can still be changed."""
    g = (OldDrawing if plan.old else Drawing)(plan.name)
    symbols, lengths, scales = plan.inputs
    g.inputs = [
        onnx.value(symbols, onnx.INT64, ["batch_size", "phonemes"]),
        onnx.value(lengths, onnx.INT64, ["batch_size"]),
        onnx.value(scales, onnx.FLOAT, [3]),
    ]
    if plan.speakers > 1:
        g.inputs.append(onnx.value("sid", onnx.INT64, ["batch_size"]))
    g.outputs = [onnx.value("output", onnx.FLOAT, ["batch_size", "time", 1, "Unsqueezeoutput_dim_3"])]

    g.counts.update(plan.inputs)  # reserved names

    def scale(at):
        return g.step("Gather", "", scales, g.integer(at), axis=0)

    noise = scale(0)
    length = None if plan.fixed_durations else scale(1)
    duration_noise = None if plan.fixed_durations or not plan.noisy_durations else scale(2)
    text = text_encoder(g, plan, symbols, lengths)
    speaker = None
    if plan.speakers > 1:
        table = g.chance("emb_g.weight", [plan.speakers, plan.hidden], 1)
        speaker = g.step("Unsqueeze", "", g.step("Gather", "emb_g", table, "sid"), g.integers(-1))

    if plan.fixed_durations:
        mask, means, logs = twice(g, text)
    else:
        frames = durations(g, plan, text, speaker, duration_noise, length)
        mask, means, logs = along_path(g, frames, text)
    chance = g.step("RandomNormalLike", "", means, dtype=onnx.FLOAT)
    scaled = g.step("Mul", "", g.step("Mul", "", chance, g.step("Exp", "", logs)), noise)
    start = g.step("Add", "", means, scaled)
    g.note(start, "batch_size", plan.latent, "time")
    latent = g.step("Mul", "", flow(g, plan, start, mask, speaker), mask)
    g.note(latent, "batch_size", plan.latent, "time")
    decoder(g, plan, latent, speaker, means, length)
    return g

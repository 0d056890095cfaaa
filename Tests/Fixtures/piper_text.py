"""The part of Piper's graphs that works on symbols: the text encoder and the duration predictor."""

import dataclasses

import onnx_file as onnx
from sounds import SYMBOLS


@dataclasses.dataclass(frozen=True)
class Text:
    """The encoder's tensors for the symbols."""

    hidden: str
    mask: str
    row_mask: str  # with another dimension, for attention and path
    means: str
    logs: str


def text_encoder(g, plan, symbols, lengths):
    """The sentence's symbols, and the means and log deviations of their latents."""
    hidden, here = plan.hidden, "enc_p"
    # The exporter calls the table “sid” when the graph lacks that input.
    table = g.chance("enc_p.emb.weight" if plan.old or plan.speakers > 1 else "sid", [len(SYMBOLS), hidden], 0.3)
    found = g.step("Mul", here, g.step("Gather", "enc_p.emb", table, symbols), g.real(hidden**0.5))
    text = g.step("Transpose", here, found, perm=[0, 2, 1])
    count = g.step("Gather", here, g.step("Shape", here, text), g.integer(2), axis=0)
    places = g.step("Unsqueeze", here, g.step("Range", here, g.integer(0), count, g.integer(1)), g.integers(0))
    inside = g.step("Less", here, places, g.step("Unsqueeze", here, lengths, g.integers(1)))
    mask = g.step("Cast", here, g.step("Unsqueeze", here, inside, g.integers(1)), to=onnx.FLOAT)
    text = g.step("Mul", here, text, mask)

    here = "enc_p.encoder"
    rows, columns = (g.step("Unsqueeze", here, mask, g.integers(axis)) for axis in (2, -1))
    pairs = g.step("Squeeze", here, g.step("Mul", here, rows, columns), g.integers(1))
    text = g.step("Mul", here, text, mask)
    attended = attention(g, "enc_p.encoder.attn_layers.0", text, pairs, hidden)
    text = norm(g, "enc_p.encoder.norm_layers_1.0", g.step("Add", here, text, attended), hidden)
    inner = g.convolution("enc_p.encoder.ffn_layers.0.conv_1", g.step("Mul", here, text, mask), hidden, 2 * hidden, 3)
    inner = g.dropout(here, g.step("Relu", "enc_p.encoder.ffn_layers.0", inner))
    inner = g.convolution("enc_p.encoder.ffn_layers.0.conv_2", g.step("Mul", here, inner, mask), 2 * hidden, hidden, 3)
    text = norm(g, "enc_p.encoder.norm_layers_2.0", g.step("Add", here, text, inner), hidden)
    text = g.step("Mul", here, text, mask)

    both = g.step("Mul", "enc_p", g.convolution("enc_p.proj", text, hidden, 2 * plan.latent, gain=0.7), mask)
    means, logs = g.step("Split", "enc_p", both, g.integers(plan.latent, plan.latent), parts=2, axis=1)
    for half in (means, logs):
        g.note(half, "batch_size", plan.latent, "phonemes")
    return Text(text, mask, rows, means, logs)


def attention(g, here, text, pairs, hidden):
    asked, keys, values = (g.convolution(f"{here}.conv_{one}", text, hidden, hidden) for one in "qkv")
    asked = g.step("Div", here, g.step("Transpose", here, asked, perm=[0, 2, 1]), g.real(hidden**0.5))
    scores = g.step("MatMul", here, asked, keys)
    outside = g.step("Equal", here, pairs, g.real(0))
    scores = g.step("Where", here, outside, g.real(-10_000), scores)
    shares = g.dropout(here, g.step("Softmax", here, scores, axis=-1))
    seen = g.step("MatMul", here, shares, g.step("Transpose", here, values, perm=[0, 2, 1]))
    return g.convolution(f"{here}.conv_o", g.step("Transpose", here, seen, perm=[0, 2, 1]), hidden, hidden)


def norm(g, here, tensor, channels):
    """Normalization over the channels."""
    turned = g.step("Transpose", here, tensor, perm=[0, 2, 1])
    centred = g.step("Sub", here, turned, g.step("ReduceMean", here, turned, axes=[-1]))
    squares = g.step("ReduceMean", here, g.step("Pow", here, centred, g.real(2)), axes=[-1])
    even = g.step("Div", here, centred, g.step("Sqrt", here, g.step("Add", here, squares, g.real(1e-5))))
    even = g.step("Mul", here, even, g.weights(f"{here}.gamma", [channels], [1.0] * channels))
    even = g.step("Add", here, even, g.weights(f"{here}.beta", [channels], [0.0] * channels))
    return g.step("Transpose", here, even, perm=[0, 2, 1])


def durations(g, plan, text, speaker, noise, length):
    """The number of frames per symbol, rounded as in the export."""
    predict = noisy_durations if plan.noisy_durations else plain_durations
    logarithm = predict(g, plan.hidden, text.hidden, text.mask, speaker, noise)
    frames = g.step("Mul", "", g.step("Exp", "", logarithm), text.mask)
    if plan.oddity != "length at the end":
        frames = g.step("Mul", "", frames, length)
    frames = g.step("Ceil", "", frames)
    g.note(frames, "batch_size", 1, "phonemes")
    return frames


def plain_durations(g, hidden, text, mask, speaker, _):
    text = g.conditioned("dp", text, speaker, hidden, hidden)
    for number in (1, 2):
        text = g.convolution(f"dp.conv_{number}", g.step("Mul", "dp", text, mask), hidden, hidden, 3)
        text = g.dropout("dp", norm(g, f"dp.norm_{number}", g.step("Relu", "dp", text), hidden))
    weight = g.chance("dp.proj.weight", [1, hidden, 1], 0.35 / hidden**0.5)
    bias = g.weights("dp.proj.bias", [1], [0.8])
    projected = g.step(
        "Conv", "dp.proj", g.step("Mul", "dp", text, mask), weight, bias,
        dilations=[1], group=1, kernel_shape=[1], pads=[0, 0], strides=[1],
    )  # fmt: skip
    return g.step("Mul", "dp", projected, mask)


def noisy_durations(g, hidden, text, mask, speaker, noise):
    text = g.conditioned("dp", g.convolution("dp.pre", text, hidden, hidden), speaker, hidden, hidden)
    text = separable(g, "dp.convs", text, mask, hidden)
    text = g.step("Mul", "dp", g.convolution("dp.proj", text, hidden, hidden), mask)
    shape = g.step("Shape", "dp", text)
    batch, count = (g.step("Gather", "dp", shape, g.integer(axis), axis=0) for axis in (0, 2))
    batch, count = (g.step("Unsqueeze", "dp", size, g.integers(0)) for size in (batch, count))
    shape = g.step("Concat", "dp", batch, g.integers(2), count, axis=0)
    zeros = g.step("ConstantOfShape", "dp", shape, value=onnx.floats("", [0]))
    chance = g.step("RandomNormalLike", "dp", zeros, dtype=onnx.FLOAT)
    pair = g.step("Mul", "dp", chance, noise)
    for number in (7, 5, 3):
        here = f"dp.flows.{number}"
        pair = g.flip(f"dp.flows.{number + 1}", pair)
        kept, moved = g.step("Split", here, pair, g.integers(1, 1), parts=2, axis=1)
        inner = g.step("Add", f"{here}.convs", g.convolution(f"{here}.pre", kept, 1, hidden), text)
        inner = separable(g, f"{here}.convs", inner, mask, hidden)
        shift = g.step("Mul", here, g.convolution(f"{here}.proj", inner, hidden, 1, gain=0.5), mask)
        pair = g.step("Concat", here, kept, g.step("Sub", here, moved, shift), axis=1)
        pair = g.step("Mul", here, pair, mask)
    pair = g.flip("dp.flows.2", pair)
    here = "dp.flows.0"
    moved = g.step("Sub", here, pair, g.weights(f"{here}.m", [2, 1], [-3.2, -3.2]))
    scale = g.weights("/dp/flows.0/Exp_output_0", [2, 1], [0.3, 0.3])
    pair = g.step("Mul", here, g.step("Mul", here, moved, scale), mask)
    return g.step("Split", "dp", pair, g.integers(1, 1), parts=2, axis=1)[0]


def separable(g, here, tensor, mask, hidden):
    inner = g.step("Mul", here, tensor, mask)
    inner = g.convolution(f"{here}.convs_sep.0", inner, hidden, hidden, 3, group=hidden)
    inner = gelu(g, here, norm(g, f"{here}.norms_1.0", inner, hidden))
    inner = g.convolution(f"{here}.convs_1x1.0", inner, hidden, hidden)
    inner = g.dropout(here, gelu(g, here, norm(g, f"{here}.norms_2.0", inner, hidden)))
    return g.step("Mul", here, g.step("Add", here, tensor, inner), mask)


def gelu(g, here, tensor):
    share = g.step("Add", here, g.step("Erf", here, g.step("Div", here, tensor, g.real(2**0.5))), g.real(1))
    return g.step("Mul", here, g.step("Mul", here, tensor, share), g.real(0.5))

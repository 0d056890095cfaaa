"""The part of Piper's graphs that works on frames: from symbols to frames, and the flow from frames to latents."""

import onnx_file as onnx


def along_path(g, frames, text):
    """The frames' mask, and the means and log deviations of each frame's symbol."""
    total = g.step("Clip", "", g.step("ReduceSum", "", frames, g.integers(1, 2), keepdims=0), g.real(1), "")
    total = g.step("Cast", "", total, to=onnx.INT64)
    longest = g.step("ReduceMax", "", total, keepdims=0)
    places = g.step("Unsqueeze", "", g.step("Range", "", g.integer(0), longest, g.integer(1)), g.integers(0))
    inside = g.step("Less", "", places, g.step("Unsqueeze", "", total, g.integers(1)))
    mask = g.step("Cast", "", g.step("Unsqueeze", "", inside, g.integers(1)), to=onnx.FLOAT)
    both = g.step("Mul", "", text.row_mask, g.step("Unsqueeze", "", mask, g.integers(-1)))

    # How many symbols have started by each frame; the difference to the previous symbol is the path.
    shape = g.step("Shape", "", both)
    batch, count, symbols = (g.step("Gather", "", shape, g.integer(axis), axis=0) for axis in (0, 2, 3))
    ends = g.step("CumSum", "", frames, g.integer(-1))
    size = g.step("Unsqueeze", "", g.step("Mul", "", batch, symbols), g.integers(0))
    ends = g.step("Reshape", "", ends, size, allowzero=0)
    places = g.step("Range", "", g.real(0), g.step("Cast", "", count, to=onnx.FLOAT), g.real(1))
    places = g.step("Unsqueeze", "", places, g.integers(0))
    before = g.step("Less", "", places, g.step("Unsqueeze", "", ends, g.integers(1)))
    before = g.step("Cast", "", before, to=onnx.FLOAT)
    sizes = [g.step("Unsqueeze", "", size, g.integers(0)) for size in (batch, symbols, count)]
    before = g.step("Reshape", "", before, g.step("Concat", "", *sizes, axis=0), allowzero=0)
    padded = g.step("Pad", "", before, g.integers(0, 1, 0, 0, 0, 0), "", mode="constant")
    shifted = g.step("Slice", "", padded, g.integers(0), g.integers(-1), g.integers(1), g.integers(1))
    path = g.step("Unsqueeze", "", g.step("Sub", "", before, shifted), g.integers(1))
    path = g.step("Mul", "", g.step("Transpose", "", path, perm=[0, 1, 3, 2]), both)
    path = g.step("Squeeze", "", path, g.integers(1))

    spread = []
    for tensor in (text.means, text.logs):
        product = g.step("MatMul", "", path, g.step("Transpose", "", tensor, perm=[0, 2, 1]))
        spread.append(g.step("Transpose", "", product, perm=[0, 2, 1]))
    return mask, *spread


def twice(g, text):
    """The same, with two frames for every symbol: durations are not predicted."""
    scales = g.reals(1, 1, 2)
    return (
        g.step(
            "Resize", "", tensor, "", scales,
            coordinate_transformation_mode="asymmetric", mode="nearest", nearest_mode="floor",
        )
        for tensor in (text.mask, text.means, text.logs)
    )  # fmt: skip


def flow(g, plan, tensor, mask, speaker):
    """The coupling layers from last to first, with the channels flipped before each."""
    half = plan.latent // 2
    for number in range(2 * plan.couplings - 2, -1, -2):
        here = f"flow.flows.{number}"
        tensor = g.flip(f"flow.flows.{number + 1}", tensor)
        kept, moved = g.step("Split", here, tensor, g.integers(half, half), parts=2, axis=1)
        inner = g.step("Mul", here, g.convolution(f"{here}.pre", kept, half, plan.hidden), mask)
        inner = wave_layers(g, f"{here}.enc", plan, inner, mask, speaker)
        mean = g.step("Mul", here, g.convolution(f"{here}.post", inner, plan.hidden, half, gain=0.5), mask)
        logs = g.step("ConstantOfShape", here, g.step("Shape", here, mean), value=onnx.floats("", [0]))
        moved = g.step("Sub", here, moved, mean)
        moved = g.step("Mul", here, moved, g.step("Exp", here, g.step("Neg", here, logs)))
        tensor = g.step("Concat", here, kept, g.step("Mul", here, moved, mask), axis=1)
    return tensor


def wave_layers(g, here, plan, tensor, mask, speaker):
    """Gated convolutions, each with one output for the next and one for the result."""
    hidden = plan.hidden
    first, middle, last, axis = g.integers(0), g.integers(hidden), g.integers(2 * hidden), g.integers(1)
    result = g.step("ConstantOfShape", here, g.step("Shape", here, tensor), value=onnx.floats("", [0]))
    said = None
    if speaker is not None:
        said = g.convolution(f"{here}.cond_layer", speaker, hidden, 2 * hidden * plan.layers, gain=0.3, folded=True)
    for layer in range(plan.layers):
        inner = g.convolution(f"{here}.in_layers.{layer}", tensor, hidden, 2 * hidden, 5, folded=True)
        if said is None:
            more = g.step("ConstantOfShape", here, g.step("Shape", here, inner), value=onnx.floats("", [0]))
        else:
            ends = (g.integers(2 * hidden * (layer + at)) for at in (0, 1))
            more = g.step("Slice", here, said, *ends, axis, axis)
        inner = g.inner("Add", "in_act", inner, more)
        rising = g.inner("Tanh", "t_act", g.inner("Slice", "onnx::Tanh", inner, first, middle, axis, axis))
        gate = g.inner("Sigmoid", "s_act", g.inner("Slice", "onnx::Sigmoid", inner, middle, last, axis, axis))
        inner = g.inner("Mul", "input", rising, gate)
        ends_here = layer == plan.layers - 1
        outgoing = hidden if ends_here else 2 * hidden
        inner = g.convolution(f"{here}.res_skip_layers.{layer}", inner, hidden, outgoing, folded=True)
        if not ends_here:
            more = g.step("Slice", here, inner, first, middle, axis, axis)
            tensor = g.step("Mul", here, g.step("Add", here, tensor, more), mask)
            inner = g.step("Slice", here, inner, middle, last, axis, axis)
        result = g.step("Add", here, result, inner)
    return g.step("Mul", here, result, mask)

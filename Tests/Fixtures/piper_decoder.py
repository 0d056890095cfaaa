"""The part of Piper's graphs that turns latents into sound: HiFi-GAN's generator (https://arxiv.org/abs/2010.05646)."""

import onnx_file as onnx


def decoder(g, plan, latent, speaker, means, length):
    """From the masked latents to the graph's output."""
    channels = plan.channels
    tensor = g.convolution("dec.conv_pre", latent, plan.latent, channels, 7, gain=2)
    tensor = g.conditioned("dec", tensor, speaker, plan.hidden, channels)
    tensor = ODDITIES.get(plan.oddity, as_it_is)(g, plan, tensor, means, speaker)
    count = len(plan.kernels)
    for stage, (rate, kernel) in enumerate(zip(plan.rates, plan.upsampling, strict=True)):
        outgoing = max(2, channels // 2)
        tensor = g.step("LeakyRelu", "dec", tensor, alpha=0.1)
        tensor = g.lengthening(f"dec.ups.{stage}", tensor, channels, outgoing, kernel, rate)
        channels = outgoing
        # The blocks start with the same node, so the exporter writes it once.
        begun = g.step("LeakyRelu", f"dec.resblocks.{stage * count}", tensor, alpha=0.1)
        total = None
        for number, (kernel, dilations) in enumerate(zip(plan.kernels, plan.dilations, strict=True)):
            block = f"dec.resblocks.{stage * count + number}"
            found = residual_block(g, block, tensor, begun, channels, kernel, dilations, plan.paired)
            total = found if total is None else g.step("Add", "dec", total, found)
        tensor = g.step("Div", "dec", total, g.real(count))
        tensor = g.dropout("dec", tensor)
    if plan.oddity == "length at the end":
        tensor = stretched(g, tensor, length)
    tensor = g.step("LeakyRelu", "dec", tensor, alpha=0.01)
    tensor = g.convolution("dec.conv_post", tensor, channels, 1, 7, gain=0.15, biased=False)
    tensor = g.step("Tanh", "dec", tensor)
    if plan.oddity == "cut at the end":
        tensor = g.step("Slice", "dec", tensor, g.integers(0), g.integers(-100), g.integers(2), g.integers(1))
    g.step("Unsqueeze", "", tensor, g.integers(1), result="output")


def residual_block(g, block, tensor, begun, channels, kernel, dilations, paired):
    for number, dilation in enumerate(dilations):
        inner = g.step("LeakyRelu", block, tensor, alpha=0.1) if number else begun
        name = f"{block}.convs1.{number}" if paired else f"{block}.convs.{number}"
        inner = g.convolution(name, inner, channels, channels, kernel, dilation)
        if paired:
            inner = g.step("LeakyRelu", block, inner, alpha=0.1)
            inner = g.convolution(f"{block}.convs2.{number}", inner, channels, channels, kernel)
        tensor = g.step("Add", block, inner, tensor)
    return tensor


def stretched(g, tensor, length):
    """Upsamples by the length scale: the number of samples per frame is known only at run time."""
    factor = g.step("Unsqueeze", "dec", length, g.integers(0))
    scales = g.step("Concat", "dec", g.reals(1, 1), factor, axis=0)
    return g.step("Resize", "dec", tensor, "", scales, coordinate_transformation_mode="asymmetric", mode="linear")


def as_it_is(g, plan, tensor, means, speaker):
    return tensor


def levelled(g, plan, tensor, means, speaker):
    """Subtracts the mean over all frames, so that each sample depends on all of them."""
    return g.step("Sub", "dec", tensor, g.step("ReduceMean", "dec", tensor, axes=[2]))


def reminded(g, plan, tensor, means, speaker):
    """Adds the means from before the flow, which the latents do not contain."""
    return g.step("Add", "dec", tensor, g.convolution("dec.skip", means, plan.latent, plan.channels))


def told_in_stages(g, plan, tensor, means, speaker):
    """Adds the speaker again, through two stages that do not upsample."""
    said = g.lengthening("dec.told.0", speaker, plan.hidden, plan.channels, 1, 1)
    return g.step("Add", "dec", tensor, g.lengthening("dec.told.1", said, plan.channels, plan.channels, 1, 1))


def looped(g, plan, tensor, means, speaker):
    """Through a loop that runs once and changes nothing."""
    body = onnx.graph(
        "turn",
        [onnx.node("Identity", ["going"], ["still_going"]), onnx.node("Identity", ["carried"], ["carried_on"])],
        [
            onnx.value("turn", onnx.INT64, []),
            onnx.value("going", onnx.BOOL, []),
            onnx.value("carried", onnx.FLOAT, ["batch_size", plan.channels, "time"]),
        ],
        [
            onnx.value("still_going", onnx.BOOL, []),
            onnx.value("carried_on", onnx.FLOAT, ["batch_size", plan.channels, "time"]),
        ],
    )
    return g.step("Loop", "dec", g.integer(1), "", tensor, body=body)


ODDITIES = {"mean over all": levelled, "means again": reminded, "speaker in stages": told_in_stages, "loop": looped}

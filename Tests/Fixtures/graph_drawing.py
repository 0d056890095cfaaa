"""A graph under construction, with the names that PyTorch's exporter gives.

Its nodes and constants can be changed until it is encoded. Weights are random with a fixed seed.
"""

import collections
import dataclasses
import math
import random
import re

import onnx_file as onnx

LOWEST = -(1 << 63) + 1  # where the exporter makes a backwards slice end


@dataclasses.dataclass
class Node:
    operator: str
    inputs: list
    outputs: list
    name: str
    attributes: dict

    def encoded(self):
        return onnx.node(self.operator, self.inputs, self.outputs, self.name, **self.attributes)


class Drawing:
    """Names and constants as the exporter writes them since PyTorch 1.13: module paths, equal constants only once."""

    def __init__(self, seed):
        self.nodes = []
        self.constants = {}  # encoded, by name
        self.between = []
        self.inputs = []
        self.outputs = []
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.serial = 5590

    def encoded(self):
        nodes = [node.encoded() for node in self.nodes]
        return onnx.graph("torch_jit", nodes, self.inputs, self.outputs, self.constants.values(), self.between)

    def maker(self, tensor):
        return next(node for node in self.nodes if tensor in node.outputs)

    def reader(self, tensor):
        return next(node for node in self.nodes if tensor in node.inputs)

    def first(self, operator):
        return next(node for node in self.nodes if node.operator == operator)

    # Steps.

    def step(self, operator, module, *inputs, parts=0, result=None, **attributes):
        """Adds a node of `module`; returns the name of its output, or a list of `parts` names."""
        path = "/" + re.sub(r"\.(?!\d)", "/", module) if module else ""
        name = self.numbered(f"{path}/{operator}")
        outputs = [result or f"{name}_output_{at}" for at in range(parts or 1)]
        self.nodes.append(Node(operator, list(inputs), outputs, name, attributes))
        return outputs if parts else outputs[0]

    def inner(self, operator, result, *inputs, **attributes):
        """Adds a node of a separately compiled function, whose names contain no module."""
        self.serial += 1
        output = self.numbered(result, ".")
        self.nodes.append(Node(operator, list(inputs), [output], f"{operator}_{self.serial}", attributes))
        return output

    def numbered(self, name, mark="_"):
        self.counts[name] += 1
        return name if self.counts[name] == 1 else f"{name}{mark}{self.counts[name] - 1}"

    def dropout(self, module, tensor):
        """Adds nothing: the newer exports omit it."""
        return tensor

    def flip(self, module, tensor):
        """Reverses the order of the channels."""
        return self.step(
            "Slice", module, tensor, self.integers(-1), self.integers(LOWEST), self.integers(1), self.integers(-1)
        )

    def note(self, tensor, *sizes):
        """Declares the type of `tensor`, as far as the export does."""
        self.between.append(onnx.value(tensor, onnx.FLOAT, sizes))

    # Constants.

    def integer(self, number):
        return self.constant(onnx.int64s, [number], [])

    def integers(self, *numbers):
        return self.constant(onnx.int64s, numbers, [len(numbers)])

    def real(self, number):
        return self.constant(onnx.floats, [number], [])

    def reals(self, *numbers):
        return self.constant(onnx.floats, numbers, [len(numbers)])

    def constant(self, encode, numbers, shape):
        contents = encode("", numbers, shape)
        known = self.counts.get(contents)
        if known is None:
            known = self.counts[contents] = self.numbered("/Constant") + "_output_0"
            self.constants[known] = encode(known, numbers, shape)
        return known

    # Weights.

    def weights(self, name, shape, numbers):
        self.constants[name] = onnx.floats(name, numbers, shape)
        return name

    def chance(self, name, shape, deviation, mean=0.0):
        """Uniform weights around `mean`, at most √3 times their standard deviation from it."""
        reach = deviation * math.sqrt(3)
        return self.weights(name, shape, [mean + self.random.uniform(-reach, reach) for _ in range(math.prod(shape))])

    def biases(self, name, count):
        return self.chance(name, [count], 0.05)

    def folded(self, module):
        """The name of a weight that the exporter computed from two others."""
        self.serial += 3
        return f"onnx::Conv_{self.serial}"

    def convolution(
        self, module, tensor, incoming, outgoing, kernel=1, dilation=1, gain=1.0, group=1, biased=True, folded=False
    ):
        """A convolution that preserves the length, and, if `gain` is 1, approximately the loudness."""
        own = incoming // group
        name = self.folded(module) if folded else f"{module}.weight"
        inputs = [tensor, self.chance(name, [outgoing, own, kernel], gain / math.sqrt(own * kernel))]
        if biased:
            inputs.append(self.biases(f"{module}.bias", outgoing))
        reach = dilation * (kernel - 1) // 2
        return self.step(
            "Conv", module, *inputs,
            dilations=[dilation], group=group, kernel_shape=[kernel], pads=[reach, reach], strides=[1],
        )  # fmt: skip

    def conditioned(self, module, tensor, speaker, size, channels):
        """`tensor` plus the speaker's contribution; only `tensor` for a voice with one speaker."""
        if speaker is None:
            return tensor
        return self.step("Add", module, tensor, self.convolution(f"{module}.cond", speaker, size, channels, gain=0.3))

    def lengthening(self, module, tensor, incoming, outgoing, kernel, rate):
        """A transposed convolution that upsamples by `rate`."""
        deviation = math.sqrt(rate / (incoming * kernel))
        weight = self.chance(f"{module}.weight", [incoming, outgoing, kernel], deviation)
        reach = (kernel - rate) // 2
        return self.step(
            "ConvTranspose", module, tensor, weight, self.biases(f"{module}.bias", outgoing),
            dilations=[1], group=1, kernel_shape=[kernel], pads=[reach, reach], strides=[rate],
        )  # fmt: skip


class OldDrawing(Drawing):
    """Names and constants as in older exports: numbers, a node for every constant, `Identity` for no operation, and
    weights both raw and typed."""

    def __init__(self, seed):
        super().__init__(seed)
        self.serial = 900
        self.shared_biases = {}

    def step(self, operator, module, *inputs, parts=0, result=None, **attributes):
        first = self.serial = self.serial + 1
        self.serial += max(parts, 1) - 1
        outputs = [result or str(number) for number in range(first, self.serial + 1)]
        self.nodes.append(Node(operator, list(inputs), outputs, f"{operator}_{first}", attributes))
        return outputs if parts else outputs[0]

    def inner(self, operator, result, *inputs, **attributes):
        return self.step(operator, "", *inputs, **attributes)

    def dropout(self, module, tensor):
        return self.step("Identity", module, tensor)

    def note(self, tensor, *sizes):
        """Adds nothing: the older exports do not declare it."""

    def constant(self, encode, numbers, shape):
        return self.step("Constant", "", value=encode("", numbers, shape, typed=self.serial % 2 == 0))

    def weights(self, name, shape, numbers):
        self.constants[name] = onnx.floats(name, numbers, shape, typed=len(self.constants) % 3 == 0)
        return name

    def biases(self, name, count):
        """Reuses the biases of the same size: the exporter stores equal ones once."""
        if count not in self.shared_biases:
            self.shared_biases[count] = super().biases(name, count)
        else:
            self.serial += 1
            self.nodes.append(Node("Identity", [self.shared_biases[count]], [name], f"Identity_{self.serial}", {}))
        return name

    def folded(self, module):
        self.serial += 1
        return str(self.serial)

"""Graphs with one fault each, which would otherwise be valid.

The faults catch a parser that trusts counts, names and sizes.
"""

import struct

import onnx_file as onnx

PRE = "dec.conv_pre.weight"
UPS = ["dec.ups.0.weight", "dec.ups.1.weight"]
HIGHEST, LOWEST = (1 << 63) - 1, -(1 << 63)


def broken(draw, in_model):
    """Each fault's name, its model, and a description."""

    def model(change, **settings):
        g = draw(**settings)
        change(g)
        return in_model(g.encoded())

    for name, change, why in WIRING + attributes():
        yield name, model(change), why
    yield "loop", model(lambda g: None, oddity="loop"), "the decoder holds a loop"
    for name, encode, why in CONSTANTS:
        yield name, model(lambda g, encode=encode: g.constants.update({PRE: encode(PRE)})), why
    yield from encodings(draw().encoded(), in_model)


# Wiring faults: each takes a drawing and breaks it.


def cycle(g):
    """Two nodes read each other's output."""
    earlier, later = [node for node in g.nodes if node.operator == "Add"][-2:]
    earlier.inputs[1] = later.outputs[0]
    later.inputs[1] = earlier.outputs[0]


def cycle_of_one(g):
    node = g.first("Tanh")
    node.inputs[0] = node.outputs[0]


def cycle_through_all(g):
    g.reader(PRE).inputs[0] = g.maker("output").inputs[0]


def from_nowhere(g):
    g.reader(PRE).inputs[0] = "made by nobody"


def made_twice(g):
    g.nodes[-2].outputs = list(g.nodes[-3].outputs)


def made_and_stored(g):
    g.reader(UPS[0]).outputs = [PRE]


def output_unmade(g):
    g.maker("output").outputs = ["something else"]


def no_nodes(g):
    g.nodes.clear()


def no_inputs(g):
    for node in g.nodes:
        node.inputs = []


def no_inputs_of(operator):
    """The last node of a kind has no inputs: the decoder's or the flow's, if both have one."""

    def change(g):
        [*_, node] = [node for node in g.nodes if node.operator == operator]
        node.inputs = []

    return change


def no_outputs(g):
    for node in g.nodes:
        node.outputs = []


def nameless(g):
    """All tensors between nodes have the same empty name."""
    for node in g.nodes:
        node.outputs = [""] * len(node.outputs)


def no_weight(g):
    del g.constants[PRE]


def no_constants(g):
    g.constants.clear()


def strange_names(g):
    """All names between the inputs and the output differ, in invalid bytes that repair to the same four characters."""
    known = {name: name for name in ("", "output", "input", "input_lengths", "scales")}

    def strange(name):
        number = len(known)
        return known.setdefault(name, bytes([0xFF, *(0x80 + (number >> shift & 63) for shift in (12, 6, 0))]))

    for node in g.nodes:
        node.inputs, node.outputs = ([strange(name) for name in names] for names in (node.inputs, node.outputs))
        node.name = strange(node.name)
    for name, encoded in g.constants.items():
        g.constants[name] = encoded.replace(onnx.chunk(8, name), onnx.chunk(8, strange(name)))


WIRING = [
    ("cycle", cycle, "two nodes read each other"),
    ("cycle-of-one", cycle_of_one, "a node reads itself"),
    ("cycle-through-all", cycle_through_all, "the decoder reads its own end"),
    ("from-nowhere", from_nowhere, "a node reads what nobody makes"),
    ("made-twice", made_twice, "two nodes write the same tensor"),
    ("made-and-stored", made_and_stored, "a node writes the tensor that a constant is"),
    ("output-unmade", output_unmade, "nobody makes the output"),
    ("no-nodes", no_nodes, "no nodes at all"),
    ("no-inputs", no_inputs, "no node reads anything"),
    ("exp-without-input", no_inputs_of("Exp"), "a power of nothing"),
    ("neg-without-input", no_inputs_of("Neg"), "nothing with its sign changed"),
    ("transpose-without-input", no_inputs_of("Transpose"), "nothing with its axes changed"),
    ("draw-without-input", no_inputs_of("RandomNormalLike"), "chance that is like nothing"),
    ("stage-without-input", no_inputs_of("ConvTranspose"), "a stage of the sound that stretches nothing"),
    ("no-outputs", no_outputs, "no node makes anything"),
    ("nameless", nameless, "all that nodes make has the empty name"),
    ("no-weight", no_weight, "the decoder's first weight is missing"),
    ("no-constants", no_constants, "every weight is missing"),
    ("strange-names", strange_names, "names that are not UTF-8, and alike once they are repaired"),
]


def attributes():
    """Invalid attributes of nodes: numbers out of range, and wrong types."""

    def setting(weights, name, value):
        def change(g):
            for weight in weights:
                g.reader(weight).attributes[name] = value

        return change

    def elsewhere(operator, name, value):
        return lambda g: g.first(operator).attributes.update({name: value})

    return [
        ("kernel-huge", setting([PRE], "kernel_shape", [1 << 31]), "a kernel of 2³¹"),
        ("kernel-empty", setting([PRE, *UPS], "kernel_shape", []), "kernels without a size"),
        ("dilation-huge", setting([PRE], "dilations", [1 << 31]), "a dilation of 2³¹"),
        ("dilation-highest", setting([PRE], "dilations", [HIGHEST]), "a dilation of 2⁶³−1"),
        ("stride-zero", setting([PRE, *UPS], "strides", [0]), "strides of 0"),
        ("stride-negative", setting(UPS, "strides", [-4]), "frames of a negative number of samples, twice over"),
        ("stride-huge", setting(UPS, "strides", [1 << 40]), "frames of 2⁸⁰ samples"),
        ("padding-lowest", setting([PRE, *UPS], "pads", [LOWEST, LOWEST]), "a padding of −2⁶³"),
        ("padding-highest", setting([PRE, *UPS], "pads", [HIGHEST, HIGHEST]), "twice a padding of 2⁶³−1"),
        ("group-zero", setting([PRE], "group", 0), "a convolution in 0 groups"),
        ("kernel-text", setting([PRE], "kernel_shape", "seven"), "a kernel's size as text"),
        ("stride-fraction", setting(UPS, "strides", 4.5), "strides as a float"),
        ("axis-list", elsewhere("Split", "axis", [1, 1, 1]), "an axis as a list"),
        ("slope-graph", elsewhere("LeakyRelu", "alpha", onnx.graph("g", [], [], [])), "a slope as a graph"),
        ("constant-text", elsewhere("Constant", "value", "nought"), "a constant's value as text"),
    ]


# Constants instead of the decoder's first weight, which is [4, 2, 7].


def constant(shape, data, kind=onnx.FLOAT, more=b""):
    head = b"".join(onnx.integer(1, size) for size in shape) + onnx.integer(2, kind)
    return lambda name: head + onnx.chunk(8, name) + data + more


def kept_elsewhere(location):
    """A constant whose bytes are declared to be in another file."""
    entry = onnx.chunk(13, onnx.chunk(1, "location") + onnx.chunk(2, location))
    return constant([4, 2, 7], b"", more=entry + onnx.integer(14, 1))


FOUR_BYTES = onnx.chunk(9, struct.pack("<f", 1))
CONSTANTS = [
    ("weight-huge", constant([1 << 20, 1 << 20], FOUR_BYTES), "2⁴⁰ elements in four bytes"),
    ("weight-overflowing", constant([1 << 32, 1 << 32, 1], FOUR_BYTES), "2⁶⁴ elements, which wrap around to none"),
    ("weight-negative", constant([4, -2, 7], onnx.chunk(9, bytes(224))), "a negative size"),
    ("weight-short", constant([4, 2, 7], onnx.chunk(9, bytes(223))), "a byte less than its shape says"),
    ("weight-without-data", constant([4, 2, 7], b""), "a shape and no elements"),
    ("weight-without-shape", constant([], FOUR_BYTES), "a weight that is a single number"),
    ("weight-of-no-type", constant([4, 2, 7], onnx.chunk(9, bytes(224)), kind=9_999), "elements of an unknown type"),
    ("weight-of-many-sizes", constant([1] * 5_000, FOUR_BYTES), "5,000 dimensions"),
    ("weight-elsewhere", kept_elsewhere("../../../../../../etc/passwd"), "elements in a file outside the voice"),
]


# Encoding faults: the file is not what it declares to be.


def nested(pattern, depth, prefixes):
    """Nested messages with correct lengths; fields and their prefixes repeat."""
    heads, size = [], 0
    for level in reversed(range(depth)):
        field, prefix = pattern[level % len(pattern)], prefixes[level % len(pattern)]
        head = prefix + onnx.varint(field << 3 | 2) + onnx.varint(size)
        heads.append(head)
        size += len(head)
    return b"".join(reversed(heads))


def encodings(graph, in_model):
    whole = in_model(graph)
    ifs = nested([1, 5, 6], 27_000, [b"", onnx.chunk(4, "If"), b""])
    types = nested([4, 1], 20_000, [b"", b""])
    groups = bytes([3 << 3 | 3]) * 100_000
    yield "ifs-in-each-other", in_model(graph + ifs), "9,000 “If” nodes in each other"
    yield "types-in-each-other", in_model(graph + onnx.chunk(13, onnx.chunk(2, types))), "10,000 sequences of sequences"
    yield "groups-in-each-other", in_model(graph + groups), "100,000 groups begun and none ended"
    yield "empty-nodes", in_model(graph + onnx.chunk(1, b"") * 60_000), "60,000 nodes of nothing"
    yield "two-graphs", in_model(graph + b"") + onnx.chunk(7, graph), "a second graph, which adds to the first"
    yield "length-past-the-end", whole + onnx.varint(7 << 3 | 2) + onnx.varint(1 << 20), "a field longer than the file"
    inner = onnx.varint(1 << 3 | 2) + onnx.varint(100)
    yield "length-past-the-parent", in_model(graph + inner), "a node longer than its graph, yet inside the file"
    for bits in (31, 32, 63, 64):
        length = onnx.varint(5 << 3 | 2) + onnx.varint((1 << bits) - 1)
        yield f"length-of-{bits}-bits", in_model(graph + length), f"a field of 2^{bits}−1 bytes"
    yield "number-without-end", in_model(graph + onnx.varint(99 << 3) + b"\xff" * 64), "a number of 64 bytes"
    yield "wire-type-7", in_model(graph + bytes([1 << 3 | 7])), "a field of a type that there is not"
    yield "field-0", in_model(graph + b"\x02\x00"), "a field with the number 0"
    yield "cut-short", whole[: len(whole) // 2], "half of a file"
    yield "cut-in-a-number", whole + b"\xba", "a file that ends inside a number"

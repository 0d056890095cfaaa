"""Writes ONNX models in pure Python: the few messages of onnx.proto3 that the fixtures need.

Field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3. The same model always gives the
same bytes, whatever else is installed.
"""

import struct

FLOAT, INT16, INT32, INT64, BOOL = 1, 5, 6, 7, 9


class Tensor(bytes):
    """An encoded constant; the type distinguishes it from a graph where an attribute may be either."""


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, value):
    if isinstance(value, str):
        value = value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value


def _head(kind, shape):
    return b"".join(integer(1, size) for size in shape) + integer(2, kind)


def tensor(name, kind, shape, raw):
    """A constant; `raw` holds its elements in row-major order, little-endian."""
    return Tensor(_head(kind, shape) + chunk(8, name) + chunk(9, raw))


def int64s(name, values, shape=None, typed=False):
    """Integers: raw, or in the field of their type."""
    shape = [len(values)] if shape is None else shape
    if typed:
        return Tensor(_head(INT64, shape) + chunk(7, b"".join(map(varint, values))) + chunk(8, name))
    return tensor(name, INT64, shape, struct.pack(f"<{len(values)}q", *values))


def floats(name, values, shape=None, typed=False):
    """Floats: raw, or in the field of their type."""
    shape = [len(values)] if shape is None else shape
    raw = struct.pack(f"<{len(values)}f", *values)
    return Tensor(_head(FLOAT, shape) + chunk(4, raw) + chunk(8, name)) if typed else tensor(name, FLOAT, shape, raw)


def value(name, kind, shape):
    """The type of an input or output; a size may be a number or the name of an unknown one."""
    sizes = b"".join(chunk(1, integer(1, size) if isinstance(size, int) else chunk(2, size)) for size in shape)
    return chunk(1, name) + chunk(2, chunk(1, integer(1, kind) + chunk(2, sizes)))


def attribute(name, setting):
    """An attribute by its type: an integer, a float, a string, a list of integers, a `Tensor`, or the bytes of
    `graph`."""
    if isinstance(setting, int):
        return chunk(1, name) + integer(3, setting) + integer(20, 2)
    if isinstance(setting, float):
        return chunk(1, name) + varint(2 << 3 | 5) + struct.pack("<f", setting) + integer(20, 1)
    if isinstance(setting, str):
        return chunk(1, name) + chunk(4, setting) + integer(20, 3)
    if isinstance(setting, list):
        return chunk(1, name) + b"".join(integer(8, one) for one in setting) + integer(20, 7)
    if isinstance(setting, Tensor):
        return chunk(1, name) + chunk(5, setting) + integer(20, 4)
    return chunk(1, name) + chunk(6, setting) + integer(20, 5)


def node(operator, inputs, outputs, called=None, **attributes):
    """A node, named `called` or unnamed."""
    return b"".join(
        [chunk(1, name) for name in inputs]
        + [chunk(2, name) for name in outputs]
        + ([] if called is None else [chunk(3, called)])
        + [chunk(4, operator)]
        + [chunk(5, attribute(name, setting)) for name, setting in sorted(attributes.items())]
    )


def graph(name, nodes, inputs, outputs, constants=(), between=()):
    """A graph; `between` are the declared types of values between its nodes."""
    return b"".join(
        [chunk(1, one) for one in nodes]
        + [chunk(2, name)]
        + [chunk(5, one) for one in constants]
        + [chunk(11, one) for one in inputs]
        + [chunk(12, one) for one in outputs]
        + [chunk(13, one) for one in between]
    )


def model(body, metadata, opset=17):
    entries = [chunk(14, chunk(1, key) + chunk(2, str(text))) for key, text in metadata.items()]
    # IR version 8 was released with operator set 17.
    return b"".join(
        [integer(1, 8), chunk(2, "echotext-fixtures"), chunk(7, body), chunk(8, integer(2, opset)), *entries]
    )

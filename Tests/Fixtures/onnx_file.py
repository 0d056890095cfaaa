"""Writes ONNX models with nothing but Python: the few messages of onnx.proto3 that the fixtures need.

Field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3. The same model always gives the
same bytes, whatever else is installed.
"""

import struct

FLOAT, INT16, INT32, INT64, BOOL = 1, 5, 6, 7, 9


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _integer(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    if isinstance(value, str):
        value = value.encode()
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def tensor(name, kind, shape, raw):
    """A constant; `raw` holds its elements row by row, little-endian."""
    dims = b"".join(_integer(1, size) for size in shape)
    return dims + _integer(2, kind) + _bytes(8, name) + _bytes(9, raw)


def int64s(name, values, shape=None):
    return tensor(name, INT64, [len(values)] if shape is None else shape, struct.pack(f"<{len(values)}q", *values))


def floats(name, values, shape=None):
    return tensor(name, FLOAT, [len(values)] if shape is None else shape, struct.pack(f"<{len(values)}f", *values))


def value(name, kind, shape):
    """The type of an input or output; a size may be a number or the name of an unknown one."""
    sizes = b"".join(_bytes(1, _integer(1, size) if isinstance(size, int) else _bytes(2, size)) for size in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _integer(1, kind) + _bytes(2, sizes)))


def node(operator, inputs, outputs, **attributes):
    """One step; an attribute is an integer, a string, or the bytes of `graph` for a body."""
    parts = [_bytes(1, name) for name in inputs] + [_bytes(2, name) for name in outputs] + [_bytes(4, operator)]
    for name, setting in sorted(attributes.items()):
        if isinstance(setting, int):
            attribute = _bytes(1, name) + _integer(3, setting) + _integer(20, 2)
        elif isinstance(setting, str):
            attribute = _bytes(1, name) + _bytes(4, setting) + _integer(20, 3)
        else:
            attribute = _bytes(1, name) + _bytes(6, setting) + _integer(20, 5)
        parts.append(_bytes(5, attribute))
    return b"".join(parts)


def graph(name, nodes, inputs, outputs, constants=()):
    return b"".join(
        [_bytes(1, one) for one in nodes]
        + [_bytes(2, name)]
        + [_bytes(5, one) for one in constants]
        + [_bytes(11, one) for one in inputs]
        + [_bytes(12, one) for one in outputs]
    )


def model(body, metadata, opset=17):
    entries = [_bytes(14, _bytes(1, key) + _bytes(2, str(text))) for key, text in metadata.items()]
    # IR version 8 is the one that came with operator set 17.
    return b"".join(
        [_integer(1, 8), _bytes(2, "echotext-fixtures"), _bytes(7, body), _bytes(8, _integer(2, opset)), *entries]
    )

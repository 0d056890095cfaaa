#!/usr/bin/python3
"""Makes the fixture voice: a Piper voice without third-party weights.

    make-voice.py FOLDER

writes FOLDER/vits-piper-en_US-fixture-low. Its model is an ONNX graph that concatenates espeak-ng renderings of single
sounds, cross-faded, for two speakers. It has the inputs and output of a real Piper model, honours the length scale, and
the same espeak-ng always gives the same bytes. The sounds are cut into frames of 10 ms; a longer or shorter length
repeats or drops frames, so the pitch stays.
"""

import sys

import onnx_file as onnx
import voice_folder
from sounds import FRAME, RATE, SPEAKERS, SYMBOLS, Inventory

NAME = "en_US-fixture-low"
BLANK, LENGTH = SYMBOLS.index("_"), SYMBOLS.index("ː")
BLANK_PAUSE = 1  # frames of a blank that follows another
SUSTAIN = 6  # frames by which “ː” lengthens the sound before it


def voice_graph(inventory):
    """The nodes that turn symbols into sound; `counts` are frames, `spans` the frames of each symbol."""
    per_speaker = len(inventory.frames[0]) // (2 * FRAME)
    sounds = b"".join(bytes(frames) for frames in inventory.frames)
    rise = [(at + 0.5) / FRAME for at in range(FRAME)]
    constants = [
        onnx.tensor("sounds", onnx.INT16, [len(SPEAKERS) * per_speaker, FRAME], sounds),
        onnx.int64s("first", inventory.first),
        onnx.int64s("step", inventory.step),
        onnx.int64s("lengths", inventory.length),
        onnx.int64s("per_speaker", [per_speaker]),
        onnx.int64s("blank", [BLANK]),
        onnx.int64s("blank_pause", [BLANK_PAUSE]),
        onnx.int64s("draw_out", [LENGTH]),
        onnx.int64s("sustain", [SUSTAIN]),
        onnx.int64s("zero", [0]),
        onnx.int64s("one", [1]),
        onnx.int64s("two", [2]),
        onnx.int64s("minus_one", [-1]),
        onnx.int64s("minus_two", [-2]),
        onnx.int64s("two_blanks", [BLANK, BLANK]),
        onnx.int64s("no_frame", [0]),
        onnx.int64s("scalar_zero", [0], []),
        onnx.int64s("scalar_one", [1], []),
        onnx.int64s("audio_shape", [1, 1, 1, -1]),
        onnx.floats("full_scale", [32768]),
        onnx.floats("rise", rise, [1, FRAME]),
        onnx.floats("fall", [1 - up for up in rise], [1, FRAME]),
    ]
    nodes = []

    def step(operator, inputs, output, **attributes):
        nodes.append(onnx.node(operator, inputs.split(), [output], **attributes))

    # The symbols, and those one and two positions before them.
    step("Reshape", "input minus_one", "all_symbols")
    step("Slice", "all_symbols zero input_lengths", "symbols")
    step("Concat", "two_blanks symbols", "shifted", axis=0)
    step("Slice", "shifted zero minus_two", "second_last")
    step("Slice", "shifted one minus_one", "last")

    # The frames of each symbol, natural and at this length: rounded at its end, so that the total is exact.
    step("Equal", "symbols blank", "is_blank")
    step("Equal", "last blank", "after_blank")
    step("And", "is_blank after_blank", "is_pause")
    step("Gather", "lengths symbols", "own_counts")
    step("Where", "is_pause blank_pause own_counts", "plain_counts")
    step("Equal", "symbols draw_out", "draws_out")
    step("Where", "draws_out sustain plain_counts", "counts")
    step("CumSum", "counts scalar_zero", "plain_ends")
    step("Cast", "plain_ends", "plain_ends_as_float", to=onnx.FLOAT)
    step("Slice", "scales one two", "length_scale")
    step("Mul", "plain_ends_as_float length_scale", "scaled_ends")
    step("Ceil", "scaled_ends", "whole_ends")
    step("Cast", "whole_ends", "ends", to=onnx.INT64)
    step("Slice", "ends zero minus_one", "all_ends_but_last")
    step("Concat", "zero all_ends_but_last", "starts", axis=0)
    step("Sub", "ends starts", "spans")

    # The symbol of each output frame: how many symbols have ended by then.
    step("ReduceSum", "spans", "total", keepdims=0)
    step("Range", "scalar_zero total scalar_one", "positions")
    step("Shape", "symbols", "symbol_count")
    step("Expand", "one symbol_count", "ones")
    step("Unsqueeze", "total zero", "total_in_list")
    step("Add", "total_in_list one", "room")
    step("Expand", "no_frame room", "nothing_ended")
    step("ScatterElements", "nothing_ended ends ones", "ended_at", axis=0, reduction="add")
    step("CumSum", "ended_at scalar_zero", "ended_by")
    step("Slice", "ended_by zero minus_one", "owners")

    # The index of each frame in the store of sounds.
    step("Where", "draws_out second_last symbols", "sounding")
    step("Gather", "first sounding", "firsts")
    step("Gather", "step sounding", "steps")
    step("Gather", "starts owners", "owner_starts")
    step("Sub", "positions owner_starts", "into_owner")
    step("Gather", "counts owners", "owner_counts")
    step("Mul", "into_owner owner_counts", "stretched")
    step("Gather", "spans owners", "owner_spans")
    step("Div", "stretched owner_spans", "into_sound")
    step("Gather", "lengths sounding", "sound_lengths")
    step("Gather", "sound_lengths owners", "owner_lengths")
    step("Min", "into_sound owner_lengths", "inside_sound")
    step("Gather", "steps owners", "owner_steps")
    step("Mul", "inside_sound owner_steps", "forward")
    step("Gather", "firsts owners", "owner_firsts")
    step("Add", "owner_firsts forward", "in_sounds")
    step("Slice", "sid zero one", "speaker")
    step("Mul", "speaker per_speaker", "speaker_offset")
    step("Add", "in_sounds speaker_offset", "places")

    # Each frame fades in while the continuation of the previous one fades out.
    step("Add", "places owner_steps", "next_places")
    step("Slice", "next_places zero minus_one", "all_next_but_last")
    step("Concat", "no_frame all_next_but_last", "fading_places", axis=0)
    for side, places in [("rise", "places"), ("fall", "fading_places")]:
        step("Gather", f"sounds {places}", f"{side}_sound")
        step("Cast", f"{side}_sound", f"{side}_float", to=onnx.FLOAT)
        step("Mul", f"{side}_float {side}", f"{side}_part")
    step("Add", "rise_part fall_part", "frames")
    step("Div", "frames full_scale", "amplitudes")
    step("Reshape", "amplitudes audio_shape", "output")

    inputs = [
        onnx.value("input", onnx.INT64, ["batch", "symbols"]),
        onnx.value("input_lengths", onnx.INT64, ["batch"]),
        onnx.value("scales", onnx.FLOAT, [3]),
        onnx.value("sid", onnx.INT64, ["batch"]),
    ]
    outputs = [onnx.value("output", onnx.FLOAT, ["batch", 1, 1, "samples"])]
    return onnx.graph("fixture voice", nodes, inputs, outputs, constants)


CARD = """# Model card for fixture (low)

* Language: en_US (English, United States)
* Speakers: 2
* Quality: low
* Samplerate: 16,000Hz

Not trained on anybody's speech: espeak-ng's sounds strung together, for EchoText's tests.
"""


def main(folder):
    model = onnx.model(voice_graph(Inventory()), voice_folder.metadata(len(SPEAKERS), RATE))
    described = voice_folder.description("fixture", "low", RATE, ["low", "high"])
    voice_folder.write(folder, NAME, model, described, CARD)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make-voice.py FOLDER")
    main(sys.argv[1])

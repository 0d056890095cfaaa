"""Benchmarks/recognition_material.py makes a Whisper as people download it, and a dictation."""

import array
import pathlib
import subprocess
import sys
import tempfile
import unittest
import wave

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "Tests/Fixtures")]
sys.dont_write_bytecode = True

import onnx_file as onnx  # noqa: E402
import recognition_material as material  # noqa: E402


def model(*outputs):
    node = onnx.node("Identity", ["in"], ["out"])
    ports = [onnx.value(name, onnx.FLOAT, ["n", 300]) for name in outputs]
    weights = onnx.floats("weights", [0.5] * 300)
    return onnx.model(onnx.graph("g", [node], [onnx.value("in", onnx.FLOAT, ["n"])], ports, [weights]), {"made": "here"})


class MaterialTests(unittest.TestCase):
    def test_a_model_loses_one_output_and_nothing_else(self):
        self.assertEqual(material.without_output(model("out", "looks"), "looks"), model("out"))
        self.assertEqual(material.without_output(model("out"), "looks"), model("out"))

    def test_the_archive_is_of_the_same_files_in_a_folder_of_its_name(self):
        with tempfile.TemporaryDirectory() as place:
            place = pathlib.Path(place)
            folder = place / "whisper-attention"
            folder.mkdir()
            (folder / "a-decoder.int8.onnx").write_bytes(model("logits", material.LOOKS))
            (folder / "a-tokens.txt").write_text("a 0\n")
            packed = place / "whisper-attention.tar.bz2"
            subprocess.run(["tar", "-cjf", packed, "-C", place, folder.name], check=True)
            plain = material.plain_archive(packed, place / "whisper.tar.bz2")
            subprocess.run(["tar", "-xjf", plain, "-C", place], check=True)
            self.assertEqual((place / "whisper/a-decoder.int8.onnx").read_bytes(), model("logits"))
            self.assertEqual((place / "whisper/a-tokens.txt").read_text(), "a 0\n")

    def test_a_dictation_has_all_samples_and_three_seconds_more_in_each_pause(self):
        rate = 16_000
        loud, short, long = [1_000] * rate, [0] * (rate // 10), [0] * rate
        with tempfile.TemporaryDirectory() as place:
            sound = pathlib.Path(place, "spoken.wav")
            with wave.open(str(sound), "wb") as written:
                written.setnchannels(1)
                written.setsampwidth(2)
                written.setframerate(rate)
                written.writeframes(array.array("h", loud + short + loud + long + loud).tobytes())
            with wave.open(str(material.dictated(sound))) as read:
                heard = array.array("h", read.readframes(read.getnframes()))
        self.assertEqual(heard, array.array("h", loud + short + loud + [0] * (4 * rate) + loud))


if __name__ == "__main__":
    unittest.main()

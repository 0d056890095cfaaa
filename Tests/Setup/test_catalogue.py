"""The entries for archives that Scripts/make-catalogue writes from given facts."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "Scripts/make-catalogue"


def load():
    loader = importlib.machinery.SourceFileLoader("make_catalogue", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class CatalogueTests(unittest.TestCase):
    def setUp(self):
        self.catalogue = load()

    def line(self, facts, name):
        return next(line for line in self.catalogue.lines(facts) if line["archive"] == name)

    def test_a_release_tells_sizes_and_checksums(self):
        voice, recogniser = "vits-piper-en_US-a-low.tar.bz2", "sherpa-onnx-whisper-tiny.tar.bz2"
        facts = {
            "assets": [
                {"name": voice, "size": 5, "digest": "sha256:" + "a" * 64},
                {"name": recogniser, "size": 7, "digest": "sha256:" + "b" * 64},
                {"name": "vits-piper-en_US-b-low.tar.bz2", "size": 6, "digest": None},
            ]
        }
        self.assertEqual(self.line(facts, voice), {"archive": voice, "bytes": 5, "sha256": "a" * 64})
        self.assertEqual(self.line(facts, recogniser), {"archive": recogniser, "bytes": 7, "sha256": "b" * 64})
        self.assertEqual(
            self.line(facts, "vits-piper-en_US-b-low.tar.bz2"), {"archive": "vits-piper-en_US-b-low.tar.bz2"}
        )

    def test_no_checksum_is_made_up(self):
        facts = [
            {"id": "vits-piper-en_US-a-low", "speakers": 1, "sampleRate": 16_000},
            {"id": "vits-piper-en_US-b-low", "speakers": 1, "sampleRate": 16_000, "size": 5, "digest": "md5:" + "a" * 32},
        ]
        for name in ("vits-piper-en_US-a-low.tar.bz2", "vits-piper-en_US-b-low.tar.bz2"):
            self.assertEqual(self.line(facts, name), {"archive": name, "speakers": 1, "rate": 16_000})


if __name__ == "__main__":
    unittest.main()

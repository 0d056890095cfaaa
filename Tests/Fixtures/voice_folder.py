"""A voice as sherpa-onnx requires it: the model's metadata, and the files next to the model."""

import json
import pathlib

from sounds import SYMBOLS


def metadata(speakers, rate):
    """The metadata by which sherpa-onnx recognizes a Piper voice."""
    return {
        "model_type": "vits",
        "comment": "piper",
        "language": "English",
        "voice": "en-us",
        "has_espeak": 1,
        "n_speakers": speakers,
        "sample_rate": rate,
    }


def description(dataset, quality, rate, speakers):
    """Piper's description of a voice; `speakers` are names."""
    return {
        "dataset": dataset,
        "audio": {"sample_rate": rate, "quality": quality},
        "espeak": {"voice": "en-us"},
        "language": {
            "code": "en_US",
            "family": "en",
            "region": "US",
            "name_native": "English",
            "name_english": "English",
            "country_english": "United States",
        },
        "inference": {"noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8},
        "phoneme_type": "espeak",
        "phoneme_map": {},
        "num_symbols": 256,
        "num_speakers": len(speakers),
        "speaker_id_map": {name: number for number, name in enumerate(speakers)} if len(speakers) > 1 else {},
        "piper_version": "1.0.0",
        "phoneme_id_map": {symbol: [number] for number, symbol in enumerate(SYMBOLS)},
    }


def write(folder, name, model, described, card=None, indent=2):
    """Writes the voice `name` into a folder of its own inside `folder`, and returns that folder's name."""
    voice = pathlib.Path(folder, f"vits-piper-{name}")
    voice.mkdir(parents=True, exist_ok=True)
    (voice / f"{name}.onnx").write_bytes(model)
    text = json.dumps(described, ensure_ascii=False, indent=indent) + "\n"
    (voice / f"{name}.onnx.json").write_text(text, encoding="utf-8")
    tokens = "".join(f"{symbol} {number}\n" for number, symbol in enumerate(SYMBOLS))
    (voice / "tokens.txt").write_text(tokens, encoding="utf-8")
    if card is not None:
        (voice / "MODEL_CARD").write_text(card, encoding="utf-8")
    return voice.name

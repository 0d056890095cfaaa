"""The sounds of the fixture voice: the mapping from symbols to espeak-ng's sounds, rendered and cut into frames."""

import array
import math
import struct
import subprocess
import sys

RATE = 16_000  # hertz
FRAME = 160  # samples: 10 ms
SPEAKERS = ["", "+f3"]  # espeak-ng's variants of its voices

# The symbols of Piper's voices with their numbers there.
SYMBOLS = (
    "_^$ !'(),-.:;?abcdefhijklmnopqrstuvwxyzæçðøħŋœǀǁǂǃɐɑɒɓɔɕɖɗɘəɚɛɜɞɟɠɡɢɣɤɥɦɧɨɪɫɬɭɮɯɰɱɲɳɴɵɶɸɹɺɻɽɾʀʁʂʃʄʈʉʊʋʌʍʎʏʐʑʒʔʕʘʙ"
    'ʛʜʝʟʡʢʲˈˌːˑ˞βθχᵻⱱ0123456789\u0327\u0303\u032a\u032f\u0329ʰˤε↓#"↑\u033a\u033bgʦX\u031d\u030aɝʷ'
)
# Frames of silence. Between two audible symbols, the blank takes no time; a blank after another is a pause.
SILENCES = {
    "_": 0,
    "^": 1,
    "$": 1,
    " ": 3,
    ",": 15,
    ";": 15,
    ":": 15,
    ".": 25,
    "!": 25,
    "?": 25,
    "-": 5,
    "(": 8,
    ")": 8,
}

# espeak-ng's name for each sound, and the voice whose phoneme table has it (English if none is given). Sounds missing
# from English and its neighbors are replaced by the nearest one; a voiced consonant is audible only before a vowel.
VOWELS = {
    "a": "de/a", "ɶ": "de/a", "æ": "a", "ɐ": "V", "ʌ": "V", "ɑ": "A:", "ɒ": "0", "ɔ": "O:", "o": "de/o:", "ɤ": "de/o:",
    "e": "de/e:", "ɘ": "de/e:", "ɛ": "E", "ε": "E", "ə": "@", "ɵ": "@", "ɚ": "3", "˞": "3", "ɝ": "3:", "ɜ": "3:",
    "ɞ": "3:", "i": "i:", "ɪ": "I", "ɨ": "I", "ᵻ": "I", "y": "de/y:", "ʏ": "de/y:", "ø": "de/Y:", "œ": "de/W",
    "u": "u:", "ʉ": "u:", "ɯ": "u:", "ʊ": "U",
}  # fmt: skip
STOPS = {
    "p": "p", "b": "b@", "ɓ": "b@", "t": "t", "ʈ": "t", "d": "d@", "ɖ": "d@", "ɗ": "d@", "c": "k", "k": "k", "q": "k",
    "ɟ": "g@", "ɡ": "g@", "g": "g@", "ɠ": "g@", "ɢ": "g@", "ʛ": "g@", "ʄ": "g@", "ʦ": "t", "ʔ": "t", "ʡ": "t", "ǀ": "t",
    "ǁ": "t", "ǂ": "k", "ǃ": "k", "ʘ": "p",
}  # fmt: skip
CONSONANTS = {
    "f": "f", "ɸ": "f", "v": "v", "β": "v", "ʋ": "v", "ⱱ": "v", "θ": "T", "ð": "D", "s": "s", "z": "z", "ʃ": "S",
    "ʂ": "S", "ɕ": "S", "ɧ": "S", "ʒ": "Z", "ʐ": "Z", "ʑ": "Z", "ç": "de/C", "x": "de/x", "χ": "de/x", "X": "de/x",
    "ħ": "de/x", "ʜ": "de/x", "ɣ": "de/x", "ʝ": "j@", "h": "h@", "ɦ": "h@", "ʕ": "h@", "ʢ": "h@", "m": "m@", "ɱ": "m@",
    "n": "n@", "ɲ": "n@", "ɳ": "n@", "ŋ": "N@", "ɴ": "N@", "l": "l@", "ɫ": "l@", "ɬ": "l@", "ɭ": "l@", "ɮ": "l@", "ʎ": "l@",
    "ʟ": "l@", "ɺ": "l@", "ɹ": "r@", "ɻ": "r@", "ɰ": "r@", "r": "es/R", "ʀ": "es/R", "ʁ": "es/R", "ʙ": "es/R", "ɽ": "*@",
    "ɾ": "*@", "j": "j@", "ɥ": "j@", "w": "w@", "ʍ": "w@",
}  # fmt: skip
VOWEL_FRAMES, STOP_FRAMES, CONSONANT_FRAMES = 10, 4, 7
CLOSURE = 3  # frames of silence before a stop is released
SHORTER = {"ə": 5, "ɐ": 5, "ɵ": 5, "ᵻ": 5, "ɨ": 5, "ɪ": 7, "ʊ": 7, "ɾ": 3, "ɽ": 3, "h": 5, "j": 5, "w": 5}


def render(sound, speaker):
    """A sound as spoken by espeak-ng at 16 kHz, trimmed; samples of -1 to 1."""
    voice, _, name = sound.rpartition("/")
    command = ["espeak-ng", "-v", (voice or "en-us") + speaker, "-s", "130", "-z", "--stdout", f"[[{name}]]"]
    # espeak-ng cannot seek in a pipe, so the header's sizes are wrong.
    said = subprocess.run(command, check=True, capture_output=True).stdout
    rate = struct.unpack_from("<I", said, 24)[0]
    samples = array.array("h", said[44 : len(said) & ~1])
    if sys.byteorder == "big":
        samples.byteswap()
    loud = max(map(abs, samples), default=0) / 50
    heard = [at for at, sample in enumerate(samples) if abs(sample) > loud]
    if not heard:
        sys.exit(f"espeak-ng says nothing for {sound}")
    return resample([sample / 32768 for sample in samples[heard[0] : heard[-1] + 1]], rate)


def resample(samples, rate, reach=16):
    """Resamples from `rate` to 16 kHz with a sinc under a Hann window, `reach` samples to either side."""
    common = math.gcd(RATE, rate)
    up, down = RATE // common, rate // common
    cut = min(1, up / down)
    kernels = []
    for phase in range(up):
        taps = []
        for tap in range(1 - reach, reach + 1):
            x = tap - phase / up
            sinc = 1 if x == 0 else math.sin(math.pi * cut * x) / (math.pi * cut * x)
            taps.append(cut * sinc * (0.5 + 0.5 * math.cos(math.pi * x / (reach + 1))))
        kernels.append(taps)
    padded = [0.0] * (reach - 1) + samples + [0.0] * (reach + 1)
    out = []
    for at in range(len(samples) * up // down):
        first, phase = divmod(at * down, up)
        out.append(sum(map(float.__mul__, padded[first : first + 2 * reach], map(float, kernels[phase]))))
    return out


class Inventory:
    """Every sound of every speaker, split into frames; frame 0 is silence."""

    def __init__(self):
        self.frames = [bytearray(2 * FRAME) for _ in SPEAKERS]
        self.first = [0] * len(SYMBOLS)
        self.step = [0] * len(SYMBOLS)  # how many frames to advance per frame played: 0 stays on silence
        self.length = [SILENCES.get(symbol, 0) for symbol in SYMBOLS]
        places = {}
        for sounds, longest, closure in [
            (VOWELS, VOWEL_FRAMES, 0), (STOPS, STOP_FRAMES, CLOSURE), (CONSONANTS, CONSONANT_FRAMES, 0),
        ]:  # fmt: skip
            for symbol, sound in sounds.items():
                at = SYMBOLS.index(symbol)
                if sound not in places:
                    places[sound] = self.add(sound, longest, closure)
                self.first[at], longest_here = places[sound]
                self.length[at] = min(longest_here, SHORTER.get(symbol, longest_here))
                self.step[at] = 1

    def add(self, sound, longest, closure):
        renderings = [render(sound, speaker) for speaker in SPEAKERS]
        spoken = min(longest, *(math.ceil(len(samples) / FRAME) for samples in renderings))
        first = len(self.frames[0]) // (2 * FRAME)
        length = closure + spoken
        for stored, samples in zip(self.frames, renderings, strict=True):
            # A frame more than is played, for the last one to fade into.
            fitting = ([0.0] * (closure * FRAME) + samples + [0.0] * (2 * FRAME * longest))[: (length + 1) * FRAME]
            rounded = (max(-32768, min(32767, round(32768 * sample))) for sample in fitting)
            stored += struct.pack(f"<{len(fitting)}h", *rounded)
        return first, length

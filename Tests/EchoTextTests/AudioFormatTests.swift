import EchoText
import Testing

@Suite("Audio format")
struct AudioFormatTests {
    @Test(
        "is known from a file's name",
        arguments: [
            ("a.wav", AudioFormat.wav), ("A.WAVE", .wav), ("/x.y/b.Flac", .flac), ("c.d.mp3", .mp3), ("e.opus", .opus),
            ("f.ogg", .ogg), ("f.oga", .ogg), ("g.raw", .raw), ("g.pcm", .raw),
        ]
    )
    func known(_ name: String, format: AudioFormat) {
        #expect(AudioFormat(fileName: name) == format)
    }

    @Test("is not guessed", arguments: ["", "wav", ".wav", "a.", "a.txt", "/x.wav/b", "-"])
    func unknown(_ name: String) {
        #expect(AudioFormat(fileName: name) == nil)
    }

    @Test(
        "stores a rate it knows",
        arguments: [
            (AudioFormat.opus, 22_050, 24_000), (.opus, 16_000, 16_000), (.opus, 44_100, 48_000),
            (.opus, 96_000, 48_000),
            (.mp3, 22_050, 22_050), (.mp3, 20_000, 22_050), (.mp3, 96_000, 48_000), (.wav, 22_051, 22_051),
            (.flac, 96_000, 96_000), (.ogg, 22_050, 22_050), (.raw, 1, 1),
        ]
    )
    func storedRate(_ format: AudioFormat, rate: Int, stored: Int) {
        #expect(format.storedSampleRate(for: rate) == stored)
    }

    @Test("says when it cannot hold a rate", arguments: [(AudioFormat.flac, 700_000), (.ogg, 4_000), (.wav, 1 << 32)])
    func refusedRate(_ format: AudioFormat, rate: Int) {
        #expect(format.storedSampleRate(for: rate) == nil)
    }
}

import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak --timings", .endsInTime)
struct TimingsTests {
    private struct Table: Decodable {
        struct Row: Decodable {
            let text: String
            let start: Double
            let end: Double
            let range: [Int]
            let words: [Word]
        }

        struct Word: Decodable {
            let word: String
            let start: Double
            let end: Double
            let range: [Int]
            let precision: String
        }

        let version: Int
        let rangeUnit: String
        let sentences: [Row]
        let duration: Double
    }

    private static let text = """
        # Zwölf “quoted” words 🎉 & 3 < 4

        Dr. Smith paid £3.50 at 10:45 on 5 May 2024. He said: [pause:0.4s] see www.example.org!

        It's the naïve end, isn't it?
        """
    private static let voices = ["en-gb", Fixtures.voice]

    private let folder = TemporaryFolder()

    private func speak(
        _ timings: String,
        with voice: String,
        _ text: String = Self.text,
        speed: Double = 1
    ) async throws -> AudioClip {
        try folder.write(text, to: "text.txt")
        let outcome = try await Program(
            speak: "-f",
            "text.txt",
            "-o",
            "out.wav",
            "--timings",
            timings,
            "--voice",
            voice,
            "--speed",
            "\(speed)",
            in: folder
        ).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(folder.names == ["out.wav", "text.txt", timings].sorted())
        return try await SoundFileReader().read(folder("out.wav"), limit: 10_000_000)
    }

    /// Where the sound ends, in seconds; only its decay follows.
    private func soundEnd(of clip: AudioClip) -> Double {
        Double(clip.soundRange().upperBound) / Double(clip.sampleRate)
    }

    @Test("says where each sentence and word is heard, and where it is written", arguments: voices)
    func json(_ voice: String) async throws {
        let clip = try await speak("out.json", with: voice)
        let table = try JSONDecoder().decode(Table.self, from: folder.data(of: "out.json"))
        let units = Array(Self.text.utf16)
        func written(_ range: [Int]) -> String { String(decoding: units[range[0]..<range[1]], as: UTF16.self) }

        #expect(table.version == 1)
        #expect(table.rangeUnit == "utf-16")
        #expect(table.sentences.count >= 4)
        #expect(abs(table.duration - clip.seconds) < 0.000_1)
        var reached = 0.0
        var read = 0
        for sentence in table.sentences {
            #expect(written(sentence.range) == sentence.text)
            #expect(sentence.start >= reached - 0.000_1)
            #expect(sentence.range[0] >= read)
            read = sentence.range[1]
            reached = sentence.start
            for word in sentence.words {
                #expect(written(word.range) == word.word)
                #expect(word.start >= reached - 0.000_1)
                #expect(word.end >= word.start)
                #expect(["exact", "estimated"].contains(word.precision))
                reached = word.start
            }
            #expect(sentence.end >= reached)
            reached = sentence.end
        }
        #expect(abs(reached - soundEnd(of: clip)) <= 0.05)
        #expect((-0.000_1...0.15).contains(clip.seconds - reached))
        let words = Set(table.sentences.flatMap(\.words).map(\.word))
        #expect(words.isSuperset(of: ["Smith", "paid", "said", "naïve", "end"]))
    }

    @Test(
        "writes captions in order, the last of them ending with the sound",
        arguments: ["out.srt", "out.vtt"],
        voices
    )
    func captions(_ name: String, _ voice: String) async throws {
        let clip = try await speak(name, with: voice)
        let text = try folder.text(of: name)
        let isWebVTT = name.hasSuffix("vtt")
        #expect(text.hasPrefix(isWebVTT ? "WEBVTT\n\n" : "1\n00:00:0"))
        #expect(text.contains(isWebVTT ? "&amp; 3 &lt; 4" : "& 3 < 4"))
        let times = text.matches(of: /(\d\d):(\d\d):(\d\d)[.,](\d\d\d)/).map { match in
            let parts = [match.1, match.2, match.3, match.4].map { Double($0) ?? .nan }
            return zip(parts, [3_600, 60, 1, 0.001]).reduce(0) { $0 + $1.0 * $1.1 }
        }
        #expect(times.count >= 8)
        #expect(times == times.sorted())
        let end = try #require(times.last)
        #expect(abs(end - soundEnd(of: clip)) <= 0.05)
        #expect((-0.001...0.15).contains(clip.seconds - end))
    }

    /// The stretches of a sound that are quieter than `bound`, in seconds.
    private func pauses(in clip: AudioClip, below bound: Float) -> [Range<Double>] {
        let rate = Double(clip.sampleRate)
        var found: [Range<Double>] = []
        var start = 0
        for (place, sample) in clip.samples.enumerated() where abs(sample) >= bound {
            if place > start { found.append(Double(start) / rate..<Double(place) / rate) }
            start = place + 1
        }
        return found
    }

    private static let sentences = """
        Number one is spoken now. Then it rests. [pause:0.4s] Number two is spoken now. Number three is spoken now.

        Here is a paragraph. [pause:0.4s] Then it rests. The last of them is here.
        """

    @Test("is never off by more than 0.03 seconds, to the last sentence", arguments: voices, [1, 1.5])
    func drift(_ voice: String, _ speed: Double) async throws {
        let clip = try await speak("out.json", with: voice, Self.sentences, speed: speed)
        let table = try JSONDecoder().decode(Table.self, from: folder.data(of: "out.json"))
        #expect(table.sentences.count == 7)
        // −45 dBFS
        let ends = pauses(in: clip, below: 0.0056).filter { $0.upperBound - $0.lowerBound >= 0.15 }.map(\.upperBound)
        for sentence in table.sentences.dropFirst() {
            let nearest = ends.map { abs($0 - sentence.start) }.min() ?? .infinity
            #expect(nearest <= 0.03, "\(sentence.text)")
        }
    }

    @Test("is of a sound with a pause at each dash between words, and none at a hyphen", arguments: voices)
    func dashes(_ voice: String) async throws {
        let clip = try await speak("out.json", with: voice, "The short-lived boat—old but sound─is ready.")
        let table = try JSONDecoder().decode(Table.self, from: folder.data(of: "out.json"))
        let words = table.sentences.flatMap(\.words)
        #expect(words.map(\.word) == ["The", "short", "lived", "boat", "old", "but", "sound", "is", "ready"])
        let pauses = pauses(in: clip, below: 0.01 * clip.peak)
        for word in words.dropFirst() {
            let near = pauses.filter { $0.lowerBound < word.start + 0.03 && $0.upperBound > word.start - 0.03 }
            let longest = near.map { $0.upperBound - $0.lowerBound }.max() ?? 0
            let isBehindDash = ["old", "is"].contains(word.word)
            #expect(isBehindDash ? (0.1...0.5).contains(longest) : longest < 0.1, "\(word.word): \(longest)")
        }
    }

    @Test("can go to standard output while the sound goes to a file")
    func toOutput() async throws {
        let outcome = try await Program(
            speak: "Hello, world.",
            "-o",
            "out.wav",
            "--timings",
            "-",
            in: folder
        ).run()
        let table = try JSONDecoder().decode(Table.self, from: outcome.output)
        #expect(table.sentences.map(\.text) == ["Hello, world."])
    }
}

import EchoTextTesting
import Testing

@testable import EchoText

@Suite("Practice track")
struct PracticeTrackTests {
    private static let rate = 1_000

    /// Sound proportional to the text's length and to the rate.
    private static func speak(_ segment: PracticeSegment, _ rate: Double) -> AudioClip {
        let count = Int((Double(segment.text.utf16.count * 37) / (2 * rate)).rounded())
        return AudioClip(samples: [Float](repeating: 0.5, count: count), sampleRate: Self.rate)
    }

    private func track(_ text: String, _ settings: PracticeSettings = .init()) -> PracticeTrack {
        let segments = PracticeSegments(
            of: StringSource(text),
            language: "en",
            by: settings.granularity,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en")
        )
        return PracticeTrack(of: segments, settings, pauses: .init(sentence: 0.1, paragraph: 0.2, heading: 0.3))
    }

    private func entries(_ text: String, _ settings: PracticeSettings = .init()) async throws -> [PracticeTrack.Entry] {
        var list: [PracticeTrack.Entry] = []
        _ = try await track(text, settings).write(
            to: nil,
            speak: { Self.speak($0, $1) },
            report: { entry in list.append(entry) }
        )
        return list
    }

    /// Lengths of sound and of silence, in samples, in turn.
    private static func runs(of samples: [Float]) -> [Int] {
        var runs: [Int] = []
        var isSound: Bool?
        for sample in samples {
            if (sample != 0) == isSound { runs[runs.count - 1] += 1 } else { runs.append(1) }
            isSound = sample != 0
        }
        return runs
    }

    @Test(
        "SP3: pauses as long as each of 100 segments took, times the factor",
        arguments: PracticeSettings.Granularity.allCases,
        [0.5, 1, 1.37, 3]
    )
    func pauses(_ granularity: PracticeSettings.Granularity, _ factor: Double) async throws {
        let text = (1...100).map { number in
            String(repeating: "Word \(number). ", count: granularity == .paragraph ? 3 : 1)
        }.joined(separator: "\n\n")
        let sink = MemorySink(sampleRate: 1_000)
        var entries: [PracticeTrack.Entry] = []
        let seconds = try await track(
            text,
            .with {
                $0.granularity = granularity
                $0.factor = factor
            }
        ).write(to: sink, speak: { Self.speak($0, $1) }, report: { entry in entries.append(entry) })
        let samples = await sink.samples
        let runs = Self.runs(of: samples)
        #expect(entries.count == 100 && runs.count == 200)
        for (index, entry) in entries.enumerated() {
            let (sound, pause) = (Double(runs[2 * index]), Double(runs[2 * index + 1]))
            #expect(sound == entry.seconds * 1_000)
            #expect(abs(pause - factor * sound) <= 20)
        }
        #expect(seconds == Double(samples.count) / 1_000)
    }

    @Test("repeats each segment, without speaking it again")
    func repetitions() async throws {
        var spoken = 0
        var places: [PracticeSession.Position] = []
        _ = try await track("One. Two.", .with { $0.repeats = 3 }).write(to: nil) { segment, rate in
            spoken += 1
            return Self.speak(segment, rate)
        } report: { entry in
            places.append(.init(segment: entry.segment.number, repetition: entry.repetition, pass: entry.pass))
        }
        #expect(spoken == 2)
        #expect(places.map(\.segment) == [1, 1, 1, 2, 2, 2] && places.map(\.repetition) == [1, 2, 3, 1, 2, 3])
    }

    @Test("speaks each repetition faster if that is wished")
    func faster() async throws {
        let entries = try await entries(
            "One. Two.",
            .with {
                $0.repeats = 2
                $0.faster = true
            }
        )
        #expect(entries.map(\.rate) == [0.5, 0.55, 0.5, 0.55])
        #expect(entries[1].seconds < entries[0].seconds && entries[1].pause == entries[1].seconds)
    }

    @Test("has a loop once")
    func loop() async throws {
        let loop = PracticeSettings.with { $0.loop = PracticeLoop(first: 2, last: 3) }
        #expect(try await entries("One. Two. Three. Four.", loop).map(\.segment.number) == [2, 3])
        #expect(try await entries("One. Two.", loop).map(\.segment.number) == [2])
        await #expect(throws: PracticeError.noSuchSegment(2)) { try await entries("One.", loop) }
    }

    @Test("has everything twice where it is listened to first")
    func listenFirst() async throws {
        let entries = try await entries("A title\n\nOne. Two.", .with { $0.order = .listenFirst })
        #expect(entries.map(\.segment.number) == [1, 2, 3, 1, 2, 3])
        #expect(entries.prefix(3).map(\.pause) == [0.3, 0.1, 0.2])
        #expect(entries.suffix(3).allSatisfy { $0.pause == $0.seconds })
        #expect(
            zip(entries, entries.dropFirst()).allSatisfy { abs($0.start + $0.seconds + $0.pause - $1.start) < 1e-9 }
        )
    }

    @Test("has a chapter for each segment, and another for each reading of the text")
    func chapters() async throws {
        let entries = try await entries(
            "One. Two.\n\nThree.",
            .with {
                $0.repeats = 2
                $0.order = .listenFirst
            }
        )
        let chapters = PracticeTrack.chapters(of: entries, sampleRate: Self.rate)
        #expect(chapters.map(\.title) == ["One.", "Two.", "Three.", "One.", "Two.", "Three."])
        let firsts = entries.filter { $0.repetition == 1 }
        #expect(chapters.map(\.start) == firsts.map { Int(($0.start * 1_000).rounded()) } && chapters[0].start == 0)
    }

    @Test("has a chapter for each paragraph where there are too many segments")
    func paragraphs() async throws {
        let text = (1...100).map { "One \($0). Two. Three." }.joined(separator: "\n\n")
        let chapters = PracticeTrack.chapters(of: try await entries(text), sampleRate: Self.rate)
        #expect(chapters.count == 100 && chapters.last?.title == "One 100.")
    }

    @Test("times the pauses that would wait for the speaker")
    func waiting() async throws {
        let entries = try await entries("One. Two.", .with { $0.echo = .wait })
        #expect(entries.map(\.pause) == entries.map(\.seconds))
    }

    @Test("needs something to say")
    func nothing() async throws {
        await #expect(throws: PracticeError.nothingToSay) { try await entries("* * *") }
    }
}

import EchoText
import EchoTextTesting
import Foundation
import Testing

/// Says two syllables, the second a tenth as loud, and decays evenly like a room.
struct DecayingSynthesizer: SpeechSynthesizer {
    static let syllable = 1_200
    /// Letters of the word that is all it says.
    static let letters = 3
    /// The decay, in decibels per second.
    let fall: Double
    /// Whether each syllable is a fragment of its own.
    var isInPieces = false

    /// The largest amplitude.
    static let peak = 0.5

    /// All that is said of any text: two syllables, and a second and a half of decay.
    var sound: [Float] {
        let rate = ScriptedSynthesizer.sampleRate
        return (0..<2 * Self.syllable + rate * 3 / 2).map { index in
            let level = Self.peak * (index < Self.syllable ? 1 : 0.1)
            let decayed = max(0, Double(index - 2 * Self.syllable)) / Double(rate)
            return Float(level * pow(10, -fall * decayed / 20)) * (index.isMultiple(of: 2) ? 1 : -1)
        }
    }

    func voices() async throws -> [Voice] { [ScriptedSynthesizer.narrator] }

    func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        guard let source = utterance.text.pieces.first?.source else { throw SynthesisError.nothingToSay }
        let word = source.lowerBound..<source.lowerBound + Self.letters
        let whole = SpeechFragment(
            clip: AudioClip(samples: sound, sampleRate: ScriptedSynthesizer.sampleRate),
            marks: [.init(source: word, samples: 0..<sound.count, precision: .exact)]
        )
        guard isInPieces else { return try await deliver(whole) }
        var begun = whole.part(0..<Self.syllable)
        begun.continues = true
        try await deliver(begun)
        try await deliver(whole.part(Self.syllable..<sound.count))
    }
}

@Suite("The end of a phrase")
struct PhraseEndTests {
    private static let rate = ScriptedSynthesizer.sampleRate
    /// The samples of the engine's silence that are always kept, and those of a fade.
    private static let (margin, fade) = (rate / 50, rate / 200)
    /// Samples from the start of a sentence to the end of what is no silence.
    private func soundEnd(of synthesizer: DecayingSynthesizer) -> Int {
        AudioClip(samples: synthesizer.sound, sampleRate: Self.rate).soundRange().upperBound
    }

    private func passages(_ text: String, by synthesizer: some SpeechSynthesizer) async throws -> [Passage] {
        let narration = Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
        return try await narration.reduce(into: []) { $0.append($1) }
    }

    @Test("decays to 60 dB below its peak, and the pause is as much shorter")
    func decays() async throws {
        let synthesizer = DecayingSynthesizer(fall: 150)
        let passages = try await passages("One. Two.", by: synthesizer)
        try #require(passages.count == 2)
        let quiet = try #require(synthesizer.sound.lastIndex { abs($0) > Float(DecayingSynthesizer.peak / 1_000) })
        for passage in passages {
            #expect(passage.clip.samples.count == quiet + 1)
            #expect(passage.speech == soundEnd(of: synthesizer) + Self.margin)
            #expect(passage.decay > Self.fade)
        }
        let pause = Int(0.3 * Double(Self.rate))
        #expect(passages[0].end - passages[0].start == passages[0].speech + pause)
        #expect(passages[1].start == passages[0].end && passages[1].silence == 0)
    }

    @Test("fades in its last 5 ms, and is the engine's own before")
    func softEnd() async throws {
        let synthesizer = DecayingSynthesizer(fall: 150)
        for passage in try await passages("One. Two.", by: synthesizer) {
            let samples = passage.clip.samples
            let own = synthesizer.sound.prefix(samples.count)
            #expect(samples.dropLast(Self.fade) == own.dropLast(Self.fade))
            #expect(zip(samples, own).allSatisfy { abs($0) <= abs($1) })
            #expect(samples.last == 0)
            #expect(zip(samples.suffix(Self.fade), own.suffix(Self.fade)).allSatisfy { abs($0) < abs($1) })
        }
    }

    @Test("decays for at most 150 ms")
    func longDecay() async throws {
        let synthesizer = DecayingSynthesizer(fall: 40)
        for passage in try await passages("One. Two.", by: synthesizer) {
            #expect(passage.clip.samples.count == soundEnd(of: synthesizer) + Self.rate * 3 / 20)
        }
    }

    @Test("decays no longer than its pause")
    func shortPause() async throws {
        let passages = try await passages("One. [pause:50ms] Two.", by: DecayingSynthesizer(fall: 40))
        try #require(passages.count == 2)
        #expect(passages[0].decay == Self.rate / 20)
        #expect(passages[0].silence == 0)
        #expect(passages[1].start == passages[0].clip.samples.count)
    }

    @Test("leaves the times of words and sentences as they are")
    func times() async throws {
        let synthesizer = DecayingSynthesizer(fall: 150)
        var timing = SentenceTiming()
        let speech = soundEnd(of: synthesizer) + Self.margin
        for passage in try await passages("One. Two.", by: synthesizer) {
            let added = timing.add(passage)
            let sentence = try #require(added)
            #expect(sentence.samples == passage.start..<passage.start + speech)
            #expect(sentence.words.map(\.samples) == [sentence.samples])
        }
    }

    @Test("is the same for a phrase that is delivered in pieces", arguments: [40.0, 150, 1_000])
    func pieces(fall: Double) async throws {
        let whole = try await passages("One.", by: DecayingSynthesizer(fall: fall))
        let pieces = try await passages("One.", by: DecayingSynthesizer(fall: fall, isInPieces: true))
        #expect(pieces.count == 2 && whole.count == 1)
        #expect(pieces.flatMap(\.clip.samples) == whole.flatMap(\.clip.samples))
        #expect(pieces.map(\.decay) == [0] + whole.map(\.decay))
        #expect(pieces.last?.silence == whole.last?.silence)
    }

    @Test("does not grow where the engine's sound breaks off")
    func abruptEnd() async throws {
        for passage in try await passages("One. Two.", by: DecayingSynthesizer(fall: 100_000)) {
            #expect(passage.decay == 0)
            #expect(passage.clip.samples.last == 0)
        }
    }
}

import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing
import Workers

@testable import SpeechEngines

@Suite("espeak-ng", .endsInTime)
struct EspeakSynthesizerTests {
    private let english = Voice.ID(rawValue: "espeak/en-US")

    private func synthesizer() async throws -> EspeakSynthesizer {
        EspeakSynthesizer(engine: try await EspeakEngine())
    }

    /// Lends one with an engine of its own, for tests that compare what it says: the engine of this process keeps state
    /// from what other tests have said with it.
    private func withOwnEngine(_ body: (EspeakSynthesizer) async throws -> Void) async throws {
        let workers = Fixtures.workers()
        try await body(EspeakSynthesizer(engine: workers))
        await workers.endAll()
    }

    @Test("keeps the contract of an engine")
    func contract() async throws {
        try await verifyContract(of: try await synthesizer())
    }

    @Test("lists more than a hundred voices with well-formed language tags of their own")
    func voices() async throws {
        let voices = try await synthesizer().voices()
        #expect(voices.count > 100)
        for voice in voices {
            #expect(voice.language == LanguageTag.canonical(voice.language))
            #expect(voice.id.rawValue.hasPrefix("espeak/"))
        }
        for language in ["en-US", "et", "de", "fr-FR", "cmn-Latn-pinyin", "en-GB-scotland", "tlh-Piqd"] {
            #expect(voices.contains { $0.language == language }, "\(language) is missing")
        }
    }

    @Test("names each voice in words, and has no language of which the page's tests do not know how it is called")
    func names() async throws {
        let introduction = try await EspeakEngine().introduction()
        let file = URL(filePath: #filePath).appending(path: "../../Fixtures/espeak-languages.txt").standardizedFileURL
        let known = Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { String($0) })
        let voices = introduction.voices.filter { known.contains($0.language) }
        for voice in voices {
            let isInWords = voice.name.wholeMatch(of: #/\p{Lu}[\p{L}' ,()]+/#) != nil
            #expect(isInWords, "\(voice.id) is called “\(voice.name)”")
        }
        #expect(Set(voices.map(\.name)).count == voices.count)
        // The languages in the file are those of this version; others have some of their own.
        let others = introduction.voices.map(\.language).filter { !known.contains($0) }
        #expect(others.isEmpty || introduction.version != "1.51", "not in \(file.lastPathComponent): \(others)")
        #expect(voices.count > 100)
    }

    @Test(
        "speaks in every language it lists",
        arguments: ["en-US", "et", "de", "ru", "ar", "hi", "cmn", "ja", "fi", "el"]
    )
    func languages(_ language: String) async throws {
        let synthesizer = try await synthesizer()
        let sample = scriptSamples.first {
            $0.language == (language == "cmn" ? "zh" : LanguageTag.language(of: language))
        }
        let speech = try await synthesizer.speech(
            for: Utterance(sample?.text ?? "Terve maailma.", voice: Voice.ID(rawValue: "espeak/\(language)"))
        )
        #expect(speech.clip.level ?? -.infinity > -40)
    }

    @Test("says when each word is heard, to the sample")
    func wordTimes() async throws {
        let text = "Héllo wörld, 1984 was a year."
        let speech = try await synthesizer().speech(for: Utterance(text, voice: english))
        let units = Array(text.utf16)
        let words = speech.marks.map { String(decoding: units[$0.source], as: UTF16.self) }
        #expect(words == ["Héllo", "wörld", "1984", "was a", "year"], "espeak-ng says “was a” as one word")
        #expect(speech.marks.allSatisfy { $0.precision == .exact && !$0.samples.isEmpty })
        #expect(speech.marks.first?.samples.lowerBound == 0)
    }

    @Test("says when the first word is heard however many texts were pronounced before", arguments: [26, 100, 170])
    func wordTimesAfterPronouncing(_ count: Int) async throws {
        let marks = try await Self.firstMarks(ofHelloAfter: count, by: try await EspeakEngine())
        #expect(marks.map(\.source) == [0..<5, 6..<11])
        #expect(marks.first?.samples.lowerBound == 0)
    }

    /// All on one thread, so that no other test speaks in between.
    @EspeakThread
    private static func firstMarks(
        ofHelloAfter count: Int,
        by engine: EspeakEngine
    ) throws -> [TimedWord] {
        let voice = Voice.ID(rawValue: "espeak/en-US")
        let identifier = try #require(engine.voices.identifier(of: voice))
        for _ in 0..<count {
            _ = try engine.phonemes(of: ["a"], identifier: identifier, marks: ClauseMarks(language: "en"))
        }
        let call = EspeakCall(
            phrase: SpokenText(written: "Hello world"),
            prosody: .natural,
            voice: voice,
            identifier: identifier
        )
        return try call.run(by: engine.library, sampleRate: 22_050).marks
    }

    @Test("is faster at a higher speed", arguments: [0.5, 0.75, 1.25, 1.5])
    func speed(_ speed: Double) async throws {
        try await withOwnEngine { synthesizer in
            let text = "The quick brown fox jumps over the lazy dog, and then it goes home to rest."
            let natural = try await synthesizer.speech(for: Utterance(text, voice: english)).clip.seconds
            let changed = try await synthesizer.speech(
                for: Utterance(text, voice: english, prosody: try Prosody(speed: speed))
            ).clip.seconds
            #expect(abs(changed * speed / natural - 1) < 0.2)
        }
    }

    @Test("keeps its length at another pitch", arguments: [0.5, 0.8, 1.5, 2.0])
    func pitch(_ pitch: Double) async throws {
        try await withOwnEngine { synthesizer in
            let text = "The quick brown fox jumps over the lazy dog."
            let natural = try await synthesizer.speech(for: Utterance(text, voice: english)).clip
            let changed = try await synthesizer.speech(
                for: Utterance(text, voice: english, prosody: try Prosody(pitch: pitch))
            ).clip
            #expect(abs(changed.seconds / natural.seconds - 1) < 0.1)
            #expect(changed.samples != natural.samples)
        }
    }

    @Test("says IPA instead of what is written")
    func phonemes() async throws {
        try await withOwnEngine { synthesizer in
            let text = SpokenText(pieces: [
                .init(.phonemes("həlˈoʊ"), source: 0..<5),
                .init(.written(" there"), source: 5..<11),
            ])
            let spelled = try await synthesizer.speech(for: Utterance(text: text, voice: english))
            let plain = try await synthesizer.speech(for: Utterance("hello there", voice: english))
            #expect(abs(spelled.clip.seconds - plain.clip.seconds) < 0.1)
            #expect(spelled.marks.map(\.source) == [0..<5, 6..<11])
        }
    }

    @Test(
        "takes nothing in a text for an instruction that would outlast it",
        arguments: [
            "\u{1}0A hello", "\u{1}400S hello", "\u{1}99P hello", "\u{1}20I hello", "[[[h@loU",
            "\u{7F}\u{1B}[31m hello",
        ]
    )
    func instructions(_ text: String) async throws {
        try await withOwnEngine { synthesizer in
            let before = try await synthesizer.speech(for: Utterance("hello there", voice: english))
            let odd = try await synthesizer.speech(for: Utterance(text, voice: english))
            #expect(odd.clip.level ?? -.infinity > -40)
            let after = try await synthesizer.speech(for: Utterance("hello there", voice: english))
            #expect(abs(after.clip.seconds - before.clip.seconds) < 0.05)
            #expect(abs((after.clip.level ?? 0) - (before.clip.level ?? 0)) < 3)
        }
    }

    @Test("says as many phonemes as a dictionary's entry may have, and entries that follow one another")
    func saysAsMany()
        async throws
    {
        let longest = String(repeating: "ə", count: 200)
        for entries in [1, 3] {
            let text = SpokenText(
                pieces: (0..<entries).map { .init(.phonemes(longest), source: $0 * 2..<$0 * 2 + 2) }
            )
            let speech = try await synthesizer().speech(for: Utterance(text: text, voice: english))
            #expect(speech.clip.seconds > 8 * Double(entries))
        }
    }

    @Test("says IPA between brackets")
    func bracketedPhonemes() async throws {
        let text = SpokenText(pieces: [
            .init(.written("["), source: 0..<1), .init(.phonemes("həlˈoʊ"), source: 1..<6),
            .init(.written("] ["), source: 6..<9), .init(.written("[there]"), source: 9..<16),
        ])
        let speech = try await synthesizer().speech(for: Utterance(text: text, voice: english))
        #expect(speech.clip.seconds > 0.4)
        #expect(speech.marks.map(\.source.lowerBound) == [1, 10])
    }

    @Test("says nothing more of a long text once it is cancelled")
    func cancellation() async throws {
        let synthesizer = try await synthesizer()
        let text = String(repeating: "river stone under light ", count: 4_200)
        let fragments = Mutex(0)
        let speaking = Task {
            try await synthesizer.speak(Utterance(text, voice: english)) { _ in
                fragments.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await speaking.value }
        #expect(fragments.withLock { $0 } == 1)
        #expect(try await synthesizer.speech(for: Utterance("Still here.", voice: english)).clip.seconds > 0.3)
    }

    @Test("speaks with a variant of a voice, and refuses one with a strange name")
    func variants() async throws {
        let synthesizer = try await synthesizer()
        let plain = try await synthesizer.speech(for: Utterance("Hello", voice: english)).clip.samples
        let variant = try await synthesizer.speech(for: Utterance("Hello", voice: .init(rawValue: "espeak/en-US+f3")))
            .clip.samples
        #expect(plain != variant)
        let strange = Voice.ID(rawValue: "espeak/en-US+../../etc")
        await #expect(throws: SynthesisError.voiceNotInstalled(strange)) {
            try await synthesizer.speech(for: Utterance("Hello", voice: strange))
        }
    }
}

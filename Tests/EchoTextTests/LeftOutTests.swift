import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("A phrase over which the engine's process ends", .endsInTime)
struct LeftOutTests {
    /// Its process ends over whatever has “bad” in it.
    private static let brittle = ScriptedSynthesizer { utterance in
        let isBad = utterance.text.pieces.contains { "\($0.content)".lowercased().contains("bad") }
        if isBad { throw SynthesisError.engineDied(.espeakNG) }
    }

    private let library = MemoryVault().library
    private let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
    private let narrator = Narrator(synthesizer: Self.brittle, segmenter: PlainSegmenter())

    private var stored: StoredNarration { StoredNarration(in: library, by: narrator, lanes: 1) }

    /// Makes a narration until a passage comes that `isLast`.
    private func breakOff(_ text: String, at isLast: @escaping @Sendable (Passage) -> Bool) async {
        let locking = StoredNarration.Listener(
            passage: { passage, _ in if isLast(passage) { throw CancellationError() } }
        )
        await #expect(throws: CancellationError.self) {
            try await stored.make(text, as: order, keepsPart: false, listener: locking)
        }
    }

    private func narration(of text: String) -> Narration {
        Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: Self.brittle,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
    }

    private func passages(of text: String) async throws -> [Passage] {
        try await narration(of: text).reduce(into: []) { $0.append($1) }
    }

    @Test("is left out and named, and the rest is spoken")
    func leftOutNamed() async throws {
        let passages = try await passages(of: "One. This is a bad one. Three. Four. Another bad one.")
        #expect(passages.map(\.text) == ["One.", "This is a bad one.", "Three.", "Four.", "Another bad one."])
        #expect(passages.map(\.isLeftOut) == [false, true, false, false, true])
        #expect(passages.map { $0.speech == 0 } == passages.map(\.isLeftOut))
        #expect(zip(passages, passages.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test("at the beginning is reported only once something is heard")
    func atBeginningReported() async throws {
        let iterator = narration(of: "Bad is bad. [pause:1s] Second. Third.").makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.isLeftOut && first.start == 0 && first.silence == 8_000)
        #expect(try await iterator.next()?.start == 8_000)
        #expect(try await iterator.next()?.text == "Third.")
    }

    @Test(
        "fails the narration where nothing else is heard",
        arguments: ["A bad one.", "A bad one. [pause:1s] Also bad."]
    )
    func alone(_ text: String) async throws {
        let iterator = narration(of: text).makeAsyncIterator()
        let named = text.hasSuffix("Also bad.") ? "Also bad." : "A bad one."
        await #expect(throws: SynthesisError.engineDied(.espeakNG, over: named)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("fails the narration when it is one of several in a row")
    func failsNarrationWhen() async throws {
        let iterator = narration(of: "One. Bad bad. Two. Bad a. Bad b. Bad c. Three.").makeAsyncIterator()
        var heard: [String] = []
        await #expect(throws: SynthesisError.engineDied(.espeakNG, over: "Bad c.")) {
            while let passage = try await iterator.next() { heard.append(passage.text) }
        }
        #expect(heard == ["One.", "Bad bad.", "Two.", "Bad a.", "Bad b."])
    }

    @Test("is shown without what a terminal would obey, and not at length")
    func shownWithoutTerminal() async throws {
        let text = "One. This is \u{1B}[2J bad " + String(repeating: "and long ", count: 30) + ". Three."
        let excerpt = try #require(try await passages(of: text).first(where: \.isLeftOut)?.excerpt)
        #expect(excerpt.hasPrefix("This is [2J bad and long") && excerpt.hasSuffix("…") && excerpt.count == 81)
    }

    @Test("is still named when the narration is left, continued after the library was opened again, and a recording")
    func namedAfterwards() async throws {
        await breakOff("One. A bad one. Three. Bad again. Five.") { $0.text == "Three." }
        let queue = NarrationQueue(in: library, by: narrator, events: StudioEvents()) { 1 }
        let left = try #require(try await queue.narrations().first)
        #expect(left.state == .stopped && left.leftOut == ["A bad one."])
        let item = try await stored.resume(left.id, keepsPart: false, listener: .init())
        #expect(item.narration?.leftOut == ["A bad one.", "Bad again."])
        #expect(try await library.audio.item(item.id) == item)
    }

    @Test("does not keep a narration of which nothing else is left from becoming a recording")
    func onlyRest() async throws {
        let text = "One. Two. A bad one."
        await breakOff(text) { $0.isLeftOut }
        let left = try #require(try await library.jobs.jobs().first)
        #expect(left.samples > 0 && left.leftOut.isEmpty)
        let item = try await stored.resume(left.id, keepsPart: false, listener: .init())
        #expect(item.narration?.leftOut == ["A bad one."])
        #expect(try await library.audio.text(of: item.id) == text)
    }

    @Test("at the end is named in the recording, whose text has it, though a file was stored just before it")
    func atEndNamed() async throws {
        let text = String(repeating: "On and on it goes, ", count: 90) + "and ends. A bad one."
        let job = try await library.jobs.begin(order, text: text)
        let time = Mutex(ContinuousClock.now)
        var writer = NarrationWriter(job, in: library.jobs) { time.withLock(\.self) }
        for passage in try await passages(of: text) {
            time.withLock { $0 += .seconds(5) }
            try await writer.append(passage, sound: passage.clip.pcm16)
        }
        let kept = writer.storedSamples
        #expect(kept > 0)
        let item = try await writer.finish()
        #expect(item.narration?.leftOut == ["A bad one."])
        #expect(item.sampleCount == kept + 1, "a segment with nothing but it has the least sound that there is")
        #expect(try await library.audio.text(of: item.id) == text)
    }

    @Test("is named in a segment of practice, whose rest is spoken")
    func practice() async throws {
        let speaking = SegmentSpeaking(by: narrator, as: order)
        let sound = try await speaking.speak("A bad one. Two. A bad end.", rate: 0.5)
        let alone = try await speaking.speak("Two.", rate: 0.5)
        #expect(sound.unspoken == ["A bad one.", "A bad end."] && alone.unspoken.isEmpty)
        #expect(sound.samples == alone.samples && sound.words.map(\.samples) == alone.words.map(\.samples))
        await #expect(throws: SynthesisError.engineDied(.espeakNG, over: "A bad one.")) {
            _ = try await speaking.speak("A bad one.", rate: 0.5)
        }
    }

    @Test("leaves nothing in the library when it is all there is")
    func leavesNothingLibrary() async throws {
        await #expect(throws: SynthesisError.engineDied(.espeakNG, over: "A bad one.")) {
            try await stored.make("A bad one.", as: order, keepsPart: false, listener: .init())
        }
        #expect(try await library.jobs.jobs().isEmpty)
        let item = try await stored.make("A bad one. Good.", as: order, keepsPart: false, listener: .init())
        #expect(item.duration > 0)
    }
}

/// Does not know some letters, and passes over them.
private struct LispingSynthesizer: SpeechSynthesizer {
    private let engine = ScriptedSynthesizer()
    private let letters: Set<Unicode.Scalar>
    /// The symbol that is missing for each of the letters; `nil` for the letter itself.
    private let symbol: Unicode.Scalar?

    init(without letters: String, as symbol: Unicode.Scalar? = nil) {
        (self.letters, self.symbol) = (Set(letters.unicodeScalars), symbol)
    }

    func voices() async throws -> [Voice] { try await engine.voices() }

    func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        let text = utterance.text.pieces.map { piece in
            switch piece.content {
            case .written(let text), .words(let text), .phonemes(let text): text
            }
        }
        let unknown = text.joined().unicodeScalars.filter(letters.contains).map { symbol ?? $0 }
        try await engine.speak(utterance) { fragment in
            var fragment = fragment
            fragment.unknown = unknown
            try await deliver(fragment)
        }
    }
}

@Suite("A sound that the voice does not know", .endsInTime)
struct UnknownSoundTests {
    private let library = MemoryVault().library
    private let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)

    private func narrator(_ synthesizer: LispingSynthesizer) -> Narrator {
        Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter())
    }

    private func passages(of text: String, by synthesizer: LispingSynthesizer) async throws -> [Passage] {
        try await narrator(synthesizer).narration(of: StringSource(text), as: order, lanes: 2)
            .reduce(into: []) { $0.append($1) }
    }

    @Test("is named once in a narration, before the words where it is missing first, which are spoken all the same")
    func once() async throws {
        let text = "One. A lazy, lazy fox. Another lazy fox. A quick box."
        let passages = try await passages(of: text, by: LispingSynthesizer(without: "zxq"))
        #expect(passages.map { $0.unspoken() } == [nil, "[z x] (A lazy, lazy fox.)", nil, "[q] (A quick box.)"])
        #expect(passages.allSatisfy { !$0.isLeftOut && $0.speech > 0 })
    }

    @Test("is named with a place for the letter where it is a mark on one")
    func mark() async throws {
        let nasal = LispingSynthesizer(without: "z", as: "\u{303}")
        let passages = try await passages(of: "One. A lazy one.", by: nasal)
        #expect(passages.compactMap { $0.unspoken() } == ["[◌\u{303}] (A lazy one.)"])
        #expect(passages.compactMap { $0.unspoken(beside: ["[ɕ ◌\u{303}] (One.)"]) }.isEmpty)
    }

    @Test("is not named beside too many others")
    func many() async throws {
        let passages = try await passages(
            of: "Abcdefgh. Ijklmnop.",
            by: LispingSynthesizer(without: "abcdefghijklmnop")
        )
        #expect(passages.flatMap(\.unknown).count == Narration.maximumUnknown)
    }

    @Test("is named once though the narration was left and is continued, and in the recording")
    func continued() async throws {
        let narrator = narrator(LispingSynthesizer(without: "zxq"))
        let stored = StoredNarration(in: library, by: narrator, lanes: 1)
        let leaving = StoredNarration.Listener(
            passage: { passage, _ in if passage.text == "Three." { throw CancellationError() } }
        )
        let text = "One. A lazy fox. Three. A quick, lazy fox. Five."
        await #expect(throws: CancellationError.self) {
            try await stored.make(text, as: order, keepsPart: false, listener: leaving)
        }
        let queue = NarrationQueue(in: library, by: narrator, events: StudioEvents()) { 1 }
        let left = try #require(try await queue.narrations().first)
        #expect(left.leftOut == ["[z x] (A lazy fox.)"])
        let item = try await stored.resume(left.id, keepsPart: false, listener: .init())
        #expect(item.narration?.leftOut == ["[z x] (A lazy fox.)", "[q] (A quick, lazy fox.)"])
    }

    @Test("is named where a sentence is spoken again")
    func again() async throws {
        let narrator = narrator(LispingSynthesizer(without: "zxq"))
        let item = try await StoredNarration(in: library, by: narrator, lanes: 1)
            .make("One. A lazy fox.", as: order, keepsPart: false, listener: .init())
        let speaking = SentenceSpeaking(in: library, by: narrator, voices: [ScriptedSynthesizer.narrator])
        #expect(try await speaking.speak(1, of: item.id).unspoken.isEmpty)
        #expect(try await speaking.speak(2, of: item.id).unspoken == ["[z x] (A lazy fox.)"])
    }

    @Test("is named once in a segment of practice")
    func practice() async throws {
        let speaking = SegmentSpeaking(by: narrator(LispingSynthesizer(without: "zxq")), as: order)
        let sound = try await speaking.speak("One. A lazy fox. A quick, lazy fox.", rate: 0.5)
        #expect(sound.unspoken == ["[z x] (A lazy fox.)", "[q] (A quick, lazy fox.)"])
    }

    @Test("is named each time, since its speech is not kept to be used again")
    func notKept() async throws {
        let caching = CachingSynthesizer(
            LispingSynthesizer(without: "zx"),
            cache: library.speech,
            version: { _ in "1" },
            clock: ManualClock()
        )
        let (lazy, plain) = (
            Utterance("A lazy fox.", voice: ScriptedSynthesizer.narrator.id),
            Utterance("One.", voice: ScriptedSynthesizer.narrator.id)
        )
        for _ in 1...2 {
            #expect(try await caching.speech(for: lazy).unknown == Array("zx".unicodeScalars))
            #expect(try await caching.speech(for: plain).unknown.isEmpty)
            await caching.flush()
        }
        #expect(try await library.speech.speech(for: SpeechRequest(lazy, version: "1")) == nil)
        #expect(try await library.speech.speech(for: SpeechRequest(plain, version: "1")) != nil)
    }
}

@Suite("A sentence whose words the dictionary replaces by marks")
struct SilencedSentenceTests {
    private func narration(of text: String, by synthesizer: ScriptedSynthesizer) throws -> Narration {
        Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(
                language: "en",
                dictionary: try PronunciationDictionary(parsing: "gone = .\nlost = …")
            ),
            settings: .init(lanes: 2)
        )
    }

    private func passages(
        of text: String,
        by synthesizer: ScriptedSynthesizer = ScriptedSynthesizer()
    ) async throws -> [Passage] {
        try await narration(of: text, by: synthesizer).reduce(into: []) { $0.append($1) }
    }

    @Test("is left out and named, wherever it stands")
    func named() async throws {
        let passages = try await passages(of: "Gone. Here. Lost gone. There. Gone.")
        #expect(passages.map(\.text) == ["Gone.", "Here.", "Lost gone.", "There.", "Gone."])
        #expect(passages.map(\.isLeftOut) == [true, false, true, false, true])
        #expect(passages.map(\.isSilenced) == passages.map(\.isLeftOut))
        #expect(zip(passages, passages.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test("is no reason to stop, however many there are in a row")
    func manyInARow() async throws {
        let passages = try await passages(of: "Here. Gone. Lost. Gone. Lost. Gone. There.")
        #expect(passages.map(\.isLeftOut) == [false, true, true, true, true, true, false])
    }

    @Test("is named as one that the voice has no sound for is; marks that it passes over are not")
    func withoutSound() async throws {
        let mute = ScriptedSynthesizer { utterance in
            let hasSound = utterance.text.pieces.contains { "\($0.content)".contains("ere") }
            if !hasSound { throw SynthesisError.nothingToSay }
        }
        let passages = try await passages(of: "Here. Γεια σου. ☃! There. Ναι.", by: mute)
        let leftOut = passages.filter(\.isLeftOut)
        #expect(leftOut.map(\.text) == ["Γεια σου.", "Ναι."] && leftOut.allSatisfy(\.isSilenced))
        #expect(passages.filter { !$0.clip.samples.isEmpty }.map(\.text) == ["Here.", "There."])
        for text in ["Ναι. Ναι.", "[pause:1s] Ναι.", "[pause:1s] ☃! [pause:1s] Ναι. [pause:1s]"] {
            #expect(try await self.passages(of: text, by: mute).isEmpty, "there is nothing to hear")
        }
        let paused = try await self.passages(of: "[pause:1s] Ναι. Here. Ναι.", by: mute)
        #expect(paused.map(\.isLeftOut) == [false, true, false, true])
        #expect(zip(paused, paused.dropFirst()).allSatisfy { $0.end == $1.start } && paused[0].silence == 8_000)
        #expect(try await self.passages(of: "[pause:1s]", by: mute).map(\.silence) == [8_000], "silence was asked for")
    }

    /// Speaks segments of practice with a dictionary that silences “gone” and “lost”.
    private func speakingWithSilencedWords() -> SegmentSpeaking {
        let order = NarrationOrder(
            name: "Story",
            voice: ScriptedSynthesizer.narrator,
            dictionary: "gone = .\nlost = …"
        )
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        return SegmentSpeaking(by: narrator, as: order)
    }

    @Test("takes no time in a segment of practice")
    func practice() async throws {
        let speaking = speakingWithSilencedWords()
        let sound = try await speaking.speak("Here.", rate: 0.5)
        for text in ["Gone. Here.", "Here. Gone.", "Lost. Here. Gone. Lost."] {
            let spoken = try await speaking.speak(text, rate: 0.5)
            #expect(spoken.samples == sound.samples, "\(text)")
            #expect(spoken.words.map(\.samples) == sound.words.map(\.samples), "\(text)")
        }
    }

    @Test("is named in a segment of practice, also where nothing else is in it, and a rule of stars is not")
    func namedInPractice() async throws {
        let speaking = speakingWithSilencedWords()
        let segments: [(text: String, unspoken: [String])] = [
            ("Here.", []), ("Lost. Here. Gone.", ["Lost.", "Gone."]), ("Gone.", ["Gone."]), ("* * *", []),
        ]
        for (text, unspoken) in segments {
            #expect(try await speaking.speak(text, rate: 0.5).unspoken == unspoken, "\(text)")
        }
    }

    @Test("leaves nothing to hear when it is all there is, and a rule of stars is not named")
    func nothingElse() async throws {
        #expect(try await passages(of: "Gone. Lost.").isEmpty)
        #expect(try await passages(of: "Here.\n\n***\n\nThere.").map(\.isLeftOut) == [false, false])
    }
}

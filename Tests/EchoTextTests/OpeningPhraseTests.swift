import EchoText
import EchoTextTesting
import Synchronization
import Testing

/// Hands every phrase on word by word, as an engine does that speaks in windows.
private struct WordByWord: SpeechSynthesizer {
    let synthesizer = ScriptedSynthesizer()
    /// The samples per frame: fragments end with a frame.
    var hop = 256
    /// Asked before each fragment but the first.
    var pace: @Sendable () async throws -> Void = {}

    func voices() async throws -> [Voice] { try await synthesizer.voices() }

    func speak(_ utterance: Utterance, deliver: (SpeechFragment) async throws -> Void) async throws {
        let whole = try await synthesizer.speech(for: utterance)
        var start = 0
        for (index, mark) in whole.marks.enumerated() {
            let isLast = index == whole.marks.count - 1
            let end = isLast ? whole.clip.samples.count : mark.samples.upperBound / hop * hop
            guard end > start || isLast else { continue }
            if start > 0 { try await pace() }
            var part = whole
            part.clip.samples = Array(whole.clip.samples[start..<end])
            part.marks = whole.marks.filter { $0.samples.lowerBound < end && $0.samples.lowerBound >= start }
            part.marks = part.marks.map { mark in
                var mark = mark
                mark.samples = mark.samples.lowerBound - start..<min(mark.samples.upperBound, end) - start
                return mark
            }
            part.continues = !isLast
            try await deliver(part)
            start = end
        }
    }
}

@Suite("The first phrase of a narration", .endsInTime)
struct OpeningPhraseTests {
    private static let text =
        "The kettle, which had been on since morning, sang at last; nobody heard it. It went on. So it does."

    private func passages(by synthesizer: some SpeechSynthesizer, of text: String = text) async throws -> [Passage] {
        try await narration(by: synthesizer, of: text).reduce(into: []) { $0.append($1) }
    }

    private func narration(by synthesizer: some SpeechSynthesizer, of text: String = text) -> Narration {
        Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
    }

    @Test("is delivered in pieces that say what the whole says", arguments: [256, 160, 1])
    func pieces(hop: Int) async throws {
        let whole = try await passages(by: ScriptedSynthesizer())
        let pieces = try await passages(by: WordByWord(hop: hop))
        #expect(pieces.count > whole.count + 5)
        #expect(pieces.flatMap(\.clip.samples) == whole.flatMap(\.clip.samples))
        #expect(pieces.map(\.silence).filter { $0 > 0 } == whole.map(\.silence).filter { $0 > 0 })
        #expect(pieces.flatMap(\.words).map(\.source) == whole.flatMap(\.words).map(\.source))
        #expect(pieces.map(\.text).joined() == whole.map(\.text).joined())
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.end == $1.start })
        let first = pieces.filter { $0.sentence == 0 }
        #expect(first.map(\.beginsSentence) == first.indices.map { $0 == 0 })
        #expect(first.map(\.endsSentence) == first.indices.map { $0 == first.count - 1 })
        #expect(zip(first, first.dropFirst()).allSatisfy { $0.source.upperBound == $1.source.lowerBound })
    }

    @Test("is one sentence of the timing table")
    func oneSentenceTiming() async throws {
        var (timing, sentences) = (SentenceTiming(), [TimedSentence]())
        for passage in try await passages(by: WordByWord()) {
            if let sentence = timing.add(passage) { sentences.append(sentence) }
        }
        #expect(sentences.count == 3)
        #expect(sentences.first?.words.count == 14)
        #expect(sentences.first.map { Self.text.hasPrefix($0.text) } == true)
    }

    @Test("is heard before it has been spoken to its end")
    func heardBeforeBeen() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let narration = narration(by: WordByWord { for await _ in gate {} })
        let passages = narration.makeAsyncIterator()
        let first = try #require(try await passages.next())
        #expect(first.beginsSentence && !first.endsSentence)
        open.finish()
        while try await passages.next() != nil {}
    }

    @Test("ends with a narration that is stopped in the middle of it")
    func endsNarrationStopped() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let narration = narration(
            by: WordByWord {
                begin.finish()
                defer { end.finish() }
                try await untilCancelled()
            }
        )
        let task = Task { for try await _ in narration {} }
        for await _ in begun {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        for await _ in ended {}
    }

    @Test("passes an engine's failure on")
    func passesEnginesFailure() async throws {
        let narration = narration(by: WordByWord { throw SynthesisError.engineFailed(.piper, status: nil) })
        await #expect(throws: SynthesisError.engineFailed(.piper, status: nil)) {
            for try await _ in narration {}
        }
    }
}

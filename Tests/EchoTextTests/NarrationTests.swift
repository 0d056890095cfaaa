import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Narration", .endsInTime)
struct NarrationTests {
    private func narration(
        of text: String,
        by synthesizer: some SpeechSynthesizer = ScriptedSynthesizer(),
        prosody: Prosody = .natural,
        settings: NarrationSettings = .init(lanes: 3)
    ) -> Narration {
        Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            prosody: prosody,
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: settings
        )
    }

    private func passages(_ narration: Narration) async throws -> [Passage] {
        var passages: [Passage] = []
        for try await passage in narration { passages.append(passage) }
        return passages
    }

    private let story = (1...40).map { "This is sentence number \($0) of the story. " }.joined()

    @Test("delivers passages in the order of the text, though they are made at once", arguments: [1, 2, 5])
    func order(_ lanes: Int) async throws {
        let passages = try await passages(narration(of: story, settings: .init(lanes: lanes)))
        #expect(passages.map(\.sentence) == Array(0..<40))
        var end = 0
        for passage in passages {
            #expect(passage.start == end)
            end = passage.end
        }
    }

    @Test("never speaks more phrases at once than it has lanes", arguments: [1, 2, 4])
    func lanes(_ lanes: Int) async throws {
        let busy = Mutex((now: 0, most: 0))
        let synthesizer = ScriptedSynthesizer { _ in
            busy.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<20 { await Task.yield() }
            busy.withLock { $0.now -= 1 }
        }
        _ = try await passages(narration(of: story, by: synthesizer, settings: .init(lanes: lanes)))
        #expect(busy.withLock { $0.most } <= lanes)
    }

    @Test("reads no further ahead than its settings allow")
    func readAhead() async throws {
        let spoken = Mutex(0)
        let synthesizer = ScriptedSynthesizer { _ in spoken.withLock { $0 += 1 } }
        let long = String(repeating: story, count: 25)
        let iterator = narration(of: long, by: synthesizer, settings: .init(lanes: 2, readAhead: 10))
            .makeAsyncIterator()
        for _ in 0..<20 { _ = try await iterator.next() }
        // A sentence of this story is estimated at more than two seconds.
        #expect(spoken.withLock { $0 } <= 20 + 6)
    }

    @Test("hands on the first passage before the second is finished")
    func firstPassage() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let synthesizer = ScriptedSynthesizer { utterance in
            guard case .written(let text)? = utterance.text.pieces.first?.content, text.contains("1 of") else {
                for await _ in gate.stream {}  // Waits until the test has received the first passage.
                return
            }
        }
        let iterator = narration(of: story, by: synthesizer).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.sentence == 0)
        gate.continuation.finish()
        #expect(try await iterator.next()?.sentence == 1)
    }

    @Test("ends what it began when it is cancelled")
    func cancellation() async throws {
        let running = Mutex(0)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let synthesizer = ScriptedSynthesizer { _ in
            running.withLock { $0 += 1 }
            defer { running.withLock { $0 -= 1 } }
            start.yield()
            let forever = AsyncStream.makeStream(of: Void.self)
            for await _ in forever.stream {}  // a cancelled task's wait ends by itself
        }
        let listening = Task { try await passages(narration(of: story, by: synthesizer)) }
        for await _ in started { break }
        listening.cancel()
        await #expect(throws: CancellationError.self) { try await listening.value }
        #expect(running.withLock { $0 } == 0, "nothing may be left running")
    }

    @Test("throws what the engine throws, after all before it has been delivered")
    func failure() async throws {
        let synthesizer = ScriptedSynthesizer { utterance in
            if case .written(let text)? = utterance.text.pieces.first?.content, text.contains("number 3 ") {
                throw SynthesisError.engineFailed(.espeakNG, status: 7)
            }
        }
        let iterator = narration(of: story, by: synthesizer).makeAsyncIterator()
        #expect(try await iterator.next()?.sentence == 0)
        #expect(try await iterator.next()?.sentence == 1)
        await #expect(throws: SynthesisError.engineFailed(.espeakNG, status: 7)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    /// Returns one piece, then fails.
    private actor FailingSource: TextSource {
        private var piece: String?
        let length: Int? = nil

        init(_ text: String) { piece = text }

        func next() throws -> String? {
            defer { piece = nil }
            guard let piece else { throw TextSourceError.unreadable(file: nil) }
            return piece
        }
    }

    @Test("delivers what was read before the text could be read no further")
    func failingText() async throws {
        let narration = Narration(
            of: FailingSource("One.\n\nTwo.\n\nThree is not"),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: ScriptedSynthesizer(),
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 3)
        )
        let iterator = narration.makeAsyncIterator()
        #expect(try await iterator.next()?.text == "One.")
        #expect(try await iterator.next()?.text == "Two.")
        await #expect(throws: TextSourceError.unreadable(file: nil)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    /// Returns one piece, and the other when the gate opens.
    private actor SlowSource: TextSource {
        private var pieces: [String]
        private let gate: AsyncStream<Void>
        private var isOpen = false
        let length: Int? = nil

        init(_ first: String, then second: String, gate: AsyncStream<Void>) {
            pieces = [second, first]
            self.gate = gate
        }

        func isReady(within seconds: Double) -> Bool { pieces.count == 2 || isOpen }

        func next() async -> String? {
            if pieces.count == 1 {
                for await _ in gate {}
                isOpen = true
            }
            return pieces.popLast()
        }
    }

    @Test(
        "says whole sentences of a text that is still being written, and then the rest",
        arguments: ["One. Two.\n", "One. Two.\nThr", "One. Two. Thr", "One.\n\nTwo.\n"]
    )
    func slowText(_ begun: String) async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let rest = begun.hasSuffix("Thr") ? "ee. Four." : "Three. Four."
        let narration = Narration(
            of: SlowSource(begun, then: rest, gate: gate),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: ScriptedSynthesizer(),
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 3)
        )
        let iterator = narration.makeAsyncIterator()
        var passages: [Passage] = []
        for _ in 0..<2 { passages.append(try #require(try await iterator.next())) }
        #expect(passages.map(\.text) == ["One.", "Two."])
        open.finish()
        while let passage = try await iterator.next() { passages.append(passage) }
        #expect(passages.map(\.text) == ["One.", "Two.", "Three.", "Four."])
        #expect(passages.map(\.sentence) == [0, 1, 2, 3])
        let units = Array((begun + rest).utf16)
        #expect(passages.allSatisfy { units[$0.source].elementsEqual($0.text.utf16) })
        #expect(passages.dropLast().allSatisfy { $0.silence > 0 } && passages.last?.silence == 0)
    }

    @Test("ends though nothing but pauses of no length is in it")
    func emptyPauses() async throws {
        let text = String(repeating: "[pause:0]\n\n", count: 20_000)
        #expect(try await passages(narration(of: text)).isEmpty)
    }

    @Test("times every word, in order, inside its passage")
    func wordTimes() async throws {
        let passages = try await passages(narration(of: "One two.\n\nDr. Lee paid $5 for three. [pause:1s] End."))
        let words = passages.flatMap(\.words)
        #expect(words.count == 9)
        var end = 0
        for passage in passages {
            for word in passage.words {
                #expect(word.samples.lowerBound >= end)
                #expect(word.samples.upperBound <= passage.start + passage.speech)
                #expect(
                    passage.source.lowerBound <= word.source.lowerBound
                        && word.source.upperBound <= passage.source.upperBound
                )
                end = word.samples.upperBound
            }
        }
    }

    @Test("ends with the last word, and pauses between the others")
    func pauses() async throws {
        let passages = try await passages(narration(of: "One. Two. Three."))
        #expect(passages.map(\.silence) == [2_400, 2_400, 0])
    }

    @Test("pauses less when it speaks faster, but not less than a tag asks")
    func pausesAtSpeed() async throws {
        let passages = try await passages(
            narration(of: "One. Two. [pause:1s] Three.", prosody: try Prosody(speed: 1.5))
        )
        #expect(passages.map(\.silence) == [1_600, 8_000, 0])
    }

    @Test("puts the phrases of a long sentence together again")
    func longSentence() async throws {
        let words = (0..<300).map { "word\($0)" }
        let passages = try await passages(narration(of: words.joined(separator: " ") + "."))
        #expect(passages.count > 5)
        #expect(passages.map(\.beginsSentence) == [true] + [Bool](repeating: false, count: passages.count - 1))
        #expect(passages.map(\.endsSentence) == [Bool](repeating: false, count: passages.count - 1) + [true])
        var timing = SentenceTiming()
        let sentences = passages.compactMap { timing.add($0) }
        let sentence = try #require(sentences.first)
        #expect(sentences.count == 1)
        #expect(sentence.text == words.joined(separator: " ") + ".")
        #expect(sentence.words.map { sentence.text(of: $0) } == words)
        #expect(sentence.samples == 0..<(passages.last?.end ?? 0))
    }

    @Test("says every word of a text without a full stop once, in order, and pauses at no line end")
    func withoutStops() async throws {
        let words = (0..<1_500).map { "word\($0)" }
        let lines = stride(from: 0, to: words.count, by: 9).map { start in
            words[start..<min(words.count, start + 9)].joined(separator: " ")
        }
        let (plain, wrapped) = (words.joined(separator: " "), lines.joined(separator: "\n"))
        var silences: [[Int]] = []
        for text in [plain, wrapped, words.joined(separator: ", ")] {
            let passages = try await passages(narration(of: text))
            var timing = SentenceTiming()
            let sentences = passages.compactMap { timing.add($0) }
            let said = sentences.flatMap { sentence in sentence.words.map { sentence.text(of: $0) } }
            #expect(said == words)
            silences.append(passages.map(\.silence))
        }
        #expect(silences[0] == silences[1])
    }

    @Test("says a word of 4,000 letters, and what stands around it")
    func longWord() async throws {
        let text = "Begin " + String(repeating: "abcde", count: 800) + " end."
        let passages = try await passages(narration(of: text))
        #expect(passages.map(\.text).joined().filter(\.isLetter) == text.filter(\.isLetter))
        #expect(passages.allSatisfy { !$0.isLeftOut })
    }
}

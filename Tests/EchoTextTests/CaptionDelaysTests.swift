import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Times of captions that are kept")
struct CaptionDelaysTests {
    private static let rate = Double(ScriptedSynthesizer.sampleRate)

    /// A caption of twelve words that the scripted voice says in 0.6 seconds.
    private static let long = Array(repeating: "word", count: 12).joined(separator: " ")

    /// The passages of captions, one a line, with the times at which they are to begin.
    private func passages(
        of captions: [(Double, String)],
        speed: Double = 1,
        lanes: Int = 3,
        by synthesizer: ScriptedSynthesizer = ScriptedSynthesizer(),
        dictionary: PronunciationDictionary? = nil,
        from beginning: Narration.Beginning = .start
    ) async throws -> [Passage] {
        let captions = SampleCaptions(captions)
        let narration = Narration(
            of: StringSource(captions.text),
            voice: ScriptedSynthesizer.narrator,
            prosody: try Prosody(speed: speed),
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en", dictionary: dictionary),
            settings: .init(lanes: lanes),
            at: captions.cues,
            from: beginning
        )
        return try await narration.reduce(into: []) { $0.append($1) }
    }

    private func starts(_ passages: [Passage]) -> [Double] {
        passages.filter { $0.delay != nil }.map { Double($0.start) / Self.rate }
    }

    private func times(_ passages: [Passage]) -> CaptionDelays {
        passages.reduce(into: CaptionDelays()) { $0.add($1) }
    }

    @Test(arguments: [1, 3])
    func `are those at which the captions begin, with silence between them`(lanes: Int) async throws {
        let captions: [(Double, String)] = [(1.5, "A boat. Two boats."), (4.25, "They"), (200.0, "come in.")]
        let passages = try await passages(of: captions, lanes: lanes)
        #expect(starts(passages) == [1.5, 4.25, 200])
        var end = 0
        for passage in passages {
            #expect(passage.start == end)
            #expect(passage.silence <= 60 * ScriptedSynthesizer.sampleRate)
            end = passage.end
        }
        #expect(times(passages).words == nil)
        #expect(times(passages).captions == 3)
    }

    @Test func `are those of the words and sentences of the result`() async throws {
        let passages = try await passages(of: [(1.5, "A boat."), (4, "Two boats.")])
        var timing = SentenceTiming()
        let sentences = passages.compactMap { timing.add($0) }
        #expect(sentences.map(\.text) == ["A boat.", "Two boats."])
        #expect(sentences.map(\.samples.lowerBound) == [12_000, 32_000])
        for sentence in sentences {
            #expect(sentence.words.first?.samples.lowerBound == sentence.samples.lowerBound)
            #expect(sentence.words.count == 2)
            for word in sentence.words { #expect(sentence.samples.contains(word.samples.lowerBound)) }
        }
        #expect(sentences.last?.words.map(\.source) == [8..<11, 12..<17])
    }

    @Test func `let a caption be said faster where it is too long`() async throws {
        let speeds = Mutex<[Double]>([])
        let synthesizer = ScriptedSynthesizer { utterance in speeds.withLock { $0.append(utterance.prosody.speed) } }
        let captions: [(Double, String)] = [(0, Self.long), (0.65, "Yes."), (3, "No.")]
        let passages = try await passages(of: captions, lanes: 1, by: synthesizer)
        #expect(starts(passages) == [0, 0.65, 3])
        let used = speeds.withLock(\.self)
        #expect(used.contains { $0 > 1.1 && $0 < 1.3 })
        #expect(times(passages).late == 0)
    }

    @Test(arguments: [(1.0, 1.3), (1.1, 1.43), (1.4, 1.5)])
    func `hasten no caption more than is natural`(_ speed: Double, _ fastest: Double) async throws {
        let speeds = Mutex<[Double]>([])
        let synthesizer = ScriptedSynthesizer { utterance in speeds.withLock { $0.append(utterance.prosody.speed) } }
        _ = try await passages(of: [(0, Self.long), (0.1, "Yes.")], speed: speed, lanes: 1, by: synthesizer)
        let used = speeds.withLock(\.self)
        let most = try #require(used.max())
        #expect(abs(most - fastest) < 0.001)
    }

    @Test func `that cannot be kept are reported in seconds, and later ones are kept again`() async throws {
        let captions: [(Double, String)] = [(1.0, Self.long), (1.3, "Yes."), (1.4, "No."), (5, "Then we go.")]
        let passages = try await passages(of: captions)
        let starts = starts(passages)
        #expect(starts[0] == 1 && starts[3] == 5)
        #expect(starts[1] > 1.55 && starts[1] < 1.7, "said 1.3 times as fast")
        #expect(starts[2] > starts[1])
        let times = times(passages)
        #expect(times.captions == 4 && times.late == 2)
        #expect(abs(times.seconds - (starts[2] - 1.4)) < 0.001)
        #expect(times.words?.hasPrefix("2 of 4 captions begin later than their times, by up to 0.") == true)
    }

    @Test func `are kept as well when it continues after a stop`() async throws {
        let captions: [(Double, String)] = [
            (0.5, "One."), (1.0, Self.long), (1.3, "Yes."), (1.4, "No."), (150, "Then we go."),
        ]
        let whole = try await passages(of: captions)
        for (index, passage) in whole.enumerated() where passage.endsSentence {
            let beginning = Narration.Beginning(position: passage.source.upperBound, samples: passage.end)
            let rest = try await passages(of: captions, from: beginning)
            #expect(rest.map(\.start) == whole[(index + 1)...].map(\.start))
            #expect(rest.map(\.clip) == whole[(index + 1)...].map(\.clip))
            #expect(rest.map(\.silence) == whole[(index + 1)...].map(\.silence))
            #expect(rest.map(\.words) == whole[(index + 1)...].map(\.words))
        }
    }

    @Test func `leave no silence for a caption in which nothing is said`() async throws {
        let passages = try await passages(of: [(1, "***"), (2, "[pause:1s]"), (3, "Go."), (9, "…")])
        #expect(starts(passages) == [3])
        #expect(try await self.passages(of: [(1, "***"), (2, "…")]).isEmpty)
    }

    @Test func `are kept around captions whose words the dictionary leaves out, which are named`() async throws {
        let dictionary = try PronunciationDictionary(parsing: "gone = .")
        let captions: [(Double, String)] = [
            (0.5, "Gone."), (1.5, "Here."), (3, "[pause:1s] Gone."), (4, "There."), (6, "Gone."),
        ]
        let passages = try await passages(of: captions, dictionary: dictionary)
        #expect(passages.filter(\.isLeftOut).map(\.text) == ["Gone.", "[pause:1s] Gone.", "Gone."])
        #expect(passages.map(\.isSilenced) == passages.map(\.isLeftOut))
        #expect(zip(passages, passages.dropFirst()).allSatisfy { $0.end == $1.start })
        #expect(starts(passages) == [1.5, 4])
        #expect(try await self.passages(of: [(1, "Gone.")], dictionary: dictionary).isEmpty)
    }

    @Test func `of a caption that is longer than an engine takes at once are shared by its parts`() async throws {
        let words = Array(repeating: "word", count: 200).joined(separator: " ") + "."
        let passages = try await passages(of: [(1, words), (30, "Yes.")])
        #expect(starts(passages) == [1, 30])
        let parts = passages.filter { $0.sentence == 0 && !$0.source.isEmpty }
        #expect(parts.count > 1)
        #expect(parts.flatMap(\.words).count == 200)
        #expect(parts.map(\.text).joined() == words)
    }

    @Test func `beyond a day are refused`() throws {
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        var order = NarrationOrder(name: "Talk", voice: ScriptedSynthesizer.narrator)
        order.cues = [SubtitleCue(range: 0..<3, start: 90_000)]
        #expect(throws: SynthesisError.tooMuchSilence) {
            _ = try narrator.narration(of: StringSource("Yes"), as: order, lanes: 1)
        }
    }
}

import EchoTextTesting
import Synchronization
import Testing

@testable import EchoText

@Suite("Clips that are heard as one")
struct ClipPackTests {
    /// The behavior of a session with a sound.
    enum Habit: Sendable {
        case hearsAll
        case hearsFirstWord
        /// Hears the last word right behind the one before it.
        case hearsLastWordEarly
        case knowsNoTimes
        /// Knows of each word only when its passage was said, which is the word.
        case knowsPassages
        /// Takes all that it hears for one passage.
        case knowsOnePassage
        /// Hears the first word, in a passage that lasts until the next one.
        case hearsFirstPassage

        var knowsWords: Bool { ![.knowsPassages, .knowsOnePassage, .hearsFirstPassage].contains(self) }
        var hearsFirst: Bool { self == .hearsFirstWord || self == .hearsFirstPassage }
    }

    /// Hears a word in each stretch of equal samples, named by their size.
    private final class Session: RecognitionSession {
        let prefersLongClips = true
        let pauseInPacks: Int?
        private let habit: Habit
        private let heard = Mutex(0)

        init(_ habit: Habit) {
            self.habit = habit
            pauseInPacks = habit.knowsWords ? 0 : 39
        }

        var count: Int { heard.withLock(\.self) }

        func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech {
            heard.withLock { $0 += 1 }
            var (text, words, start) = ("", [RecognizedWord](), 0)
            for place in 1...clip.samples.count
            where place == clip.samples.count || clip.samples[place] != clip.samples[start] {
                let size = clip.samples[start]
                defer { start = place }
                guard size != 0 else { continue }
                if habit.hearsFirst, let first = words.first {
                    let next = Double(start) / Double(RecognitionClip.sampleRate)
                    if !habit.knowsWords, first.passage == nil { words[0].passage = first.start..<next }
                    continue
                }
                if !text.isEmpty { text += " " }
                let word = "w\(Int(size * 128))"
                let source = text.utf16.count..<text.utf16.count + word.utf16.count
                text += word
                let rate = Double(RecognitionClip.sampleRate)
                words.append(RecognizedWord(source: source, start: Double(start) / rate, end: Double(place) / rate))
            }
            if habit == .hearsLastWordEarly, words.count > 1 {
                let end = words[words.count - 2].end
                (words[words.count - 1].start, words[words.count - 1].end) = (end + 0.05, end + 0.25)
            }
            guard habit != .knowsNoTimes else { return RecognizedSpeech(text: text) }
            guard habit.knowsWords else {
                return RecognizedSpeech(text: text, words: passages(of: words), timing: .segments)
            }
            return RecognizedSpeech(text: text, words: words, timing: .tokens)
        }

        private func passages(of words: [RecognizedWord]) -> [RecognizedWord] {
            guard let first = words.first, let last = words.last else { return [] }
            return words.map { word in
                var word = word
                let own = word.passage ?? word.start..<word.end
                (word.isEstimated, word.passage) = (true, habit == .knowsOnePassage ? first.start..<last.end : own)
                return word
            }
        }

        func close() async {}
    }

    /// Takes every sample but 0 for speech.
    private final class Detector: VoiceActivitySession {
        private let cutter = Mutex(VoiceWindowCutter())

        func detect(_ clip: AudioClip) async throws -> [VoiceWindow] {
            let samples = cutter.withLock { $0.cut(clip) }
            return stride(from: 0, to: samples.count, by: VoiceWindow.samples).map { start in
                let isSpeech = samples[start] != 0
                return VoiceWindow(isSpeech: isSpeech, level: isSpeech ? -20 : -70)
            }
        }

        func close() async {}
    }

    private actor Source: ClipSource {
        nonisolated let sampleRate = RecognitionClip.sampleRate
        private let samples: [Float]
        private var position = 0

        init(_ samples: [Float]) {
            self.samples = samples
        }

        func next() async throws -> AudioClip? {
            guard position < samples.count else { return nil }
            let end = min(samples.count, position + 10_000)
            defer { position = end }
            return AudioClip(samples: Array(samples[position..<end]), sampleRate: sampleRate)
        }
    }

    private actor Kept {
        private(set) var segments: [TranscriptSegment] = []

        func add(_ more: [TranscriptSegment]) { segments += more }
    }

    /// Samples of some windows.
    private static func sound(_ windows: Int, _ size: Float = 0) -> [Float] {
        Array(repeating: size / 128, count: windows * VoiceWindow.samples)
    }

    private static func transcribe(_ sound: [Float], by session: Session, packsClips: Bool, lanes: Int = 2) async throws
        -> [TranscriptSegment]
    {
        let kept = Kept()
        let segmenter = ClipSegmenter(conversion: nil, detector: Detector(), rules: .long)
        let run = TranscriptionRun(by: session, lanes: lanes, packsClips: packsClips)
        let listener = TranscriptionRun.Listener { segments, _ in await kept.add(segments) }
        try await segmenter.closing {
            try await run.recognize(Source(sound), by: segmenter, offset: 100, listener)
        }
        return await kept.segments
    }

    /// Words of 1.9 s with pauses of 3.2 s, and the last one after 12.8 s.
    private static let dictation: [Float] = Array(
        [sound(60, 1), sound(100), sound(60, 2), sound(100), sound(60, 3), sound(400), sound(60, 4)].joined()
    )

    @Test(
        "have the words and times that they have alone, and are given to the recogniser at once",
        arguments: [1, 3],
        [ClipPackTests.Habit.hearsAll, .knowsPassages]
    )
    func sameWords(lanes: Int, habit: Habit) async throws {
        let (packing, alone) = (Session(habit), Session(habit))
        let packed = try await Self.transcribe(Self.dictation, by: packing, packsClips: true, lanes: lanes)
        let wanted = try await Self.transcribe(Self.dictation, by: alone, packsClips: false, lanes: lanes)
        #expect(packing.count == 2 && alone.count == 4)
        #expect(packed.map(\.kind) == wanted.map(\.kind))
        #expect(packed.map(\.text) == ["w1", "", "w2", "", "w3", "", "w4"])
        let words = packed.flatMap(\.words)
        let starts = [0, 160, 320, 780].map { 100 + Double($0 * VoiceWindow.samples) / 16_000 }
        #expect(words.count == 4)
        #expect(zip(words, starts).allSatisfy { abs($0.start - $1) < 1e-6 && abs($0.end - $1 - 1.92) < 1e-6 })
        #expect(zip(packed, wanted).allSatisfy { abs($0.time.lowerBound - $1.time.lowerBound) < 1e-6 })
        #expect(zip(packed, wanted).allSatisfy { abs($0.time.upperBound - $1.time.upperBound) < 1e-6 })
    }

    @Test(
        "are heard alone where nothing is heard of them together, or the times do not say whose a word is",
        arguments: [
            (ClipPackTests.Habit.hearsFirstWord, 4), (ClipPackTests.Habit.hearsLastWordEarly, 4),
            (ClipPackTests.Habit.knowsNoTimes, 5), (ClipPackTests.Habit.knowsOnePassage, 5),
            (ClipPackTests.Habit.hearsFirstPassage, 5),
        ]
    )
    func heardAlone(habit: Habit, count: Int) async throws {
        let session = Session(habit)
        let segments = try await Self.transcribe(Self.dictation, by: session, packsClips: true)
        #expect(segments.map(\.text).filter { !$0.isEmpty } == ["w1", "w2", "w3", "w4"])
        #expect(session.count == count)
    }

    @Test("may all say the same")
    func sameInEach() async throws {
        let once = Self.sound(20, 1) + Self.sound(80)
        let sound = Array((0..<8).map { _ in once }.joined())
        let session = Session(.hearsAll)
        let segments = try await Self.transcribe(sound, by: session, packsClips: true, lanes: 1)
        #expect(segments.map(\.text).filter { !$0.isEmpty } == Array(repeating: "w1", count: 8))
        #expect(session.count == 9, "once together, then each alone")
        #expect(segments.allSatisfy { $0.remark == nil })
    }

    @Test("of a short recording are shared among the lanes", arguments: [(1, 1), (2, 2), (4, 2)])
    func lanes(lanes: Int, count: Int) async throws {
        let session = Session(.hearsAll)
        let sound = Array((1...4).map { Self.sound(150, Float($0)) + Self.sound(80) }.joined())
        let segments = try await Self.transcribe(sound, by: session, packsClips: true, lanes: lanes)
        #expect(segments.map(\.text).filter { !$0.isEmpty } == ["w1", "w2", "w3", "w4"])
        #expect(session.count == count)
    }

    // MARK: - Packing

    /// A clip of speech, in windows.
    private static func clip(_ windows: Range<Int>, before: Bool = false, after: Bool = false, rest: Int = 0)
        -> (clip: SpeechClip, sound: AudioClip)
    {
        let end = windows.upperBound * VoiceWindow.samples + rest
        let clip = SpeechClip(
            range: windows.lowerBound * VoiceWindow.samples..<end,
            windows: Array(repeating: VoiceWindow(isSpeech: true, level: -20), count: windows.count),
            overlapsPrevious: before,
            overlapsNext: after
        )
        let samples = Array(repeating: Float(0.1), count: clip.range.count)
        return (clip, AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate))
    }

    /// How many clips are in each pack.
    private static func packs(of clips: [(clip: SpeechClip, sound: AudioClip)], pause: Int? = 0) -> [Int] {
        var packing = ClipPacking(pause: pause)
        var packs: [ClipPack] = []
        for (clip, sound) in clips { packs += packing.add(clip, sound) }
        packs += packing.finish()
        let rest = packing.finish()
        #expect(rest.isEmpty)
        return packs.map(\.parts.count)
    }

    @Test("are at most 28 s together, at most 10 s apart, and share no speech")
    func limits() {
        let (first, second, third) = (Self.clip(0..<400), Self.clip(500..<975), Self.clip(1_000..<1_001))
        #expect(Self.packs(of: [first, second]) == [2])
        #expect(Self.packs(of: [first, second, third]) == [2, 1])
        #expect(Self.packs(of: [first, second, third], pause: nil) == [1, 1, 1])
        #expect(Self.packs(of: [first, second], pause: 1) == [1, 1], "the silence between them counts")
        #expect(Self.packs(of: [Self.clip(0..<400), Self.clip(500..<936)], pause: 39) == [2])
        #expect(Self.packs(of: [Self.clip(0..<100), Self.clip(412..<500)]) == [2])
        #expect(Self.packs(of: [Self.clip(0..<100), Self.clip(413..<500)]) == [1, 1])
        let overlapping = [
            Self.clip(0..<100), Self.clip(200..<300, after: true), Self.clip(280..<400, before: true),
            Self.clip(500..<600),
        ]
        #expect(Self.packs(of: overlapping) == [1, 1, 2])
        let last = Self.clip(0..<100, rest: 9)
        #expect(Self.packs(of: [last, Self.clip(200..<300)]) == [1, 1], "none can follow where windows are not whole")
        #expect(Self.packs(of: []).isEmpty)
    }

    @Test("are split into packs of at least ten seconds on average, in order")
    func split() {
        func split(_ lengths: [Int], among lanes: Int) -> [[Int]] {
            let parts = lengths.map { length in
                let clip = Self.clip(0..<length)
                return ClipPack.Part(clip.clip, clip.sound)
            }
            return ClipPack(parts).split(among: lanes).map { $0.parts.map(\.clip.windows.count) }
        }
        #expect(split([200, 200, 201, 202], among: 2) == [[200, 200], [201, 202]])
        #expect(split([200, 200, 201, 202], among: 1) == [[200, 200, 201, 202]])
        #expect(split([200, 200, 201, 202], among: 0) == [[200, 200, 201, 202]])
        #expect(split([200, 200, 201, 202], among: 8) == [[200, 200], [201, 202]])
        #expect(split([300, 300], among: 2) == [[300, 300]])
        #expect(split([60, 700], among: 2) == [[60], [700]])
        #expect(split([800], among: 2) == [[800]])
    }

    @Test("begin with some silence where the sound begins, so that its first word is heard")
    func lead() async throws {
        func leads(_ ranges: [Range<Int>], pause: Int?) -> [Int] {
            var packing = ClipPacking(pause: pause)
            var packs: [ClipPack] = []
            for range in ranges {
                let clip = Self.clip(range)
                packs += packing.add(clip.clip, clip.sound)
            }
            packs += packing.finish()
            return packs.map(\.lead)
        }
        #expect(leads([0..<400, 500..<1_000], pause: 0) == [4, 0])
        #expect(leads([11..<400], pause: 39) == [4] && leads([12..<400], pause: 39) == [0])
        #expect(leads([0..<400, 500..<1_000], pause: nil) == [0, 0], "a recogniser of clips alone")

        let parts = [Self.clip(0..<400), Self.clip(410..<800)].map { ClipPack.Part($0.clip, $0.sound) }
        let pack = ClipPack(parts, pause: 2, lead: 4)
        let (clip, sound) = pack.whole
        #expect(clip.windows.count == 796 && sound.samples.count == 796 * VoiceWindow.samples)
        #expect(clip.windows.prefix { !$0.isSpeech }.count == 4)
        #expect(sound.samples.prefix { $0 == 0 }.count == 4 * VoiceWindow.samples)
        #expect(pack.split(among: 2).map(\.lead) == [4, 0])

        let session = Session(.hearsAll)
        let segments = try await Self.transcribe(Self.sound(60, 1) + Self.sound(20), by: session, packsClips: true)
        #expect(segments.map(\.text) == ["w1"] && session.count == 1)
        let word = try #require(segments.first?.words.first)
        #expect(abs(word.start - 100) < 1e-6 && abs(word.end - 101.92) < 1e-6, "times are those of the sound")
    }

    // MARK: - Dividing

    /// Two parts of 3.2 s: 1.6 s of speech between silences of 0.8 s.
    private static let pack = twoParts(pause: 0)

    private static func twoParts(pause: Int) -> ClipPack {
        let quiet = Array(repeating: VoiceWindow(isSpeech: false, level: -70), count: 25)
        let parts = [0, 1].map { place in
            let spoken = Self.clip(place * 200..<place * 200 + 100)
            var clip = spoken.clip
            clip.windows.replaceSubrange(75..., with: quiet)
            clip.windows.replaceSubrange(..<25, with: quiet)
            return ClipPack.Part(clip, spoken.sound)
        }
        return ClipPack(parts, pause: pause)
    }

    private static func heard(_ times: Range<Double>..., text: String) -> RecognizedSpeech {
        var (words, place) = ([RecognizedWord](), 0)
        for (word, time) in zip(text.split(separator: " "), times) {
            words.append(
                RecognizedWord(
                    source: place..<place + word.utf16.count,
                    start: time.lowerBound,
                    end: time.upperBound
                )
            )
            place += word.utf16.count + 1
        }
        return RecognizedSpeech(text: text, words: words, timing: .tokens)
    }

    @Test("have each word once, where most of it was said")
    func divided() throws {
        // The second word lasts far into the pause, the third begins in it.
        let speech = Self.heard(0.8..<1.5, 1.5..<3.4, 3.5..<4.6, 4.6..<5.6, text: "One two. “Three” four.")
        let divided = try #require(Self.pack.divided(ClipRecognition.RecognizedClip(speech: speech)))
        #expect(divided.map(\.speech.text) == ["One two.", "“Three” four."])
        #expect(divided[1].speech.words.map(\.source) == [0..<7, 8..<13])
        let starts = divided.flatMap(\.speech.words).map(\.start)
        #expect(zip(starts, [0.8, 1.5, 0.3, 1.4]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(divided.allSatisfy { $0.speech.isPossible(in: 3.2) && $0.speech.timing == .tokens })
    }

    @Test("keep nothing where the only word of one may be the other's, so that it is neither lost nor doubled")
    func unclear() throws {
        func texts(_ speech: RecognizedSpeech, _ gaps: [Range<Double>] = []) throws -> [String] {
            let recognized = ClipRecognition.RecognizedClip(speech: speech, gaps: gaps)
            return try #require(Self.pack.divided(recognized)).map(\.speech.text)
        }
        let early = Self.heard(0.8..<2.4, 2.5..<2.9, text: "One two")
        #expect(try texts(early) == ["", ""], "the second's only word, right behind the first")
        let long = Self.heard(0.8..<2, 2..<5.6, text: "One two")
        #expect(try texts(long) == ["", ""], "the first's last word, as long as the second")
        let late = Self.heard(3.7..<3.9, 4..<5, text: "One two")
        #expect(try texts(late) == ["", ""], "the first's only word, right before the second")
        #expect(try texts(Self.heard(0.8..<2, 2..<2.6, text: "One two")) == ["One two", ""])
        #expect(try texts(Self.heard(4..<5, 5..<5.4, text: "One two")) == ["", "One two"])
        #expect(try texts(Self.heard(0.8..<2, 3.9..<5, text: "One two")) == ["One", "two"])
        #expect(try texts(early, [4..<5.6]) == ["One two", ""], "the second is marked as not understood")
    }

    @Test("have the gaps that are in them, from their start")
    func gaps() throws {
        let recognized = ClipRecognition.RecognizedClip(speech: RecognizedSpeech(text: ""), gaps: [0.8..<2.4, 3..<5.6])
        let divided = try #require(Self.pack.divided(recognized))
        #expect(divided[0].gaps == [0.8..<2.4, 3..<3.2])
        #expect(divided[1].gaps.count == 1 && abs((divided[1].gaps.first?.upperBound ?? 0) - 2.4) < 1e-9)
        #expect(divided.allSatisfy { $0.speech.text.isEmpty })
        let brief = ClipRecognition.RecognizedClip(speech: RecognizedSpeech(text: ""), gaps: [0.8..<4.1])
        let rest = try #require(Self.pack.divided(brief))
        #expect(rest.map(\.gaps.count) == [1, 0], "the second is heard alone, as no mark is as short as its gap")
    }

    // MARK: - Dividing by passages

    /// The parts of ``pack``, of which 0.8–2.4 s and 5.248–6.848 s are speech, with a silence of 1.248 s between them.
    private static let parted = twoParts(pause: 39)

    /// The speech heard by a recognizer that knows the times of passages alone, whose words share them equally.
    private static func heardPassages(_ passages: (text: String, time: Range<Double>)...) -> RecognizedSpeech {
        var (text, words) = ("", [RecognizedWord]())
        for passage in passages {
            let parts = passage.text.split(separator: " ")
            let share = (passage.time.upperBound - passage.time.lowerBound) / Double(parts.count)
            for (number, word) in parts.enumerated() {
                if !text.isEmpty { text += " " }
                let source = text.utf16.count..<text.utf16.count + word.utf16.count
                text += word
                let start = passage.time.lowerBound + Double(number) * share
                words.append(
                    RecognizedWord(
                        source: source,
                        start: start,
                        end: start + share,
                        isEstimated: true,
                        passage: passage.time
                    )
                )
            }
        }
        return RecognizedSpeech(text: text, words: words, timing: .segments)
    }

    private static func texts(_ speech: RecognizedSpeech, _ gaps: [Range<Double>] = []) throws -> [String] {
        try #require(parted.divided(ClipRecognition.RecognizedClip(speech: speech, gaps: gaps))).map(\.speech.text)
    }

    @Test("have a silence between them for a recognizer that says only when a passage was said")
    func silence() {
        let (clip, sound) = Self.parted.whole
        #expect(clip.windows.count == 239 && clip.range == 0..<239 * VoiceWindow.samples)
        #expect(sound.samples.count == clip.range.count)
        #expect(!clip.windows[75..<164].contains { $0.isSpeech } && clip.windows[164].isSpeech)
        #expect(sound.samples[100 * VoiceWindow.samples..<139 * VoiceWindow.samples].allSatisfy { $0 == 0 })
        #expect(sound.samples[139 * VoiceWindow.samples] == 0.1)
        #expect(Self.parted.split(among: 2).map(\.whole.clip.windows.count) == [239])
    }

    @Test("have each passage once, in whose speech it is, with its words in that speech")
    func passages() throws {
        // Stamps are often whole seconds, or those of the next passage.
        let speech = Self.heardPassages(("One two.", 0..<4), ("“Three”", 4..<5.5), ("four.", 5.5..<7))
        let divided = try #require(Self.parted.divided(ClipRecognition.RecognizedClip(speech: speech)))
        #expect(divided.map(\.speech.text) == ["One two.", "“Three” four."])
        #expect(divided[1].speech.words.map(\.source) == [0..<7, 8..<13])
        let words = divided.flatMap(\.speech.words)
        #expect(zip(words.map(\.start), [0.8, 1.6, 0.8, 1.052]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(zip(words.map(\.end), [1.6, 2.4, 1.052, 2.4]).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(divided.allSatisfy { $0.speech.isPossible(in: 3.2) && $0.speech.timing == .segments })
        #expect(words.allSatisfy { $0.isEstimated })
    }

    @Test("keep nothing where a passage is in the speech of both, or between them")
    func sharedPassages() throws {
        #expect(try Self.texts(Self.heardPassages(("One two", 1..<6))) == ["", ""])
        #expect(try Self.texts(Self.heardPassages(("One", 1..<2.1), ("two", 2.1..<6))) == ["", ""])
        #expect(try Self.texts(Self.heardPassages(("One", 1..<2.3), ("two", 2.3..<6))) == ["One", "two"], "a little")
        #expect(try Self.texts(Self.heardPassages(("One", 1..<2.4), ("two", 3..<4))) == ["", ""])
        let before = Self.heardPassages(("One", 0.1..<0.6), ("two", 5.3..<6))
        #expect(try Self.texts(before) == ["One", "two"], "before all speech")
        let behind = Self.heardPassages(("One", 1..<2), ("two", 7..<7.5))
        #expect(try Self.texts(behind) == ["One", "two"], "behind all speech")
    }

    @Test("keep nothing beside one of which nothing was heard, if a passage may have its words")
    func unheardPassages() throws {
        #expect(try Self.texts(Self.heardPassages(("One", 0.8..<3.7))) == ["One", ""])
        #expect(try Self.texts(Self.heardPassages(("One", 0.8..<3.9))) == ["", ""], "beyond the middle of the silence")
        #expect(try Self.texts(Self.heardPassages(("Two", 3.9..<6))) == ["", "Two"])
        #expect(try Self.texts(Self.heardPassages(("Two", 3.7..<6))) == ["", ""], "before the middle of the silence")
        let marked = try Self.texts(Self.heardPassages(("One", 0.8..<3.9)), [5.3..<6.8])
        #expect(marked == ["One", ""], "the second is marked")
        #expect(try Self.texts(RecognizedSpeech(text: "")) == ["", ""])
    }

    @Test("are not divided by passages that go back")
    func disorder() {
        let speech = Self.heardPassages(("Two", 5.3..<6.8), ("one", 0.8..<2.4))
        #expect(Self.parted.divided(ClipRecognition.RecognizedClip(speech: speech)) == nil)
    }

    @Test("are not divided by times that are estimates")
    func estimates() {
        var speech = Self.heard(0.8..<1.5, 4.1..<5, text: "One two")
        for place in speech.words.indices { speech.words[place].isEstimated = true }
        #expect(Self.pack.divided(ClipRecognition.RecognizedClip(speech: speech)) == nil)
        #expect(Self.pack.divided(ClipRecognition.RecognizedClip(speech: RecognizedSpeech(text: "One two"))) == nil)
    }
}

import EchoText
import EchoTextTesting
import Testing

@Suite("The cuts of a sound for recognition")
struct SpeechSegmenterTests {
    /// Runs of windows, such as `speech(40)`.
    private static func speech(_ count: Int, level: Float = -20) -> [VoiceWindow] {
        Array(repeating: VoiceWindow(isSpeech: true, level: level), count: count)
    }

    private static func silence(_ count: Int) -> [VoiceWindow] {
        Array(repeating: VoiceWindow(isSpeech: false, level: -70), count: count)
    }

    private static func pieces(
        of windows: [VoiceWindow],
        _ rules: SegmentationRules = .whole,
        rest: Int = 0
    ) -> [SpeechSegmenter.Piece] {
        var segmenter = SpeechSegmenter(rules)
        var pieces = windows.flatMap { segmenter.add($0) }
        pieces += segmenter.finish(samples: windows.count * VoiceWindow.samples + rest)
        return pieces
    }

    private static func clips(_ pieces: [SpeechSegmenter.Piece]) -> [SpeechClip] {
        pieces.compactMap { if case .clip(let clip) = $0 { clip } else { nil } }
    }

    private static func windows(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound / VoiceWindow.samples..<range.upperBound / VoiceWindow.samples
    }

    @Test("Silence alone has no clip")
    func silenceAlone() {
        let pieces = Self.pieces(of: Self.silence(200))
        #expect(pieces == [.silence(0..<200 * VoiceWindow.samples)])
    }

    @Test("A sound without a sample has no piece")
    func nothing() {
        #expect(Self.pieces(of: []).isEmpty)
    }

    @Test("A clip has its speech and a margin on both sides")
    func margins() throws {
        let windows = Self.silence(100) + Self.speech(50) + Self.silence(100)
        let clip = try #require(Self.clips(Self.pieces(of: windows)).first)
        #expect(Self.windows(clip.range) == 92..<158)
        #expect(clip.windows == Array(windows[92..<158]))
        #expect(!clip.overlapsPrevious && !clip.overlapsNext)
    }

    @Test("A clip for a recognizer that prefers long ones has more silence before its first word")
    func longMargins() throws {
        let windows = Self.silence(100) + Self.speech(50) + Self.silence(100) + Self.speech(50) + Self.silence(10)
        let clips = Self.clips(Self.pieces(of: windows, .long))
        #expect(clips.map { Self.windows($0.range) } == [88..<162, 238..<310])
    }

    @Test("Short pauses stay within a clip until it is long enough")
    func shortPauses() {
        let words = Self.speech(50) + Self.silence(20)
        let clips = Self.clips(Self.pieces(of: words + words + words))
        #expect(clips.count == 1)
        let lively = Self.clips(Self.pieces(of: words + words + words, .live))
        #expect(lively.count == 3)
    }

    @Test("For a recognizer that prefers long clips, a pause ends a clip only after 22 s")
    func longClips() {
        let words = Self.speech(90) + Self.silence(20)
        let windows = Array((0..<16).map { _ in words }.joined())
        let long = Self.clips(Self.pieces(of: windows, .long))
        let lengths = long.dropLast().map(\.windows.count)
        #expect(long.count == 3 && lengths.allSatisfy { (688...SegmentationRules.longest).contains($0) })
        #expect(Self.clips(Self.pieces(of: windows)).count > long.count)
    }

    @Test("For a recognizer that prefers long clips, one ends in its longest pause between 22 and 28 s")
    func longestPause() {
        let runs = [
            Self.speech(690), Self.silence(16), Self.speech(60), Self.silence(40), Self.speech(60), Self.silence(20),
            Self.speech(100),
        ]
        let long = Self.clips(Self.pieces(of: Array(runs.joined()), .long))
        #expect(long.map { Self.windows($0.range) } == [0..<786, 786..<986])
        #expect(long.allSatisfy { !$0.overlapsNext })
        #expect(long.flatMap(\.windows).count(where: \.isSpeech) == 910)
    }

    @Test("For a recognizer that prefers long clips, a long silence ends one, and an early pause one without a later")
    func otherPauses() {
        let short = Self.clips(Self.pieces(of: Self.speech(300) + Self.silence(70) + Self.speech(300), .long))
        #expect(short.count == 2)
        let early = Self.clips(Self.pieces(of: Self.speech(500) + Self.silence(30) + Self.speech(600), .long))
        #expect(early.first?.windows.count == 515)
        let runs = [Self.speech(500), Self.silence(30), Self.speech(200), Self.silence(8), Self.speech(400)]
        let brief = Self.clips(Self.pieces(of: Array(runs.joined()), .long))
        #expect(brief.first?.windows.count == 515, "a brief silence is none between sentences")
    }

    @Test("For a recognizer that prefers long clips, one without a pause after 22 s ends in the last one before")
    func lastPause() {
        let runs = [
            Self.speech(480), Self.silence(46), Self.speech(60), Self.silence(30), Self.speech(50), Self.silence(30),
            Self.speech(60), Self.silence(15), Self.speech(400),
        ]
        // The third pause lasts from 666 to 696, of which eight windows are after 22 s.
        let clips = Self.clips(Self.pieces(of: Array(runs.joined()), .long))
        #expect(clips.map { Self.windows($0.range) } == [0..<681, 681..<1_171])
        #expect(clips.flatMap(\.windows).count(where: \.isSpeech) == 1_050)
        #expect(clips.allSatisfy { !$0.overlapsNext })
    }

    @Test("Speech with pauses is cut in one of them, and nothing is heard twice")
    func longSpeech() {
        let words = Self.speech(90) + Self.silence(10)
        let clips = Self.clips(Self.pieces(of: Array((0..<30).map { _ in words }.joined())))
        #expect(clips.count > 2)
        for clip in clips {
            #expect(clip.windows.count <= SegmentationRules.longest)
            #expect(!clip.overlapsNext)
        }
        for (clip, next) in zip(clips, clips.dropFirst()) { #expect(clip.range.upperBound <= next.range.lowerBound) }
        let spoken = clips.flatMap(\.windows).count(where: \.isSpeech)
        #expect(spoken == 30 * 90)
    }

    @Test("A short silence is cut where it is quietest, as a detector notices late that the next word has begun")
    func lateDetector() {
        var windows = Self.speech(700) + Self.silence(4) + Self.speech(300)
        for place in 696..<700 { windows[place].level = -70 }
        for place in 701..<704 { windows[place].level = -20 }
        let clips = Self.clips(Self.pieces(of: windows))
        #expect(clips.map { Self.windows($0.range) } == [0..<699, 699..<1_004])
        #expect(clips.allSatisfy { !$0.overlapsNext })
    }

    @Test("Speech without any silence is cut at its quietest place, which both clips hear")
    func unbrokenSpeech() throws {
        var windows = Self.speech(2_000)
        for place in 700..<704 { windows[place].level = -45 }
        let clips = Self.clips(Self.pieces(of: windows))
        #expect(clips.count >= 3)
        #expect(clips[0].overlapsNext && clips[1].overlapsPrevious)
        #expect(Self.windows(clips[0].range).contains(702) && Self.windows(clips[1].range).contains(702))
        for (clip, next) in zip(clips, clips.dropFirst()) {
            #expect(clip.range.upperBound > next.range.lowerBound)
            #expect(clip.windows.count <= SegmentationRules.longest)
        }
        #expect(clips.last?.range.upperBound == 2_000 * VoiceWindow.samples)
    }

    @Test("The rest that makes no whole window belongs to the last clip")
    func rest() throws {
        let clip = try #require(Self.clips(Self.pieces(of: Self.speech(60), rest: 300)).last)
        #expect(clip.range == 0..<60 * VoiceWindow.samples + 300)
    }

    @Test("Silence is heard as well on request")
    func silenceIncluded() {
        var rules = SegmentationRules.whole
        rules.includesSilence = true
        let windows = Self.silence(1_000) + Self.speech(100) + Self.silence(900)
        let clips = Self.clips(Self.pieces(of: windows, rules))
        #expect(clips.first?.range.lowerBound == 0)
        #expect(clips.last?.range.upperBound == windows.count * VoiceWindow.samples)
        for (clip, next) in zip(clips, clips.dropFirst()) { #expect(clip.range.upperBound == next.range.lowerBound) }
    }

    @Test("Whatever is said, every window of speech is in a clip, in order", arguments: 0..<40)
    func everything(seed: UInt64) {
        var random = SeededNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var windows: [VoiceWindow] = []
        while windows.count < 4_000 {
            windows += Self.speech(
                .random(in: 1...400, using: &random),
                level: .random(in: -40 ... -10, using: &random)
            )
            windows += Self.silence(.random(in: 0...80, using: &random))
        }
        for rules in [SegmentationRules.whole, .long, .live] {
            let pieces = Self.pieces(of: windows, rules)
            let clips = Self.clips(pieces)
            let covered = Set(clips.flatMap { Self.windows($0.range) })
            #expect(windows.indices.allSatisfy { !windows[$0].isSpeech || covered.contains($0) })
            #expect(clips.allSatisfy { $0.windows.count <= SegmentationRules.longest })
            #expect(zip(clips, clips.dropFirst()).allSatisfy { $0.range.lowerBound < $1.range.lowerBound })
            #expect(zip(clips, clips.dropFirst()).allSatisfy { $0.overlapsNext == $1.overlapsPrevious })
            for case .silence(let range) in pieces {
                #expect(Self.windows(range).allSatisfy { !windows[$0].isSpeech && !covered.contains($0) })
            }
        }
    }
}

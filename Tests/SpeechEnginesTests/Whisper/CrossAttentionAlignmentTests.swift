import Testing

@testable import SpeechEngines

@Suite("Alignment of tokens with sound")
struct CrossAttentionAlignmentTests {
    @Test
    func `follows the greatest sum and never goes back`() {
        let gains: [[Float]] = [[1, 1, -1, -1, -1, -1], [-1, -1, 1, 1, -1, -1], [-1, -1, -1, -1, 1, 1]]
        #expect(CrossAttentionAlignment.path(through: gains) == [0, 2, 4])
        #expect(CrossAttentionAlignment.path(through: [gains[0]]) == [0])
        #expect(CrossAttentionAlignment.path(through: gains.map { [$0[0]] }) == [0, 0, 0])
        #expect(CrossAttentionAlignment.path(through: []).isEmpty)
        let backwards = Array(gains.reversed())
        let starts = CrossAttentionAlignment.path(through: backwards)
        #expect(starts == starts.sorted() && starts.first == 0)
    }

    /// Computed by numpy.
    @Test
    func `medians count the mirror image beyond the ends`() {
        #expect(CrossAttentionAlignment.medians(of: [5, 1, 4, 9, 2, 8, 3, 7, 6, 0]) == [4, 4, 4, 4, 4, 6, 6, 6, 6, 6])
        #expect(CrossAttentionAlignment.medians(of: [2, 1, 3]) == [2, 1, 3])
        #expect(CrossAttentionAlignment.medians(of: []).isEmpty)
    }

    @Test
    func `medians are those of numbers in any order`() {
        var noise = NormalNoise(seed: 5)
        for count in [4, 5, 6, 7, 300] {
            // Some of them are alike.
            let numbers = noise.numbers(count).map { ($0 * 3).rounded() }
            let before: [Float] = numbers[1...3].reversed()
            let behind: [Float] = numbers.dropLast().suffix(3).reversed()
            let mirrored = before + numbers + behind
            let medians = numbers.indices.map { mirrored[$0..<$0 + 7].sorted()[3] }
            #expect(CrossAttentionAlignment.medians(of: numbers) == medians)
        }
    }

    /// Four tokens, at each of which two heads look for nine frames.
    private func looks(beyond: Int = 0) -> [[Float]] {
        var looks: [[Float]] = []
        for token in 0..<4 {
            var own: [Float] = []
            for head in 0..<2 {
                var frames = [Float](repeating: 0.01, count: 60) + [Float](repeating: 0.5, count: beyond)
                for frame in 0..<9 { frames[15 * token + head + frame] = 1 }
                own += frames
            }
            looks.append(own)
        }
        return looks
    }

    @Test
    func `a token begins where heads begin to look`() {
        let starts = CrossAttentionAlignment.starts(of: looks(), frames: 60, heads: 2)
        #expect(starts.count == 4 && starts.first == 0)
        for (token, start) in starts.enumerated() { #expect(abs(start - 15 * token) <= 5, "\(starts)") }
        let longer = CrossAttentionAlignment.starts(of: looks(beyond: 20), frames: 60, heads: 2)
        #expect(longer == starts, "what is beyond the sound counts for nothing")
    }

    @Test
    func `odd looks are none`() {
        #expect(CrossAttentionAlignment.starts(of: [], frames: 10, heads: 1).isEmpty)
        #expect(CrossAttentionAlignment.starts(of: [[1, 2], [1]], frames: 2, heads: 1).isEmpty)
        #expect(CrossAttentionAlignment.starts(of: [[0, 0], [0, 0]], frames: 2, heads: 1).count == 2)
        #expect(CrossAttentionAlignment.starts(of: [[.nan, 1], [1, .infinity]], frames: 2, heads: 1).count == 2)
        #expect(CrossAttentionAlignment.starts(of: [[1, 2, 3]], frames: 100, heads: 1) == [0])
    }

    @Test
    func `without looks, tokens share the time of their passage by their lengths`() {
        let passages = [
            TimestampRules.Passage(start: 0, end: 30, tokens: 1..<3),
            TimestampRules.Passage(start: 40, end: nil, tokens: 5..<6),
        ]
        let starts = WhisperEngine.spread(passages, over: 6, frames: 100) { $0 == 1 ? 2 : 1 }
        #expect(starts == [0, 0, 20, 30, 40, 40, 100])
        #expect(WhisperEngine.spread([], over: 0, frames: 100) { _ in 1 } == [0])
        #expect(passages.map { WhisperEngine.time(of: $0, frames: 100) } == [0..<0.6, 0.8..<2])
    }

    @Test
    func `a passage that was left in the middle is left to the next part only if there is one`() {
        let whole = TimestampRules.Passage(start: 0, end: 30, tokens: 1..<3)
        let left = TimestampRules.Passage(start: 40, end: nil, tokens: 5..<7)
        let starts = [0, 0, 20, 30, 40, 40, 60]
        func kept(_ passages: [TimestampRules.Passage], _ starts: [Int]?, hasNextPart: Bool) -> [Int] {
            let (isWord, again) = ({ (_: Int) in true }, { (_: Int) in hasNextPart })
            let kept = WhisperEngine.kept(of: passages, frames: 100, starts: starts, isWord: isWord, again)
            return [kept.passages.count, kept.reached]
        }
        #expect(kept([whole, left], starts, hasNextPart: true) == [1, 40])
        #expect(kept([whole, left], starts, hasNextPart: false) == [2, 80])
        #expect(kept([whole, left], starts + [70], hasNextPart: false) == [2, 70])
        #expect(kept([whole, left], nil, hasNextPart: false) == [2, 100])
        #expect(kept([whole], [0, 0, 50, 60], hasNextPart: true) == [1, 70], "its last word is behind its end")
        #expect(kept([whole], [0, 0, 90, 95], hasNextPart: true) == [1, 100], "no part is longer than it is")
        #expect(kept([whole], [0, 0, 91, 95], hasNextPart: true) == [1, 30], "a second more was not heard")
        #expect(kept([whole], nil, hasNextPart: true) == [1, 30])
        #expect(kept([left], starts, hasNextPart: true) == [1, 80], "it would be left again")
        #expect(kept([whole], starts, hasNextPart: false) == [1, 30] && kept([], [], hasNextPart: true) == [0, 100])
    }

    @Test
    func `the next part begins in the quiet before the last stamp, unless the last word is not over`() {
        var samples = [Float](repeating: 0.2, count: 100 * WhisperModel.frame)
        for place in 40 * WhisperModel.frame..<46 * WhisperModel.frame { samples[place] = 0.001 }
        #expect((42...43).contains(WhisperEngine.seam(of: samples[...], after: 30, until: 60)))
        #expect((43...44).contains(WhisperEngine.seam(of: samples[...], after: 41, until: 60)))
        #expect(WhisperEngine.seam(of: samples[...], after: 30, until: 90) >= 65, "no more than half a second earlier")
        #expect(WhisperEngine.seam(of: samples[...], after: 60, until: 60) == 60)
        #expect(WhisperEngine.seam(of: samples[...], after: 70, until: 60) == 60)
        #expect(WhisperEngine.seam(of: samples[...], after: 90, until: 120) <= 120, "the stamp may be behind the sound")
        let part = samples[(20 * WhisperModel.frame)...]
        let seam = WhisperEngine.seam(of: part, after: 10, until: 40)
        #expect((22...23).contains(seam), "frames count from the part's start")
    }

    @Test
    func `where the last word is over is taken from a pause right behind the stamp`() {
        var samples = [Float](repeating: 0.2, count: 200 * WhisperModel.frame)
        for place in 60 * WhisperModel.frame..<90 * WhisperModel.frame { samples[place] = 0.001 }
        for place in 120 * WhisperModel.frame..<140 * WhisperModel.frame { samples[place] = 0.001 }
        func pause(after frame: Int) -> Int { WhisperEngine.pause(in: samples[...], after: frame, upTo: 0.02) }
        #expect(pause(after: 50) == 60 && pause(after: 45) == 60)
        #expect(pause(after: 44) == 44, "another word may be before it")
        #expect(pause(after: 62) == 62 && pause(after: 80) == 80, "the stamp is in the pause")
        #expect(pause(after: 115) == 115, "a pause within what is said")
        #expect(pause(after: 199) == 199 && pause(after: 250) == 250)
        let part = samples[(20 * WhisperModel.frame)...]
        #expect(WhisperEngine.pause(in: part, after: 30, upTo: 0.02) == 40, "frames count from the part's start")
    }

    @Test
    func `a sign that stands for a word is said, and is not heard again`() {
        func isSaid(_ text: String) -> Bool { WhisperEngine.isSaid(Array(text.utf8)) }
        #expect([" two", "5", "%", " €", " &", "+", "°"].allSatisfy(isSaid))
        #expect([".", ",", "?", " –", "…", "”", ""].allSatisfy { !isSaid($0) })
        #expect(WhisperEngine.isSaid([0xC3]), "a half of a letter")
    }

    @Test
    func `the sign behind the last word does not take the first word of the next part`() {
        let sentence = TimestampRules.Passage(start: 0, end: 30, tokens: 1..<4)
        let left = TimestampRules.Passage(start: 0, end: nil, tokens: 1..<4)
        func reached(_ passage: TimestampRules.Passage, _ starts: [Int], signs: Set<Int>) -> Int {
            let isWord = { (place: Int) in !signs.contains(place) }
            return WhisperEngine.kept(of: [passage], frames: 100, starts: starts, isWord: isWord, { _ in true }).reached
        }
        #expect(reached(sentence, [0, 0, 20, 40, 90], signs: [3]) == 40, "over where the sign is")
        #expect(reached(sentence, [0, 0, 35, 36, 90], signs: [3]) == 55, "the word itself is behind the stamp")
        #expect(reached(sentence, [0, 0, 20, 29, 90], signs: [3]) == 30, "nothing is behind the stamp")
        #expect(reached(sentence, [0, 31, 35, 36, 90], signs: [2, 3]) == 51, "two signs in a row")
        #expect(reached(sentence, [0, 0, 20, 40, 90], signs: []) == 60, "a word takes its time")
        #expect(reached(left, [0, 0, 20, 60, 90], signs: [3]) == 60)
        #expect(reached(left, [0, 0, 20, 60], signs: []) == 80)
        #expect(reached(sentence, [0, 31, 32, 33, 90], signs: [1, 2, 3]) == 31, "signs alone")
    }
}

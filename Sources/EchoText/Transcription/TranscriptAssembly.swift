/// Assembles the results of consecutive clips into the segments of a transcript.
///
/// Times are converted to those of the whole sound and moved out of silences; overlapping clips are joined without
/// losing or doubling a word; segments end at the ends of sentences or at pauses.
package struct TranscriptAssembly: Sendable {
    /// The longest segment, in seconds, which a person can read at a glance.
    private static let longestSegment = 15.0
    /// The shortest pause that ends a segment, in seconds.
    private static let pause = 0.8
    /// The shortest silence that is named, in seconds.
    private static let shortestSilence = 2.0
    /// The shortest speech that is marked when nobody understood it, in seconds.
    static let shortestGap = 1.0

    /// The result of a clip whose end overlaps the next clip, with times of the recording.
    private struct Held {
        var speech: RecognizedSpeech
        var remark: TranscriptSegment.Remark?
    }

    /// The start of the sound in the recording, in seconds.
    private let offset: Double
    private var held: Held?
    /// Speech that was not understood, in seconds of the recording, and is not yet returned.
    private var gaps: [Range<Double>] = []
    /// The end of the last returned segment, in seconds of the recording.
    private var end: Double

    /// - Parameter offset: The start of the sound in the recording, in seconds.
    package init(offset: Double = 0) {
        self.offset = offset
        end = offset
    }

    /// Whether everything was returned; otherwise the next segment begins at the end of the last one, or later.
    package var isComplete: Bool { held == nil }

    /// Adds the result of the next clip.
    ///
    /// - Parameters:
    ///   - recognized: The text, with times from the start of the clip if there are any.
    ///   - clip: The clip.
    ///   - remark: A remark for the person.
    ///   - gaps: Speech that was not understood, in seconds from the start of the clip, in order.
    /// - Returns: The segments completed by it.
    package mutating func add(
        _ recognized: RecognizedSpeech,
        of clip: SpeechClip,
        remark: TranscriptSegment.Remark? = nil,
        gaps: [Range<Double>] = []
    ) -> [TranscriptSegment] {
        let place = end
        let segments = segments(of: recognized, in: clip, remark: remark, gaps: gaps)
        let start = Double(clip.range.lowerBound) / Double(RecognitionClip.sampleRate) + offset
        self.gaps += gaps.map { $0.moved(by: start) }
        return marked(segments, from: place)
    }

    /// Puts a mark wherever something was not understood, between segments.
    ///
    /// Speech in two clips that one of them has understood gets none.
    private mutating func marked(_ segments: [TranscriptSegment], from place: Double) -> [TranscriptSegment] {
        var all: [TranscriptSegment] = []
        var reached = place
        func mark(_ gap: Range<Double>, until limit: Double) {
            let start = max(gap.lowerBound, reached)
            let time = start..<max(start, min(gap.upperBound, limit))
            guard time.upperBound - time.lowerBound >= Self.shortestGap else { return }
            all.append(TranscriptSegment(kind: .notUnderstood, time: time))
            reached = time.upperBound
        }
        for segment in segments {
            // The rest of a gap is behind the segment's beginning, where words were recognized.
            while let gap = gaps.first, gap.lowerBound < segment.time.lowerBound {
                gaps.removeFirst()
                mark(gap, until: segment.time.lowerBound)
            }
            all.append(segment)
            reached = max(reached, segment.time.upperBound)
        }
        guard isComplete else { return all }
        for gap in gaps { mark(gap, until: .infinity) }
        gaps = []
        end = max(end, reached)
        return all
    }

    private mutating func segments(
        of recognized: RecognizedSpeech,
        in clip: SpeechClip,
        remark: TranscriptSegment.Remark?,
        gaps: [Range<Double>]
    ) -> [TranscriptSegment] {
        let start = Double(clip.range.lowerBound) / Double(RecognitionClip.sampleRate) + offset
        var speech = RecognizedWordTimes(clip, gaps: gaps).timed(recognized)
        for place in speech.words.indices {
            speech.words[place].start += start
            speech.words[place].end += start
        }
        var segments: [TranscriptSegment] = []
        var remark = remark
        if let before = held {
            held = nil
            if clip.overlapsPrevious {
                speech = Self.joined(before.speech, speech)
                remark = remark ?? before.remark
            } else {
                segments += makeSegments(of: before.speech, remark: before.remark)
            }
        }
        guard clip.overlapsNext else { return segments + makeSegments(of: speech, remark: remark) }
        // The last words may be recognized again in the next clip; segments that end before them are complete.
        let open = Self.openStart(of: speech)
        segments += makeSegments(of: speech.part(0..<open), remark: remark)
        held = Held(speech: speech.part(open..<speech.words.count), remark: remark)
        return segments
    }

    private static func joined(_ first: RecognizedSpeech, _ second: RecognizedSpeech) -> RecognizedSpeech {
        let join = SegmentJoin(first, second)
        var joined = first.part(0..<join.end)
        let rest = second.part(join.start..<second.words.count)
        // The text of a clip has nothing after its last word; most scripts have a space between words.
        if let last = joined.text.last, !last.isWhitespace, !rest.words.isEmpty,
            first.hasSpacedWords || second.hasSpacedWords
        {
            joined.text += " "
        }
        let length = joined.text.utf16.count
        joined.text += rest.text
        joined.words += rest.words.map { $0.moved(by: length) }
        joined.timing = rest.timing
        return joined
    }

    /// The first word of the first segment that a join may still change.
    private static func openStart(of speech: RecognizedSpeech) -> Int {
        let last = max(0, speech.words.count - SegmentJoin.reach)
        var begin = 0
        for place in 0..<last where endsSegment(speech, begin, place) { begin = place + 1 }
        return begin
    }

    /// Adds a range without speech.
    ///
    /// - Returns: The segments completed by it, and one for the silence unless it is short.
    package mutating func skip(_ range: Range<Int>) -> [TranscriptSegment] {
        let segments = finish()
        let rate = Double(RecognitionClip.sampleRate)
        guard Double(range.count) / rate >= Self.shortestSilence else { return segments }
        // Due to rounding, the last word may end just after its clip.
        let start = max(end, Double(range.lowerBound) / rate + offset)
        let time = start..<max(start, Double(range.upperBound) / rate + offset)
        return segments + [TranscriptSegment(kind: .silence, time: time)]
    }

    /// - Returns: The segments that waited for a clip after theirs.
    package mutating func finish() -> [TranscriptSegment] {
        let place = end
        let rest = finishSpeech()
        return marked(rest, from: place)
    }

    private mutating func finishSpeech() -> [TranscriptSegment] {
        guard let rest = held else { return [] }
        held = nil
        return makeSegments(of: rest.speech, remark: rest.remark)
    }

    // MARK: - Segments

    private mutating func makeSegments(
        of speech: RecognizedSpeech,
        remark: TranscriptSegment.Remark?
    ) -> [TranscriptSegment] {
        let speech = inOrder(speech)
        let last = speech.words.count - 1
        var segments: [TranscriptSegment] = []
        var begin = 0
        for place in speech.words.indices where place == last || Self.endsSegment(speech, begin, place) {
            segments.append(Self.segment(of: speech.part(begin..<place + 1), remark: remark))
            begin = place + 1
        }
        return segments
    }

    /// The speech with times of words that neither overlap nor go back, also not to before the last segment.
    private mutating func inOrder(_ speech: RecognizedSpeech) -> RecognizedSpeech {
        var speech = speech
        for (place, word) in speech.words.enumerated() {
            let start = max(word.start, end)
            end = max(word.end, start)
            (speech.words[place].start, speech.words[place].end) = (start, end)
        }
        return speech
    }

    private static func endsSegment(_ speech: RecognizedSpeech, _ begin: Int, _ place: Int) -> Bool {
        let (word, next) = (speech.words[place], speech.words[place + 1])
        if next.start - word.end >= pause || next.end - speech.words[begin].start > longestSegment { return true }
        let marks = speech.textUpToNext(place).filter { !$0.isWhitespace }
        guard let last = marks.last(where: { !closing.contains($0) }), ending.contains(last) else { return false }
        // Not “Dr. Smith” or “e.g. this”: a sentence ends after a word, and the next begins with a capital or a script without any.
        let isAbbreviation = last == "." && marks.first?.isUppercase == true && marks.count <= 3
        return !isAbbreviation && speech.textUpToNext(place + 1).first?.isLowercase != true
    }

    private static let ending: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "।", "؟"]
    private static let closing: Set<Character> = ["\"", "”", "’", "'", ")", "]", "»", "」"]

    private static func segment(of speech: RecognizedSpeech, remark: TranscriptSegment.Remark?) -> TranscriptSegment {
        var text = speech.text
        while text.last?.isWhitespace == true { text.removeLast() }
        let start = speech.words.first?.start ?? 0
        return TranscriptSegment(
            time: start..<max(start, speech.words.last?.end ?? 0),
            text: text,
            words: speech.words,
            timing: speech.timing,
            remark: remark
        )
    }
}

/// The joint between the transcripts of two overlapping clips.
struct SegmentJoin: Sendable, Hashable {
    /// How many words of the first clip remain.
    let end: Int
    /// The index of the second clip's first word that remains.
    let start: Int

    /// How many words at the end of each are compared.
    ///
    /// Clips overlap by about a second; times are accurate to some tenths of a second.
    static let reach = 12

    /// Joins them in the middle of the longest run of words that the end of the first and the start of the second
    /// share, or else in the middle of the overlap.
    init(_ first: RecognizedSpeech, _ second: RecognizedSpeech) {
        let (words, others) = (first.words, second.words)
        let tail = max(0, words.count - Self.reach)..<words.count
        let head = 0..<min(Self.reach, others.count)
        var best: (first: Int, second: Int, count: Int, distance: Double)?
        for left in tail {
            for right in head {
                var count = 0
                while left + count < tail.upperBound, right + count < head.upperBound,
                    first.isWord(left + count, like: right + count, of: second)
                {
                    count += 1
                }
                // Runs said at the same time win among equally long ones: “and” may be said twice within a second.
                let distance = abs(words[left].start - others[right].start)
                guard count > 0, distance < 1 else { continue }
                if let best, count < best.count || count == best.count && distance >= best.distance { continue }
                best = (left, right, count, distance)
            }
        }
        if let best {
            (end, start) = (best.first + best.count, best.second + best.count)
            return
        }
        guard let from = others.first?.start, let to = words.last?.end, from < to else {
            (end, start) = (words.count, 0)
            return
        }
        let middle = (from + to) / 2
        end = words.firstIndex { ($0.start + $0.end) / 2 >= middle } ?? words.count
        start = others.firstIndex { ($0.start + $0.end) / 2 >= middle } ?? others.count
    }
}

extension RecognizedSpeech {
    /// The text from a word to the next one.
    fileprivate func textUpToNext(_ place: Int) -> Substring {
        let start = words[place].source.lowerBound
        let end = place + 1 < words.count ? words[place + 1].source.lowerBound : text.utf16.count
        return text.part(start..<max(start, end))
    }

    /// Whether there is white space behind any of its words.
    fileprivate var hasSpacedWords: Bool { words.indices.contains { textUpToNext($0).last?.isWhitespace == true } }

    /// Whether a word has the same letters as one of another speech, ignoring case and signs.
    fileprivate func isWord(_ place: Int, like otherPlace: Int, of other: RecognizedSpeech) -> Bool {
        let own = letters(ofWord: place)
        return !own.isEmpty && own == other.letters(ofWord: otherPlace)
    }

    private func letters(ofWord place: Int) -> String {
        textUpToNext(place).lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

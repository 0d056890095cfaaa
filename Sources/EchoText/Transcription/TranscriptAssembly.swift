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

    /// A word with all characters up to the next one.
    struct Word: Sendable, Hashable {
        var text: String
        /// The part of ``text`` that is the word, in UTF-16 units.
        var length: Int
        /// In seconds from the start of the sound.
        var start: Double
        var end: Double
        var confidence: Double?
    }

    /// The result of a clip whose end overlaps the next clip.
    private struct Held {
        var words: [Word]
        var timing: Recognizer.Timing
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
        self.gaps += gaps.map { $0.lowerBound + start..<$0.upperBound + start }
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
            // The rest of a gap is behind the segment's beginning, where words were heard.
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
        var words = RecognizedWordTimes(clip, gaps: gaps).words(of: recognized).map { word in
            var word = word
            let start = Double(clip.range.lowerBound) / Double(RecognitionClip.sampleRate) + offset
            (word.start, word.end) = (word.start + start, word.end + start)
            return word
        }
        var segments: [TranscriptSegment] = []
        var remark = remark
        if let before = held {
            held = nil
            if clip.overlapsPrevious {
                words = Self.joined(before.words, words)
                remark = remark ?? before.remark
            } else {
                segments += makeSegments(of: before.words, timing: before.timing, remark: before.remark)
            }
        }
        guard clip.overlapsNext else {
            return segments + makeSegments(of: words, timing: recognized.timing, remark: remark)
        }
        // The last words may be recognized again in the next clip; segments that end before them are complete.
        let open = Self.openStart(of: words)
        segments += makeSegments(of: Array(words[..<open]), timing: recognized.timing, remark: remark)
        held = Held(words: Array(words[open...]), timing: recognized.timing, remark: remark)
        return segments
    }

    private static func joined(_ first: [Word], _ second: [Word]) -> [Word] {
        let join = SegmentJoin(first, second)
        var words = Array(first[..<join.end])
        // The text of a clip has nothing after its last word; most scripts have a space between words.
        if let last = words.last, last.text.last?.isWhitespace != true, join.start < second.count,
            (first + second).contains(where: { $0.text.last?.isWhitespace == true })
        {
            words[words.count - 1].text += " "
        }
        return words + second[join.start...]
    }

    /// The first word of the first segment that a join may still change.
    private static func openStart(of words: [Word]) -> Int {
        let last = max(0, words.count - SegmentJoin.reach)
        var begin = 0
        for place in 0..<last where endsSegment(words, begin, place) { begin = place + 1 }
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
        return makeSegments(of: rest.words, timing: rest.timing, remark: rest.remark)
    }

    // MARK: - Segments

    private mutating func makeSegments(
        of words: [Word],
        timing: Recognizer.Timing,
        remark: TranscriptSegment.Remark?
    ) -> [TranscriptSegment] {
        let words = inOrder(words)
        var segments: [TranscriptSegment] = []
        var begin = 0
        for place in words.indices where place + 1 == words.count || Self.endsSegment(words, begin, place) {
            segments.append(Self.segment(of: words[begin...place], timing: timing, remark: remark))
            begin = place + 1
        }
        return segments
    }

    /// The words with times that neither overlap nor go back, also not to before the last segment.
    private mutating func inOrder(_ words: [Word]) -> [Word] {
        words.map { word in
            var word = word
            word.start = max(word.start, end)
            word.end = max(word.end, word.start)
            end = word.end
            return word
        }
    }

    private static func endsSegment(_ words: [Word], _ begin: Int, _ place: Int) -> Bool {
        let (word, next) = (words[place], words[place + 1])
        if next.start - word.end >= pause || next.end - words[begin].start > longestSegment { return true }
        let marks = word.text.filter { !$0.isWhitespace }
        guard let last = marks.last(where: { !closing.contains($0) }), ending.contains(last) else { return false }
        // Not “Dr. Smith” or “e.g. this”: a sentence ends after a word, and the next begins with a capital or a script without any.
        let isAbbreviation = last == "." && marks.first?.isUppercase == true && marks.count <= 3
        return !isAbbreviation && next.text.first?.isLowercase != true
    }

    private static let ending: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "।", "؟"]
    private static let closing: Set<Character> = ["\"", "”", "’", "'", ")", "]", "»", "」"]

    private static func segment(
        of words: ArraySlice<Word>,
        timing: Recognizer.Timing,
        remark: TranscriptSegment.Remark?
    ) -> TranscriptSegment {
        let first = words.startIndex
        var text = ""
        var placed: [RecognizedWord] = []
        for word in words {
            let begin = text.utf16.count
            text += word.text
            placed.append(
                RecognizedWord(
                    source: begin..<begin + word.length,
                    start: word.start,
                    end: word.end,
                    confidence: word.confidence
                )
            )
        }
        while text.last?.isWhitespace == true { text.removeLast() }
        return TranscriptSegment(
            time: words[first].start..<max(words[first].start, words.last?.end ?? 0),
            text: text,
            words: placed,
            timing: timing,
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
    init(_ first: [TranscriptAssembly.Word], _ second: [TranscriptAssembly.Word]) {
        let tail = max(0, first.count - Self.reach)..<first.count
        let head = 0..<min(Self.reach, second.count)
        var best: (first: Int, second: Int, count: Int, distance: Double)?
        for left in tail {
            for right in head {
                var count = 0
                while left + count < tail.upperBound, right + count < head.upperBound,
                    first[left + count].isLike(second[right + count])
                {
                    count += 1
                }
                // Runs said at the same time win among equally long ones: “and” may be said twice within a second.
                let distance = abs(first[left].start - second[right].start)
                guard count > 0, distance < 1 else { continue }
                if let best, count < best.count || count == best.count && distance >= best.distance { continue }
                best = (left, right, count, distance)
            }
        }
        if let best {
            (end, start) = (best.first + best.count, best.second + best.count)
            return
        }
        guard let from = second.first?.start, let to = first.last?.end, from < to else {
            (end, start) = (first.count, 0)
            return
        }
        let middle = (from + to) / 2
        end = first.firstIndex { ($0.start + $0.end) / 2 >= middle } ?? first.count
        start = second.firstIndex { ($0.start + $0.end) / 2 >= middle } ?? second.count
    }
}

extension TranscriptAssembly.Word {
    fileprivate func isLike(_ other: Self) -> Bool { letters == other.letters && !letters.isEmpty }

    private var letters: String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}

package import Foundation

/// A person's edit of a transcript: segments may be rewritten, divided, joined, deleted, or assigned a speaker.
package struct TranscriptEdit: Sendable, Hashable {
    /// The most segments of one transcript; more would not be useful.
    package static let maximumSegments = 20_000
    /// The most UTF-16 units of one segment.
    package static let longestText = 20_000
    /// The most characters of a speaker's name.
    package static let longestSpeaker = 80
    /// Seconds of the longest time that is accepted, far beyond any recording.
    private static let longestTime = 1e9

    package struct Segment: Sendable, Hashable {
        package var kind: TranscriptSegment.Kind
        /// In seconds from the start of the recording.
        package var time: Range<Double>
        package var text: String
        package var speaker: String?
        /// When words of the changed version begin of which the person is sure, in seconds from the start of the recording.
        package var accepted: [Double]

        /// - Precondition: The bounds of `time` are in order.
        package init(
            kind: TranscriptSegment.Kind = .speech,
            time: Range<Double>,
            text: String,
            speaker: String? = nil,
            accepted: [Double] = []
        ) {
            (self.kind, self.time, self.text, self.speaker) = (kind, time, text, speaker)
            self.accepted = accepted
        }
    }

    package let segments: [Segment]

    /// - Parameter segments: In order, without overlaps; ends of lines in texts become spaces, and marks of direction go.
    /// - Throws: ``TranscriptError/invalidSegments``, ``TranscriptError/segmentsOverlap(number:start:end:)``;
    ///   ``TranscriptError/textTooLong(limit:)``,
    ///   ``TranscriptError/speakerTooLong(limit:)`` and ``TranscriptError/tooManySegments(limit:)`` beyond the limits.
    package init(_ segments: [Segment]) throws(TranscriptError) {
        guard segments.count <= Self.maximumSegments else { throw .tooManySegments(limit: Self.maximumSegments) }
        var place = 0.0
        var tidy: [Segment] = []
        for (index, segment) in segments.enumerated() {
            let start = segment.time.lowerBound
            guard start >= 0, segment.time.upperBound.isFinite else { throw .invalidSegments }
            guard start >= place else { throw .segmentsOverlap(number: index + 1, start: start, end: place) }
            place = segment.time.upperBound
            tidy.append(try Self.tidied(segment))
        }
        self.segments = tidy
    }

    private static func tidied(_ segment: Segment) throws(TranscriptError) -> Segment {
        var segment = segment
        segment.text = oneLine(segment.text)
        segment.speaker = segment.speaker.map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
        guard segment.text.utf16.count <= longestText else { throw .textTooLong(limit: longestText) }
        guard (segment.speaker?.count ?? 0) <= longestSpeaker else { throw .speakerTooLong(limit: longestSpeaker) }
        guard segment.kind == .speech || segment.text.isEmpty,
            segment.accepted.allSatisfy({ (0...longestTime).contains($0) })
        else { throw .invalidSegments }
        return segment
    }

    fileprivate func check(duration: Double) throws(TranscriptError) {
        for (index, segment) in segments.enumerated() {
            let end = segment.time.upperBound
            guard end <= duration + Transcript.tolerance else {
                throw .segmentBehindEnd(number: index + 1, end: end, duration: duration)
            }
        }
    }

    /// `text` with single spaces for white space and controls, without marks that turn the direction of what stands beside it.
    private static func oneLine(_ text: String) -> String {
        String(text.unicodeScalars.filter { !$0.properties.isBidiControl }).split { character in
            character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        .joined(separator: " ")
    }
}

extension TranscriptEdit {
    /// The most bytes of a file with an edited transcript.
    package static let largestFile = 64_000_000
    /// How far apart two times may be that a file writes alike, in seconds.
    private static let rounding = 0.000_6

    private struct Written: Decodable {
        struct Segment: Decodable {
            let kind: TranscriptSegment.Kind?
            let start: Double
            let end: Double
            let text: String
            let speaker: String?
        }

        let segments: [Segment]
    }

    /// Reads a transcript that was edited in another program.
    ///
    /// - Parameters:
    ///   - text: A transcript as ``WrittenTranscript/json`` has it, of whose segments `kind`, `start`, `end`, `text` and
    ///     `speaker` are read, or captions in SubRip or WebVTT. Captions that overlap are shortened.
    ///   - base: The version that was edited: its speakers are known where SubRip only has a name before the words, and
    ///     its times are those that a file had to round. `nil` for a new transcript.
    ///   - duration: The recording's duration in seconds; captions often stay a little longer.
    /// - Throws: ``TranscriptError/unreadableFile``, ``TranscriptError/segmentBackwards(number:)``, and as ``init(_:)``.
    package init(
        file text: String,
        of base: Transcript? = nil,
        duration: Double
    ) throws(TranscriptError) {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        var segments: [Segment]
        if let format = CaptionWriter.Format(ofTextBeginning: text) {
            segments = CaptionReader.segments(of: text, format)
            if format == .subRip { Self.nameSpeakers(of: &segments, among: base) }
            if let base { Self.restoreTexts(of: &segments, from: base, format) }
            Self.separate(&segments, duration: duration)
            if let base { Self.restoreTimes(of: &segments, from: base) }
            segments = Self.completed(segments, from: base)
        } else {
            guard let written = try? JSONDecoder().decode(Written.self, from: Data(text.utf8)) else {
                throw .unreadableFile
            }
            segments = []
            for (index, segment) in written.segments.enumerated() {
                guard segment.start <= segment.end else { throw .segmentBackwards(number: index + 1) }
                segments.append(
                    Segment(
                        kind: segment.kind ?? .speech,
                        time: segment.start..<segment.end,
                        text: segment.text,
                        speaker: segment.speaker
                    )
                )
            }
            if let base { Self.restoreTimes(of: &segments, from: base) }
        }
        guard segments.contains(where: { !$0.text.isEmpty }) else { throw .unreadableFile }
        try self.init(segments)
    }

    /// Takes the names that SubRip has before words for speakers; a name stands only where the speaker changes, and none
    /// where somebody follows who has no name.
    private static func nameSpeakers(of segments: inout [Segment], among base: Transcript?) {
        let names = Set(base?.segments.compactMap(\.speaker) ?? [])
        let known = names.map { (name: $0, written: CaptionWriter.withoutMarks($0)) }
        var rest = base?.segments[...] ?? []
        var speaker: String?
        for index in segments.indices where !known.isEmpty {
            let (text, time) = (segments[index].text, segments[index].time)
            let middle = (time.lowerBound + time.upperBound) / 2
            rest = rest.drop { $0.time.upperBound <= middle }
            // A name may have a colon itself.
            let begun = known.filter { text.hasPrefix("\($0.written):") }
            if let (name, written) = begun.max(by: { $0.written.count < $1.written.count }) {
                speaker = name
                segments[index].text = String(text.dropFirst(written.count + 1).drop(while: \.isWhitespace))
            } else if let old = rest.first, old.time.contains(middle), !old.text.isEmpty, old.speaker == nil {
                speaker = nil
            }
            segments[index].speaker = segments[index].speaker ?? speaker
        }
    }

    /// Gives captions that nobody has changed the texts that they were made of: a file has other signs instead of some.
    private static func restoreTexts(
        of segments: inout [Segment],
        from base: Transcript,
        _ format: CaptionWriter.Format
    ) {
        var written = CaptionReader.segments(of: WrittenTranscript(base, title: "").captions(format), format)
        if format == .subRip { nameSpeakers(of: &written, among: base) }
        func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }
        var texts: [Segment: String] = [:]
        var rest = written[...]
        for old in base.segments where !old.text.isEmpty {
            let own = rest.prefix { $0.time.lowerBound < old.time.upperBound - rounding }
            rest = rest.dropFirst(own.count)
            guard own.count == 1, let caption = own.first, words(caption.text) == words(old.text) else { continue }
            texts[caption] = old.text
        }
        for index in segments.indices {
            if let text = texts[segments[index]] { segments[index].text = text }
        }
    }

    private static func separate(_ segments: inout [Segment], duration: Double) {
        var place = 0.0
        for index in segments.indices {
            let start = max(place, segments[index].time.lowerBound)
            var end = max(start, segments[index].time.upperBound)
            if start <= duration { end = min(end, duration) }
            segments[index].time = start..<max(start, end)
            place = segments[index].time.upperBound
        }
    }

    /// The segments with those of `base` that captions cannot show, such as what was not understood, where nothing is
    /// said now.
    private static func completed(_ segments: [Segment], from base: Transcript?) -> [Segment] {
        let silent = base?.segments.filter { $0.kind != .speech && $0.text.isEmpty } ?? []
        var all: [Segment] = []
        var rest = silent[...]
        for segment in segments {
            while let old = rest.first, old.time.lowerBound < segment.time.upperBound {
                rest.removeFirst()
                let isFree = old.time.upperBound <= segment.time.lowerBound
                if isFree, old.time.lowerBound >= all.last?.time.upperBound ?? 0 {
                    all.append(Segment(kind: old.kind, time: old.time, text: "", speaker: old.speaker))
                }
            }
            all.append(segment)
        }
        let end = all.last?.time.upperBound ?? 0
        return all
            + rest.filter { $0.time.lowerBound >= end }
            .map { Segment(kind: $0.kind, time: $0.time, text: "", speaker: $0.speaker) }
    }

    /// Replaces each bound that a file had to round, also that of a segment whose other bound was changed.
    private static func restoreTimes(of segments: inout [Segment], from base: Transcript) {
        var rest = base.segments[...]
        var place = 0.0
        for index in segments.indices {
            let time = segments[index].time
            rest = rest.drop { $0.time.lowerBound < time.lowerBound - rounding }
            var (start, end) = (time.lowerBound, time.upperBound)
            if let old = rest.first?.time, abs(old.lowerBound - start) <= rounding {
                start = old.lowerBound
                if abs(old.upperBound - end) <= rounding { end = old.upperBound }
            }
            // The exact end of the segment before may lie behind a rounded start.
            if start < place, place - start <= 2 * rounding { start = place }
            segments[index].time = start..<max(start, end)
            place = segments[index].time.upperBound
        }
    }
}

extension Transcript {
    /// Applies `edit` and returns the new version.
    ///
    /// A segment with unchanged time and text keeps its words, possibly with another speaker. In other segments, words
    /// that existed at that time keep their times and confidence; new words get estimated times between their
    /// neighbors. A word of which the person is sure gets the confidence 1.
    ///
    /// - Parameters:
    ///   - edit: The segments.
    ///   - duration: The recording's duration in seconds.
    ///   - time: The present time.
    ///   - origin: The version whose changes this one has; the new one has them too. `nil` when this one is not replaced.
    /// - Returns: A version with a new id, whose base is `origin`, or this one.
    /// - Throws: ``TranscriptError/invalidSegments``, ``TranscriptError/segmentBehindEnd(number:end:duration:)``.
    package func edited(
        by edit: TranscriptEdit,
        duration: Double,
        at time: Date,
        since origin: Transcript? = nil
    ) throws(TranscriptError) -> Transcript {
        try edit.check(duration: duration)
        let editing = TranscriptEditing(base: segments)
        let before = origin ?? self
        let after = edit.segments.map { editing.segment($0) }
        let edited = Transcript(
            item: item,
            created: time,
            source: TranscriptSource(
                settings: source.settings,
                base: before.id,
                soundDigest: source.soundDigest,
                changes: TranscriptChanges(from: before.segments, to: after)
            ),
            language: language,
            segments: after
        )
        try edited.check(duration: duration)
        return edited
    }
}

extension Transcript {
    /// Makes a transcript that a person wrote without a recognizer.
    ///
    /// - Parameters:
    ///   - edit: The segments; the times of their words are estimated.
    ///   - item: The recording.
    ///   - time: The present time.
    /// - Throws: ``TranscriptError/invalidSegments``, ``TranscriptError/segmentBehindEnd(number:end:duration:)``.
    package init(_ edit: TranscriptEdit, of item: AudioItem, at time: Date) throws(TranscriptError) {
        try edit.check(duration: item.duration)
        let editing = TranscriptEditing(base: [])
        self.init(
            item: item.id,
            created: time,
            source: TranscriptSource(),
            language: item.language,
            segments: edit.segments.map { editing.segment($0) }
        )
        try check(duration: item.duration)
    }
}

/// Finds which words of a transcript remain when it is edited.
private struct TranscriptEditing {
    /// How far outside a segment's bounds its words may have been, in seconds: a person can only estimate where to
    /// divide a segment.
    private static let slack = 1.0

    private let base: [TranscriptSegment]

    init(base: [TranscriptSegment]) {
        self.base = base
    }

    func segment(_ edit: TranscriptEdit.Segment) -> TranscriptSegment {
        let old = around(edit.time)
        if var same = old.first(where: { $0.time == edit.time && $0.text == edit.text && $0.kind == edit.kind }) {
            same.speaker = edit.speaker
            let accepted = Self.accepted(in: edit)
            same.words = same.words.map { Self.accepting($0, in: accepted) }
            return same
        }
        var segment = TranscriptSegment(
            kind: edit.kind,
            time: edit.time,
            text: edit.text,
            speaker: edit.speaker,
            remark: base.isEmpty ? nil : .edited
        )
        segment.words = kept(of: old, in: segment, accepting: Self.accepted(in: edit))
        segment.timing =
            segment.words.contains { !$0.isEstimated }
            ? .words : old.contains { $0.timing == .segments } ? .segments : .none
        segment.words = segment.timedWords
        return segment
    }

    /// When the words begin of which the person is sure, in milliseconds.
    private static func accepted(in edit: TranscriptEdit.Segment) -> Set<Int> {
        Set(edit.accepted.map { milliseconds($0) })
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }

    private static func accepting(_ word: RecognizedWord, in accepted: Set<Int>) -> RecognizedWord {
        guard accepted.contains(milliseconds(word.start)) else { return word }
        var word = word
        word.confidence = 1
        return word
    }

    private func around(_ time: Range<Double>) -> ArraySlice<TranscriptSegment> {
        let first = base.partition { $0.time.upperBound > time.lowerBound - Self.slack }
        return base[first...].prefix { $0.time.lowerBound < time.upperBound + Self.slack }
    }

    /// The words of `segment` that `old` has, with its times.
    private func kept(
        of old: ArraySlice<TranscriptSegment>,
        in segment: TranscriptSegment,
        accepting accepted: Set<Int>
    ) -> [RecognizedWord] {
        let reach = segment.time.lowerBound - Self.slack..<segment.time.upperBound + Self.slack
        let candidates = old.flatMap { part in
            part.timedWords.filter { reach.contains(($0.start + $0.end) / 2) }
                .map { (word: $0, compared: part.text(of: $0).comparedOrWhole) }
        }
        let places = segment.text.spokenWords
        let compared = places.map { String(segment.text.part($0)).comparedOrWhole }
        return WordMatching.pairs(of: candidates.map(\.compared), and: compared).map { pair in
            var word = Self.accepting(candidates[pair.left].word, in: accepted)
            word.source = places[pair.right]
            word.start = min(max(word.start, segment.time.lowerBound), segment.time.upperBound)
            word.end = min(max(word.end, word.start), segment.time.upperBound)
            return word
        }
    }
}

extension String {
    /// ``comparedWord``, or all of it for punctuation alone.
    fileprivate var comparedOrWhole: String {
        let compared = comparedWord
        return compared.isEmpty ? self : compared
    }
}

extension Array {
    /// The first index from which on `isLater` holds, of a list in which it never holds before.
    func partition(_ isLater: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isLater(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The changes that a person made in a version of a transcript, compared with the one that it changes.
package struct TranscriptChanges: Sendable, Hashable, Codable {
    /// How many words are new or gone, whichever are more.
    package let words: Int
    /// The speakers that the other version does not have, in order.
    package let speakers: [String]

    package init(words: Int, speakers: [String]) {
        (self.words, self.speakers) = (words, speakers)
    }

    /// Compares segments with those before, wherever a word stands.
    ///
    /// - Complexity: O(*n*) in the number of words.
    package init(from before: [TranscriptSegment], to after: [TranscriptSegment]) {
        var left: [Substring: Int] = [:]
        for word in Self.words(of: before) { left[word, default: 0] += 1 }
        var new = 0
        for word in Self.words(of: after) {
            if let count = left[word], count > 0 {
                left[word] = count - 1
            } else {
                new += 1
            }
        }
        let known = Set(before.compactMap(\.speaker))
        self.init(
            words: max(new, left.values.reduce(0, +)),
            speakers: Set(after.compactMap(\.speaker)).subtracting(known).sorted()
        )
    }

    private static func words(of segments: [TranscriptSegment]) -> [Substring] {
        segments.flatMap { $0.text.split(whereSeparator: \.isWhitespace) }
    }
}

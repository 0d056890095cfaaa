import Foundation

/// The parts of a file with a transcript that the version made of it does not have.
///
/// Words that the file has in the lists of its segments and not in their texts do not count.
package struct TranscriptOmissions: Sendable, Hashable {
    /// How many places are marked in the file and not in the recording.
    package let marks: Int
    /// How many words have times of their own in the file and not in the version.
    package let times: Int
    /// How many words have a confidence in the file and not in the version.
    package let confidences: Int
    /// How many comments WebVTT has, other than those of marks that the recording has and of what was not understood; a
    /// transcript has no place for them.
    package let comments: Int

    private struct WrittenMarks: Decodable {
        struct Mark: Decodable {
            let seconds: Double
            let label: String?
        }

        let marks: [Mark]
    }

    private struct WrittenWords: Decodable {
        struct Segment: Decodable {
            let text: String
            let words: [Word]?
        }

        struct Word: Decodable {
            let word: String
            let start: Double
            let confidence: Double?
            let estimated: Bool?
        }

        let segments: [Segment]
    }

    /// Compares a file with the version that was made of it.
    ///
    /// - Parameters:
    ///   - file: A transcript as ``WrittenTranscript/json`` has it, or captions, of which only comments are missing.
    ///   - transcript: The version.
    ///   - base: The version that was edited in the file, if any.
    ///   - marks: The marks of its recording.
    package init(
        of file: String,
        in transcript: Transcript,
        from base: Transcript? = nil,
        marks: [WrittenTranscript.Mark]
    ) {
        let known = Set(marks.map(Self.rounded))
        self.marks = Self.marks(in: file).count { !known.contains(Self.rounded($0)) }
        let bytes = Data(file.utf8)
        let words = transcript.segments.flatMap(\.timedWords)
        let timed = Set(words.filter { !$0.isEstimated }.map { Self.milliseconds($0.start) })
        let sure = Set(words.filter { $0.confidence != nil }.map { Self.milliseconds($0.start) })
        var (times, confidences) = (0, 0)
        for segment in (try? JSONDecoder().decode(WrittenWords.self, from: bytes))?.segments ?? [] {
            let words = segment.words ?? []
            times += Self.missing(words.filter { $0.estimated != true }, of: segment.text, among: timed)
            confidences += Self.missing(words.filter { $0.confidence != nil }, of: segment.text, among: sure)
        }
        (self.times, self.confidences) = (times, confidences)
        // Words may stand now where nothing was understood before.
        let gaps = (transcript.gaps + (base?.gaps ?? [])).map { WrittenTranscript.comment(onGap: $0.time) }
        comments = Self.comments(in: file, besides: marks.map(WrittenTranscript.comment(on:)) + gaps)
    }

    private static func comments(in file: String, besides known: [String]) -> Int {
        let text = file.hasPrefix("\u{FEFF}") ? String(file.dropFirst()) : file
        guard CaptionWriter.Format(ofTextBeginning: text) == .webVTT else { return 0 }
        let writer = CaptionWriter(.webVTT)
        let own = known.flatMap { CaptionReader.comments(in: writer.comment($0)) }
        return CaptionReader.comments(in: text).count { !own.contains($0) }
    }

    /// The marks that a file has, as ``WrittenTranscript/json`` has them.
    fileprivate static func marks(in file: String) -> [WrittenTranscript.Mark] {
        let written = try? JSONDecoder().decode(WrittenMarks.self, from: Data(file.utf8))
        return (written?.marks ?? []).map { WrittenTranscript.Mark(seconds: $0.seconds, label: $0.label) }
    }

    /// How many of the words that `text` has begin at none of the times that are known, in milliseconds.
    private static func missing(_ words: [WrittenWords.Word], of text: String, among known: Set<Double>) -> Int {
        var left: [String: Int] = [:]
        for word in text.spokenWords { left[String(text.part(word)).comparedWord, default: 0] += 1 }
        for word in words where known.contains(milliseconds(word.start)) { left[word.word.comparedWord]? -= 1 }
        var missing = 0
        for word in words where !known.contains(milliseconds(word.start)) {
            guard let count = left[word.word.comparedWord], count > 0 else { continue }
            left[word.word.comparedWord] = count - 1
            missing += 1
        }
        return missing
    }

    /// A time as a file has it; no integer, which a file's times may exceed.
    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000).rounded() }

    fileprivate static func rounded(_ mark: WrittenTranscript.Mark) -> WrittenTranscript.Mark {
        .init(seconds: milliseconds(mark.seconds), label: mark.label)
    }

    /// A line that lists them; `nil` when nothing is missing.
    package var words: String? {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        let parts = [
            marks > 0 ? counted(marks, "mark") : nil,
            times > 0 ? "the exact times of \(counted(times, "word"))" : nil,
            confidences > 0 ? "the confidence of \(counted(confidences, "word"))" : nil,
            comments > 0 ? counted(comments, "comment") : nil,
        ]
        let missing = parts.compactMap(\.self)
        return missing.isEmpty ? nil : "not taken from the file: " + missing.joined(separator: ", ")
    }
}

extension [RecordingMark] {
    /// Adds the marks that the file of a transcript has, as ``WrittenTranscript/json`` has them, and that are not there.
    ///
    /// Marks outside of the recording, with labels that are too long or beyond ``RecordingMark/most`` are left out.
    package mutating func add(from file: String, to item: AudioItem) {
        // The file has rounded times.
        var known = Set(map { TranscriptOmissions.rounded(.init($0, of: item)) })
        for written in TranscriptOmissions.marks(in: file) where count < RecordingMark.most {
            guard (0...item.duration + 0.001).contains(written.seconds),
                (written.label ?? "").utf16.count <= RecordingMark.longestLabel
            else { continue }
            let mark = RecordingMark(
                at: Swift.min(written.seconds, item.duration),
                label: written.label,
                sampleRate: item.sampleRate
            )
            if known.insert(TranscriptOmissions.rounded(.init(mark, of: item))).inserted { append(mark) }
        }
    }
}

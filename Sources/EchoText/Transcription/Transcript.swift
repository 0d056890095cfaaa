package import Foundation

/// A version of a recording's transcript.
///
/// The words of a version are immutable; editing or recognizing again makes a new one. One version of each recording is
/// current: the recording's player, search and exports use its text and times.
package struct Transcript: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<Transcript>

    package let id: ID
    package let item: AudioItem.ID
    package let created: Date
    package var source: TranscriptSource
    /// BCP 47; `und` when it is not known.
    package let language: String
    /// In order of time, without overlaps.
    package let segments: [TranscriptSegment]

    package init(
        id: ID = ID(),
        item: AudioItem.ID,
        created: Date,
        source: TranscriptSource,
        language: String,
        segments: [TranscriptSegment]
    ) {
        self.id = id
        self.item = item
        self.created = created
        self.source = source
        self.language = language
        self.segments = segments
    }
}

/// How a version of a transcript came to be.
package struct TranscriptSource: Sendable, Hashable, Codable {
    /// The recognizer that made it; `nil` for a person's own text.
    package var recognizer: Recognizer.ID?
    package var recognizerName: String?
    package var settings: RecognitionSettings
    /// The version that it changes, if any.
    package var base: Transcript.ID?
    /// The part that was recognized again, in seconds; `nil` for all of the recording.
    package var range: Range<Double>?
    /// SHA-256 of the recording's sound when it was recognized, in hexadecimal.
    package var soundDigest: String?
    /// How many speakers diarization found in ``base``, if that is what made this version.
    package var speakers: Int?
    /// The changes that a person made to ``base``; `nil` for other versions, and where they are not known.
    package var changes: TranscriptChanges?
    /// Whether it was heard while the recording was made; `nil` for other versions.
    package var isDraft: Bool?
    /// The recognizer that another one replaced; `nil` where the one that was asked first made it.
    package var insteadOf: FailedRecognizer?

    /// Stands for one that cannot be read.
    package static let unreadable = TranscriptSource(recognizer: Recognizer.ID(rawValue: "?"))

    /// Whether it is a person's own text, or has a person's changes.
    package var isOwn: Bool { recognizer == nil }

    package init(
        recognizer: Recognizer.ID? = nil,
        recognizerName: String? = nil,
        settings: RecognitionSettings = RecognitionSettings(),
        base: Transcript.ID? = nil,
        range: Range<Double>? = nil,
        soundDigest: String? = nil,
        speakers: Int? = nil,
        changes: TranscriptChanges? = nil,
        isDraft: Bool? = nil,
        insteadOf: FailedRecognizer? = nil
    ) {
        self.insteadOf = insteadOf
        self.speakers = speakers
        self.changes = changes
        self.isDraft = isDraft
        self.recognizer = recognizer
        self.recognizerName = recognizerName
        self.settings = settings
        self.base = base
        self.range = range
        self.soundDigest = soundDigest
    }
}

/// A recognizer that was asked for a transcript, and why it has not made it.
package struct FailedRecognizer: Sendable, Hashable, Codable {
    package let recognizer: Recognizer.ID
    /// The failure's code.
    package let code: String
    package let message: String
    package let suggestion: String?

    package init(_ recognizer: Recognizer.ID, _ failure: Failure) {
        self.recognizer = recognizer
        (code, message, suggestion) = (failure.code, failure.message, failure.suggestion)
    }
}

/// A range of a recording, with its text.
package struct TranscriptSegment: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case speech
        /// Nothing is spoken there, and no recognizer was used; ``text`` is empty.
        case silence
        /// Something is said there that the recognizer has not understood, also when it was asked again; ``text`` is empty.
        case notUnderstood
    }

    /// A remark for the person.
    package enum Remark: String, Sendable, Hashable, Codable {
        /// The recognizer repeated itself, and was asked again with shorter clips.
        case repeated
        /// The recognizer kept repeating itself; the text ends before the repetition.
        case cutShort
        /// A person changed it.
        case edited
    }

    package var kind: Kind
    /// In seconds from the start of the recording.
    package var time: Range<Double>
    package var text: String
    /// Each word's range in ``text``, and its time from the start of the recording.
    package var words: [RecognizedWord]
    /// How exact the words' times are; ``Recognizer/Timing/none`` means that they are estimated.
    package var timing: Recognizer.Timing
    package var speaker: String?
    package var remark: Remark?

    package init(
        kind: Kind = .speech,
        time: Range<Double>,
        text: String = "",
        words: [RecognizedWord] = [],
        timing: Recognizer.Timing = .none,
        speaker: String? = nil,
        remark: Remark? = nil
    ) {
        self.kind = kind
        self.time = time
        self.text = text
        self.words = words
        self.timing = timing
        self.speaker = speaker
        self.remark = remark
    }
}

/// A version as lists show it.
package struct TranscriptVersion: Sendable, Hashable, Identifiable {
    package let id: Transcript.ID
    package let item: AudioItem.ID
    /// From 1, in the order in which they were made; never used twice for a recording.
    package let number: Int
    package let created: Date
    package var source: TranscriptSource
    package let language: String
    package let words: Int
    package var isCurrent: Bool

    package init(
        id: Transcript.ID,
        item: AudioItem.ID,
        number: Int,
        created: Date,
        source: TranscriptSource,
        language: String,
        words: Int,
        isCurrent: Bool
    ) {
        self.id = id
        self.item = item
        self.number = number
        self.created = created
        self.source = source
        self.language = language
        self.words = words
        self.isCurrent = isCurrent
    }

    /// The part of `transcript` that lists show.
    package init(_ transcript: Transcript, number: Int, isCurrent: Bool) {
        self.init(
            id: transcript.id,
            item: transcript.item,
            number: number,
            created: transcript.created,
            source: transcript.source,
            language: transcript.language,
            words: transcript.wordCount,
            isCurrent: isCurrent
        )
    }
}

/// The store of transcripts.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that the words of versions are immutable, that exactly one is current
/// as long as any can be read, and that the recording's text, times and search follow it.
package protocol TranscriptStore: Sendable {
    /// The versions of a recording, newest first; a damaged one is among them, its source is
    /// ``TranscriptSource/unreadable`` where that is damaged.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func versions(of item: AudioItem.ID) async throws -> [TranscriptVersion]

    /// - Throws: ``TranscriptError/notFound``; ``VaultError/databaseDamaged``.
    func transcript(_ id: Transcript.ID) async throws -> Transcript

    /// Adds a version, and makes it the current one.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``TranscriptError/ofNarration`` for a narration;
    ///   ``TranscriptError/invalidSegments``.
    @discardableResult
    func add(_ transcript: Transcript) async throws -> TranscriptVersion

    /// - Throws: ``TranscriptError/notFound``.
    func makeCurrent(_ id: Transcript.ID) async throws

    /// Clears ``TranscriptSource/insteadOf`` of a version, which a person has read.
    ///
    /// - Throws: ``TranscriptError/notFound``.
    func forgetFailedRecognizer(of id: Transcript.ID) async throws

    /// Deletes a version; if it was current, the newest of the others that can be read becomes current.
    ///
    /// - Returns: Its recording.
    /// - Throws: ``TranscriptError/notFound``.
    @discardableResult
    func delete(_ id: Transcript.ID) async throws -> AudioItem.ID
}

/// Why a transcript is not shown, made or changed.
package enum TranscriptError: UserFacingError, Equatable {
    case notFound
    case ofNarration
    /// The recording was changed since, or the segments are out of order.
    case invalidSegments
    /// A segment begins before the one in front of it ends; `number` is its own, from 1, and the times are in seconds.
    case segmentsOverlap(number: Int, start: Double, end: Double)
    /// A segment ends before it begins; `number` is from 1.
    case segmentBackwards(number: Int)
    /// A segment ends behind the end of the recording; `number` is from 1, and the times are in seconds.
    case segmentBehindEnd(number: Int, end: Double, duration: Double)
    /// The text of a segment, or the name of a speaker, is longer than a version keeps.
    case textTooLong(limit: Int)
    case speakerTooLong(limit: Int)
    case tooManySegments(limit: Int)
    case jobNotFound
    case jobBusy
    /// The row of an unfinished transcription cannot be read any more.
    case jobDamaged
    /// The program ended twice while it heard the recording.
    case endedProgram
    /// Something else is to be sent than what was allowed.
    case otherSending
    /// The name of a file to write says no format; empty when it has no ending.
    case unknownFormat(ending: String)
    /// A file to read is neither captions nor a transcript as JSON, or nothing is said in it.
    case unreadableFile

    package var failure: Failure {
        switch self {
        case .notFound:
            Failure(.notFound, "transcript.not-found", "There is no such transcript.")
        case .ofNarration:
            Failure(.conflict, "transcript.of-narration", "A voice spoke this recording, so its text is known.")
                .suggesting(
                    "“Check the speech” in the library compares what is heard with the text.",
                    inTerminal: "“echotext library check-speech” compares what is heard with the text."
                )
        case .invalidSegments:
            Failure(
                .invalidContent,
                "transcript.invalid-segments",
                "The segments overlap, or do not lie in the recording."
            )
            .suggesting("Discard the changes and edit the transcript again.")
        case .segmentsOverlap(let number, let start, let end):
            Failure(
                .invalidContent,
                "transcript.segments-overlap",
                "Segment \(number) begins at \(start) s, before segment \(number - 1) ends at \(end) s."
            )
            .suggesting("Let one begin where the other ends, and save it again.")
        case .segmentBackwards(let number):
            Failure(.invalidContent, "transcript.segment-backwards", "Segment \(number) ends before it begins.")
                .suggesting("Correct its times, and save it again.")
        case .segmentBehindEnd(let number, let end, let duration):
            Failure(
                .invalidContent,
                "transcript.segment-behind-end",
                "Segment \(number) ends at \(Self.tenths(end)) s, and the recording at \(Self.tenths(duration)) s."
            )
            .suggesting("Take the segment out, or correct its times, and save it again.")
        case .textTooLong(let limit):
            Failure(
                .invalidContent,
                "transcript.text-too-long",
                "The text of a segment is too long; at most \(limit.grouped) characters are taken."
            )
            .suggesting("Divide the segment, and save it again.")
        case .speakerTooLong(let limit):
            Failure(
                .invalidContent,
                "transcript.speaker-too-long",
                "The name of a speaker is too long; at most \(limit.grouped) characters are taken."
            )
            .suggesting("Shorten the name, and save it again.")
        case .tooManySegments(let limit):
            Failure(
                .invalidContent,
                "transcript.too-many-segments",
                "The transcript has too many segments; at most \(limit.grouped) are taken."
            )
            .suggesting("Join some of them, and save it again.")
        case .jobNotFound:
            Failure(.notFound, "transcription.job-not-found", "There is no such transcription under way.")
        case .jobBusy:
            Failure(.busy, "transcription.job-busy", "Another EchoText works on this transcription.")
                .suggesting("Wait until it is done, or stop it there.")
        case .jobDamaged:
            Failure(.damaged, "transcription.job-damaged", "This transcription is damaged and cannot be continued.")
                .suggesting("Discard it, and transcribe the recording again; the others are whole.")
        case .endedProgram:
            Failure(.internal, "transcription.ended-program", "The program ended twice while it heard this recording.")
                .suggesting("Try it again, or use another recogniser; what was heard is kept.")
        case .otherSending:
            Failure(
                .conflict,
                "transcription.other-sending",
                "The transcription does not wait for this any more, so nothing was allowed."
            )
            .suggesting("Look at what is to be sent now, and allow that.")
        case .unknownFormat(let ending):
            Failure(
                .invalidRequest,
                "transcript.unknown-format",
                ending.isEmpty
                    ? "The output file's name does not say which format it has."
                    : "Transcripts are not written as “\(ending)”."
            )
            .suggesting(
                "Choose one with --format: \(TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        case .unreadableFile:
            Failure(
                .invalidContent,
                "transcript.unreadable-file",
                "The file has neither captions (SRT, WebVTT) nor a transcript as JSON, or no word in them."
            )
            .suggesting("Edit a file that “echotext transcripts export” writes with --format srt, vtt or json.")
        }
    }

    private static func tenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}

/// The text of a transcript, as the recording's own.
extension Transcript {
    /// The text, with a line for each segment that has words.
    package var text: String { segments.filter { !$0.text.isEmpty }.map(\.text).joined(separator: "\n") }

    /// Where something is said that was not understood.
    package var gaps: [TranscriptSegment] { segments.filter { $0.kind == .notUnderstood } }

    /// How many words were said.
    package var wordCount: Int { segments.reduce(0) { $0 + $1.text.wordCount } }

    /// The times of the lines of ``text``.
    ///
    /// - Parameters:
    ///   - sampleRate: The recording's sample rate in hertz.
    ///   - count: The recording's number of samples, which limits the times.
    /// - Returns: A sentence for each line; words do not overlap.
    package func timings(sampleRate: Int, count: Int) -> [TimedSentence] {
        zip(segments, lineStarts).filter { !$0.0.text.isEmpty }.map { segment, start in
            segment.timed(from: start, sampleRate: sampleRate, count: count)
        }
    }

    /// Where the line of each segment begins in ``text``, in UTF-16 units; for a segment without words, where the next
    /// line begins.
    package var lineStarts: [Int] {
        var start = 0
        return segments.map { segment in
            defer { if !segment.text.isEmpty { start += segment.text.utf16.count + 1 } }  // with the line's end
            return start
        }
    }

    /// How far a segment may reach beyond the recording's end, in seconds: a recognizer's clips are whole windows.
    static let tolerance = 1.0
    /// How far two segments may overlap, in seconds: their times are sums.
    private static let roundingError = 1e-6

    /// Checks that the segments are in order and lie in the recording, and their words in them.
    ///
    /// - Parameter duration: The recording's, in seconds.
    /// - Throws: ``TranscriptError/invalidSegments``.
    package func check(duration: Double) throws(TranscriptError) {
        var place = 0.0
        for segment in segments {
            guard segment.time.lowerBound >= place - Self.roundingError,
                segment.time.upperBound <= duration + Self.tolerance, segment.isSound
            else { throw .invalidSegments }
            place = segment.time.upperBound
        }
    }
}

extension TranscriptSegment {
    /// Whether its words lie in order in the text, and all its numbers are numbers.
    fileprivate var isSound: Bool {
        guard time.lowerBound.isFinite, time.upperBound.isFinite, kind == .speech || text.isEmpty else { return false }
        var place = 0
        for word in words {
            guard word.source.lowerBound >= place, word.start.isFinite, word.end.isFinite, word.start <= word.end else {
                return false
            }
            place = word.source.upperBound
        }
        return place <= text.utf16.count
    }

    fileprivate func timed(from start: Int, sampleRate: Int, count: Int) -> TimedSentence {
        func sample(_ seconds: Double, in range: ClosedRange<Int>) -> Int {
            let sample = (seconds * Double(sampleRate)).rounded()
            guard sample > Double(range.lowerBound) else { return range.lowerBound }
            return sample < Double(range.upperBound) ? Int(sample) : range.upperBound
        }
        let first = sample(time.lowerBound, in: 0...count)
        let heard = first..<sample(time.upperBound, in: first...count)
        let starts = words.reduce(into: [Int]()) { starts, word in
            starts.append(sample(word.start, in: (starts.last ?? first)...heard.upperBound))
        }
        let timed = words.enumerated().map { index, word in
            let end = index + 1 < starts.count ? starts[index + 1] : heard.upperBound
            return TimedWord(
                source: start + word.source.lowerBound..<start + word.source.upperBound,
                samples: starts[index]..<sample(word.end, in: starts[index]...end),
                precision: isExact && !word.isEstimated ? .exact : .estimated
            )
        }
        return TimedSentence(source: start..<start + text.utf16.count, text: text, samples: heard, words: timed)
    }
}

extension Transcript {
    /// Replaces the segments of a part that was recognized again.
    ///
    /// A segment that reaches into the part keeps the words whose midpoints are outside it.
    ///
    /// - Parameters:
    ///   - range: The part, in seconds.
    ///   - recognized: The new segments; words outside the part are dropped.
    /// - Returns: All segments in order, without overlaps.
    package func segments(
        replacing range: Range<Double>,
        by recognized: [TranscriptSegment]
    ) -> [TranscriptSegment] {
        let before = segments.compactMap { $0.part(-.infinity..<range.lowerBound) }
        let within = recognized.compactMap { $0.part(range) }
        let after = segments.compactMap { $0.part(range.upperBound..<Double.infinity) }
        return before + within + after
    }
}

extension TranscriptSegment {
    /// The part of it in `range`: all, nothing, or the words whose midpoints are inside.
    fileprivate func part(_ range: Range<Double>) -> TranscriptSegment? {
        // A segment without length, as of shortened captions, is not cut.
        if time.isEmpty { return range.contains(time.lowerBound) ? self : nil }
        let common =
            max(
                time.lowerBound,
                range.lowerBound
            )..<max(
                max(time.lowerBound, range.lowerBound),
                min(time.upperBound, range.upperBound)
            )
        if common == time { return self }
        guard !common.isEmpty else { return nil }
        var part = self
        part.time = common
        guard kind == .speech else { return part }
        let own = timedWords.filter { range.contains(($0.start + $0.end) / 2) }
        guard let first = own.first, let last = own.last else { return nil }
        let place = first.source.lowerBound..<last.source.upperBound
        part.text = String(text.part(place))
        part.words = own.map { word in
            var word = word.moved(by: -place.lowerBound)
            word.start = min(max(word.start, common.lowerBound), common.upperBound)
            word.end = min(max(word.end, word.start), common.upperBound)
            return word
        }
        return part
    }
}

/// A match of search words in a transcript.
package struct TranscriptMatch: Sendable, Hashable {
    /// The number of the segment, from 0.
    package let segment: Int
    /// The range in the segment's text.
    package let source: TextRange
    /// In seconds from the start of the recording.
    package let time: Range<Double>
}

extension Transcript {
    /// Finds the matches of `words`, in sequence within a segment.
    ///
    /// - Parameters:
    ///   - words: The search words.
    ///   - limit: The most matches to return.
    /// - Returns: The matches in order.
    package func matches(of words: SearchWords, limit: Int = .max) -> [TranscriptMatch] {
        var matches: [TranscriptMatch] = []
        for (index, segment) in segments.enumerated() where matches.count < limit && !segment.text.isEmpty {
            let found = words.matches(in: segment.text, limit: limit - matches.count)
            if found.isEmpty { continue }
            let timed = segment.timedWords
            matches += found.map { source in
                let own = timed.filter { $0.source.overlaps(source) }
                let start = own.first?.start ?? segment.time.lowerBound
                return TranscriptMatch(segment: index, source: source, time: start..<max(start, own.last?.end ?? start))
            }
        }
        return matches
    }
}

/// Finds where the paragraphs of a transcript begin, segment by segment.
///
/// A paragraph is what one speaker says without a long pause and without anything that was not understood.
package struct TranscriptParagraphs: Sendable {
    /// A pause of this length begins a paragraph, in seconds.
    package static let pause = 2.0

    /// From this length on, a paragraph on the screen ends with the next sentence, in UTF-16 units.
    package static let readableLength = 800

    private let longest: Int
    /// The segment before, unless it ends a paragraph.
    private var last: TranscriptSegment?
    /// The length of the paragraph so far, in UTF-16 units.
    private var length = 0

    /// - Parameter longest: From this length on, a paragraph ends with the next sentence, in UTF-16 units.
    package init(longest: Int = TranscriptParagraphs.readableLength) {
        self.longest = longest
    }

    /// Takes the next segments.
    ///
    /// - Returns: Whether a paragraph begins with each of them; `false` for those without words.
    package mutating func beginnings(of segments: [TranscriptSegment]) -> [Bool] {
        segments.map { begins(with: $0) }
    }

    /// Takes the next segment.
    ///
    /// - Returns: Whether a paragraph begins with it; `false` if it has no words.
    package mutating func begins(with segment: TranscriptSegment) -> Bool {
        if segment.kind == .notUnderstood { end() }
        guard segment.kind != .notUnderstood, !segment.text.isEmpty else { return false }
        let isContinued = last.map { continues($0, with: segment) } ?? false
        length = (isContinued ? length : 0) + segment.text.utf16.count
        last = segment
        return !isContinued
    }

    /// Ends the paragraph: the next segment with words begins another.
    package mutating func end() {
        last = nil
    }

    private func continues(_ segment: TranscriptSegment, with next: TranscriptSegment) -> Bool {
        let end = segment.words.last?.end ?? segment.time.upperBound
        let start = next.words.first?.start ?? next.time.lowerBound
        guard segment.speaker == next.speaker, start - end < Self.pause else { return false }
        return length < longest || segment.text.firstMatch(of: /[.!?…。！？]["'”’»)]*$/) == nil
    }
}

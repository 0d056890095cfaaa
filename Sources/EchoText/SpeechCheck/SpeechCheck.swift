/// Transcribes a narration, and finds the sentences that do not sound as they are written.
///
/// Sentences are transcribed together with their neighbors, since recognizers are more accurate with more context. A
/// sentence that seems wrong is transcribed again alone; it is reported if the same words are wrong both times.
///
/// ```swift
/// let check = SpeechCheck(by: session, preparation, lanes: 2, conversion: tools.conversion)
/// for finding in try await check.check(sentences, in: reader) { … }
/// ```
package struct SpeechCheck: Sendable {
    /// How far a check has come.
    package struct Progress: Sendable, Hashable {
        /// The number of checked sentences.
        package var heard: Int
        package let total: Int
        /// The findings in the passage that was checked last.
        package var findings: [SpeechFinding]
    }

    /// The longest passage, in seconds; the maximum of a clip of ``SpeechSegmenter``.
    static let longestPassage = 28.0
    /// A pause that is longer parts passages, in seconds.
    static let longestPause = 2.0
    /// How much of the pauses on either side is included, in seconds.
    private static let margins = (together: 0.15, alone: 0.3)
    /// The silence added around a sentence that is transcribed alone, in seconds.
    private static let stillness = 0.3

    private let session: any RecognitionSession
    private let preparation: TextPreparation
    private let lanes: Int
    private let conversion: @Sendable (_ from: Int, _ to: Int) throws -> any RateConversion

    /// - Parameters:
    ///   - session: The recognizer.
    ///   - preparation: The preparation of the text for speech.
    ///   - lanes: How many passages are transcribed at once.
    ///   - conversion: Makes a conversion from one sample rate to another.
    package init(
        by session: any RecognitionSession,
        _ preparation: TextPreparation,
        lanes: Int,
        conversion: @escaping @Sendable (_ from: Int, _ to: Int) throws -> any RateConversion
    ) {
        self.session = session
        self.preparation = preparation
        self.lanes = max(1, lanes)
        self.conversion = conversion
    }

    /// Checks all `sentences`.
    ///
    /// - Parameters:
    ///   - sentences: The timing table of the narration.
    ///   - reader: Its sound.
    ///   - report: Called when a passage was checked, in any order.
    /// - Returns: The findings, in order.
    /// - Throws: ``RecognitionError``, what reading throws, `CancellationError`.
    package func check(
        _ sentences: [TimedSentence],
        in reader: RecordingReader,
        report: @Sendable (Progress) async -> Void = { _ in }
    ) async throws -> [SpeechFinding] {
        var passages = Self.passages(of: sentences, sampleRate: reader.sampleRate)[...]
        return try await withThrowingTaskGroup(of: (Int, [SpeechFinding]).self) { group in
            var progress = Progress(heard: 0, total: sentences.count, findings: [])
            var findings: [SpeechFinding] = []
            for passage in passages.prefix(lanes) {
                group.addTask { (passage.count, try await self.findings(in: passage, of: sentences, reader)) }
            }
            passages = passages.dropFirst(lanes)
            while let (count, found) = try await group.next() {
                if let passage = passages.popFirst() {
                    group.addTask { (passage.count, try await self.findings(in: passage, of: sentences, reader)) }
                }
                findings += found
                progress.heard += count
                progress.findings = found
                await report(progress)
            }
            return findings.sorted { $0.number < $1.number }
        }
    }

    /// Checks one of `sentences` again.
    ///
    /// - Parameters:
    ///   - number: The sentence's number, from 1.
    ///   - sentences: The timing table of the narration.
    ///   - reader: Its sound.
    /// - Returns: The finding; `nil` when the sentence sounds as it is written.
    /// - Throws: As ``check(_:in:report:)``.
    package func check(
        _ number: Int,
        of sentences: [TimedSentence],
        in reader: RecordingReader
    ) async throws -> SpeechFinding? {
        try await findings(in: number - 1..<number, of: sentences, reader).first
    }

    /// Groups the sentences that are transcribed together.
    static func passages(of sentences: [TimedSentence], sampleRate: Int) -> [Range<Int>] {
        var passages: [Range<Int>] = []
        for (index, sentence) in sentences.enumerated() {
            if let last = passages.last {
                let start = sentences[last.lowerBound].samples.lowerBound
                let pause = sentence.samples.lowerBound - sentences[index - 1].samples.upperBound
                let length = Double(sentence.samples.upperBound - start) / Double(sampleRate)
                if length <= longestPassage, Double(pause) / Double(sampleRate) <= longestPause {
                    passages[passages.count - 1] = last.lowerBound..<index + 1
                    continue
                }
            }
            passages.append(index..<index + 1)
        }
        return passages
    }

    private func findings(
        in passage: Range<Int>,
        of sentences: [TimedSentence],
        _ reader: RecordingReader
    ) async throws -> [SpeechFinding] {
        let expected = sentences[passage].map { ExpectedSpeech(of: $0.text, by: preparation) }
        let recognized = try await recognize(
            sound(of: passage, of: sentences, reader, margin: Self.margins.together),
            at: reader.sampleRate
        )
        let first = SpeechComparison(of: expected, with: recognized, preparation).differences
        var findings: [SpeechFinding] = []
        for (index, sentence) in zip(passage, expected) where !sentence.words.isEmpty {
            let suspicions = first[index - passage.lowerBound]
            guard suspicions.fault(ofWords: sentence.words.count) != nil else { continue }
            let alone = try await recognize(
                sound(of: index..<index + 1, of: sentences, reader, margin: Self.margins.alone),
                at: reader.sampleRate,
                stillness: Self.stillness
            )
            let second = SpeechComparison(of: [sentence], with: alone, preparation).differences[0]
            let differences = second.confirmed(by: suspicions)
            guard let kind = differences.fault(ofWords: sentence.words.count) else { continue }
            findings.append(
                finding(kind, of: sentences[index], number: index + 1, sentence, differences, alone, reader)
            )
        }
        return findings
    }

    private func finding(
        _ kind: SpeechFinding.Kind,
        of sentence: TimedSentence,
        number: Int,
        _ expected: ExpectedSpeech,
        _ differences: [SpeechComparison.Difference],
        _ recognized: String,
        _ reader: RecordingReader
    ) -> SpeechFinding {
        SpeechFinding(
            number: number,
            kind: kind,
            of: sentence,
            sampleRate: reader.sampleRate,
            heard: recognized,
            differences: differences.map { difference in
                let source = expected.source(of: difference.expected)
                let start = sentence.source.lowerBound
                return SpeechFinding.Difference(
                    source: start + source.lowerBound..<start + source.upperBound,
                    written: expected.written(source),
                    heard: difference.heard.joined(separator: " "),
                    place: difference.place
                )
            }
        )
    }

    // MARK: - Sound

    /// Returns the sound of the sentences of `passage` with part of the pauses around them, but nothing of their
    /// neighbors.
    private func sound(
        of passage: Range<Int>,
        of sentences: [TimedSentence],
        _ reader: RecordingReader,
        margin: Double
    ) async throws -> [Float] {
        let margin = Int(margin * Double(reader.sampleRate))
        let start = sentences[passage.lowerBound].samples.lowerBound
        let end = sentences[passage.upperBound - 1].samples.upperBound
        let before = passage.lowerBound > 0 ? sentences[passage.lowerBound - 1].samples.upperBound : 0
        let after =
            passage.upperBound < sentences.count ? sentences[passage.upperBound].samples.lowerBound : reader.count
        let last = min(max(end, after), end + margin, reader.count)
        var samples: [Float] = []
        var position = max(min(start, before), start - margin, 0)
        while position < last {
            let clip = try await reader.clip(from: position, limit: last - position)
            guard !clip.samples.isEmpty else { break }
            samples += clip.samples
            position += clip.samples.count
        }
        return samples
    }

    /// Transcribes `samples`, in pieces if they exceed a recognizer's maximum.
    private func recognize(_ samples: [Float], at rate: Int, stillness: Double = 0) async throws -> String {
        var texts: [String] = []
        var rest = samples[...]
        let still = [Float](repeating: 0, count: Int(stillness * Double(rate)))
        while !rest.isEmpty {
            let piece = rest.prefix(Self.place(toCut: rest, at: rate) - rest.startIndex)
            rest = rest.dropFirst(piece.count)
            let clip = AudioClip(samples: still + piece + still, sampleRate: rate)
            texts.append(try await session.recognize(try await converted(clip)).text)
        }
        return texts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func converted(_ clip: AudioClip) async throws -> AudioClip {
        guard clip.sampleRate != RecognitionClip.sampleRate else { return clip }
        return try await conversion(clip.sampleRate, RecognitionClip.sampleRate).convert(clip, isLast: true)
    }

    /// Returns the end of the first piece of `samples`: their own end, or the quietest position before the maximum.
    static func place(toCut samples: ArraySlice<Float>, at rate: Int) -> Int {
        let longest = Int((longestPassage + 2 * margins.together) * Double(rate))
        guard samples.count > longest else { return samples.endIndex }
        let window = max(1, rate / 50)  // 20 ms
        let starts = stride(
            from: samples.startIndex + longest * 2 / 3,
            to: samples.startIndex + longest - window,
            by: window
        )
        let quietest = starts.min { power(samples[$0..<$0 + window]) < power(samples[$1..<$1 + window]) }
        return quietest.map { $0 + window / 2 } ?? samples.startIndex + longest
    }

    private static func power(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
}

/// A sentence of a narration that does not sound as it is written.
package struct SpeechFinding: Sendable, Hashable, Identifiable {
    /// The kind of fault; of several, the first in this order.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Words of the text are not spoken.
        case missing
        /// Words are spoken that the text does not have.
        case added
        /// More than a third of the words were recognized as others, or one as a word that does not sound similar.
        case garbled
    }

    /// Words that differ.
    package struct Difference: Sendable, Hashable {
        /// The range of the words in the whole text; empty where words were added.
        package let source: TextRange
        /// As they are written.
        package let written: String
        /// The words recognized instead.
        package let heard: String
        /// Their range in the recognized text of the sentence; empty where there are none.
        package let place: TextRange

        package init(source: TextRange, written: String, heard: String, place: TextRange) {
            (self.source, self.written, self.heard, self.place) = (source, written, heard, place)
        }
    }

    /// Which sentence of the narration, from 1.
    package let number: Int
    package let kind: Kind
    /// In seconds from the start of the recording.
    package private(set) var start: Double
    package private(set) var end: Double
    /// The range of the sentence in the whole text.
    package let source: TextRange
    /// The sentence as it is written.
    package let text: String
    /// The recognized text of the sentence alone.
    package let heard: String
    /// In the order of the text, at least one.
    package let differences: [Difference]

    package var id: Int { number }

    /// - Parameters:
    ///   - number: The sentence's number, from 1.
    ///   - kind: The kind of fault.
    ///   - sentence: The sentence itself.
    ///   - sampleRate: The recording's sample rate in hertz.
    ///   - heard: The recognized text of the sentence alone.
    ///   - differences: The words that differ, in the order of the text.
    package init(
        number: Int,
        kind: Kind,
        of sentence: TimedSentence,
        sampleRate: Int,
        heard: String,
        differences: [Difference]
    ) {
        self.number = number
        self.kind = kind
        (start, end) = Self.seconds(of: sentence, sampleRate: sampleRate)
        source = sentence.source
        text = sentence.text
        self.heard = heard
        self.differences = differences
    }

    /// Returns the finding with the times after another sentence's sound became longer or shorter.
    package func moved(to sentence: TimedSentence, sampleRate: Int) -> SpeechFinding {
        var moved = self
        (moved.start, moved.end) = Self.seconds(of: sentence, sampleRate: sampleRate)
        return moved
    }

    private static func seconds(of sentence: TimedSentence, sampleRate: Int) -> (start: Double, end: Double) {
        let rate = Double(sampleRate)
        return (Double(sentence.samples.lowerBound) / rate, Double(sentence.samples.upperBound) / rate)
    }
}

/// Why a narration is not checked, or a sentence of it not spoken again.
package enum SpeechCheckError: UserFacingError, Equatable {
    /// No voice spoke it, or its text is that of a transcript.
    case notANarration
    /// Sentences are counted from 1.
    case noSuchSentence(Int, count: Int)
    /// The sample rate of the voice differs from the recording's.
    case otherVoice
    /// The recognizer is a remote service, which checks never use.
    case needsLocalRecognizer
    /// The narration is being checked, or a sentence of it spoken again.
    case busy

    package var failure: Failure {
        switch self {
        case .notANarration:
            Failure(
                .conflict,
                "speech-check.not-a-narration",
                "That recording was not spoken from a text, or shows a transcript in its place."
            )
            .suggesting(
                "Only narrations are checked; transcribe other recordings instead.",
                inTerminal: "Only narrations are checked; “echotext transcribe” writes down other recordings."
            )
        case .noSuchSentence(let number, let count):
            Failure(
                .invalidRequest,
                "speech-check.no-such-sentence",
                "There is no sentence \(number) in it; there are \(count)."
            )
            .suggesting("Check the recording again.", inTerminal: "“echotext library check-speech” shows the numbers.")
        case .otherVoice:
            Failure(
                .conflict,
                "speech-check.other-voice",
                "The voice has changed since: it does not speak at the recording's sample rate any more."
            )
            .suggesting("Make the recording again.")
        case .needsLocalRecognizer:
            Failure(
                .invalidRequest,
                "speech-check.needs-local-recognizer",
                "A narration is checked on this machine; nothing of it is sent to a service."
            )
            .suggesting("Choose a recogniser that is installed here.")
        case .busy:
            Failure(
                .busy,
                "speech-check.busy",
                "That narration is just now being checked, or a sentence of it read again."
            )
            .suggesting("Wait until that is done, or stop it.")
        }
    }
}

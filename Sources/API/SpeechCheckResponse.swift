package import EchoText

/// The check of a narration for sentences that do not sound as they are written.
package struct SpeechCheckResponse: Encodable, Sendable {
    package enum State: String, Encodable, Sendable {
        case unchecked = "none"
        case queued
        case running
        case done
        case failed
    }

    /// The narration.
    package let item: AudioItem.ID
    package let state: State
    @Nullable package var recognizer: Recognizer.ID?
    @Nullable package var recognizerName: String?
    /// From 0 to 1.
    package let progress: Double
    /// Sentences that have been heard.
    package let heard: Int
    /// Sentences of the narration.
    package let sentences: Int
    /// Sentences that were found wrong.
    package let found: Int
    @Nullable package var failure: FailureResponse?
    package private(set) var findings: [SpeechFindingResponse]?

    /// The state without the findings.
    ///
    /// - Parameters:
    ///   - item: The narration.
    ///   - status: `nil` for a narration that was not checked.
    package init(of item: AudioItem.ID, _ status: SpeechCheckStatus?) {
        self.item = item
        state = State(status?.state)
        (recognizer, recognizerName) = (status?.recognizer.id, status?.recognizer.name)
        progress = status?.progress ?? 0
        (heard, sentences, found) = (status?.heard ?? 0, status?.total ?? 0, status?.findings.count ?? 0)
        failure = if case .failed(let failure) = status?.state { FailureResponse(failure) } else { nil }
    }

    /// The state and the findings.
    ///
    /// - Parameters:
    ///   - item: The narration.
    ///   - status: `nil` for a narration that was not checked.
    ///   - hasWords: Whether the words that differ are named, as in a command's answer.
    package init(withFindingsOf item: AudioItem.ID, _ status: SpeechCheckStatus?, hasWords: Bool = false) {
        self.init(of: item, status)
        findings = (status?.findings ?? []).map { finding in
            let isSpokenAgain = status?.spokenAgain.contains(finding.number) ?? false
            return SpeechFindingResponse(finding, isSpokenAgain: isSpokenAgain, hasWords: hasWords)
        }
    }
}

extension SpeechCheckResponse.State {
    fileprivate init(_ state: SpeechCheckStatus.State?) {
        self =
            switch state {
            case nil: .unchecked
            case .queued: .queued
            case .running: .running
            case .done: .done
            case .failed: .failed
            }
    }
}

/// A sentence that does not sound as it is written.
package struct SpeechFindingResponse: Encodable, Sendable {
    /// Words that differ.
    package struct Difference: Encodable, Sendable {
        /// Where their range in the sentence begins, in UTF-16 units; it is empty where words were added.
        package let from: Int
        package let to: Int
        /// Where the words begin that were recognized instead, in UTF-16 units; none if the range is empty.
        package let heardFrom: Int
        package let heardTo: Int
        /// In a command's answer: the words of the sentence.
        package let written: String?
        /// In a command's answer: the words recognized instead.
        package let heard: String?
    }

    /// The number of the sentence, from 1.
    package let number: Int
    package let kind: SpeechFinding.Kind
    /// In seconds.
    package let start: Double
    package let end: Double
    package let text: String
    package let heard: String
    /// The differing words in the text and in the transcript, in UTF-16 units.
    package let differences: [Difference]
    /// Whether the sentence was synthesized and checked again since the check.
    package let isSpokenAgain: Bool

    /// - Parameters:
    ///   - finding: The finding.
    ///   - isSpokenAgain: Whether the sentence was synthesized and checked again since the check.
    ///   - hasWords: Whether the words that differ are named, as in a command's answer.
    fileprivate init(_ finding: SpeechFinding, isSpokenAgain: Bool, hasWords: Bool) {
        (number, kind) = (finding.number, finding.kind)
        (start, end) = (finding.start, finding.end)
        (text, heard) = (finding.text, finding.heard)
        differences = finding.differences.map { difference in
            Difference(
                from: difference.source.lowerBound - finding.source.lowerBound,
                to: difference.source.upperBound - finding.source.lowerBound,
                heardFrom: difference.place.lowerBound,
                heardTo: difference.place.upperBound,
                written: hasWords ? difference.written : nil,
                heard: hasWords ? difference.heard : nil
            )
        }
        self.isSpokenAgain = isSpokenAgain
    }
}

/// A sentence that was spoken again.
package struct SpokenSentenceResponse: Encodable, Sendable {
    /// The recording as it is now.
    package let item: ItemResponse
    /// The number of the sentence, from 1.
    package let number: Int
    /// In seconds.
    package let start: Double
    package let end: Double
    /// How far the times of all captions are kept, if each is to begin at its own.
    @Nullable package var times: CaptionDelays?
    /// Parts that were left out.
    package let unspoken: [String]
    /// The check of the narration; a command makes none.
    package private(set) var check: SpeechCheckResponse?

    package init(
        _ number: Int,
        _ sentence: TimedSentence,
        of item: AudioItem,
        times: CaptionDelays?,
        unspoken: [String]
    ) {
        self.item = ItemResponse(item)
        self.number = number
        self.times = times
        self.unspoken = unspoken
        let rate = Double(item.sampleRate)
        (start, end) = (Double(sentence.samples.lowerBound) / rate, Double(sentence.samples.upperBound) / rate)
    }

    package init(_ number: Int, _ spoken: SpeechChecks.Spoken) {
        self.init(number, spoken.sentence, of: spoken.item, times: spoken.times, unspoken: spoken.unspoken)
        check = SpeechCheckResponse(withFindingsOf: spoken.item.id, spoken.check)
    }
}

import API
import EchoText
import Hummingbird

/// The state of the check of a narration.
struct SpeechCheckProgress: Encodable {
    let item: String
    /// `none`, `queued`, `running`, `done` or `failed`.
    let state: String
    /// The recogniser of the check.
    @Nullable var recognizer: String?
    @Nullable var recognizerName: String?
    /// From 0 to 1.
    let progress: Double
    /// The numbers of checked sentences, of all sentences, and of findings.
    let heard: Int
    let sentences: Int
    let found: Int
    @Nullable var failure: FailureResponse?

    /// - Parameters:
    ///   - item: The narration.
    ///   - status: `nil` when there is no check.
    init(of item: AudioItem.ID, _ status: SpeechCheckStatus?) {
        self.item = item.rawValue
        state = status?.state.name ?? "none"
        recognizer = status?.recognizer.id.rawValue
        recognizerName = status?.recognizer.name
        progress = status?.progress ?? 0
        (heard, sentences, found) = (status?.heard ?? 0, status?.total ?? 0, status?.findings.count ?? 0)
        failure = if case .failed(let failure) = status?.state { FailureResponse(failure) } else { nil }
    }
}

/// The check of a narration with its findings.
struct SpeechCheckResponse: ResponseEncodable {
    /// A sentence that does not sound as it is written.
    struct Finding: Encodable {
        /// Words that differ.
        struct Difference: Encodable {
            /// Their range in the sentence, in UTF-16 units; empty where words were added.
            let from: Int
            let to: Int
            /// The range of the words recognized instead; empty where there are none.
            let heardFrom: Int
            let heardTo: Int
        }

        /// The number of the sentence, from 1.
        let number: Int
        let kind: SpeechFinding.Kind
        /// In seconds.
        let start: Double
        let end: Double
        let text: String
        let heard: String
        let differences: [Difference]
        /// Whether the sentence was synthesized and checked again since the check.
        let isSpokenAnew: Bool

        init(_ finding: SpeechFinding, isSpokenAnew: Bool) {
            (number, kind) = (finding.number, finding.kind)
            (start, end) = (finding.start, finding.end)
            (text, heard) = (finding.text, finding.heard)
            differences = finding.differences.map { difference in
                Difference(
                    from: difference.source.lowerBound - finding.source.lowerBound,
                    to: difference.source.upperBound - finding.source.lowerBound,
                    heardFrom: difference.place.lowerBound,
                    heardTo: difference.place.upperBound
                )
            }
            self.isSpokenAnew = isSpokenAnew
        }
    }

    private let progress: SpeechCheckProgress
    private let findings: [Finding]

    init(of item: AudioItem.ID, _ status: SpeechCheckStatus?) {
        progress = SpeechCheckProgress(of: item, status)
        findings = (status?.findings ?? []).map { finding in
            Finding(finding, isSpokenAnew: status?.spokenAnew.contains(finding.number) ?? false)
        }
    }

    private enum CodingKeys: CodingKey {
        case findings
    }

    func encode(to encoder: any Encoder) throws {
        try progress.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(findings, forKey: .findings)
    }
}

/// A sentence that was spoken again.
struct SpokenSentenceResponse: ResponseEncodable {
    /// The recording as it is now.
    let item: ItemResponse
    let number: Int
    /// In seconds.
    let start: Double
    let end: Double
    let check: SpeechCheckResponse

    init(_ number: Int, _ spoken: SpeechChecks.Spoken) {
        item = ItemResponse(spoken.item)
        self.number = number
        let rate = Double(spoken.item.sampleRate)
        start = Double(spoken.sentence.samples.lowerBound) / rate
        end = Double(spoken.sentence.samples.upperBound) / rate
        check = SpeechCheckResponse(of: spoken.item.id, spoken.check)
    }
}

extension SpeechCheckStatus.State {
    /// As programs match it.
    fileprivate var name: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .done: "done"
        case .failed: "failed"
        }
    }
}

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
    private let progress: SpeechCheckProgress
    private let findings: [SpeechFindingResponse]

    init(of item: AudioItem.ID, _ status: SpeechCheckStatus?) {
        progress = SpeechCheckProgress(of: item, status)
        findings = (status?.findings ?? []).map { finding in
            SpeechFindingResponse(finding, isSpokenAnew: status?.spokenAnew.contains(finding.number) ?? false)
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
